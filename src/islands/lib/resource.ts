import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { BLOCKED, describeFailure, isNetworkFailure } from './ApiFailure.ts'
import { retryOnReconnect } from './connection.ts'

export type Resource<T> =
  | { state: 'loading' }
  | { state: 'ready'; data: T }
  | { state: 'failed'; msg: string }

export function getData<T>(resource: Resource<T> | undefined): T | undefined {
  return resource?.state === 'ready' ? resource.data : undefined
}

/**
 * Loads data, and loads it again whenever `key` changes; does not load while it is null. `key` must contain everything that
 * `load` depends on: `transaction ${id}`. `reload` keeps showing the old data until the new data is there. After a network
 * failure, loads again once the server can be reached, with growing pauses. After a few failures in a row it stops and says so.
 */
export function useResource<T>(
  key: string | null,
  load: () => Promise<T>,
): Resource<T> & { reload: () => void } {
  const [loaded, setLoaded] = useState<{ key: string; resource: Resource<T> } | null>(null)
  const [attempt, setAttempt] = useState(0)
  const failures = useRef(0)
  const start = useEffectEvent(load)
  const retry = useCallback(() => {
    setLoaded((before) => (before?.resource.state === 'failed' ? null : before))
    setAttempt((count) => count + 1)
  }, [])
  const reload = useCallback(() => {
    failures.current = 0
    retry()
  }, [retry])
  useEffect(() => {
    if (key === null) return
    let isCurrent = true
    let stopWaiting = () => {}
    const show = (resource: Resource<T>) => {
      // Ignores answers to outdated loads.
      if (isCurrent) setLoaded({ key, resource })
    }
    // Read only so that `retry` runs this effect again.
    void attempt
    start().then(
      (data) => {
        if (isCurrent) failures.current = 0
        show({ state: 'ready', data })
      },
      (error: unknown) => {
        const msg = describeFailure(error)
        if (!isCurrent) return
        const stop = isNetworkFailure(error) ? retryOnReconnect(++failures.current, retry) : stopWaiting
        stopWaiting = stop ?? stopWaiting
        show({ state: 'failed', msg: stop === null ? BLOCKED : msg })
      },
    )
    return () => {
      isCurrent = false
      stopWaiting()
    }
  }, [key, attempt, retry])
  const current: Resource<T> = loaded !== null && loaded.key === key ? loaded.resource : { state: 'loading' }
  return { ...current, reload }
}

/** A tab hidden for less time does not reload. */
const ABSENCE_MS = 30_000

export interface Fresh<T> {
  readonly data: T
  /** When it was loaded, in epoch milliseconds. */
  readonly atMs: number
  /** Whether the last reload failed. */
  readonly isOld: boolean
}

/**
 * Like `useResource`, and reloads when the tab becomes visible again, or when the back button shows the page as it was, because another
 * tab or an operator may have changed the data. It does not poll, which would keep unused sessions alive. If a reload fails, the old data stays, marked as old.
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
    let hiddenAtMs = Number.POSITIVE_INFINITY
    const onVisibilityChange = () => {
      if (document.hidden) hiddenAtMs = Date.now()
      else if (Date.now() - hiddenAtMs >= ABSENCE_MS) reload()
    }
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && reload()
    document.addEventListener('visibilitychange', onVisibilityChange)
    addEventListener('pageshow', onPageShow)
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange)
      removeEventListener('pageshow', onPageShow)
    }
  }, [reload])
  return resource
}
