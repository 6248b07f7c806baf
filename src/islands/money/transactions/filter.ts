import {
  REQUEST_STATUSES,
  type RequestStatus,
  TRX_TYPES,
  type TrxType,
} from '../../../contract/money/transactions.ts'
import { dayOrBlank, isYearTyped } from '../../lib/days.ts'

export interface Filter {
  readonly kind: TrxType | ''
  readonly status: RequestStatus | ''
  /** Days in the reader's time zone, `2026-01-31`, both inclusive; blank for any. */
  readonly from: string
  readonly to: string
}

export const NO_FILTER: Filter = { kind: '', status: '', from: '', to: '' }

/** Unknown values are left out. */
export function filterOf(words: URLSearchParams): Filter {
  const word = (name: keyof Filter) => words.get(name) ?? ''
  return {
    kind: oneOf(TRX_TYPES, word('kind')),
    status: oneOf(REQUEST_STATUSES, word('status')),
    from: dayOrBlank(word('from')),
    to: dayOrBlank(word('to')),
  }
}

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== '')
}

export function isBackwards({ from, to }: Filter): boolean {
  return isYearTyped(from) && isYearTyped(to) && from > to
}

/**
 * The filter as the API takes it: a day of the reader's own time zone as the moments in which it begins and ends. A day
 * whose year is still being typed does not count yet.
 */
export function queryOf({ kind, status, from, to }: Filter) {
  return {
    kind,
    status,
    from: isYearTyped(from) ? momentOf(from, 0).toISOString() : '',
    to: isYearTyped(to) ? new Date(momentOf(to, 1).getTime() - 1).toISOString() : '',
  }
}

/** The start of a day, `later` days on, in the reader's time zone. */
function momentOf(day: string, later: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later)
}

export function oneOf<T extends string>(words: readonly T[], value: string): T | '' {
  return words.find((word) => word === value) ?? ''
}
