import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'

/** One value for the end of each UTC day, without a gap. */
export interface Daily {
  /** Whole days since 1970-01-01. */
  readonly firstDay: number
  readonly values: Float64Array
}

/**
 * Converts bar closes to one value per UTC day: the last close of the day, or the previous value if it has none. A bar closes
 * `intervalMs` after `time`, its open. A close at midnight belongs to the day that ends. Days before the first close have
 * `before`. So weekends without bars count as days without a return, and figures are annualised with 365 days.
 */
export function toDailyValues(
  time: Float64Array,
  closes: Float64Array,
  intervalMs: number,
  before: number,
): Daily {
  if (time.length === 0) return { firstDay: 0, values: new Float64Array(0) }
  const firstDay = Math.floor(at(time, 0) / DAY_MS)
  const values = new Float64Array(toClosingDay(at(time, time.length - 1), intervalMs) - firstDay + 1).fill(
    before,
  )
  for (let bar = 0; bar < time.length; bar++) {
    const from = toClosingDay(at(time, bar), intervalMs) - firstDay
    const next =
      bar + 1 < time.length ? toClosingDay(at(time, bar + 1), intervalMs) - firstDay : values.length
    values.fill(at(closes, bar), from, next)
  }
  return { firstDay, values }
}

/** The UTC day, counted from 1970-01-01, in which a bar closes. */
export function toClosingDay(time: number, intervalMs: number): number {
  return Math.floor((time + intervalMs - 1) / DAY_MS)
}

/** Formats whole days since 1970-01-01 as `2024-12-31`. */
export function toDayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Parses `2024-12-31` to whole days since 1970-01-01. */
export function toDayNumber(name: string): number {
  return Date.parse(`${name}T00:00:00Z`) / DAY_MS
}
