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
 * The filter as the API expects it: days become the start and end times in the reader's time zone. A day whose year is
 * still being typed is left out.
 */
export function queryOf({ kind, status, from, to }: Filter) {
  return {
    kind,
    status,
    from: isYearTyped(from) ? startOf(from, 0).toISOString() : '',
    to: isYearTyped(to) ? new Date(startOf(to, 1).getTime() - 1).toISOString() : '',
  }
}

/** The start of a day in the reader's time zone, `addedDays` later. */
function startOf(day: string, addedDays: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + addedDays)
}

export function oneOf<T extends string>(words: readonly T[], value: string): T | '' {
  return words.find((word) => word === value) ?? ''
}
