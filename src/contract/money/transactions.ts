import * as z from 'zod/mini'
import { filter, isoTime, page, period, periodInOrder } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { paymentQuote } from './deposits.ts'
import { provedPayment } from './payments.ts'
import { ledgerEntry } from './statements.ts'

export const TRX_TYPES = ['deposit', 'withdrawal', 'online-service-withdrawal'] as const
export type TrxType = (typeof TRX_TYPES)[number]

export const KIND_LABELS: Record<TrxType, string> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  'online-service-withdrawal': 'Online Service Withdrawal',
}
export const REQUEST_STATUSES = [
  'pending',
  'approved',
  'completed',
  'rejected',
  'cancelled',
  'reversed',
] as const
export type RequestStatus = (typeof REQUEST_STATUSES)[number]

/** The investor's fee for a deposit or a withdrawal, in USD. The company pays network fees. */
export const TRANSACTION_FEE = 0

/** The most open deposits, and the most open withdrawals, of one investor. The database enforces it too. */
export const MAX_OPEN_REQUESTS = 20

const row = {
  _id: z.string(),
  ref: z.string(),
  amount: z.number(),
  createdAt: isoTime,
  trxType: z.enum(TRX_TYPES),
  status: z.enum(REQUEST_STATUSES),
  fee: z.number(),
  type: z.optional(z.string()),
  network: z.optional(z.string()),
  paymentTo: z.optional(z.string()),
  address: z.optional(z.string()),
  bankName: z.optional(z.string()),
  accountNumber: z.optional(z.string()),
  accountHolderName: z.optional(z.string()),
  withdrawalType: z.optional(z.string()),
  reason: z.optional(z.string()),
  heldUntil: z.optional(isoTime),
  /** For a pending deposit to the investor's own address: whether no payment was seen yet. */
  awaitsPayment: z.optional(z.boolean()),
  /** What to pay for it, and until when, while it awaits its payment. Absent if there was no price. */
  quote: z.optional(paymentQuote),
}

export const transaction = z.object(row)
export type Transaction = z.output<typeof transaction>

export const timelineEntry = z.object({
  at: isoTime,
  status: z.enum(REQUEST_STATUSES),
  note: z.optional(z.string()),
})
export const transactionDetail = z.object({
  ...row,
  timeline: z.array(timelineEntry),
  /** The payment's reference: the one it was credited or paid under, before that the one its owner gave. */
  reference: z.optional(z.string()),
  /** The transaction that pays this withdrawal on its chain, once it was sent. */
  payout: z.optional(
    z.object({
      /** The coin, as an exact decimal, and USD for one coin when the payout was built. */
      quantity: z.string(),
      rate: z.string(),
      txid: z.nullable(z.string()),
      confirmations: z.number(),
      needed: z.number(),
    }),
  ),
  /** The payment that the chain proves, once it belongs to this deposit. */
  payment: z.optional(provedPayment),
  /** The `_id` of the plan that filed this withdrawal. */
  plan: z.optional(z.string()),
  /** Sent with our sample receipt: the practice reviewer decides. */
  sample: z.optional(z.literal(true)),
  /** Its ledger entries so far, oldest first. */
  entries: z.array(ledgerEntry),
})
export type TransactionDetail = z.output<typeof transactionDetail>

export const statusFilter = filter('status', REQUEST_STATUSES)

export const listTransactions = endpoint('GET', '/transaction-history', 'signed-in-or-key', {
  summary: 'Deposits and withdrawals, newest first',
  query: z
    .object({
      ...page,
      kind: filter('kind', TRX_TYPES),
      status: statusFilter,
      ...period,
    })
    .check(periodInOrder),
  answer: z.array(transaction),
})

export const getTransaction = endpoint('GET', '/transaction-history/:id', 'signed-in', {
  summary: 'One deposit or withdrawal, by its `_id` or its `ref`, with its timeline and its ledger entries',
  answer: transactionDetail,
})
