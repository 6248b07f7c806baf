import { useStore } from '@nanostores/react'
import { atom, onMount } from 'nanostores'
import { useEffect, useEffectEvent } from 'react'
import { getWaiting, MOST_COUNTED, type WaitingCounts } from '../../../contract/console/overview.ts'
import type { WorkKind } from '../../../contract/console/work.ts'
import { sum } from '../../../contract/numbers.ts'
import { call, setChangeListener } from '../../lib/api.ts'
import { getSession } from '../../lib/session.ts'

const EVERY_MS = 30_000

/** How many cases of each kind wait for an operator; null until loaded. Polled while a component uses it and the tab is visible. */
export const $pendingCounts = atom<WaitingCounts | null>(null)

onMount($pendingCounts, () => {
  // Not during the build.
  if (typeof document === 'undefined') return
  // Also after each decision on this page.
  setChangeListener(loadPendingCounts)
  const timer = setInterval(loadPendingCounts, EVERY_MS)
  document.addEventListener('visibilitychange', loadPendingCounts)
  loadPendingCounts()
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', loadPendingCounts)
  }
})

let isLoading = false
let isReloadQueued = false

function loadPendingCounts(): void {
  if (document.visibilityState !== 'visible' || getSession()?.role !== 'operator') return
  if (isLoading) {
    // The running call may have counted before the decision.
    isReloadQueued = true
    return
  }
  isLoading = true
  call(getWaiting)
    .then(
      (counts) => {
        if (JSON.stringify(counts) !== JSON.stringify($pendingCounts.get())) $pendingCounts.set(counts)
      },
      // Keeps the last counts until a call succeeds.
      () => undefined,
    )
    .finally(() => {
      isLoading = false
      if (isReloadQueued) loadPendingCounts()
      isReloadQueued = false
    })
}

/** The number of cases of some kinds: "12", or "1000+" at the limit of counting. */
export function formatCount(counts: WaitingCounts, kinds: readonly WorkKind[]): string {
  const count = sum(kinds.map((kind) => counts[kind]))
  return count >= MOST_COUNTED ? `${MOST_COUNTED}+` : String(count)
}

export function usePendingCounts(): WaitingCounts | null {
  return useStore($pendingCounts, { ssr: () => null })
}

/** Runs when the pending counts change or the tab becomes visible, because the shown rows may be outdated. */
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
