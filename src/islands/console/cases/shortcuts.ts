import { persistentAtom } from '@nanostores/persistent'
import { useStore } from '@nanostores/react'
import { type RefObject, useEffect, useEffectEvent } from 'react'

/** What a single key does, by the character it types: `j`, `?`. Undefined does nothing. */
export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>

/** Whether single keys work: people who dictate need them off (WCAG 2.1.4). Kept in this browser. */
const $shortcuts = persistentAtom<'on' | 'off'>('operator-shortcuts', 'on', {
  encode: (value) => (value === 'on' ? undefined : value),
  decode: (text) => (text === 'off' ? 'off' : 'on'),
})

export function useShortcutSwitch(): [isOn: boolean, setOn: (isOn: boolean) => void] {
  return [useStore($shortcuts) === 'on', (isOn) => $shortcuts.set(isOn ? 'on' : 'off')]
}

/**
 * Single keys that work while `place` is reachable: in the uppermost dialog where one is open. None works in a text
 * field, with a modifier, or held down.
 */
export function useShortcuts(shortcuts: Shortcuts, place: RefObject<HTMLElement | null>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = Object.hasOwn(shortcuts, event.key) ? shortcuts[event.key] : undefined
    if (act === undefined || event.defaultPrevented || $shortcuts.get() === 'off') return
    if (!isAlone(event) || isTyping(event.target) || !isReachable(place.current)) return
    // Otherwise the key is typed into the field that takes the focus.
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
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
  // Toasts are popovers, too, but cover nothing.
  if (place === null || document.querySelector('[popover]:not([popover=manual]):popover-open')) return false
  const uppermost = [...document.querySelectorAll('dialog[open]')].at(-1)
  return uppermost === undefined || uppermost.contains(place)
}
