import { persistentAtom } from '@nanostores/persistent'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import styles from './cases.module.css'

export function Key({ children }: { children: string }) {
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

export interface KeyGroup {
  title: string
  /** Shown on pages that use keys of this place; on every page without it. */
  place?: Place
  keys: readonly { names: readonly string[]; does: string }[]
}

type Place = 'list' | 'case'

/** The keys of each place on this page. */
export const usedKeys = new Map<Place, Set<string>>()
/** The decisions that can be made on this page now. */
export const decisionKeys = new Set<KeyGroup['keys']>()

/** Lists the keys of decisions in the help, while they can be chosen. */
export function useListedKeys(choices: readonly { key: string; label: string }[]): void {
  useEffect(() => {
    const own = choices.map(({ key, label }) => ({ names: [key.toUpperCase()], does: label }))
    decisionKeys.add(own)
    return () => void decisionKeys.delete(own)
  })
}

/** Actions by the character that the key types: `j`, `?`. Undefined has no effect. */
type Shortcuts = Readonly<Record<string, (() => void) | undefined>>

/** Whether shortcuts are on. People who dictate need them off (WCAG 2.1.4). Stored in this browser. */
export const $shortcuts = persistentAtom<'on' | 'off'>('operator-shortcuts', 'on', {
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
    usedKeys.set(listedAs, new Set(keys))
    return () => void usedKeys.delete(listedAs)
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
