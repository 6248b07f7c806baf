import { at } from './at.ts'
import type { Fall, WorstYear, Year } from './backtestResult.ts'
import type { DailyRun } from './dailyRun.ts'
import { DAY_MS, dayName } from './metrics/dailyEquity.ts'
import { falls, underWater } from './metrics/drawdown.ts'

const SHOWN_FALLS = 5

/** The deepest falls of a run, worst first. */
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

/** Its calendar years (UTC), in order. */
export function yearsOf(run: DailyRun): Year[] {
  return stretches(run).map(({ year, from, to }) => ({
    year,
    days: to - from + 1,
    return: at(run.equity, to) / worthBefore(run, from) - 1,
  }))
}

/** The calendar year that ended worst, the first of equal ones. */
export function worstYear(run: DailyRun): WorstYear {
  const [first, ...others] = stretches(run)
  if (first === undefined) throw new RangeError('A run without a day has no years')
  const grown = ({ from, to }: Stretch) => at(run.equity, to) / worthBefore(run, from)
  const worst = others.reduce((least, next) => (grown(next) < grown(least) ? next : least), first)
  const became = grown(worst)
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

interface Stretch {
  readonly year: number
  readonly from: number
  readonly to: number
}

function stretches({ firstDay, equity }: DailyRun): Stretch[] {
  const found: Stretch[] = []
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

/** Days after `day` until so much was there again; 0 where it still was, null where it never was. */
function daysUntil({ equity }: DailyRun, day: number, worth: number): number | null {
  for (let later = day; later < equity.length; later++) if (at(equity, later) >= worth) return later - day
  return null
}
