import { expect, it } from 'vitest'
import type { UnitOrder } from '../../../contract/investing/allocations.ts'
import type { LedgerEntry } from '../../../contract/money/statements.ts'
import type { Transaction } from '../../../contract/money/transactions.ts'
import type { Pages } from '../../lib/pages.ts'
import { getRowName, getSignedAmount, type HistoryRow, isVoid, mergePages } from './rows.ts'

const deposit = (day: number, more: Partial<Transaction> = {}): Transaction => ({
  _id: `d${day}`,
  ref: `DEP-${day}`,
  amount: 10,
  createdAt: `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  trxType: 'deposit',
  status: 'completed',
  fee: 0,
  ...more,
})
const order = (day: number, more: Partial<UnitOrder> = {}): UnitOrder => ({
  _id: `o${day}`,
  ref: `ALC-${day}`,
  kind: 'allocate',
  strategy: 'slow-trend',
  name: 'Slow Trend',
  market: { id: 'simulated', name: 'Practice market', real: false },
  status: 'pending',
  amount: 5,
  createdAt: `2026-01-${String(day).padStart(2, '0')}T12:00:00.000Z`,
  pricedAt: '2026-02-01T00:00:00.000Z',
  cancellable: true,
  settled: null,
  thenWithdraw: null,
  withdrawal: null,
  stayed: false,
  plan: null,
  isOfStop: false,
  ...more,
})
const bonus = (day: number, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  _id: String(day),
  at: `2026-01-${String(day).padStart(2, '0')}T06:00:00.000Z`,
  ref: null,
  code: 'bonus',
  amount: 50,
  change: 50,
  ...more,
})
const list = (rows: readonly HistoryRow[], more: Partial<Pages<HistoryRow>> = {}): Pages<HistoryRow> => ({
  data: { state: 'ready', rows },
  reload: () => {},
  hasMore: false,
  pending: false,
  onMore: () => {},
  ...more,
})
const listRefs = ({ data }: Pages<HistoryRow>) => (data.state === 'ready' ? data.rows.map(getRowName) : data)

it('all lists are one, newest first', () => {
  const lists = [list([deposit(9), deposit(3)]), list([order(5), order(1)]), list([bonus(4)])]
  expect(listRefs(mergePages(lists))).toEqual(['DEP-9', 'ALC-5', 'bonus-4', 'DEP-3', 'ALC-1'])
})

it('rows beyond the end of an unfinished list wait, and that list is continued first', () => {
  const continued: string[] = []
  const pages = mergePages([
    list([deposit(9), deposit(6)], { hasMore: true, onMore: () => continued.push('deposits') }),
    list([order(8), order(4)], { hasMore: true, onMore: () => continued.push('orders') }),
  ])
  expect(listRefs(pages)).toEqual(['DEP-9', 'ALC-8', 'DEP-6'])
  expect(pages.hasMore).toBe(true)
  pages.onMore()
  expect(continued).toEqual(['deposits'])
})

it('they load and fail together', () => {
  const loading = list([], { data: { state: 'loading' } })
  const failed = list([], { data: { state: 'failed', msg: 'No.' } })
  expect(mergePages([list([deposit(1)]), loading]).data).toEqual({ state: 'loading' })
  expect(mergePages([loading, failed]).data).toEqual({ state: 'failed', msg: 'No.' })
})

it('an amount is positive into the available money and negative out of it', () => {
  expect(getSignedAmount(deposit(1))).toBe(10)
  expect(getSignedAmount(deposit(1, { trxType: 'withdrawal' }))).toBe(-10)
  expect(getSignedAmount(order(1))).toBe(-5)
  expect(getSignedAmount(order(1, { kind: 'redeem' }))).toBe(5)
  expect(getSignedAmount(order(1, { kind: 'redeem', amount: null }))).toBeNull()
  expect(getSignedAmount(bonus(1))).toBe(50)
  expect(getSignedAmount(bonus(1, { code: 'reverse_bonus', change: -50 }))).toBe(-50)
  expect(isVoid(bonus(1))).toBe(false)
  expect(isVoid(deposit(1, { status: 'rejected' }))).toBe(true)
  expect(isVoid(deposit(1, { status: 'reversed' }))).toBe(false)
})
