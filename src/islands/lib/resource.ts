import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiFailure, failureWords } from './ApiFailure.ts'
import { onReconnect } from './connection.ts'

export type Resource<T> =
  | { state: 'loading' }
  | { state: 'ready'; data: T }
  | { state: 'failed'; msg: string }

/**
 * Loads what a screen shows, and again whenever `key` changes; a key of null waits. `key` names what is loaded, with
 * everything that `load` depends on: `transaction ${id}`. `reload` keeps showing what there is until the new has come. What
 * no answer came to is asked for again once the server is heard of.
 */
export function useResource<T>(
  key: string | null,
  load: () => Promise<T>,
): Resource<T> & { reload: () => void } {
  const [loaded, setLoaded] = useState<{ key: string; resource: Resource<T> } | null>(null)
  const [attempt, setAttempt] = useState(0)
  const start = useEffectEvent(load)
  const reload = useCallback(() => {
    setLoaded((before) => (before?.resource.state === 'failed' ? null : before))
    setAttempt((count) => count + 1)
  }, [])
  useEffect(() => {
    if (key === null) return
    let isCurrent = true
    let stopWaiting = () => {}
    const show = (resource: Resource<T>) => {
      // An answer that comes after a later question was asked is no answer to it.
      if (isCurrent) setLoaded({ key, resource })
    }
    // A first attempt and a repeated one load alike.
    void attempt
    start().then(
      (data) => show({ state: 'ready', data }),
      (error: unknown) => {
        show({ state: 'failed', msg: failureWords(error) })
        if (isCurrent && isUnanswered(error)) stopWaiting = onReconnect(reload)
      },
    )
    return () => {
      isCurrent = false
      stopWaiting()
    }
  }, [key, attempt, reload])
  const current: Resource<T> = loaded !== null && loaded.key === key ? loaded.resource : { state: 'loading' }
  return { ...current, reload }
}

// A part of the page that could not be fetched is no failure of the API.
function isUnanswered(error: unknown): boolean {
  return !(error instanceof ApiFailure) || error.status === 0
}

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
