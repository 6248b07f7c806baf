import { at } from '../at.ts'
import { toDailyRun } from '../dailyRun.ts'
import type { Definition } from '../definition.ts'
import type { Market } from '../market/market.ts'
import { toClosingDay, toDayName, toDayNumber } from '../metrics/dailyEquity.ts'
import { type Run, run } from '../run.ts'
import { buyAndHold } from '../strategies/buyAndHold.ts'
import { STRATEGIES } from '../strategies/registry.ts'
import { type BacktestOptions, countBarsUntil, HOLD_OUT_FROM, pick, takeBarsUntil } from './backtest.ts'
import type { Day } from './backtestResult.ts'

/** One account, day by day through the days that no choice of parameters had seen. As plain JSON. Money is in the quote currency. */
export interface Playback {
  readonly startingCash: number
  /** Orders are decided at a day's close, from this day on. */
  readonly firstDay: Day
  /** Equity at the end of each day from `firstDay`, rounded to cents. */
  readonly equity: readonly number[]
  /** The same for equal parts of the same assets, bought once, with the same costs. */
  readonly held: readonly number[]
  /** In order. */
  readonly fills: readonly PlaybackFill[]
}

interface PlaybackFill {
  /** Days from `firstDay`. */
  readonly day: number
  /** The asset's index in the definition. */
  readonly asset: number
  readonly side: 'buy' | 'sell'
  /** In units of the asset. */
  readonly quantity: number
  /** Per unit, including slippage. */
  readonly price: number
  readonly fee: number
  /** A target is ordered at the close before and filled at the open. The others act within the day. */
  readonly reason: 'target' | 'stop' | 'take-profit' | 'risk'
}

/**
 * Runs a strategy on the days after its rules were frozen, or else on those of its out-of-sample period, with new cash. Throws a
 * `MarketError` as `runBacktest` does.
 */
export function buildPlayback(
  market: Market,
  { kind, values, costs, risk, assets }: Definition,
  {
    startingCash = 1000,
    holdOutFrom = HOLD_OUT_FROM,
    forwardFrom = holdOutFrom,
    until,
  }: BacktestOptions = {},
): Playback {
  const seen = takeBarsUntil(pick(market, assets), until)
  const from = countBarsUntil(seen, toDayNumber(forwardFrom) - 1)
  const options = { startingCash, costs, from }
  const own = run(seen, STRATEGIES[kind], values, { ...options, risk })
  const held = run(seen, buyAndHold, {}, { ...options, from: own.from })
  const daily = toDailyRun(own, seen.intervalMs)
  return {
    startingCash,
    firstDay: toDayName(daily.firstDay),
    equity: Array.from(daily.equity, roundToCents),
    held: Array.from(toDailyRun(held, seen.intervalMs).equity, roundToCents),
    fills: listFills(own, daily.firstDay, seen.intervalMs),
  }
}

function listFills({ fills, from, time }: Run, firstDay: number, intervalMs: number): PlaybackFill[] {
  return fills.map(({ bar, asset, side, quantity, price, fee, reason }) => ({
    day: toClosingDay(at(time, bar - from), intervalMs) - firstDay,
    ...{ asset, side, reason },
    quantity: roundToDigits(quantity),
    price: roundToDigits(price),
    fee: roundToCents(fee),
  }))
}

function roundToCents(amount: number): number {
  return Math.round(amount * 100) / 100
}

function roundToDigits(value: number): number {
  return Number(value.toPrecision(8))
}
