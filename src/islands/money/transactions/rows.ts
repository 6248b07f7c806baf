import type { UnitOrder } from '../../../contract/investing/allocations.ts'
import type { LedgerEntry } from '../../../contract/money/statements.ts'
import type { Transaction } from '../../../contract/money/transactions.ts'
import type { TableRows } from '../../../design/Table.tsx'
import type { Pages } from '../../lib/pages.ts'

/** A row of the history: a deposit, a withdrawal, an investment, a redemption or a bonus. */
export type HistoryRow = Transaction | UnitOrder | LedgerEntry

export function isOrder(row: HistoryRow): row is UnitOrder {
  return 'strategy' in row
}

export function isBonus(row: HistoryRow): row is LedgerEntry {
  return 'code' in row
}

export function isTransaction(row: HistoryRow): row is Transaction {
  return 'trxType' in row
}

export function getTime(row: HistoryRow): string {
  return isBonus(row) ? row.at : row.createdAt
}

/** A bonus is an entry of the ledger, so it is final. */
export function getStatus(row: HistoryRow): Exclude<HistoryRow, LedgerEntry>['status'] {
  return isBonus(row) ? 'completed' : row.status
}

/** The name of a row in the address. A bonus has no reference. */
export function getRowName(row: HistoryRow): string {
  return isBonus(row) ? `${BONUS}${row._id}` : row.ref
}

export function isBonusName(name: string): boolean {
  return name.startsWith(BONUS)
}

const BONUS = 'bonus-'

/** Tells the reference of an order from that of a deposit or a withdrawal. */
export function isOrderRef(ref: string): boolean {
  return /^(?:ALC|RDM)-/.test(ref)
}

/** In USD: positive into the available money, negative out of it. Null if everything is redeemed at a price to come. */
export function getSignedAmount(row: HistoryRow): number | null {
  if (isBonus(row)) return row.change
  if (!isOrder(row)) return row.trxType === 'deposit' ? row.amount : -row.amount
  const amount = row.settled?.amount ?? row.amount
  return amount === null ? null : row.kind === 'redeem' ? amount : -amount
}

/** Whether no money moved in the end, so that the amount has no sign. */
export function isVoid(row: HistoryRow): boolean {
  const status = getStatus(row)
  return status === 'cancelled' || status === 'rejected'
}

/**
 * Lists, each newest first, as one. Rows that are older than the end of an unfinished list wait until its next page, because
 * newer rows may be on it.
 */
export function mergePages(lists: readonly Pages<HistoryRow>[]): Pages<HistoryRow> {
  const unfinished = lists.filter(({ hasMore }) => hasMore)
  const ends = unfinished.map(({ data }) =>
    data.state === 'ready' ? data.rows.slice(-1).map(getTime).join('') : '',
  )
  const end = ends.reduce((latest, candidate) => (candidate > latest ? candidate : latest), '')
  return {
    data: mergeRows(lists, end),
    reload: () => {
      for (const list of lists) list.reload()
    },
    hasMore: unfinished.length > 0,
    pending: lists.some(({ pending }) => pending),
    // The list that ends first is the one to continue.
    onMore: () => unfinished[ends.indexOf(end)]?.onMore(),
  }
}

function mergeRows(lists: readonly Pages<HistoryRow>[], end: string): TableRows<HistoryRow> {
  const failed = lists.find(({ data }) => data.state === 'failed')
  if (failed) return failed.data
  const rows = lists.map(({ data }) => (data.state === 'ready' ? data.rows : null))
  if (rows.includes(null)) return { state: 'loading' }
  const merged = rows
    .flatMap((page) => page ?? [])
    .filter((row) => getTime(row) >= end)
    .sort((left, right) => (getTime(left) < getTime(right) ? 1 : getTime(left) > getTime(right) ? -1 : 0))
  return { state: 'ready', rows: merged }
}
