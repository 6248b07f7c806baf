import { sql } from 'drizzle-orm'
import {
  describeProof,
  describeProofReason,
  describeRequestStatus,
} from '../../../src/contract/console/requestWords.ts'
import { listWithdrawals } from '../../../src/contract/console/withdrawals.ts'
import { COIN_LABELS, NETWORK_LABELS } from '../../../src/contract/money/coins.ts'
import { KIND_LABELS } from '../../../src/contract/money/transactions.ts'
import { formatDecimal } from '../../http/csv.ts'
import { toIso } from '../../http/paging.ts'
import { createQueue } from '../../http/queue.ts'
import { buildDecisionColumns } from '../../http/steps.ts'
import { formatMaskedNumber } from '../../money/requests/history.ts'
import { findEvent, findReason, readRequests, selectQueuePage, toPosition } from '../cases/requests.ts'
import { isAssignedTo, isWaitingFor, KIND_OF_REQUEST } from '../cases/workState.ts'
import { RISK_COLUMNS, readByRisk } from '../risk/queue.ts'
import { isDelayedUntilAfter } from '../work/kinds.ts'
import {
  formatNetworkFee,
  parseBank,
  parseReasons,
  readWithdrawals,
  toWithdrawalRow,
  toWithdrawalSteps,
  type Withdrawal,
} from './withdrawal.ts'

export const withdrawalQueue = createQueue(listWithdrawals, {
  read: async (call, after, rows) => {
    const { db, nowMs } = call
    const { status, query, hold, assigned, waits } = call.query
    const isDelayed = isDelayedUntilAfter(sql`r.id`, sql`${nowMs}`)
    const isHeld = hold === undefined ? sql`1` : hold === 'delayed' ? isDelayed : sql`NOT ${isDelayed}`
    const narrowed = sql`${isHeld} AND ${isAssignedTo(assigned, sql`r.id`, call)}
      AND ${isWaitingFor(waits, KIND_OF_REQUEST, sql`r.id`)}`
    return readByRisk<Withdrawal>(call, 'withdrawals', after, rows, {
      select: ({ also, ...page }) =>
        selectQueuePage({
          queue: 'withdrawals',
          status,
          query,
          filters: call.query,
          ...page,
          also: sql`${narrowed} AND ${also}`,
        }),
      isOpen: sql`r.status IN ('pending', 'approved')`,
      read: (ids, risks) => readRequests(db, readWithdrawals, ids, risks),
      position: toPosition,
    })
  },
  row: (facts, call) => ({ ...toWithdrawalRow(facts, call), risk: facts.risk }),
  position: toPosition,
  file: {
    name: 'withdrawals',
    // Complete account numbers are shown only on the screen of the operator who pays.
    columns: {
      Reference: (row) => row.ref,
      Id: (row) => row.id,
      'Filed (UTC)': (row) => toIso(row.createdAt),
      Status: (row) => describeRequestStatus(row.status),
      Investor: (row) => row.investor,
      Name: (row) => row.investorName,
      'E-mail': (row) => row.investorEmail,
      Kind: (row) => KIND_LABELS[row.kind],
      'Amount (USD)': (row) => formatDecimal(row.amount),
      Coin: (row) => (row.coin === null ? '' : COIN_LABELS[row.coin]),
      Network: (row) => (row.network === null ? '' : NETWORK_LABELS[row.network]),
      Address: (row) => row.address ?? '',
      Bank: (row) => parseBank(row)?.bankName ?? '',
      'Account (last four)': (row) =>
        row.bank === null ? '' : formatMaskedNumber(parseBank(row)?.accountNumber ?? ''),
      'Extra proof': (row) => describeProof(row.proof),
      'Why it was asked for': (row) => parseReasons(row).map(describeProofReason).join('; '),
      'Payable from (UTC)': (row) => (row.heldUntil === null ? '' : toIso(row.heldUntil)),
      ...RISK_COLUMNS,
      ...buildDecisionColumns(toWithdrawalSteps),
      'Paid (UTC)': (row) => toWithdrawalSteps(row).find(({ step }) => step === 'paid')?.at ?? '',
      'Paid under': (row) => findEvent(row.events, 'completed')?.reference ?? '',
      'Quantity sent': (row) => row.quantity ?? '',
      'Network fee (BTC or ETH)': (row) => formatNetworkFee(row) ?? '',
      Reason: (row) => findReason(row.events) ?? '',
    },
  },
})
