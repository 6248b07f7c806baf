import { atom, type ReadableAtom } from 'nanostores'

/** `offline`: reported by the browser. `silent`: the server did not answer the last request. */
export type Connection = 'on' | 'offline' | 'silent'

const FIRST_RETRY_MS = 2000
const LONGEST_RETRY_MS = 30_000

const $state = atom<Connection>('on')
let timer: ReturnType<typeof setTimeout> | undefined

/** Whether the server can be reached, judged by its answers: a browser with a network may still not reach it. */
export const $connection: ReadableAtom<Connection> = $state

/** Call when the server has answered. Ignored while the browser is offline: that answer was sent before. */
export function markReachable(): void {
  if ($state.get() !== 'offline' || navigator.onLine !== false) setReachable()
}

/** Call when the server has not answered, or will not. Starts polling it. */
export function markUnreachable(): void {
  const isPolling = $state.get() !== 'on'
  $state.set(navigator.onLine === false ? 'offline' : 'silent')
  // Further failures must not shorten the pause that has grown.
  if (!isPolling) schedulePoll(FIRST_RETRY_MS)
}

/** The pause before each retry of a load, in milliseconds. The first has none: usually the connection was lost and is back. */
const RETRY_PAUSES_MS = [0, 2000, 4000, 8000]

/**
 * Runs once when the server can be reached again, after a pause that grows with `failures`, the failures of this load in a row.
 * Returns a cancel function, or null after too many: the server answers other calls, so something blocks this one.
 */
export function retryOnReconnect(failures: number, run: () => void): (() => void) | null {
  const pauseMs = RETRY_PAUSES_MS[failures - 1]
  if (pauseMs === undefined) return null
  let pause: ReturnType<typeof setTimeout> | undefined
  const stop = $state.listen((state) => {
    if (state !== 'on') return
    stop()
    pause = setTimeout(run, pauseMs)
  })
  return () => {
    stop()
    clearTimeout(pause)
  }
}

/** Polls at once. Call when the browser reports that the network is back. */
export function retryNow(): void {
  if ($state.get() !== 'on') schedulePoll(0)
}

function setReachable(): void {
  clearTimeout(timer)
  $state.set('on')
}

function schedulePoll(waitMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    fetch('/api/v1/health', { cache: 'no-store' }).then(setReachable, () =>
      schedulePoll(Math.min(Math.max(waitMs, FIRST_RETRY_MS) * 2, LONGEST_RETRY_MS)),
    )
  }, waitMs)
}
