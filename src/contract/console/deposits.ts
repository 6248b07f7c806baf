import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { optionalAmountField, optionalText } from '../fields.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import { NETWORKS, type Network } from '../money/coins.ts'
import { provedPayment } from '../money/payments.ts'
import { createReferenceField, referenceField } from '../money/references.ts'
import { REQUEST_STATUSES } from '../money/transactions.ts'
import {
  filtersInOrder,
  internalNoteField,
  investorBrief,
  noBody,
  quantityField,
  screeningField,
  soloAllowance,
  statusList,
  stepsField,
  toldBody,
  workFields,
} from './cases.ts'
import { riskField, riskReasonField } from './risk.ts'

/** The first of two approvals. */
const firstApproval = z.object({
  by: z.string(),
  /** That operator's id. Only they may withdraw the approval. */
  byId: z.string(),
  reference: z.string(),
  amount: z.number(),
  /** The first operator stated the quantity, so the second one has to state the same. */
  hasQuantity: z.boolean(),
  at: isoTime,
})

/** Another output or log of the same transaction, and the deposit or withdrawal that it belongs to. */
const sibling = z.object({
  reference: z.string(),
  network: z.enum(NETWORKS),
  /** Null for a payment that is not credited. */
  request: z.nullable(z.object({ _id: z.string(), ref: z.string(), status: z.enum(REQUEST_STATUSES) })),
  investor: z.object({ _id: z.string(), name: z.string() }),
  /** In USD; null while there is none. */
  amount: z.nullable(z.number()),
})

export const operatorDeposit = z.object({
  _id: z.string(),
  ref: z.string(),
  investor: investorBrief,
  status: z.enum(REQUEST_STATUSES),
  createdAt: isoTime,
  /** The requested amount, after the credit the credited one. */
  amount: z.number(),
  asked: z.number(),
  type: z.string(),
  network: z.enum(NETWORKS),
  paymentTo: z.string(),
  txid: z.nullable(z.string()),
  quantity: z.nullable(z.string()),
  rate: z.nullable(z.number()),
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  steps: stepsField,
  ...workFields,
  screening: screeningField,
  risk: riskField,
  awaiting: z.optional(z.literal('second_operator')),
  firstApproval: z.optional(firstApproval),
  /** In its case: the payment that the chain proves; null without one. Amount, reference and quantity of the credit are taken from it. */
  payment: z.optional(z.nullable(provedPayment)),
  /** Whether it goes to an own address of the investor, which only a proved payment credits. */
  isProved: z.optional(z.boolean()),
  /** Whether the investor sent a receipt. */
  hasReceipt: z.optional(z.boolean()),
  /** Sent with our sample receipt: the practice reviewer credits what one operator may credit alone. */
  sample: z.optional(z.literal(true)),
  /** In its case: what else the same transaction paid, if it did. At most 20. */
  siblings: z.optional(z.array(sibling)),
  /** For a pending deposit: the caller's allowance to credit it alone. */
  alone: z.optional(soloAllowance),
  /** For a pending deposit: USD per coin, the lower of the prices at the announcement and now; null without one of them. */
  creditPrice: z.optional(z.nullable(z.number())),
})

export type OperatorDeposit = z.output<typeof operatorDeposit>

export const getDeposit = endpoint('GET', '/operator/deposits/:id', 'operator:deposits.read', {
  summary: 'One deposit request with all facts for its decision',
  answer: operatorDeposit,
})

export const getReceipt = endpoint('GET', '/operator/deposits/:id/receipt', 'operator:deposits.read', {
  summary: 'The receipt picture of a deposit request',
  answerType: 'image/*',
})

export const QUANTITY_MISSING = 'Please give the quantity that arrived'
export const REFERENCE_MISSING = 'Please give the transaction id on the network'

export const approveDepositBody = z.object({
  /** Not for a deposit to an own address: its payment has it. */
  reference: z.optional(referenceField(REFERENCE_MISSING)),
  /** Without it, the quantity's value, at most the announced amount. More takes two operators. */
  amount: optionalAmountField(
    'Please give the amount that arrived in USD',
    'Please give the amount that arrived in USD, above zero, with at most two decimals',
  ),
  /** Without it, the quantity that was announced, at the price of the announcement. The console asks for it. */
  quantity: quantityField('arrived'),
  /** The investor reads it, in the history. */
  note: optionalText(500),
  /** Only operators read it: it is kept with the notes about the investor. */
  internalNote: internalNoteField,
  riskReason: riskReasonField,
  ...factorFields,
})

/** The same for a form, which knows the network. The server looks it up. */
export function approveDepositForm(network: Network) {
  return z.extend(approveDepositBody, { reference: createReferenceField(network, REFERENCE_MISSING) })
}

export type ApproveDepositBody = z.output<typeof approveDepositBody>

export const approveDeposit = endpoint('POST', '/operator/deposits/:id/approve', 'operator:deposits.decide', {
  summary:
    'Credit an arrived payment under its transaction id. 202 while a second operator is needed, as for every case of high risk',
  statusAwaiting: 202,
  body: approveDepositBody,
  answer: operatorDeposit,
  idempotent: true,
  refusals: [
    'account_frozen',
    'already_decided',
    'reference_used',
    'payment_not_proved',
    'approval_mismatch',
    'case_assigned',
    'reason_required',
    'daily_credit_ceiling',
    ...FACTOR_REFUSALS,
    'second_operator_required',
    'too_many_notifications',
  ],
  asksFactor: true,
  audit: ['risk.accepted', 'deposit.credited', 'deposit.first_approval', 'deposit.approval_mismatched'],
})

export const revokeApproval = endpoint(
  'POST',
  '/operator/deposits/:id/withdraw-approval',
  'operator:deposits.decide',
  {
    summary:
      'Withdraw your own first approval before the credit. Any other operator may reject the deposit instead',
    body: noBody,
    answer: operatorDeposit,
    idempotent: true,
    refusals: ['already_decided', 'conflict', 'forbidden'],
    audit: ['deposit.approval_withdrawn'],
  },
)

export const rejectDeposit = endpoint('POST', '/operator/deposits/:id/reject', 'operator:deposits.decide', {
  summary: 'Reject a pending deposit request with a reason for the investor',
  body: toldBody,
  answer: operatorDeposit,
  idempotent: true,
  refusals: ['already_decided', 'case_assigned'],
  audit: ['deposit.rejected'],
})

export const listDeposits = endpoint('GET', '/operator/deposits', 'operator:deposits.read', {
  summary:
    'Deposit requests, newest first, or oldest first with `order=oldest`. `query` is a part of the investor’s name or e-mail address, a reference, or the first eight characters or more of a transaction id, or six of the address paid to. `assigned` selects the caller’s own cases, or unassigned ones. `format=csv` returns all matching ones as a file',
  query: statusList.check(filtersInOrder),
  answer: z.array(operatorDeposit),
  audit: ['deposits.exported'],
  findsPeopleBy: 'query',
})
