import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Switch } from '../../../design/Switch.tsx'
import { Key } from './Key.tsx'
import styles from './ShortcutHelp.module.css'
import { useShortcutSwitch } from './shortcuts.ts'

/** What each key does, and the switch for all of them. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title="Keyboard">
      <ShortcutList />
    </Modal>
  )
}

function ShortcutList() {
  const [isOn, turn] = useShortcutSwitch()
  return (
    <>
      {groups.map(({ title, keys }) => (
        <section key={title} className={styles.group}>
          <h3 className={styles.title}>{title}</h3>
          <Facts facts={keys.map(({ press, does }) => ({ label: does, value: <Keys press={press} /> }))} />
        </section>
      ))}
      <Switch
        label="Single keys do something"
        hint="Switch them off if you dictate, or if a key is easily pressed by mistake. Tab, Enter, Esc and the arrow keys go on as everywhere. Remembered in this browser."
        checked={isOn}
        onChange={({ target }) => turn(target.checked)}
      />
    </>
  )
}

function Keys({ press }: { press: readonly string[] }) {
  return press.map((key, index) => (
    <span key={key}>
      {index > 0 && <span className="soft"> or </span>}
      <Key>{key}</Key>
    </span>
  ))
}

const groups: readonly { title: string; keys: readonly { press: readonly string[]; does: string }[] }[] = [
  {
    title: 'In the list',
    keys: [
      { press: ['J', '↓'], does: 'Next row' },
      { press: ['K', '↑'], does: 'Row before' },
      { press: ['O', 'Enter'], does: 'Open' },
      { press: ['/'], does: 'Search' },
      { press: ['U'], does: 'Load it anew, with what is new' },
    ],
  },
  {
    title: 'In what is open',
    keys: [
      { press: ['A'], does: 'Begin to approve, pay or close' },
      { press: ['R'], does: 'Begin to reject' },
      { press: ['Enter'], does: 'On from a field to the summary' },
      { press: ['Tab, then Enter'], does: 'Confirm what the summary says' },
      { press: ['N'], does: 'Next one that waits' },
      { press: ['J'], does: 'The row below' },
      { press: ['K'], does: 'The row above' },
      { press: ['Esc'], does: 'Close' },
    ],
  },
  { title: 'Everywhere', keys: [{ press: ['?'], does: 'This list' }] },
]
