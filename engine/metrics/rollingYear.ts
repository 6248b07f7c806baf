import { at } from '../at.ts'
import type { RollingYear } from '../backtest/backtestResult.ts'
import { toDayName } from './dailyEquity.ts'

const YEAR_DAYS = 365

/**
 * The returns of every period of 365 days. One ends at each daily close, from the 365th on. `before` is the equity before the
 * first day, `firstDay` is whole days since 1970-01-01. Null under 365 days.
 */
export function computeRollingYear(
  equity: Float64Array,
  before: number,
  firstDay: number,
): RollingYear | null {
  const count = equity.length - YEAR_DAYS + 1
  if (count < 1) return null
  const getWorthAfter = (day: number) => (day < 0 ? before : at(equity, day))
  const returns = Float64Array.from(
    { length: count },
    (_, start) => getWorthAfter(start + YEAR_DAYS - 1) / getWorthAfter(start - 1) - 1,
  )
  const describePeriod = (start: number) => ({
    return: at(returns, start),
    from: toDayName(firstDay + start),
    to: toDayName(firstDay + start + YEAR_DAYS - 1),
  })
  const sorted = returns.toSorted()
  return {
    periods: count,
    lost: returns.filter((value) => value < 0).length / count,
    worst: describePeriod(returns.indexOf(at(sorted, 0))),
    median: at(sorted, Math.floor(count / 2)),
    best: describePeriod(returns.indexOf(at(sorted, count - 1))),
  }
}
