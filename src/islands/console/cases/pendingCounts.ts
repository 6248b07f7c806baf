import { useStore } from '@nanostores/react'
import { atom, onMount } from 'nanostores'
import { useEffect, useEffectEvent } from 'react'
import { getWaiting, MOST_COUNTED, type WaitingCounts } from '../../../contract/console/overview.ts'
import { call } from '../../lib/api.ts'
import { currentSession } from '../../lib/session.ts'

export type Counted = keyof WaitingCounts

const EVERY_MS = 30_000

/** How many rows are pending in each queue, polled while something shows it and the tab is visible. Null until known. */
export const $pendingCounts = atom<WaitingCounts | null>(null)

onMount($pendingCounts, () => {
  // Not during the build.
  if (typeof document === 'undefined') return
  const timer = setInterval(refreshCounts, EVERY_MS)
  document.addEventListener('visibilitychange', refreshCounts)
  refreshCounts()
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', refreshCounts)
  }
})

let isLoading = false
let isWantedAgain = false

/** Loads the counts now: after a decision. */
export function refreshCounts(): void {
  if (document.visibilityState !== 'visible' || currentSession()?.role !== 'operator') return
  if (isLoading) {
    // The call under way may have counted before the decision.
    isWantedAgain = true
    return
  }
  isLoading = true
  call(getWaiting)
    .then(
      (counts) => {
        if (JSON.stringify(counts) !== JSON.stringify($pendingCounts.get())) $pendingCounts.set(counts)
      },
      // The last counts stand until the next call succeeds.
      () => undefined,
    )
    .finally(() => {
      isLoading = false
      if (isWantedAgain) refreshCounts()
      isWantedAgain = false
    })
}

/** "12", or "1000+" where counting stopped. */
export function countText(count: number): string {
  return count >= MOST_COUNTED ? `${MOST_COUNTED}+` : String(count)
}

export function usePendingCounts(): WaitingCounts | null {
  return useStore($pendingCounts, { ssr: () => null })
}

/** Runs when the pending counts change and when the tab becomes visible: what is shown may be out of date. */
export function useOnPossibleChange(run: () => void): void {
  const runNow = useEffectEvent(run)
  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') runNow()
    }
    const stop = $pendingCounts.listen((_, before) => {
      // The first counts arrive together with the list.
      if (before !== null) runNow()
    })
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [])
}
