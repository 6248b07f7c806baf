import * as z from 'zod/mini'
import { filter, isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredLines } from '../fields.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import { CHAINS, type Chain, PROVED_NETWORKS } from '../money/payments.ts'
import {
  amountFilters,
  filtersInOrder,
  investorBrief,
  keyHolder,
  noBody,
  personFilters,
  stepsField,
} from './cases.ts'
import { PAYOUT_STATES, type PayoutState } from './payoutStates.ts'

/** The most withdrawals that one Bitcoin transaction pays. On Ethereum it is one. */
export const MOST_WITHDRAWALS = 20
/** The highest fee: satoshi for one virtual byte, or gwei for one unit of gas. */
export const MOST_FEE = 1_000
/** How long a payout can be released after it was built: its quantities follow from the prices of that time. */
export const PAYOUT_VALID_HOURS = 24

/** Problems that an operator should look at, with ways out. */
export const PAYOUT_PROBLEMS = {
  not_accepted:
    'No server accepts the transaction. One of its coins, or its nonce, may have been used by another transaction of the wallet. It is sent again every minute. Compare it with the wallet.',
  failed:
    'The network mined the transaction, but it failed and paid nothing. Its fee was charged. Find out why, for example whether the receiver is a contract, then build a new payout for the withdrawal, or reject it.',
  unclear:
    'The transaction succeeded, but its token wrote no transfer of the approved quantity. Compare the receiver’s balance with an explorer. Do not pay the withdrawal again before that.',
  mined:
    'This payout was cancelled, but somebody sent it and the network mined it. It paid its withdrawals. Record each of them under this transaction, by an operator who did not approve it. Find out who sent it.',
  gone: 'A reorganisation removed the block of this payout after it was confirmed. Check with an explorer that another block has its transaction. This ends by itself once one has.',
} as const
export type PayoutProblem = keyof typeof PAYOUT_PROBLEMS

const person = z.object({ _id: z.string(), name: z.string() })
/** A quantity of a coin as an exact decimal. */
const quantity = z.string()

/** A key of the wallet, the operator who holds it, and its signature of the newest version. */
const payoutKey = z.object({
  /** Its number in the descriptor, from 0. */
  key: z.number(),
  /** The fingerprint of its master key, or its address. */
  keyName: z.string(),
  /** The address with which it proved its control. */
  address: z.string(),
  /** Null: nobody is assigned, and any treasurer hands in its signature. */
  holder: z.nullable(keyHolder),
  signed: z.nullable(z.object({ at: isoTime, by: person })),
})
export type PayoutKey = z.output<typeof payoutKey>

const row = {
  _id: z.string(),
  chain: z.enum(CHAINS),
  state: z.enum(PAYOUT_STATES),
  /** Its progress, as one or two sentences. */
  words: z.string(),
  problem: z.nullable(z.enum(Object.keys(PAYOUT_PROBLEMS) as PayoutProblem[])),
  /** In USD. */
  amount: z.number(),
  withdrawals: z.number(),
  createdAt: isoTime,
  builtBy: person,
  releasedAt: z.nullable(isoTime),
  releasedBy: z.nullable(person),
  /** The confirmed transaction. Without one, the transaction sent last. */
  txid: z.nullable(z.string()),
  /** The network fee of that transaction, or of the newest one: exact on Bitcoin, the most it can be on Ethereum. */
  fee: quantity,
  confirmations: z.number(),
  needed: z.number(),
  block: z.nullable(z.object({ height: z.number(), hash: z.string() })),
  confirmedAt: z.nullable(isoTime),
  /** The other transaction that took its coins or its nonce, if it was replaced. */
  replacedBy: z.nullable(z.string()),
  /** Ethereum: the lower nonce of a payout that was not sent, before which this one cannot be mined. */
  blockedByNonce: z.nullable(z.number()),
}

const payoutRow = z.object(row)
export type PayoutRow = z.output<typeof payoutRow>

const payoutItem = z.object({
  /** The withdrawal. */
  _id: z.string(),
  ref: z.string(),
  investor: investorBrief,
  network: z.enum(PROVED_NETWORKS),
  address: z.string(),
  quantity,
  /** In USD. */
  amount: z.number(),
  /** USD for one coin when the payout was built. */
  rate: z.string(),
})

const payoutVersion = z.object({
  version: z.number(),
  fee: quantity,
  createdAt: isoTime,
  builtBy: person,
  txid: z.nullable(z.string()),
  releasedAt: z.nullable(isoTime),
  releasedBy: z.nullable(person),
})

export const operatorPayout = z.object({
  ...row,
  /** In the order of the transaction’s outputs. */
  items: z.array(payoutItem),
  /** What returns to the wallet; null without change. */
  change: z.nullable(z.object({ address: z.string(), quantity })),
  /** The wallet’s coins that it spends. Empty on Ethereum. */
  coins: z.array(z.object({ coin: z.string(), quantity })),
  /** The transaction, and after it those that replaced it with a higher fee, oldest first. */
  versions: z.array(payoutVersion),
  /** What to sign now: a PSBT in base64, or an EIP-1559 payload in hexadecimal. Null if the newest version is signed. */
  unsigned: z.nullable(z.string()),
  /** What hardware shows for an Ethereum transaction. */
  shown: z.nullable(
    z.object({
      from: z.string(),
      to: z.string(),
      amount: z.string(),
      symbol: z.string(),
      contract: z.nullable(z.string()),
      nonce: z.number(),
      maxNetworkFee: z.string(),
    }),
  ),
  /** Signatures of the newest version. */
  signatures: z.object({ have: z.number(), need: z.number() }),
  /** Who built, signed and released it. */
  steps: stepsField,
  keys: z.array(payoutKey),
  /** The operators who can still hand in a signature that it needs, each from their own session. */
  missing: z.array(person),
})
export type OperatorPayout = z.output<typeof operatorPayout>

export const listPayouts = endpoint('GET', '/operator/payouts', 'operator:withdrawals.read', {
  summary:
    'Payouts on proved networks, newest first. `coin` and `person` are those of a withdrawal that it pays',
  query: z
    .extend(pageQuery, {
      ...amountFilters,
      person: personFilters.person,
      state: filter('state', PAYOUT_STATES),
    })
    .check(filtersInOrder),
  answer: z.array(payoutRow),
})

export const getPayout = endpoint('GET', '/operator/payouts/:id', 'operator:withdrawals.read', {
  summary: 'One payout: what it pays, its transaction to sign, and its progress',
  answer: operatorPayout,
})

const CHAIN_MISSING = 'chain is bitcoin or ethereum'
export const FEE_SPEEDS = ['slow', 'normal', 'fast'] as const

const payoutFees = z.object({
  chain: z.enum(CHAINS),
  /** sat/vB, or gwei: the most for one unit of gas. */
  unit: z.enum(['sat/vB', 'gwei']),
  choices: z.array(
    z.object({
      speed: z.enum(FEE_SPEEDS),
      fee: z.number(),
      /** The expected wait for the first block. */
      minutes: z.number(),
    }),
  ),
})
export type PayoutFees = z.output<typeof payoutFees>

export const getPayoutFees = endpoint('GET', '/operator/payouts/fees', 'operator:withdrawals.read', {
  summary: 'Current network fees, as a server of the chain estimates them',
  query: z.object({ chain: z.enum(CHAINS, { error: CHAIN_MISSING }) }),
  answer: payoutFees,
  refusals: ['network_not_proved', 'unavailable'],
})

const FEE_PROBLEM = `The fee is above 0 and at most ${MOST_FEE}`
const fee = z.number({ error: FEE_PROBLEM }).check(z.gt(0, FEE_PROBLEM), z.lte(MOST_FEE, FEE_PROBLEM))

const WITHDRAWALS_PROBLEM = `Please choose 1 to ${MOST_WITHDRAWALS} withdrawals, each once`
const chosen = z
  .array(z.string({ error: WITHDRAWALS_PROBLEM }).check(z.maxLength(100, WITHDRAWALS_PROBLEM)), {
    error: WITHDRAWALS_PROBLEM,
  })
  .check(
    z.minLength(1, WITHDRAWALS_PROBLEM),
    z.maxLength(MOST_WITHDRAWALS, WITHDRAWALS_PROBLEM),
    z.refine((ids) => new Set(ids).size === ids.length, WITHDRAWALS_PROBLEM),
  )

export const buildPayout = endpoint('POST', '/operator/payouts', 'operator:withdrawals.decide', {
  summary:
    'Build the unsigned transaction that pays approved withdrawals: on Bitcoin one PSBT for up to 20, on Ethereum one EIP-1559 transaction for one',
  status: 201,
  body: z.object({
    chain: z.enum(CHAINS, { error: CHAIN_MISSING }),
    withdrawals: chosen,
    /** Satoshi per virtual byte, or gwei per unit of gas at most. */
    fee,
  }),
  answer: operatorPayout,
  idempotent: true,
  refusals: [
    'account_frozen',
    'already_decided',
    'conflict',
    'debt_outstanding',
    'destination_on_hold',
    'network_not_proved',
    'not_enough_coins',
    'payment_undone',
    'payouts_paused',
    'sanctions_hit_open',
    'unavailable',
  ],
  audit: ['payout.built'],
})

export const releasePayout = endpoint(
  'POST',
  '/operator/payouts/:id/release',
  'operator:withdrawals.decide',
  {
    summary:
      'Submit the signed transaction. It is compared with the unsigned one, then sent. 202 while further signatures are missing',
    statusAwaiting: 202,
    body: z.object({
      /** A PSBT in base64 or hexadecimal, a raw transaction in hexadecimal, or the texts of a QR code, `ur:crypto-psbt/…`, one after the other. */
      signed: requiredLines('Please give the signed transaction', 1_000_000),
      ...factorFields,
    }),
    answer: operatorPayout,
    idempotent: true,
    refusals: [
      'account_frozen',
      'already_decided',
      'conflict',
      'debt_outstanding',
      'destination_on_hold',
      'daily_payout_ceiling',
      'payment_undone',
      'payouts_paused',
      'reserve_shortfall',
      'sanctions_hit_open',
      'signed_differs',
      ...FACTOR_REFUSALS,
      'second_operator_required',
      'key_of_another',
    ],
    asksFactor: true,
    audit: [
      'payout.released',
      'payout.signed',
      'payout.release_mismatched',
      'payout.signed_with_key_of_another',
    ],
  },
)

export const replacePayout = endpoint(
  'POST',
  '/operator/payouts/:id/replace',
  'operator:withdrawals.decide',
  {
    summary: 'Build a replacement with a higher fee for a payout that was sent and is not in a block yet',
    status: 201,
    body: z.object({ fee }),
    answer: operatorPayout,
    idempotent: true,
    refusals: ['already_decided', 'conflict', 'not_enough_coins', 'unavailable'],
    audit: ['payout.replaced'],
  },
)

export const cancelPayout = endpoint('POST', '/operator/payouts/:id/cancel', 'operator:withdrawals.decide', {
  summary:
    'Cancel a payout that was not sent. Another payout can pay its withdrawals, but has to spend one of its coins or use its nonce',
  body: noBody,
  answer: operatorPayout,
  idempotent: true,
  refusals: ['already_decided', 'payout_sent'],
  audit: ['payout.cancelled'],
})

/** The facts that describe a payout's progress. */
export interface PayoutProgress {
  readonly chain: Chain
  readonly state: PayoutState
  readonly problem: PayoutProblem | null
  readonly isInBlock: boolean
  readonly confirmations: number
  readonly needed: number
  readonly signatures: { readonly have: number; readonly need: number }
  readonly blockedByNonce: number | null
}

/** A payout's progress, and its next step if it has one, as one or two sentences. */
export function describePayoutProgress(payout: PayoutProgress): string {
  const { chain, state, problem, isInBlock, confirmations, needed, signatures } = payout
  if (problem !== null) return PAYOUT_PROBLEMS[problem]
  const blocked = payout.blockedByNonce
  if (blocked !== null)
    return `It cannot be mined before the nonce ${blocked}, whose payout was not sent. Release that payout first. If it was cancelled, the next payout that you build takes its nonce.`
  switch (state) {
    case 'built':
      return signatures.have === 0
        ? `It waits for ${signatures.need === 1 ? 'a signature' : `${signatures.need} signatures`}.`
        : `It has ${signatures.have} of ${signatures.need} signatures and waits for the others.`
    case 'released':
      if (!isInBlock) return 'It was sent and waits for its first block.'
      if (confirmations < needed) return `In a block: ${confirmations} of ${needed} confirmations.`
      return chain === 'ethereum'
        ? 'In a block that waits until the network finalises it.'
        : 'In a block that is deep enough. It waits until both servers agree.'
    case 'confirmed':
      return 'Confirmed by the chain. Its withdrawals are completed.'
    case 'cancelled':
      return 'Cancelled. Whoever has its file could still sign and send it, so another payout of its withdrawals spends the same coin or has the same nonce.'
    case 'failed':
      return PAYOUT_PROBLEMS.failed
    case 'replaced':
      return 'Another transaction of the wallet took its coins or its nonce, so it can never be mined. Look at that transaction. If it paid the withdrawals, an operator who did not approve them records them under it. If not, build a new payout.'
  }
}
