import { formatMonth } from '../../../contract/dates.ts'
import { isYearTyped, parseDay, toIsoDay } from '../../lib/days.ts'

/** Days in UTC, both inclusive, like `2026-01-31`. Blank means no limit. */
export interface Period {
  readonly from: string
  readonly to: string
}

export interface NamedPeriod extends Period {
  readonly name: string
}

const MONTHS_BACK = 12

/** The periods in the list, in UTC like the ledger. A current period ends today. */
export function listNamedPeriods(nowMs: number): readonly NamedPeriod[] {
  const now = new Date(nowMs)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const today = buildIsoDay(year, month, now.getUTCDate())
  const months = Array.from({ length: MONTHS_BACK }, (_, i) => {
    const first = new Date(Date.UTC(year, month - 1 - i, 1))
    const name = i === 0 ? 'Last month' : formatMonth(toIsoDay(first), 'long')
    return {
      name,
      from: toIsoDay(first),
      to: buildIsoDay(first.getUTCFullYear(), first.getUTCMonth() + 1, 0),
    }
  })
  return [
    { name: 'This month', from: buildIsoDay(year, month, 1), to: today },
    ...months,
    { name: 'This year', from: buildIsoDay(year, 0, 1), to: today },
    { name: 'Last year', from: buildIsoDay(year - 1, 0, 1), to: buildIsoDay(year - 1, 11, 31) },
    { name: 'Everything', from: '', to: '' },
  ]
}

/** The period in the URL, by default the current month. Invalid days become blank. */
export function parsePeriod(words: URLSearchParams, nowMs: number): Period {
  const [thisMonth] = listNamedPeriods(nowMs)
  if (thisMonth !== undefined && !words.has('from') && !words.has('to')) return thisMonth
  return { from: parseDay(words.get('from')), to: parseDay(words.get('to')) }
}

/** Whether the year of a day is still being typed. */
export function isUnfinished({ from, to }: Period): boolean {
  return [from, to].some((day) => day !== '' && !isYearTyped(day))
}

function buildIsoDay(year: number, month: number, date: number): string {
  return toIsoDay(new Date(Date.UTC(year, month, date)))
}
