import type { UnitOrder } from '../../../contract/investing/allocations.ts'
import type { Transaction } from '../../../contract/money/transactions.ts'
import type { TableRows } from '../../../design/Table.tsx'
import type { Pages } from '../../lib/pages.ts'

/** A row of the history: a deposit, a withdrawal, an allocation or a redemption. */
export type HistoryRow = Transaction | UnitOrder

export function isOrder(row: HistoryRow): row is UnitOrder {
  return 'strategy' in row
}

/** Tells the reference of an order from that of a deposit or a withdrawal. */
export function isOrderRef(ref: string): boolean {
  return /^(?:ALC|RDM)-/.test(ref)
}

/** In USD: positive into the available money, negative out of it. Null if everything is redeemed at a price to come. */
export function getSignedAmount(row: HistoryRow): number | null {
  if (!isOrder(row)) return row.trxType === 'deposit' ? row.amount : -row.amount
  const amount = row.settled?.amount ?? row.amount
  return amount === null ? null : row.kind === 'redeem' ? amount : -amount
}

/** Whether no money moved in the end, so that the amount has no sign. */
export function isVoid({ status }: HistoryRow): boolean {
  return status === 'cancelled' || status === 'rejected'
}

/**
 * Two lists, each newest first, as one. Rows that are older than the end of an unfinished list wait until its next page, because
 * newer rows may be on it.
 */
export function mergePages(lists: readonly Pages<HistoryRow>[]): Pages<HistoryRow> {
  const unfinished = lists.filter(({ hasMore }) => hasMore)
  const ends = unfinished.map(({ data }) =>
    data.state === 'ready' ? (data.rows.at(-1)?.createdAt ?? '') : '',
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
    .filter(({ createdAt }) => createdAt >= end)
    .sort((left, right) => (left.createdAt < right.createdAt ? 1 : left.createdAt > right.createdAt ? -1 : 0))
  return { state: 'ready', rows: merged }
}
