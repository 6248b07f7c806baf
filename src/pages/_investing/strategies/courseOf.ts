import type { Backtest } from '../../../../engine/backtestResult.ts'
import { dayName, dayNumber } from '../../../../engine/metrics/dailyEquity.ts'
import { type FallsCourse, fallsOf } from '../../../design/chartCourse.ts'

/** A backtest as a chart shows it, beside what holding the same assets would have come to. */
export function courseOf(label: string, backtest: Backtest): FallsCourse {
  const { definition, firstDay, equity, benchmark, startingCash, holdOutFrom } = backtest
  const first = dayNumber(firstDay)
  return {
    label,
    days: equity.map((_, day) => dayName(first + day)),
    worth: equity,
    falls: fallsOf(equity, startingCash),
    scale: 'ratio',
    heldOutFrom: holdOutFrom,
    // Held against itself it would be the same line.
    ...(definition.kind !== 'buy-and-hold' && { beside: [{ label: 'Bought and held', worth: benchmark }] }),
  }
}
