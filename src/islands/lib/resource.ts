import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { ApiFailure } from './ApiFailure.ts'
import { onceBack } from './connection.ts'
import { failureWords } from './failureWords.ts'

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
        if (isCurrent && isUnanswered(error)) stopWaiting = onceBack(reload)
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
