import { useStore } from '@nanostores/react'
import { Facts } from '../../../design/Facts.tsx'
import { Switch } from '../../../design/Switch.tsx'
import styles from './cases.module.css'
import { $shortcuts, decisionKeys, Key, type KeyGroup, usedKeys } from './shortcuts.tsx'

/** The shortcuts of this page, and the switch that turns them off. */
export function ShortcutList() {
  const state = useStore($shortcuts)
  return (
    <>
      {listActiveGroups().map(({ title, keys }) => (
        <section key={title} className={styles.keyGroup}>
          <h3 className={styles.keyGroupTitle}>{title}</h3>
          <Facts facts={keys.map(({ names, does }) => ({ label: does, value: <Keys names={names} /> }))} />
        </section>
      ))}
      <Switch
        label="Use single-key shortcuts"
        hint="Turn them off if you dictate, or press keys by mistake. Tab, Enter, Esc and the arrow keys keep working. Remembered in this browser."
        checked={state === 'on'}
        onChange={({ target }) => $shortcuts.set(target.checked ? 'on' : 'off')}
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

const groups: readonly KeyGroup[] = [
  {
    title: 'In the list',
    place: 'list',
    keys: [
      { names: ['J', '↓'], does: 'Next row' },
      { names: ['K', '↑'], does: 'Previous row' },
      { names: ['O', 'Enter'], does: 'Open' },
      { names: ['X'], does: 'Select the row' },
      { names: ['F'], does: 'Search the list' },
      { names: ['U'], does: 'Reload the list' },
    ],
  },
  {
    title: 'In an open case',
    place: 'case',
    keys: [
      { names: ['M'], does: 'Assign to me, or give back' },
      { names: ['A'], does: 'Approve, pay or reply' },
      { names: ['R'], does: 'Reject' },
      { names: ['Q'], does: 'Ask the investor' },
      { names: ['Enter'], does: 'Go from a field to the summary' },
      { names: ['Tab, then Enter'], does: 'Confirm the summary' },
      { names: ['N'], does: 'Next pending case' },
      { names: ['J'], does: 'Next row' },
      { names: ['K'], does: 'Previous row' },
      { names: ['+', '-', 'R'], does: 'Zoom and turn a picture, once it has the focus' },
      { names: ['Esc'], does: 'Close' },
    ],
  },
  {
    title: 'On every page',
    keys: [
      { names: ['/'], does: 'Search people, references and amounts' },
      { names: ['?'], does: 'This list' },
    ],
  },
]

/** The groups of keys that work on this page. Of a list, only the keys that it uses. */
function listActiveGroups(): KeyGroup[] {
  const keys = [...decisionKeys].flat()
  const own = keys.length > 0 ? [{ title: 'Decisions here', keys }] : []
  const listed = groups.flatMap((group) => {
    if (group.place === undefined) return [group]
    const keys = usedKeys.get(group.place)
    if (keys === undefined) return []
    if (group.place === 'case') return [group]
    return [{ ...group, keys: group.keys.filter(({ names: [name = ''] }) => keys.has(name.toLowerCase())) }]
  })
  return [...own, ...listed]
}
