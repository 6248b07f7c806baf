import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Switch } from '../../../design/Switch.tsx'
import styles from './cases.module.css'
import { useShortcutSwitch } from './shortcuts.ts'

/** What each key does, and the switch that turns them off. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title="Keyboard">
      <ShortcutList />
    </Modal>
  )
}

function ShortcutList() {
  const [isOn, setOn] = useShortcutSwitch()
  return (
    <>
      {groups.map(({ title, keys }) => (
        <section key={title} className={styles.keyGroup}>
          <h3 className={styles.keyGroupTitle}>{title}</h3>
          <Facts facts={keys.map(({ names, does }) => ({ label: does, value: <Keys names={names} /> }))} />
        </section>
      ))}
      <Switch
        label="Single keys do something"
        hint="Switch them off if you dictate, or if a key is easily pressed by mistake. Tab, Enter, Esc and the arrow keys go on as everywhere. Remembered in this browser."
        checked={isOn}
        onChange={({ target }) => setOn(target.checked)}
      />
    </>
  )
}

function Keys({ names }: { names: readonly string[] }) {
  return names.map((key, index) => (
    <span key={key}>
      {index > 0 && <span className="soft"> or </span>}
      <Key>{key}</Key>
    </span>
  ))
}

function Key({ children }: { children: string }) {
  return <kbd className={styles.key}>{children}</kbd>
}

/** The key beside a button's label, hidden where there is no keyboard. Screen readers get `aria-keyshortcuts`. */
export function KeyHint({ of }: { of: string }) {
  return (
    <span aria-hidden="true" className={styles.keyHint}>
      <Key>{of}</Key>
    </span>
  )
}

const groups: readonly { title: string; keys: readonly { names: readonly string[]; does: string }[] }[] = [
  {
    title: 'In the list',
    keys: [
      { names: ['J', '↓'], does: 'Next row' },
      { names: ['K', '↑'], does: 'Row before' },
      { names: ['O', 'Enter'], does: 'Open' },
      { names: ['/'], does: 'Search' },
      { names: ['U'], does: 'Load it anew, with what is new' },
    ],
  },
  {
    title: 'In what is open',
    keys: [
      { names: ['A'], does: 'Begin to approve, pay or close' },
      { names: ['R'], does: 'Begin to reject' },
      { names: ['Enter'], does: 'On from a field to the summary' },
      { names: ['Tab, then Enter'], does: 'Confirm what the summary says' },
      { names: ['N'], does: 'Next one that waits' },
      { names: ['J'], does: 'The row below' },
      { names: ['K'], does: 'The row above' },
      { names: ['Esc'], does: 'Close' },
    ],
  },
  { title: 'Everywhere', keys: [{ names: ['?'], does: 'This list' }] },
]
