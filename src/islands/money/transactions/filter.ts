import { ORDER_KINDS, ORDER_STATUSES, type OrderKind } from '../../../contract/investing/allocations.ts'
import {
  REQUEST_STATUSES,
  type RequestStatus,
  TRX_TYPES,
  type TrxType,
} from '../../../contract/money/transactions.ts'
import { dayOrBlank, isYearTyped } from '../../lib/days.ts'

/** Deposits, withdrawals, and orders in strategies. */
export const HISTORY_KINDS = [...TRX_TYPES, ...ORDER_KINDS] as const
export type HistoryKind = TrxType | OrderKind
export const HISTORY_STATUSES = [...REQUEST_STATUSES, 'settled'] as const
export type HistoryStatus = RequestStatus | 'settled'

export interface Filter {
  readonly kind: HistoryKind | ''
  readonly status: HistoryStatus | ''
  /** Days in the reader's time zone, `2026-01-31`, both inclusive; blank for any. */
  readonly from: string
  readonly to: string
}

export const NO_FILTER: Filter = { kind: '', status: '', from: '', to: '' }

/** Unknown values are left out. */
export function filterOf(words: URLSearchParams): Filter {
  const word = (name: keyof Filter) => words.get(name) ?? ''
  return {
    kind: oneOf(HISTORY_KINDS, word('kind')),
    status: oneOf(HISTORY_STATUSES, word('status')),
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

/** The query for deposits and withdrawals; null if the filter excludes them all. */
export function queryOf({ kind, status, ...days }: Filter) {
  const [trxKind, trxStatus] = [oneOf(TRX_TYPES, kind), oneOf(REQUEST_STATUSES, status)]
  return trxKind === kind && trxStatus === status
    ? { kind: trxKind, status: trxStatus, ...timesOf(days) }
    : null
}

/** The query for orders in strategies; null if the filter excludes them all. */
export function orderQueryOf({ kind, status, ...days }: Filter) {
  const [orderKind, orderStatus] = [oneOf(ORDER_KINDS, kind), oneOf(ORDER_STATUSES, status)]
  return orderKind === kind && orderStatus === status
    ? { kind: orderKind, status: orderStatus, ...timesOf(days) }
    : null
}

/** Days become the start and end times in the reader's time zone. A day whose year is still being typed is left out. */
function timesOf({ from, to }: Pick<Filter, 'from' | 'to'>) {
  return {
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
