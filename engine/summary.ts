import { at } from './at.ts'
import { maximumDrawdown } from './metrics/drawdown.ts'
import { deviation, mean } from './metrics/moments.ts'
import { returnsOf } from './metrics/returns.ts'
import type { Run } from './runResult.ts'

/** What remains of a run where only its worth counts, as of one trial among many. */
export interface Summary {
  readonly from: number
  /** From `from` on. */
  readonly bars: number
  readonly finalEquity: number
  /** The deepest fall below an earlier peak, the starting capital included, between −1 and 0. */
  readonly maximumDrawdown: number
  /** Of the returns of a bar, the first one on the starting capital. */
  readonly mean: number
  /** Their sample standard deviation; null where there is only one. */
  readonly deviation: number | null
  /** With the one that was still open at the end. */
  readonly trades: number
  /** The bar at whose close a rule ended all trading, or null. */
  readonly stoppedAt: number | null
}

export function summaryOf(run: Run): Summary {
  const returns = returnsOf(run.equity, run.startingCash)
  return {
    from: run.from,
    bars: run.equity.length,
    finalEquity: at(run.equity, run.equity.length - 1),
    maximumDrawdown: maximumDrawdown(run.equity, run.startingCash),
    mean: mean(returns) ?? 0,
    deviation: deviation(returns),
    trades: run.trades.length,
    stoppedAt: run.stopped?.bar ?? null,
  }
}
