/** Whole days in UTC, both inclusive: `2026-01-31`; blank is open. */
export interface Period {
  readonly from: string
  readonly to: string
}

export interface NamedPeriod extends Period {
  readonly name: string
}

/** Months in the list besides the current one. */
const MONTHS_BACK = 12

/**
 * What can be chosen by name: the running month, those before it, this year and the last, everything. In UTC, as the
 * books are kept. A period that still runs ends today.
 */
export function namedPeriods(nowMs: number): readonly NamedPeriod[] {
  const now = new Date(nowMs)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const today = dayOf(year, month, now.getUTCDate())
  const months = Array.from({ length: MONTHS_BACK }, (_, i) => {
    const first = new Date(Date.UTC(year, month - 1 - i, 1))
    const name = i === 0 ? 'Last month' : monthName(first)
    return {
      name,
      from: first.toISOString().slice(0, 10),
      to: dayOf(first.getUTCFullYear(), first.getUTCMonth() + 1, 0),
    }
  })
  return [
    { name: 'This month', from: dayOf(year, month, 1), to: today },
    ...months,
    { name: 'This year', from: dayOf(year, 0, 1), to: today },
    { name: 'Last year', from: dayOf(year - 1, 0, 1), to: dayOf(year - 1, 11, 31) },
    { name: 'Everything', from: '', to: '' },
  ]
}

/** The period in the URL, by default the current month. Invalid days are left open. */
export function periodOf(words: URLSearchParams, nowMs: number): Period {
  const [thisMonth] = namedPeriods(nowMs)
  if (thisMonth !== undefined && !words.has('from') && !words.has('to')) return thisMonth
  return { from: dayOr(words.get('from')), to: dayOr(words.get('to')) }
}

/** The year is still being typed: a browser reports 0002, 0020 and 0202 before 2026. */
export function isUnfinished({ from, to }: Period): boolean {
  return [from, to].some((day) => day !== '' && day < '1000')
}

function dayOf(year: number, month: number, date: number): string {
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)
}

function monthName(first: Date): string {
  return first.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

function dayOr(word: string | null): string {
  return word !== null && /^\d{4}-\d\d-\d\d$/.test(word) && !Number.isNaN(Date.parse(word)) ? word : ''
}
