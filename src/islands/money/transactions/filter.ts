import { ORDER_KINDS, ORDER_STATUSES, type OrderKind } from '../../../contract/investing/allocations.ts'
import {
  REQUEST_STATUSES,
  type RequestStatus,
  TRX_TYPES,
  type TrxType,
} from '../../../contract/money/transactions.ts'
import { isYearTyped, parseDay } from '../../lib/days.ts'

/** Deposits, withdrawals, orders in strategies, and bonuses. */
export const HISTORY_KINDS = [...TRX_TYPES, ...ORDER_KINDS, 'bonus'] as const
export type HistoryKind = TrxType | OrderKind | 'bonus'
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
export function parseFilter(words: URLSearchParams): Filter {
  const getWord = (name: keyof Filter) => words.get(name) ?? ''
  return {
    kind: parseOneOf(HISTORY_KINDS, getWord('kind')),
    status: parseOneOf(HISTORY_STATUSES, getWord('status')),
    from: parseDay(getWord('from')),
    to: parseDay(getWord('to')),
  }
}

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== '')
}

export function isBackwards({ from, to }: Filter): boolean {
  return isYearTyped(from) && isYearTyped(to) && from > to
}

/** The query for deposits and withdrawals; null if the filter excludes them all. */
export function buildRequestQuery({ kind, status, ...days }: Filter) {
  const [trxKind, trxStatus] = [parseOneOf(TRX_TYPES, kind), parseOneOf(REQUEST_STATUSES, status)]
  return trxKind === kind && trxStatus === status
    ? { kind: trxKind, status: trxStatus, ...toTimeRange(days) }
    : null
}

/** The query for orders in strategies; null if the filter excludes them all. */
export function buildOrderQuery({ kind, status, ...days }: Filter) {
  const [orderKind, orderStatus] = [parseOneOf(ORDER_KINDS, kind), parseOneOf(ORDER_STATUSES, status)]
  return orderKind === kind && orderStatus === status
    ? { kind: orderKind, status: orderStatus, ...toTimeRange(days) }
    : null
}

/** The query for bonuses, which are always completed; null if the filter excludes them all. */
export function buildBonusQuery({ kind, status, ...days }: Filter) {
  return (kind === '' || kind === 'bonus') && (status === '' || status === 'completed')
    ? { figure: 'bonus' as const, ...toTimeRange(days) }
    : null
}

/** Days become the start and end times in the reader's time zone. A day whose year is still being typed is left out. */
function toTimeRange({ from, to }: Pick<Filter, 'from' | 'to'>) {
  return {
    from: isYearTyped(from) ? computeDayStart(from, 0).toISOString() : '',
    to: isYearTyped(to) ? new Date(computeDayStart(to, 1).getTime() - 1).toISOString() : '',
  }
}

/** The start of a day in the reader's time zone, `addedDays` later. */
function computeDayStart(day: string, addedDays: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + addedDays)
}

export function parseOneOf<T extends string>(words: readonly T[], value: string): T | '' {
  return words.find((word) => word === value) ?? ''
}
