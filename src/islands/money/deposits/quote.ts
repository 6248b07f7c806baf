import { useEffect, useState } from 'react'
import type { Coin } from '../../../contract/money/coins.ts'
import { getQuote } from '../../../contract/money/wallets.ts'
import { call } from '../../lib/api.ts'
import { useResource } from '../../lib/resource.ts'

export const TYPING_MS = 350
const REFRESH_MS = 60_000

/** How much an amount of USD, as typed, is in a coin. Asks once typing pauses, and again each minute. */
export function useQuote(coin: Coin, amount: string) {
  const settled = useSettled(amount, TYPING_MS)
  const quote = useResource(settled && `quote ${coin} ${settled}`, () =>
    call(getQuote, { query: { type: coin, amount: settled ?? '' } }),
  )
  useEvery(REFRESH_MS, quote.reload)
  return quote
}

/** Runs at an interval while the page is visible, and on return to it. */
function useEvery(ms: number, run: () => void): void {
  useEffect(() => {
    const runIfVisible = () => {
      if (document.visibilityState === 'visible') run()
    }
    const timer = setInterval(runIfVisible, ms)
    document.addEventListener('visibilitychange', runIfVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', runIfVisible)
    }
  }, [ms, run])
}

/** The value once it has not changed for `ms` milliseconds; null until then. */
export function useSettled(value: string | null, ms: number): string | null {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled === value ? settled : null
}
