/** A period of whole days in UTC, both inclusive: `2026-01-31`; blank is open. */
export interface Period {
  readonly from: string
  readonly to: string
}

export const PERIODS = ['this-month', 'last-month', 'this-year', 'last-year', 'everything'] as const
export type PeriodName = (typeof PERIODS)[number]

export const PERIOD_LABELS: Record<PeriodName, string> = {
  'this-month': 'This month',
  'last-month': 'Last month',
  'this-year': 'This year',
  'last-year': 'Last year',
  everything: 'Everything',
}

/** The days of a named period, in UTC as the books are kept. A period that still runs ends today. */
export function periodOf(name: PeriodName, nowMs: number): Period {
  const now = new Date(nowMs)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const day = (y: number, m: number, d: number) => new Date(Date.UTC(y, m, d)).toISOString().slice(0, 10)
  const today = day(year, month, now.getUTCDate())
  switch (name) {
    case 'this-month':
      return { from: day(year, month, 1), to: today }
    case 'last-month':
      return { from: day(year, month - 1, 1), to: day(year, month, 0) }
    case 'this-year':
      return { from: day(year, 0, 1), to: today }
    case 'last-year':
      return { from: day(year - 1, 0, 1), to: day(year - 1, 11, 31) }
    case 'everything':
      return { from: '', to: '' }
  }
}
