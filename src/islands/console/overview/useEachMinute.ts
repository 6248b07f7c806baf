import { useEffect } from 'react'
import { useFresh } from '../../lib/resource.ts'

const EVERY_MS = 60_000
/** Who has done nothing for so long is taken to be away. */
const AWAY_MS = 10 * 60_000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/**
 * As `useFresh`, and loaded anew each minute while somebody is there: a screen that nobody looks at asks for nothing, and
 * keeps no session alive. Who comes back gets new figures at once.
 */
export function useEachMinute<T>(key: string, load: () => Promise<T>) {
  const resource = useFresh(key, load)
  const { reload } = resource
  useEffect(() => {
    let askedAtMs = Date.now()
    let seenAtMs = Date.now()
    const askAgain = () => {
      askedAtMs = Date.now()
      reload()
    }
    const seen = () => {
      const wasAway = Date.now() - seenAtMs >= AWAY_MS
      seenAtMs = Date.now()
      if (wasAway) askAgain()
    }
    const timer = setInterval(() => {
      const isThere = !document.hidden && Date.now() - seenAtMs < AWAY_MS
      if (isThere && Date.now() - askedAtMs >= EVERY_MS) askAgain()
    }, 5_000)
    for (const sign of SIGNS) addEventListener(sign, seen, { passive: true })
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS) removeEventListener(sign, seen)
    }
  }, [reload])
  return resource
}
