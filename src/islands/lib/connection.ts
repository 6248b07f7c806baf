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
  $state.set(navigator.onLine === false ? 'offline' : 'silent')
  schedulePoll(FIRST_RETRY_MS)
}

/** Runs once when the server can be reached again. Returns a cancel function. */
export function onReconnect(run: () => void): () => void {
  const stop = $state.listen((state) => {
    if (state !== 'on') return
    stop()
    run()
  })
  return stop
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
