import { at } from './at.ts'
import { toClosingDay, toDailyValues } from './metrics/dailyEquity.ts'
import type { Run, Trade } from './run.ts'

/** A run by UTC days: columns have one value per day from `firstDay` (whole days since 1970-01-01). */
export interface DailyRun {
  readonly firstDay: number
  /** Equity before the first day. */
  readonly before: number
  readonly equity: Float64Array
  readonly exposure: Float64Array
  /** Bought and sold that day. */
  readonly traded: Float64Array
  /** Fees and slippage of that day. */
  readonly costs: Float64Array
  readonly trades: readonly DatedTrade[]
  readonly stopped: { readonly day: number; readonly by: 'maximumDrawdown' | 'killSwitch' } | null
  /** Days in cash after the drawdown limit. `until` is the first day on which it may decide again, or null. */
  readonly pauses: readonly { readonly from: number; readonly until: number | null }[]
}

export interface DatedTrade extends Trade {
  /** The day it ended, or the last day. Days count from 0. */
  readonly day: number
}

/** Aggregates a run's bars by day. A bar longer than a day counts on the day it closes. */
export function toDailyRun(run: Run, intervalMs: number): DailyRun {
  const { firstDay, values: equity } = toDailyValues(run.time, run.equity, intervalMs, run.startingCash)
  const toDayIndex = (bar: number) => toClosingDay(at(run.time, bar - run.from), intervalMs) - firstDay
  const traded = new Float64Array(equity.length)
  for (let i = 0; i < run.traded.length; i++) {
    const amount = at(run.traded, i)
    if (amount !== 0) add(traded, toDayIndex(run.from + i), amount)
  }
  const costs = new Float64Array(equity.length)
  for (const fill of run.fills) add(costs, toDayIndex(fill.bar), fill.fee + fill.slippage)
  return {
    firstDay,
    before: run.startingCash,
    equity,
    exposure: toDailyValues(run.time, run.exposure, intervalMs, 0).values,
    traded,
    costs,
    trades: run.trades.map((trade) => ({
      ...trade,
      day: trade.closedBar === null ? equity.length - 1 : toDayIndex(trade.closedBar),
    })),
    stopped: run.stopped && { day: toDayIndex(run.stopped.bar), by: run.stopped.by },
    pauses: run.pauses.map(({ from, until }) => ({
      from: toDayIndex(from),
      until: until === null ? null : toDayIndex(until),
    })),
  }
}

/** The days from `from` up to, but excluding, `before`. */
export function takeRunDays(run: DailyRun, from: number, before: number): DailyRun {
  return {
    firstDay: run.firstDay + from,
    before: from === 0 ? run.before : at(run.equity, from - 1),
    equity: run.equity.subarray(from, before),
    exposure: run.exposure.subarray(from, before),
    traded: run.traded.subarray(from, before),
    costs: run.costs.subarray(from, before),
    trades: run.trades
      .filter((trade) => trade.day >= from && trade.day < before)
      .map((trade) => ({ ...trade, day: trade.day - from })),
    stopped:
      run.stopped && run.stopped.day >= from && run.stopped.day < before
        ? { ...run.stopped, day: run.stopped.day - from }
        : null,
    pauses: run.pauses
      .filter((pause) => pause.from >= from && pause.from < before)
      .map((pause) => ({
        from: pause.from - from,
        until: pause.until === null || pause.until >= before ? null : pause.until - from,
      })),
  }
}

function add(column: Float64Array, day: number, amount: number): void {
  column[day] = at(column, day) + amount
}
