import { at } from './at.ts'
import type { Fall, WorstYear, Year } from './backtestResult.ts'
import type { DailyRun } from './dailyRun.ts'
import { DAY_MS, dayName } from './metrics/dailyEquity.ts'
import { falls, underWater } from './metrics/drawdown.ts'

const SHOWN_FALLS = 5

/** The deepest drawdowns of a run, worst first. */
export function worstFalls({ firstDay, equity, before }: DailyRun): Fall[] {
  return falls(equity, before)
    .slice(0, SHOWN_FALLS)
    .map((fall) => ({
      depth: fall.depth,
      from: dayName(firstDay + fall.peak),
      to: dayName(firstDay + fall.trough),
      recovered: fall.recovered === null ? null : dayName(firstDay + fall.recovered),
      daysDown: fall.trough - fall.peak,
      daysUnderWater: underWater(fall, equity.length),
    }))
}

/** The calendar years (UTC) of a run, in order. */
export function yearsOf(run: DailyRun): Year[] {
  return yearSpans(run).map(({ year, from, to }) => ({
    year,
    days: to - from + 1,
    return: at(run.equity, to) / worthBefore(run, from) - 1,
  }))
}

/** The calendar year with the lowest return, the first of equal ones. */
export function worstYear(run: DailyRun): WorstYear {
  const [first, ...others] = yearSpans(run)
  if (first === undefined) throw new RangeError('A run without a day has no years')
  const growthIn = ({ from, to }: YearSpan) => at(run.equity, to) / worthBefore(run, from)
  const worst = others.reduce((least, next) => (growthIn(next) < growthIn(least) ? next : least), first)
  const became = growthIn(worst)
  const before = worthBefore(run, worst.from)
  const daysToRecover = daysUntil(run, worst.to, before)
  return {
    year: worst.year,
    days: worst.to - worst.from + 1,
    return: became - 1,
    thousandBecame: 1000 * became,
    daysToRecover,
    isLostAgain: daysToRecover !== null && at(run.equity, run.equity.length - 1) < before,
  }
}

interface YearSpan {
  readonly year: number
  readonly from: number
  readonly to: number
}

function yearSpans({ firstDay, equity }: DailyRun): YearSpan[] {
  const found: YearSpan[] = []
  for (let from = 0; from < equity.length; ) {
    const year = Number(dayName(firstDay + from).slice(0, 4))
    const next = Date.UTC(year + 1, 0, 1) / DAY_MS - firstDay
    found.push({ year, from, to: Math.min(next, equity.length) - 1 })
    from = next
  }
  return found
}

function worthBefore(run: DailyRun, day: number): number {
  return day === 0 ? run.before : at(run.equity, day - 1)
}

/** Days after `day` until the equity reaches `worth`: 0 if it never fell below, null if it never recovers. */
function daysUntil({ equity }: DailyRun, day: number, worth: number): number | null {
  for (let later = day; later < equity.length; later++) if (at(equity, later) >= worth) return later - day
  return null
}
