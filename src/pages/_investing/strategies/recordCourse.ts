import type { Band } from '../../../../engine/backtestResult.ts'
import { bandAt } from '../../../../engine/band.ts'
import { dayNumber } from '../../../../engine/metrics/dailyEquity.ts'
import type { RecordEntry } from '../../../contract/investing/strategies.ts'
import { type FallsCourse, fallsOf } from '../../../design/chartCourse.ts'

/**
 * The price of a unit at each close of a record, between what the frozen band has for that day, 98 of 100 times, as GET /strategies/:slug
 * has for the last one. Null where no day has closed.
 */
export function recordCourse(
  label: string,
  record: readonly RecordEntry[],
  band: Band | null,
): FallsCourse | null {
  const closes = record.filter(({ kind }) => kind === 'close')
  const [start, first] = [record[0], closes[0]]
  if (start === undefined || first === undefined) return null
  const worth = closes.map(({ unitPrice }) => unitPrice / 1e6)
  const paidIn = start.unitPrice / 1e6
  const lines = band === null ? [] : closes.map(({ day }) => bandAt(band, daysUntil(first.day, day)))
  return {
    label,
    days: closes.map(({ day }) => day),
    worth,
    falls: fallsOf(worth, paidIn),
    scale: 'ratio',
    ...(band !== null && {
      beside: [
        {
          label: 'expected at least',
          worth: lines.map(({ lower99 }) => cents(lower99 * paidIn)),
          isDashed: true,
        },
        {
          label: 'expected at most',
          worth: lines.map(({ upper99 }) => cents(upper99 * paidIn)),
          isDashed: true,
        },
      ],
    }),
  }
}

/** Days of a record up to one of them, that one included. */
function daysUntil(first: string, day: string): number {
  return dayNumber(day) - dayNumber(first) + 1
}

function cents(usd: number): number {
  return Math.round(usd * 100) / 100
}
