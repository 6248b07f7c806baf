import { type SQL, sql } from 'drizzle-orm'
import type { BankDetails } from '../../../src/contract/console/withdrawals.ts'
import { TRANSACTION_FEE, type Transaction } from '../../../src/contract/money/transactions.ts'
import { usdOf } from '../../../src/contract/money.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading } from '../../lib/database.ts'
import type { RequestRow } from './events.ts'
import { masked } from './masked.ts'

/** A request with its details and, where it was rejected or reversed, why. */
export interface TransactionRow {
  readonly seq: number
  readonly id: string
  readonly ref: string
  readonly kind: RequestRow['kind']
  readonly status: RequestRow['status']
  readonly amount: number
  readonly created_at: number
  readonly coin: string | null
  readonly network: string | null
  readonly payment_to: string | null
  readonly address: string | null
  readonly bank: string | null
  readonly held_until: number | null
  readonly reason: string | null
}

/** Reads requests with what the history shows of them. `which` picks, orders and limits them by the columns of `r`. */
export function readTransactions(which: SQL): Read<TransactionRow> {
  return reading<TransactionRow>(sql`
    SELECT r.seq, r.id, r.ref, r.kind, r.status, r.amount, r.created_at,
           coalesce(d.coin, w.coin) AS coin, coalesce(d.network, w.network) AS network,
           d.payment_to, w.address, w.bank, w.held_until, e.note AS reason
    FROM requests r
    LEFT JOIN deposit_details d ON d.request = r.id
    LEFT JOIN withdrawal_details w ON w.request = r.id
    LEFT JOIN request_events e ON e.request = r.id AND e.status = r.status AND r.status IN ('rejected', 'reversed')
    ${which}`)
}

/** A row as the investor sees it: account numbers masked, what does not apply left out. */
export function transactionOf(row: TransactionRow): Transaction {
  const bank = row.bank === null ? null : bankOf(row.bank)
  return {
    _id: row.id,
    ref: row.ref,
    amount: usdOf(row.amount),
    createdAt: iso(row.created_at),
    trxType: row.kind,
    status: row.status,
    fee: TRANSACTION_FEE,
    ...(row.coin !== null && { type: row.coin }),
    ...(row.network !== null && { network: row.network }),
    ...(row.payment_to !== null && { paymentTo: row.payment_to }),
    ...(row.address !== null && { address: row.address }),
    ...(bank !== null && {
      bankName: bank.bankName,
      accountNumber: masked(bank.accountNumber),
      accountHolderName: bank.accountHolderName,
      ...(bank.withdrawalType !== null && { withdrawalType: bank.withdrawalType }),
    }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.held_until !== null && { heldUntil: iso(row.held_until) }),
  }
}

// The bank's fields were checked against the contract before they were stored.
function bankOf(json: string): BankDetails {
  return JSON.parse(json) as BankDetails
}
