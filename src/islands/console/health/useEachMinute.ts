import { useEffect } from 'react'
import { useFresh } from '../../lib/resource.ts'

const EVERY_MS = 60_000
/** After this time without input, the operator counts as away. */
const AWAY_MS = 10 * 60_000
const INPUT_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/**
 * Like `useFresh`, and reloads each minute while the operator is present: an unattended screen must not keep the session
 * alive. Reloads at once when the operator returns.
 */
export function useEachMinute<T>(key: string, load: () => Promise<T>) {
  const resource = useFresh(key, load)
  const { reload } = resource
  useEffect(() => {
    let loadedAtMs = Date.now()
    let inputAtMs = Date.now()
    const loadAgain = () => {
      loadedAtMs = Date.now()
      reload()
    }
    const onInput = () => {
      const wasAway = Date.now() - inputAtMs >= AWAY_MS
      inputAtMs = Date.now()
      if (wasAway) loadAgain()
    }
    const timer = setInterval(() => {
      const isPresent = !document.hidden && Date.now() - inputAtMs < AWAY_MS
      if (isPresent && Date.now() - loadedAtMs >= EVERY_MS) loadAgain()
    }, 5_000)
    for (const name of INPUT_EVENTS) addEventListener(name, onInput, { passive: true })
    return () => {
      clearInterval(timer)
      for (const name of INPUT_EVENTS) removeEventListener(name, onInput)
    }
  }, [reload])
  return resource
}
