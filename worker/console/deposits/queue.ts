import { sql } from 'drizzle-orm'
import { listDeposits } from '../../../src/contract/console/deposits.ts'
import { decimal } from '../../http/csv.ts'
import { iso } from '../../http/paging.ts'
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
import { decidedBy, depositRow, readDeposits } from './deposit.ts'

export const deposits = queue(listDeposits, {
  read: async (call, after, rows) => {
    const { status, query, order, assigned } = call.query
    const also = isAssignedTo(assigned, sql`r.id`, call)
    const [found] = await readRequests(
      call.db,
      readDeposits,
      pageOfQueue({ queue: 'deposits', status, query, order, after, rows, also }),
    )
    return ordered(found, order)
  },
  row: depositRow,
  position: positionOf,
  file: {
    name: 'deposits',
    columns: {
      Reference: (deposit) => deposit.ref,
      Id: (deposit) => deposit.id,
      'Filed (UTC)': (deposit) => iso(deposit.createdAt),
      Status: (deposit) => deposit.status,
      Investor: (deposit) => deposit.investor,
      Name: (deposit) => deposit.investorName,
      'E-mail': (deposit) => deposit.investorEmail,
      Coin: (deposit) => deposit.coin,
      Network: (deposit) => deposit.network,
      'Asked (USD)': (deposit) => decimal(deposit.asked),
      'Amount (USD)': (deposit) => decimal(deposit.amount),
      Quantity: (deposit) => deposit.quantity ?? '',
      'Rate (USD)': (deposit) => deposit.rate ?? '',
      'Paid to': (deposit) => deposit.paymentTo,
      'Transaction id given': (deposit) => deposit.txid ?? '',
      'Transaction id credited': (deposit) => eventOf(deposit.events, 'approved')?.reference ?? '',
      'First approved by': (deposit) => deposit.firstApprover ?? '',
      'Decided by': (deposit) => decidedBy(deposit) ?? '',
      'Reversal proposed by': (deposit) => describeReversal(deposit)?.proposedBy ?? '',
      'Reversal approved by': (deposit) => describeReversal(deposit)?.approvedBy ?? '',
      Reason: (deposit) => reasonOf(deposit.events) ?? '',
    },
  },
  waiting: {
    deposits: {
      from: sql`requests WHERE queue = 'deposits' AND status = 'pending'`,
      oldestFirst: sql`created_at`,
    },
  },
})
