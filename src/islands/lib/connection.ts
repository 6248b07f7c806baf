import { atom, type ReadableAtom } from 'nanostores'

/** `offline` is what the browser says; `silent`, that the last thing asked of the server got no answer. */
export type Connection = 'on' | 'offline' | 'silent'

const FIRST_LOOK_MS = 2000
const LONGEST_WAIT_MS = 30_000

const $state = atom<Connection>('on')
let timer: ReturnType<typeof setTimeout> | undefined

/** Whether the server can be reached, as far as what was asked of it tells: a browser that has a network may know no way there. */
export const $connection: ReadableAtom<Connection> = $state

/** The server markReachable, whatever it was. That may have been on its way still when the browser went offline. */
export function markReachable(): void {
  if ($state.get() !== 'offline' || navigator.onLine !== false) back()
}

/** Nothing came back, or nothing will. From now on it is looked for by itself. */
export function markUnreachable(): void {
  $state.set(navigator.onLine === false ? 'offline' : 'silent')
  lookIn(FIRST_LOOK_MS)
}

/** Runs once when the server is heard of again. Answers what calls that off. */
export function onReconnect(run: () => void): () => void {
  const stop = $state.listen((state) => {
    if (state !== 'on') return
    stop()
    run()
  })
  return stop
}

/** Asks at once, because the browser says that there is a network again. */
export function retryNow(): void {
  if ($state.get() !== 'on') lookIn(0)
}

function back(): void {
  clearTimeout(timer)
  $state.set('on')
}

function lookIn(waitMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    fetch('/api/v1/health', { cache: 'no-store' }).then(back, () =>
      lookIn(Math.min(Math.max(waitMs, FIRST_LOOK_MS) * 2, LONGEST_WAIT_MS)),
    )
  }, waitMs)
}
