import { persistentAtom } from '@nanostores/persistent'
import { useStore } from '@nanostores/react'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { Facts } from '../../../design/Facts.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { Switch } from '../../../design/Switch.tsx'
import styles from './cases.module.css'

/** The list of shortcuts, and the switch that turns them off. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title="Keyboard">
      <ShortcutList />
    </Modal>
  )
}

function ShortcutList() {
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

function Key({ children }: { children: string }) {
  return <kbd className={styles.key}>{children}</kbd>
}

/** The key beside a button's label, hidden on devices without a keyboard. Screen readers use `aria-keyshortcuts`. */
export function KeyHint({ of }: { of: string }) {
  return (
    <span aria-hidden="true" className={styles.keyHint}>
      <Key>{of}</Key>
    </span>
  )
}

interface KeyGroup {
  title: string
  /** Shown on pages that use keys of this place; on every page without it. */
  place?: Place
  keys: readonly { names: readonly string[]; does: string }[]
}

type Place = 'list' | 'case'

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

/** The keys of each place on this page. */
const used = new Map<Place, Set<string>>()
/** The decisions that can be made on this page now. */
const decisions = new Set<KeyGroup['keys']>()

/** Lists the keys of decisions in the help, while they can be chosen. */
export function useListedKeys(choices: readonly { key: string; label: string }[]): void {
  useEffect(() => {
    const own = choices.map(({ key, label }) => ({ names: [key.toUpperCase()], does: label }))
    decisions.add(own)
    return () => void decisions.delete(own)
  })
}

/** The groups of keys that work on this page. Of a list, only the keys that it uses. */
function listActiveGroups(): KeyGroup[] {
  const keys = [...decisions].flat()
  const own = keys.length > 0 ? [{ title: 'Decisions here', keys }] : []
  const listed = groups.flatMap((group) => {
    if (group.place === undefined) return [group]
    const keys = used.get(group.place)
    if (keys === undefined) return []
    if (group.place === 'case') return [group]
    return [{ ...group, keys: group.keys.filter(({ names: [name = ''] }) => keys.has(name.toLowerCase())) }]
  })
  return [...own, ...listed]
}

/** Actions by the character that the key types: `j`, `?`. Undefined has no effect. */
type Shortcuts = Readonly<Record<string, (() => void) | undefined>>

/** Whether shortcuts are on. People who dictate need them off (WCAG 2.1.4). Stored in this browser. */
const $shortcuts = persistentAtom<'on' | 'off'>('operator-shortcuts', 'on', {
  encode: (value) => (value === 'on' ? undefined : value),
  decode: (text) => (text === 'off' ? 'off' : 'on'),
})

/**
 * Shortcuts that work while `place` is reachable: inside the top dialog, if one is open; without a place, everywhere. They do
 * not work in text fields, with a modifier, or while a key repeats. `listedAs` lists them in the help.
 */
export function useShortcuts(
  shortcuts: Shortcuts,
  place?: RefObject<HTMLElement | null>,
  listedAs?: Place,
): void {
  const keys = Object.keys(shortcuts).join('')
  useEffect(() => {
    if (listedAs === undefined) return
    used.set(listedAs, new Set(keys))
    return () => void used.delete(listedAs)
  }, [listedAs, keys])
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = Object.hasOwn(shortcuts, event.key) ? shortcuts[event.key] : undefined
    if (act === undefined || event.defaultPrevented || $shortcuts.get() === 'off') return
    if (!isAlone(event) || isTyping(event.target) || (place && !isReachable(place.current))) return
    // Otherwise the focused field would receive the character.
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
}

/** Without a modifier. Shift is allowed, because it types `?`. */
function isAlone(event: KeyboardEvent): boolean {
  return !(event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=button])'))
  )
}

function isReachable(place: HTMLElement | null): boolean {
  // Toasts are manual popovers and do not cover the page.
  if (place === null || document.querySelector('[popover]:not([popover=manual]):popover-open')) return false
  const uppermost = [...document.querySelectorAll('dialog[open]')].at(-1)
  return uppermost === undefined || uppermost.contains(place)
}
