import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { COIN_SYMBOLS, getCoinOfNetwork } from './coins.ts'

/** Chains whose payments are observed and proved. */
export const CHAINS = ['bitcoin', 'ethereum'] as const
export type Chain = (typeof CHAINS)[number]

/** Networks whose payments a chain proves, if the chain has servers and a watch-only wallet. */
export const PROVED_NETWORKS = ['btc', 'eth', 'usdt-erc20', 'usdc-erc20'] as const
export type ProvedNetwork = (typeof PROVED_NETWORKS)[number]

/** The same facts as the table `chain_networks`, and the decimals of the network's smallest unit. A test compares both. */
export const CHAIN_NETWORKS: Readonly<
  Record<ProvedNetwork, { readonly chain: Chain; readonly decimals: number }>
> = {
  btc: { chain: 'bitcoin', decimals: 8 },
  eth: { chain: 'ethereum', decimals: 18 },
  'usdt-erc20': { chain: 'ethereum', decimals: 6 },
  'usdc-erc20': { chain: 'ethereum', decimals: 6 },
}

export function isProvedNetwork(network: string): network is ProvedNetwork {
  return Object.hasOwn(CHAIN_NETWORKS, network)
}

/**
 * Confirmations that make a payment final. Bitcoin: blocks with the payment and after it. Ethereum: its finality takes two epochs, which
 * are 64 blocks, and is what both servers call finalised.
 */
export const CONFIRMATIONS_NEEDED: Readonly<Record<Chain, number>> = { bitcoin: 3, ethereum: 64 }

/** How long a quote counts, from the announcement until the payment is seen. */
export const QUOTE_MINUTES = 30
/** A payment worth less is dust: it is not credited by itself. In cents. */
export const LEAST_PAYMENT_CENTS = 100

export const PAYMENT_STATES = ['seen', 'confirming', 'final', 'credited', 'queued', 'gone', 'undone'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** Where the rate of a credit is from: the quote of the announced deposit, or the price when the payment became final. */
export const PAYMENT_RULES = ['quote', 'price'] as const

const KEEP = 'If it stays in the wallet, add it to custody when you mark it as handled.'

/** Why a person decides about a payment, and what that person can do. */
export const QUEUE_REASONS = {
  dust: {
    investor: 'It is worth less than $1, so it is not credited.',
    operator: 'It is worth less than $1. Nothing has to be done. It stays in the wallet.',
  },
  account_closed: {
    investor: 'The account was closed before the payment arrived. Please contact support.',
    operator:
      'The account is closed. Ask its former owner for a destination and return the payment from the wallet.',
  },
  reference_used: {
    investor: 'This payment was credited before.',
    operator:
      'This transaction was already credited by hand. Compare both, and reverse a credit that was given twice.',
  },
  rejected: {
    investor: 'We rejected the deposit that belongs to this payment. Its reason is in the history.',
    operator: `The deposit of this payment was rejected. Return the payment from the wallet, or grant its amount by a proposal. ${KEEP}`,
  },
  reversed: {
    investor:
      'Its credit was reversed while it was missing on its chain, and now it is back. Support will look at it.',
    operator: `It is back on its chain after its credit was reversed. Grant its amount by a proposal. ${KEEP}`,
  },
  too_large: {
    investor: 'It is too large to be credited automatically. Support will look at it.',
    operator: 'Its amount is above what one credit can hold. Contact the investor.',
  },
  token: {
    investor: 'This is a token that we do not take. Please contact support.',
    operator:
      'A token that is not on the list. Its name may be faked. Do not credit it. The keys of the wallet can return it.',
  },
  internal: {
    investor: 'A contract sent ether in a way that the chain does not prove. Please contact support.',
    operator: `A contract sent ether without a transaction to this address. Look at the address with an explorer, then grant the amount by a proposal. ${KEEP}`,
  },
  oversized: {
    investor: 'Its transaction is too large for us to prove it. Please contact support.',
    operator: `The proof of its transaction is too large to be stored. Look at the transaction with an explorer, then grant the amount by a proposal. ${KEEP}`,
  },
} as const satisfies Record<string, { readonly investor: string; readonly operator: string }>
export type QueueReason = keyof typeof QUEUE_REASONS

const block = z.object({ height: z.number(), hash: z.string() })

export const payment = z.object({
  _id: z.string(),
  network: z.enum(PROVED_NETWORKS),
  /** The transaction, on Bitcoin with the number of the output, on ERC-20 with the number of the log in its receipt. */
  reference: z.string(),
  address: z.string(),
  /** The coin that arrived, as an exact decimal. */
  quantity: z.string(),
  state: z.enum(PAYMENT_STATES),
  confirmations: z.number(),
  /** Confirmations that make it final. */
  needed: z.number(),
  /** How far it is, as a sentence. */
  words: z.string(),
  /** In USD, once it is final. */
  amount: z.nullable(z.number()),
  rate: z.nullable(z.string()),
  rule: z.nullable(z.enum(PAYMENT_RULES)),
  block: z.nullable(block),
  seenAt: isoTime,
  finalAt: z.nullable(isoTime),
  creditedAt: z.nullable(isoTime),
  /** The deposit that it belongs to, once there is one. */
  deposit: z.nullable(z.object({ _id: z.string(), ref: z.string() })),
})
export type Payment = z.output<typeof payment>

/** A payment with its stored proof as JSON, which `src/chain` checks again in the browser. */
export const provedPayment = z.extend(payment, {
  proof: z.nullable(z.string()),
  /** The contract of the token that counts here, which must have written the transfer. Null for bitcoin and ether. */
  contract: z.nullable(z.string()),
})
export type ProvedPayment = z.output<typeof provedPayment>

/** The facts that describe a payment's progress. */
export interface PaymentProgress {
  readonly network: ProvedNetwork
  readonly state: PaymentState
  readonly confirmations: number
  readonly needed: number
  readonly reason: string | null
  /** Whether it waits for two operators. */
  readonly awaitsOperators: boolean
  readonly isFrozen: boolean
  /** Whether its credit was reversed. */
  readonly isReversed: boolean
}

/** How far a payment is, as one or two sentences for its investor. */
export function describePaymentProgress(payment: PaymentProgress): string {
  const { network, state, confirmations, needed } = payment
  switch (state) {
    case 'seen':
      return 'Seen. It waits for its first block.'
    case 'confirming':
      return confirmations < needed
        ? `Confirming: ${confirmations} of ${needed} blocks.`
        : describeConfirmed(network)
    case 'final':
      if (payment.isFrozen) return 'Confirmed. It will be credited once the account is no longer frozen.'
      return payment.awaitsOperators
        ? 'Confirmed. Two people check the credit because of its amount.'
        : 'Confirmed. It will be credited within minutes.'
    case 'credited':
      return 'Credited.'
    case 'queued':
      return `Confirmed, but not credited. ${findQueueReason(payment.reason)?.investor ?? 'Please contact support.'}`
    case 'gone':
      return 'No longer on its chain. It was replaced or never confirmed, and nothing was credited.'
    case 'undone':
      return payment.isReversed
        ? 'No longer on its chain, so its credit was reversed.'
        : 'No longer on its chain after its credit. The amount cannot be used until the payment is back.'
  }
}

/** Deep enough, and not final yet. */
function describeConfirmed(network: ProvedNetwork): string {
  return CHAIN_NETWORKS[network].chain === 'ethereum'
    ? 'Confirmed. It waits until the network finalises its block, and for a price.'
    : 'Confirmed. It waits for its proof and for a price.'
}

export function findQueueReason(reason: string | null) {
  return reason !== null && Object.hasOwn(QUEUE_REASONS, reason) ? QUEUE_REASONS[reason as QueueReason] : null
}

/** The coin's quantity in words: `0.015 BTC`. */
export function formatPaymentQuantity(network: ProvedNetwork, quantity: string): string {
  return `${quantity} ${COIN_SYMBOLS[getCoinOfNetwork(network)]}`
}
