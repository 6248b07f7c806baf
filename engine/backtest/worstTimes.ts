import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import type { DailyRun } from '../dailyRun.ts'
import { toDayName } from '../metrics/dailyEquity.ts'
import { countDaysUnderWater, listFalls } from '../metrics/drawdown.ts'
import type { Fall, WorstYear, Year } from './backtestResult.ts'

const SHOWN_FALLS = 5

/** The deepest drawdowns of a run, worst first. */
export function listWorstFalls({ firstDay, equity, before }: DailyRun): Fall[] {
  return listFalls(equity, before)
    .slice(0, SHOWN_FALLS)
    .map((fall) => ({
      depth: fall.depth,
      from: toDayName(firstDay + fall.peak),
      to: toDayName(firstDay + fall.trough),
      recovered: fall.recovered === null ? null : toDayName(firstDay + fall.recovered),
      daysDown: fall.trough - fall.peak,
      daysUnderWater: countDaysUnderWater(fall, equity.length),
    }))
}

/** The calendar years (UTC) of a run, in order. */
export function listYears(run: DailyRun): Year[] {
  return listYearSpans(run).map(({ year, from, to }) => ({
    year,
    days: to - from + 1,
    return: at(run.equity, to) / getWorthBefore(run, from) - 1,
  }))
}

/** The calendar year with the lowest return, the first of equal ones. */
export function findWorstYear(run: DailyRun): WorstYear {
  const [first, ...others] = listYearSpans(run)
  if (first === undefined) throw new RangeError('A run without a day has no years')
  const computeYearGrowth = ({ from, to }: YearSpan) => at(run.equity, to) / getWorthBefore(run, from)
  const worst = others.reduce(
    (least, next) => (computeYearGrowth(next) < computeYearGrowth(least) ? next : least),
    first,
  )
  const became = computeYearGrowth(worst)
  const before = getWorthBefore(run, worst.from)
  const daysToRecover = countDaysUntil(run, worst.to, before)
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

function listYearSpans({ firstDay, equity }: DailyRun): YearSpan[] {
  const found: YearSpan[] = []
  for (let from = 0; from < equity.length; ) {
    const year = Number(toDayName(firstDay + from).slice(0, 4))
    const next = Date.UTC(year + 1, 0, 1) / DAY_MS - firstDay
    found.push({ year, from, to: Math.min(next, equity.length) - 1 })
    from = next
  }
  return found
}

function getWorthBefore(run: DailyRun, day: number): number {
  return day === 0 ? run.before : at(run.equity, day - 1)
}

/** Days after `day` until the equity reaches `worth`: 0 if it never fell below, null if it never recovers. */
function countDaysUntil({ equity }: DailyRun, day: number, worth: number): number | null {
  for (let later = day; later < equity.length; later++) if (at(equity, later) >= worth) return later - day
  return null
}
