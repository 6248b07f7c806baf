import * as z from 'zod/mini'
import { filter, isoTime, refuseValue } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import { NETWORKS, type Network } from '../money/coins.ts'
import { createReferenceField, referenceField } from '../money/references.ts'
import { REQUEST_STATUSES, TRX_TYPES } from '../money/transactions.ts'
import { BANK_IDENTITY } from '../money/withdrawals.ts'
import {
  feeField,
  filtersInOrder,
  investorBrief,
  quantityField,
  screeningField,
  soloAllowance,
  statusList,
  stepsField,
  toldBody,
  workFields,
} from './cases.ts'
import { payoutPauseField } from './payoutPause.ts'
import { PAYOUT_STATES } from './payoutStates.ts'
import { riskField, riskReasonField } from './risk.ts'

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
  /** The two-letter code of the bank's country; null if it was not given. */
  country: z.nullable(z.string()),
})

export type BankDetails = z.output<typeof bankDetails>

/** The previously paid bank destination, and the fields that differ from it. */
const lastPaid = z.object({
  ref: z.string(),
  at: isoTime,
  changed: z.array(z.enum(BANK_IDENTITY)),
})

/** The payout of a withdrawal, and the quantity that it pays for the withdrawal. */
const payoutOfWithdrawal = z.object({
  _id: z.string(),
  state: z.enum(PAYOUT_STATES),
  /** The coin, as an exact decimal, and USD for one coin when the payout was built. */
  quantity: z.string(),
  rate: z.string(),
  txid: z.nullable(z.string()),
  confirmations: z.number(),
  needed: z.number(),
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
  /** The proof given: none, e-mail, an app’s code or a passkey; and why it was required. */
  proof: z.enum(['none', 'email', 'totp', 'passkey']),
  reasons: z.array(z.string()),
  /** The earliest time of payment; null without a hold. */
  heldUntil: z.nullable(isoTime),
  /** When the investor last proved by a signature that the address is their own. */
  ownerProvedAt: z.optional(isoTime),
  /** Where two operators are needed, the one who approved it cannot pay it. */
  steps: stepsField,
  reference: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  ...workFields,
  screening: screeningField,
  risk: riskField,
  /** The name on the identity document, as its reviewer read it; null if none was recorded. Only for a single withdrawal. */
  documentName: z.optional(z.nullable(z.string())),
  /** For an open withdrawal: the caller's allowance to pay it alone. */
  alone: z.optional(soloAllowance),
  /** For a single open withdrawal: nobody approves or pays it during a pause. */
  payoutPause: z.optional(payoutPauseField),
  /**
   * For a single open withdrawal of somebody without an approved proof of address: the amount above which withdrawals need one, if the
   * investor's withdrawals together are above it. Null if none is needed.
   */
  lacksAddressProofAbove: z.optional(z.nullable(z.number())),
  /** Only for a single withdrawal that a recurring plan of the investor filed. */
  isOfPlan: z.optional(z.literal(true)),
  /** Only for a single bank withdrawal; null if no bank was paid before. */
  lastPaid: z.optional(z.nullable(lastPaid)),
  /**
   * The quantity sent, in the coin, and the network's fee of a payout by hand in BTC or ETH. Null until coins are paid. `expected` is the
   * quantity of the approval. It is given if both differ by more than 2 %.
   */
  sent: z.nullable(
    z.object({ quantity: z.string(), fee: z.nullable(z.string()), expected: z.optional(z.string()) }),
  ),
  /**
   * Only for a single withdrawal of coins that an operator sends: how much, and USD for one coin. The approval fixes it. Null if there
   * was no market price.
   */
  toSend: z.optional(z.nullable(z.object({ quantity: z.string(), rate: z.string() }))),
  /**
   * Only for a single open withdrawal that an operator pays: the place of the treasury from which it is paid, the quantity that the books
   * have there, and whether that is less than what is to be sent.
   */
  paidFrom: z.optional(z.object({ place: z.string(), quantity: z.string(), isShort: z.boolean() })),
  /** Only for a single withdrawal: whether a payout pays it and the chain completes it, so that no operator completes it by hand. */
  paidByChain: z.optional(z.boolean()),
  /** Only for a single withdrawal: the payout that it is in; null if it is in none. */
  payout: z.optional(z.nullable(payoutOfWithdrawal)),
})

export type OperatorWithdrawal = z.output<typeof operatorWithdrawal>

export const getWithdrawal = endpoint('GET', '/operator/withdrawals/:id', 'operator:withdrawals.read', {
  summary: 'One withdrawal request with its warning signs',
  answer: operatorWithdrawal,
})

export const approveWithdrawal = endpoint(
  'POST',
  '/operator/withdrawals/:id/approve',
  'operator:withdrawals.decide',
  {
    summary: 'Approve a pending withdrawal for payment',
    body: z.optional(z.object({ riskReason: riskReasonField, ...factorFields })),
    answer: operatorWithdrawal,
    idempotent: true,
    refusals: [
      'account_frozen',
      'already_decided',
      'case_assigned',
      'reason_required',
      'sanctions_hit_open',
      'debt_outstanding',
      'payouts_paused',
      ...FACTOR_REFUSALS,
    ],
    asksFactor: true,
    audit: ['withdrawal.approved', 'risk.accepted'],
  },
)

const REFERENCE_MISSING = 'Please give the transaction id on the network, or the bank’s reference'

/** A withdrawal of coins is paid with a quantity. The server looks up whether it is one. */
export const QUANTITY_MISSING = 'Please give the quantity that was sent'
export const QUANTITY_REASON_MISSING = 'Please say why another quantity was sent'

/** The coin in which a network takes its fee, where custody counts it. */
export const FEE_COINS: Readonly<Partial<Record<Network, 'bitcoin' | 'ethereum'>>> = {
  btc: 'bitcoin',
  eth: 'ethereum',
  'usdt-erc20': 'ethereum',
  'usdc-erc20': 'ethereum',
}

/** The form, which knows the network (null for a bank). The server looks it up. */
export function completeWithdrawalForm(network: Network | null) {
  return z.object({
    reference: createReferenceField(network, REFERENCE_MISSING),
    quantity:
      network === null
        ? quantityField('was sent')
        : z.pipe(
            quantityField('was sent'),
            z.transform((value, context) => value ?? refuseValue(context, QUANTITY_MISSING)),
          ),
    fee: feeField,
    riskReason: riskReasonField,
  })
}

export const completeWithdrawal = endpoint(
  'POST',
  '/operator/withdrawals/:id/complete',
  'operator:withdrawals.decide',
  {
    summary:
      'Record the payment of an approved withdrawal, under its reference. If its risk is high, or was when it was approved, another operator than the approver pays',
    body: z.object({
      reference: referenceField(REFERENCE_MISSING),
      /**
       * Required for coins. The approval fixes a price, and so a quantity. If both quantities differ by more than 2 %, two operators pay
       * it, and `riskReason` says why.
       */
      quantity: quantityField('was sent'),
      /** The network's fee, in BTC or ETH. The company pays it. */
      fee: feeField,
      riskReason: riskReasonField,
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
      'paid_by_chain',
      'case_assigned',
      'reason_required',
      'sanctions_hit_open',
      'payouts_paused',
      ...FACTOR_REFUSALS,
      'second_operator_required',
    ],
    asksFactor: true,
    audit: ['withdrawal.completed', 'risk.accepted'],
  },
)

export const rejectWithdrawal = endpoint(
  'POST',
  '/operator/withdrawals/:id/reject',
  'operator:withdrawals.decide',
  {
    summary: 'Reject a pending or approved withdrawal. The held amount is available again',
    body: toldBody,
    answer: operatorWithdrawal,
    idempotent: true,
    refusals: ['already_decided', 'payout_sent', 'case_assigned'],
    audit: ['withdrawal.rejected'],
  },
)

export const listWithdrawals = endpoint('GET', '/operator/withdrawals', 'operator:withdrawals.read', {
  summary:
    'Withdrawal requests of both kinds, newest first, or oldest first with `order=oldest`. `hold` selects those that are delayed now, or those that are not. `assigned` selects the caller’s own cases, or unassigned ones. `query` is a part of the investor’s name or e-mail address, a reference, a transaction id, or at least the first six characters of the address paid to. `format=csv` returns all matching ones as a file, with only the last four digits of account numbers',
  query: z
    .extend(statusList, {
      hold: filter('hold', ['delayed', 'payable'], 'hold is delayed or payable'),
    })
    .check(filtersInOrder),
  answer: z.array(operatorWithdrawal),
  audit: ['withdrawals.exported'],
  findsPeopleBy: 'query',
})
