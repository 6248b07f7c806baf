import { sql } from 'drizzle-orm'
import { listDeposits } from '../../../src/contract/console/deposits.ts'
import { describeStatus } from '../../../src/contract/console/requestWords.ts'
import { COIN_LABELS, NETWORK_LABELS } from '../../../src/contract/money/coins.ts'
import { formatDecimal } from '../../http/csv.ts'
import { toIso } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { buildDecisionColumns } from '../../http/steps.ts'
import { findEvent, findReason, readRequests, selectQueuePage, toPosition } from '../cases/requests.ts'
import { isAssignedTo, isWaitingFor, KIND_OF_REQUEST } from '../cases/workState.ts'
import { RISK_COLUMNS, readByRisk } from '../risk/queue.ts'
import { type Deposit, depositRow, readDeposits, toDepositSteps } from './deposit.ts'

export const depositQueue = createQueue(listDeposits, {
  read: async (call, after, rows) => {
    const { status, query, assigned, waits } = call.query
    const narrowed = sql`${isAssignedTo(assigned, sql`r.id`, call)} AND ${isWaitingFor(waits, KIND_OF_REQUEST, sql`r.id`)}`
    return readByRisk<Deposit>(call, 'deposits', after, rows, {
      select: ({ also, ...page }) =>
        selectQueuePage({
          queue: 'deposits',
          status,
          query,
          filters: call.query,
          ...page,
          also: sql`${narrowed} AND ${also}`,
        }),
      isOpen: sql`r.status = 'pending'`,
      read: (ids, risks) => readRequests(call.db, readDeposits, ids, risks),
      position: toPosition,
    })
  },
  row: (facts, call) => ({ ...depositRow(facts, call), risk: facts.risk }),
  position: toPosition,
  file: {
    name: 'deposits',
    columns: {
      Reference: (deposit) => deposit.ref,
      Id: (deposit) => deposit.id,
      'Filed (UTC)': (deposit) => toIso(deposit.createdAt),
      Status: ({ status, firstBy }) =>
        status === 'pending' && firstBy !== null ? 'Second approval' : describeStatus(status),
      Investor: (deposit) => deposit.investor,
      Name: (deposit) => deposit.investorName,
      'E-mail': (deposit) => deposit.investorEmail,
      Coin: (deposit) => COIN_LABELS[deposit.coin],
      Network: (deposit) => NETWORK_LABELS[deposit.network],
      'Asked (USD)': (deposit) => formatDecimal(deposit.asked),
      'Amount (USD)': (deposit) => formatDecimal(deposit.amount),
      Quantity: (deposit) => deposit.quantity ?? '',
      'Rate (USD)': (deposit) => deposit.rate ?? '',
      'Paid to': (deposit) => deposit.paymentTo,
      'Transaction id given': (deposit) => deposit.txid ?? '',
      'Transaction id credited': (deposit) => findEvent(deposit.events, 'approved')?.reference ?? '',
      ...RISK_COLUMNS,
      ...buildDecisionColumns(toDepositSteps),
      Reason: (deposit) => findReason(deposit.events) ?? '',
    },
  },
})
