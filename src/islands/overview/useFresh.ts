import { useEffect, useRef } from 'react'
import { type Resource, useResource } from '../lib/resource.ts'

/** Looking away for less is no absence. */
const ABSENCE_MS = 30_000

export interface Fresh<T> {
  readonly data: T
  /** When it came, in epoch milliseconds. */
  readonly atMs: number
  /** Whether it could not be loaded anew when it should have been. */
  readonly isOld: boolean
}

/**
 * As `useResource`, and loaded anew when the tab is looked at again: another tab, or an operator, may have changed it.
 * Not by the clock, which would keep a session alive that nobody uses. What can't be loaded anew stays, and is marked.
 */
export function useFresh<T>(
  key: string,
  load: () => Promise<T>,
): Resource<Fresh<T>> & { reload: () => void } {
  const kept = useRef<(Fresh<T> & { key: string }) | null>(null)
  const resource = useResource(key, async () => {
    try {
      kept.current = { key, data: await load(), atMs: Date.now(), isOld: false }
      return kept.current
    } catch (error) {
      if (kept.current?.key !== key) throw error
      return { ...kept.current, isOld: true }
    }
  })
  const { reload } = resource
  useEffect(() => {
    let leftAtMs = Number.POSITIVE_INFINITY
    const look = () => {
      if (document.hidden) leftAtMs = Date.now()
      else if (Date.now() - leftAtMs >= ABSENCE_MS) reload()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [reload])
  return resource
}
