import type { Backtest } from '../../../engine/backtestResult.ts'
import type { ChartCourse } from '../../design/chartCourse.ts'

const DAY_MS = 86_400_000

/** A backtest as a chart shows it, beside what holding the same assets would have come to. */
export function courseOf(label: string, backtest: Backtest): ChartCourse {
  const { definition, firstDay, equity, benchmark, startingCash, holdOutFrom } = backtest
  const first = Date.parse(firstDay)
  return {
    label,
    days: equity.map((_, day) => new Date(first + day * DAY_MS).toISOString().slice(0, 10)),
    worth: equity,
    falls: fallsOf(equity, startingCash),
    scale: 'ratio',
    heldOutFrom: holdOutFrom,
    // Held against itself it would be the same line.
    ...(definition.kind !== 'buy-and-hold' && { beside: [{ label: 'Bought and held', worth: benchmark }] }),
  }
}

/** How far each value lies below the highest before it, what was paid in counting as the first. */
function fallsOf(values: readonly number[], paidIn: number): number[] {
  let highest = paidIn
  return values.map((value) => {
    highest = Math.max(highest, value)
    return 1 - value / highest
  })
}
