import { type SQL, sql } from 'drizzle-orm'
import { listWithdrawals } from '../../../src/contract/console/withdrawals.ts'
import { decimal } from '../../http/csv.ts'
import { iso } from '../../http/paging.ts'
import { masked } from '../../money/requests/history.ts'
import { isAssignedTo } from '../cases/assignments.ts'
import { queue } from '../cases/queue.ts'
import {
  describeReversal,
  eventOf,
  ordered,
  pageOfQueue,
  positionOf,
  readRequests,
  reasonOf,
} from '../cases/requests.ts'
import { bankOf, feeOf, readWithdrawals, reasonsOf, withdrawalRow } from './withdrawal.ts'

/** Whether a withdrawal may not be paid at this time (epoch milliseconds). */
function isDelayedUntilAfter(request: SQL, atMs: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM withdrawal_details h WHERE h.request = ${request} AND h.held_until > ${atMs})`
}

export const withdrawals = queue(listWithdrawals, {
  read: async (call, after, rows) => {
    const { db, nowMs } = call
    const { status, query, order, hold, assigned } = call.query
    const isDelayed = isDelayedUntilAfter(sql`r.id`, sql`${nowMs}`)
    const isHeld = hold === undefined ? sql`1` : hold === 'delayed' ? isDelayed : sql`NOT ${isDelayed}`
    const also = sql`${isHeld} AND ${isAssignedTo(assigned, sql`r.id`, call)}`
    const ids = pageOfQueue({ queue: 'withdrawals', status, query, order, after, rows, also })
    const [found] = await readRequests(db, readWithdrawals, ids)
    return ordered(found, order)
  },
  row: withdrawalRow,
  position: positionOf,
  file: {
    name: 'withdrawals',
    // Complete account numbers are shown only on the screen of the operator who pays.
    columns: {
      Reference: (row) => row.ref,
      Id: (row) => row.id,
      'Filed (UTC)': (row) => iso(row.createdAt),
      Status: (row) => row.status,
      Investor: (row) => row.investor,
      Name: (row) => row.investorName,
      'E-mail': (row) => row.investorEmail,
      Kind: (row) => row.kind,
      'Amount (USD)': (row) => decimal(row.amount),
      Coin: (row) => row.coin ?? '',
      Network: (row) => row.network ?? '',
      Address: (row) => row.address ?? '',
      Bank: (row) => bankOf(row)?.bankName ?? '',
      'Account (last four)': (row) => (row.bank === null ? '' : masked(bankOf(row)?.accountNumber ?? '')),
      'Extra proof': (row) => row.proof,
      'Why it was asked for': (row) => reasonsOf(row).join(' '),
      'Paid from (UTC)': (row) => (row.heldUntil === null ? '' : iso(row.heldUntil)),
      'Approved by': (row) => eventOf(row.events, 'approved')?.actorName ?? '',
      'Completed by': (row) => eventOf(row.events, 'completed')?.actorName ?? '',
      'Reversal proposed by': (row) => describeReversal(row)?.proposedBy ?? '',
      'Reversal approved by': (row) => describeReversal(row)?.approvedBy ?? '',
      'Paid under': (row) => eventOf(row.events, 'completed')?.reference ?? '',
      'Quantity sent': (row) => row.quantity ?? '',
      'Network fee (BTC or ETH)': (row) => feeOf(row) ?? '',
      Reason: (row) => reasonOf(row.events) ?? '',
    },
  },
  waiting: {
    withdrawals: {
      from: sql`requests WHERE queue = 'withdrawals' AND status = 'pending'`,
      oldestFirst: sql`created_at`,
    },
    payouts: {
      // A delayed withdrawal cannot be paid yet.
      from: sql`requests WHERE queue = 'withdrawals' AND status = 'approved'
        AND NOT ${isDelayedUntilAfter(sql`requests.id`, sql`unixepoch('subsec') * 1000`)}`,
      oldestFirst: sql`created_at`,
    },
  },
})
