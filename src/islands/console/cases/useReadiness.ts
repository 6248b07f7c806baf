import { useEffect, useState } from 'react'

/** How long a new case is shown before it can be decided. */
const READING_MS = 1500

/**
 * Whether the person can have seen what was just shown: it has been there for 1.5 seconds, and the pointer or a key has moved
 * since. Until then, clicks meant for the previous case would decide this one.
 */
export function useReadiness(): boolean {
  const [isRead, setRead] = useState(false)
  const [hasMoved, setMoved] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), READING_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (hasMoved) return
    const listen = (event: Event) => isMovement(event) && setMoved(true)
    for (const type of MOVEMENTS) addEventListener(type, listen, { capture: true, passive: true })
    return () => {
      for (const type of MOVEMENTS) removeEventListener(type, listen, { capture: true })
    }
  }, [hasMoved])
  return isRead && hasMoved
}

const MOVEMENTS = ['pointermove', 'pointerdown', 'keydown'] as const

/** Browsers also report a move when something else appears under a resting pointer. A finger has no pointer that could move. */
function isMovement(event: Event): boolean {
  if (event instanceof KeyboardEvent) return !event.repeat
  if (!(event instanceof PointerEvent)) return false
  if (event.type === 'pointermove') return event.movementX !== 0 || event.movementY !== 0
  return event.pointerType === 'touch' && !(event.target instanceof Element && event.target.closest('button'))
}
