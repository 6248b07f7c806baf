import { atom, onMount, type ReadableAtom } from 'nanostores'
import { getWaiting, MOST_COUNTED, type WaitingCounts } from '../../../contract/console/overview.ts'
import { call } from '../../lib/api.ts'
import { currentSession } from '../../lib/session.ts'

/** What is counted of what waits. */
export type Counted = keyof WaitingCounts

const EVERY_MS = 30_000

const $counts = atom<WaitingCounts | null>(null)

/** How many wait in each queue, asked for as long as somebody shows it and the tab is looked at. Null until it is known. */
export const $waiting: ReadableAtom<WaitingCounts | null> = $counts

onMount($counts, () => {
  // While the page is built nobody is looking.
  if (typeof document === 'undefined') return
  const timer = setInterval(look, EVERY_MS)
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
})

let isAsking = false
let isAskedAgain = false

/** Asks now: after a decision. */
export function look(): void {
  if (document.visibilityState !== 'visible' || currentSession()?.role !== 'operator') return
  if (isAsking) {
    // What is under way may have been counted before.
    isAskedAgain = true
    return
  }
  isAsking = true
  call(getWaiting)
    .then(
      (counts) => {
        if (JSON.stringify(counts) !== JSON.stringify($counts.get())) $counts.set(counts)
      },
      // The next time may be better; until then the last counts stand.
      () => undefined,
    )
    .finally(() => {
      isAsking = false
      if (isAskedAgain) look()
      isAskedAgain = false
    })
}

/** "12", or "1000+" where it was counted no further. */
export function countText(count: number): string {
  return count >= MOST_COUNTED ? `${MOST_COUNTED}+` : String(count)
}
