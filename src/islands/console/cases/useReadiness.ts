import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Readiness } from '../../../design/Button.tsx'

/** How long a new case is shown before it can be decided. */
const READING_MS = 1500

/**
 * Whether the person can have seen the new case: it has been shown for 1.5 seconds, and the pointer or a key has moved
 * since. Until then, clicks meant for the previous case would decide this one.
 */
export function useReadiness(): Readiness {
  const [isRead, setRead] = useState(false)
  // Not state: a key that moves and the click that it causes come in the same moment.
  const moved = useRef(false)
  useEffect(() => {
    const timer = setTimeout(() => setRead(true), READING_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    const recordMovement = (event: Event) => {
      if (isMovement(event)) moved.current = true
    }
    for (const type of MOVEMENTS) addEventListener(type, recordMovement, { capture: true, passive: true })
    return () => {
      for (const type of MOVEMENTS) removeEventListener(type, recordMovement, { capture: true })
    }
  }, [])
  const hasMoved = useCallback(() => moved.current, [])
  return useMemo(() => ({ isRead, hasMoved }), [isRead, hasMoved])
}

const MOVEMENTS = ['pointermove', 'pointerdown', 'keydown'] as const

/** Browsers also report a move when something else appears under a resting pointer. A finger moves by touching another place. */
function isMovement(event: Event): boolean {
  if (event instanceof KeyboardEvent) return !event.repeat
  if (!(event instanceof PointerEvent)) return false
  if (event.type === 'pointermove') return event.movementX !== 0 || event.movementY !== 0
  return event.pointerType === 'touch' && isElsewhere(event)
}

/** CSS pixels within which two touches are of the same place. */
const SAME_PLACE = 24
let lastTouch = { x: 0, y: 0 }
let touchBefore = lastTouch

// Also before a case is shown, because the touch that opened it counts.
if (typeof window !== 'undefined')
  addEventListener(
    'pointerdown',
    ({ clientX, clientY }) => {
      touchBefore = lastTouch
      lastTouch = { x: clientX, y: clientY }
    },
    { capture: true, passive: true },
  )

function isElsewhere({ clientX, clientY }: PointerEvent): boolean {
  return Math.hypot(clientX - touchBefore.x, clientY - touchBefore.y) > SAME_PLACE
}
