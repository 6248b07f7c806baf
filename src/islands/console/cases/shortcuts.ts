import { persistentAtom } from '@nanostores/persistent'
import { useStore } from '@nanostores/react'
import { type RefObject, useEffect, useEffectEvent } from 'react'

/** What a single key does, by the character that it types: `j`, `?`. Undefined where it does nothing just now. */
export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>

/**
 * Whether single keys do something: `off` for who dictates, or whose hand rests on the keys (WCAG 2.1.4). Kept in this
 * browser.
 */
const $shortcuts = persistentAtom<'on' | 'off'>('operator-shortcuts', 'on', {
  encode: (value) => (value === 'on' ? undefined : value),
  decode: (text) => (text === 'off' ? 'off' : 'on'),
})

/** Whether shortcuts are on, and what switches them. */
export function useShortcutSwitch(): [isOn: boolean, turn: (isOn: boolean) => void] {
  return [useStore($shortcuts) === 'on', (isOn) => $shortcuts.set(isOn ? 'on' : 'off')]
}

/**
 * Single keys that work while `place` can be reached: where a dialog is open, within the uppermost one. None does
 * anything while something is typed, with a modifier, or held down.
 */
export function useShortcuts(shortcuts: Shortcuts, place: RefObject<HTMLElement | null>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = Object.hasOwn(shortcuts, event.key) ? shortcuts[event.key] : undefined
    if (act === undefined || event.defaultPrevented || $shortcuts.get() === 'off') return
    if (!isAlone(event) || isTyping(event.target) || !isReachable(place.current)) return
    // The key is not typed into what the focus goes to.
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Nothing is held with it. Shift is what types some of the characters, as `?`. */
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
  // Toasts are a popover, too, but over nothing.
  if (place === null || document.querySelector('[popover]:not([popover=manual]):popover-open')) return false
  const uppermost = [...document.querySelectorAll('dialog[open]')].at(-1)
  return uppermost === undefined || uppermost.contains(place)
}
