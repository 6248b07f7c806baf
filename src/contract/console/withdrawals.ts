import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { FACTOR_REFUSALS, factorBody, factorFields } from '../identity/factors.ts'
import { NETWORKS, type Network } from '../money/coins.ts'
import { referenceField, referenceFieldOf } from '../money/references.ts'
import { REQUEST_STATUSES, TRX_TYPES, timelineEntry } from '../money/transactions.ts'
import { BANK_IDENTITY } from '../money/withdrawals.ts'
import { aloneWithin, investorBrief, reasonBody, statusList } from './cases.ts'

/** What may be wrong with a withdrawal, as its screen says it. */
export const SIGNALS = [
  'debt',
  'account_recovered',
  'shared_destination',
  'in_and_out',
  'identity_not_approved',
  'holder_differs',
  'password_changed',
  'email_changed',
  'second_factor_changed',
  'new_destination',
  'on_hold',
  'new_device',
  'unusual_amount',
  'several_in_a_day',
  'new_account',
  'bonus_included',
  'frozen_before',
  'whole_balance',
  'identity_new',
  'first_withdrawal',
] as const
export type SignalName = (typeof SIGNALS)[number]

export const SEVERITIES = ['high', 'medium', 'low'] as const
export type Severity = (typeof SEVERITIES)[number]

export const signal = z.object({
  signal: z.enum(SIGNALS),
  severity: z.enum(SEVERITIES),
  /** When it came about, or, of a hold, until when it lasts. */
  since: z.optional(isoTime),
  /** In USD: what is owed, was deposited, is usual, was asked for within a day, or was granted. */
  amount: z.optional(z.number()),
  /** How many withdrawals, or other investors. */
  count: z.optional(z.number()),
})

export type Signal = z.output<typeof signal>

export const bankDetails = z.object({
  title: z.string(),
  surname: z.string(),
  firstName: z.string(),
  occupation: z.string(),
  clientNumber: z.string(),
  investmentNumber: z.string(),
  productName: z.string(),
  bankName: z.string(),
  accountNumber: z.string(),
  branchName: z.string(),
  accountType: z.string(),
  accountHolderName: z.string(),
  branchCode: z.string(),
  withdrawalType: z.nullable(z.string()),
  withdrawalReason: z.string(),
})

export type BankDetails = z.output<typeof bankDetails>

/** The bank destination that the investor was paid at last before, and which fields differ from it. */
const lastPaid = z.object({
  ref: z.string(),
  at: isoTime,
  changed: z.array(z.enum(BANK_IDENTITY)),
})

export const operatorWithdrawal = z.object({
  _id: z.string(),
  ref: z.string(),
  investor: investorBrief,
  status: z.enum(REQUEST_STATUSES),
  createdAt: isoTime,
  amount: z.number(),
  trxType: z.enum(TRX_TYPES),
  type: z.nullable(z.string()),
  network: z.nullable(z.enum(NETWORKS)),
  address: z.nullable(z.string()),
  bank: z.nullable(bankDetails),
  /** The extra proof that was given: none, e-mail, an app’s code or a passkey; and why it was asked for. */
  proof: z.enum(['none', 'email', 'totp', 'passkey']),
  reasons: z.array(z.string()),
  /** Paid at this time at the earliest; null where nothing has to be waited for. */
  heldUntil: z.nullable(isoTime),
  approvedBy: z.nullable(z.string()),
  /** The id of whoever that is: where two are needed, they cannot pay it. */
  approvedById: z.nullable(z.string()),
  completedBy: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  timeline: z.optional(z.array(timelineEntry)),
  /** What speaks against it, gravest first; of one withdrawal alone, none where nothing does. */
  signals: z.optional(z.array(signal)),
  /** Of one that is open: what whoever asks pays alone. */
  alone: z.optional(aloneWithin),
  /** Of one bank withdrawal alone; null where no bank was paid before. */
  lastPaid: z.optional(z.nullable(lastPaid)),
})

export type OperatorWithdrawal = z.output<typeof operatorWithdrawal>

export const getWithdrawal = endpoint('GET', '/operator/withdrawals/:id', 'operator:withdrawals.read', {
  summary: 'One withdrawal request with its timeline, and what speaks against it',
  answer: operatorWithdrawal,
})

export const approveWithdrawal = endpoint(
  'POST',
  '/operator/withdrawals/:id/approve',
  'operator:withdrawals.decide',
  {
    summary: 'Approve a pending withdrawal, to be paid',
    body: factorBody,
    answer: operatorWithdrawal,
    idempotent: true,
    refusals: ['account_frozen', 'already_decided', 'debt_outstanding', ...FACTOR_REFUSALS],
    asksFactor: true,
    audit: ['withdrawal.approved'],
  },
)

const REFERENCE_MISSING = 'Please give the transaction id on the network, or the bank’s reference'

/** What a screen asks for, which knows the network already, null being a bank's; the server looks it up. */
export function completeWithdrawalForm(network: Network | null) {
  return z.object({ reference: referenceFieldOf(network, REFERENCE_MISSING) })
}

export const completeWithdrawal = endpoint(
  'POST',
  '/operator/withdrawals/:id/complete',
  'operator:withdrawals.decide',
  {
    summary: 'Record that an approved withdrawal was paid, under its reference',
    body: z.object({
      reference: referenceField(REFERENCE_MISSING),
      ...factorFields,
    }),
    answer: operatorWithdrawal,
    idempotent: true,
    refusals: [
      'account_frozen',
      'already_decided',
      'debt_outstanding',
      'reference_used',
      'destination_on_hold',
      'daily_payout_ceiling',
      ...FACTOR_REFUSALS,
      'second_operator_required',
    ],
    asksFactor: true,
    audit: ['withdrawal.completed'],
  },
)

export const rejectWithdrawal = endpoint(
  'POST',
  '/operator/withdrawals/:id/reject',
  'operator:withdrawals.decide',
  {
    summary: 'Reject a pending or approved withdrawal; what was held is available again',
    body: reasonBody,
    answer: operatorWithdrawal,
    idempotent: true,
    refusals: ['already_decided'],
    audit: ['withdrawal.rejected'],
  },
)

export const listWithdrawals = endpoint('GET', '/operator/withdrawals', 'operator:withdrawals.read', {
  summary:
    'Withdrawal requests of both kinds, newest first; `query` is a part of the investor’s name or e-mail address, a reference, a transaction id or the address paid to; `format=csv` is all of it as a file, without whole account numbers',
  query: statusList,
  answer: z.array(operatorWithdrawal),
  audit: ['withdrawals.exported'],
})
