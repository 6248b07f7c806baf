import { toDayName, toDayNumber } from '../metrics/dailyEquity.ts'
import type { Day } from './backtestResult.ts'

/** How long an entry is followed, with the stop and without it. */
const YEAR_DAYS = 365

/** A stop, and the costs of trading. Shares: 0.2 is 20 %. */
export interface StopTerms {
  /** The stop is so much below the average cost, which has the cost of buying in it. */
  readonly below: number
  /** Of each purchase and each sale. */
  readonly cost: number
}

/** The result of one entry after a year, as shares of the payment. */
export interface StopEntry {
  readonly day: Day
  /** The day whose value reached the stop, and the next one, whose value it sold at. Null if it never did. */
  readonly fired: { readonly on: Day; readonly soldOn: Day } | null
  readonly with: number
  /** Not sold: the value of the units. */
  readonly without: number
}

/** Entries of one calendar year, or all of them. Returns are averages. */
export interface StopYear {
  /** Null for all. */
  readonly year: number | null
  readonly entries: number
  readonly fired: number
  /** Entries worth more, and less, after a year than without the stop. */
  readonly helped: number
  readonly hurt: number
  readonly with: number
  readonly without: number
  readonly worstWith: number
  readonly worstWithout: number
}

/**
 * Plays a stop on each purchase of a tested strategy at the start of a month, as far as a year follows. Each day's value is compared
 * with the stop. Once it is at or below, everything is sold at the value of the next day, which may be lower. Then it is cash.
 *
 * @param equity the value at the end of each UTC day from `firstDay`
 */
export function listStopEntries(
  { firstDay, equity }: { readonly firstDay: Day; readonly equity: readonly number[] },
  terms: StopTerms,
): StopEntry[] {
  const first = toDayNumber(firstDay)
  const entries: StopEntry[] = []
  for (let start = 0; start + YEAR_DAYS < equity.length; start++) {
    const day = toDayName(first + start)
    const year = equity.slice(start, start + YEAR_DAYS + 1)
    if (!day.endsWith('-01') || !((year[0] ?? 0) > 0)) continue
    const paid = (year[0] ?? 0) * (1 + terms.cost)
    // A stop that is reached on the last day would sell after the year.
    const reached = year.findIndex(
      (value, index) => index > 0 && index < YEAR_DAYS && value <= paid * (1 - terms.below),
    )
    const without = (year[YEAR_DAYS] ?? 0) / paid - 1
    const sold = ((year[reached + 1] ?? 0) * (1 - terms.cost)) / paid - 1
    entries.push({
      ...{ day, without, with: reached < 0 ? without : sold },
      fired:
        reached < 0
          ? null
          : { on: toDayName(first + start + reached), soldOn: toDayName(first + start + reached + 1) },
    })
  }
  return entries
}

/** The entries by calendar year, oldest first, and all of them last. Empty without an entry. */
export function groupStopEntries(entries: readonly StopEntry[]): StopYear[] {
  if (entries.length === 0) return []
  const years = [...new Set(entries.map(({ day }) => Number(day.slice(0, 4))))]
  const ofYears = years.map((year) =>
    sumEntries(
      year,
      entries.filter(({ day }) => day.startsWith(`${year}-`)),
    ),
  )
  return [...ofYears, sumEntries(null, entries)]
}

function sumEntries(year: number | null, entries: readonly StopEntry[]): StopYear {
  const count = (isCounted: (entry: StopEntry) => boolean) => entries.filter(isCounted).length
  const average = (key: 'with' | 'without') =>
    entries.reduce((sum, entry) => sum + entry[key], 0) / entries.length
  const worst = (key: 'with' | 'without') => Math.min(...entries.map((entry) => entry[key]))
  return {
    ...{ year, entries: entries.length, fired: count(({ fired }) => fired !== null) },
    helped: count((entry) => entry.with > entry.without),
    hurt: count((entry) => entry.with < entry.without),
    ...{ with: average('with'), without: average('without') },
    ...{ worstWith: worst('with'), worstWithout: worst('without') },
  }
}
