import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredLines } from '../fields.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import { CHAINS, PAYMENT_STATES, PROVED_NETWORKS } from '../money/payments.ts'
import {
  caseFilters,
  filtersInOrder,
  investorBrief,
  keyHolder,
  queuePage,
  reasonBody,
  stepsField,
} from './cases.ts'
import { proposal } from './proposals.ts'
import { riskField, riskQuery } from './risk.ts'
import { PROOF_METHODS } from './wallets.ts'
import { publicKeyField, watchChain } from './watchFields.ts'

/** A key of a wallet, and the address with which it signs the message. */
const signer = z.object({
  /** The key's number in the descriptor, from 0. */
  key: z.number(),
  /** Its origin in the descriptor: fingerprint and path; empty if it was not given. */
  origin: z.string(),
  address: z.string(),
  methods: z.array(z.enum(PROOF_METHODS)),
})
export type WatchSigner = z.output<typeof signer>

export const challengeWatchWallet = endpoint(
  'POST',
  '/operator/watch-wallets/challenge',
  'operator:wallets.watch',
  {
    summary:
      'Issue a message that every key of a watch-only wallet must sign before the wallet is proposed. It is valid for a week',
    status: 201,
    body: z.object({ chain: watchChain, descriptor: publicKeyField() }),
    answer: z.object({
      /** The descriptor in its canonical form. Propose the wallet with it. */
      descriptor: z.string(),
      message: z.string(),
      expiresAt: isoTime,
      /** Who must sign, in the order of the signatures. */
      signers: z.array(signer),
      /** The first three addresses, to compare with the wallet's own software. */
      addresses: z.array(z.string()),
      /** What may keep hardware from signing payouts of this wallet. */
      warnings: z.array(z.string()),
    }),
    limit: { name: 'watch-challenge', per: 'account', max: 30, windowSeconds: 3600 },
    refusals: ['conflict'],
    audit: ['watch_wallet.challenged'],
  },
)

/** The last answer of a chain's server. */
export const chainServer = z.object({
  server: z.string(),
  height: z.nullable(z.number()),
  answeredAt: z.nullable(isoTime),
  failingSince: z.nullable(isoTime),
  /** The server's fault, as words that follow its name: "is behind". */
  fault: z.nullable(z.string()),
})

export const watchWallet = z.object({
  _id: z.string(),
  chain: z.enum(CHAINS),
  descriptor: z.string(),
  /** What may keep hardware from signing payouts of this wallet. */
  warnings: z.array(z.string()),
  active: z.boolean(),
  createdAt: isoTime,
  steps: stepsField,
  reason: z.nullable(z.string()),
  /** The proof of control, as it was proposed. */
  proof: z.object({ message: z.string(), signatures: z.array(z.string()), signers: z.array(signer) }),
  /** The operators who hold its keys, in their order; null: nobody yet. */
  holders: z.array(z.nullable(keyHolder)),
  /** The index of the next address. */
  nextIndex: z.number(),
  /** Addresses after the last paid one, and how many of them the wallet's software scans. */
  unpaid: z.number(),
  gap: z.number(),
  /** The networks it receives, and whether their chain has servers. */
  networks: z.array(z.enum(PROVED_NETWORKS)),
  isObserved: z.boolean(),
  servers: z.array(chainServer),
})
export type WatchWallet = z.output<typeof watchWallet>

export const listWatchWallets = endpoint('GET', '/operator/watch-wallets', 'operator:wallets.read', {
  summary: 'Watch-only wallets with their descriptors, gaps, servers and proofs of control, newest first',
  query: pageQuery,
  answer: z.array(watchWallet),
})

export const retireWatchWallet = endpoint(
  'POST',
  '/operator/watch-wallets/:id/retire',
  'operator:wallets.watch',
  {
    summary:
      'Propose to retire a watch-only wallet, so that withdrawals on its chain are paid by hand again. Another administrator decides. Its addresses are watched and credited as before',
    status: 202,
    body: z.extend(reasonBody, factorFields),
    answer: proposal,
    idempotent: true,
    asksFactor: true,
    refusals: ['already_decided', 'conflict', ...FACTOR_REFUSALS],
    audit: ['proposal.created'],
  },
)

/** A payment or receipt that a person has to look at. */
const operatorPayment = z.object({
  _id: z.string(),
  /** Of the coin that arrived; null for an unknown token. */
  network: z.nullable(z.enum(PROVED_NETWORKS)),
  chain: z.enum(CHAINS),
  reference: z.string(),
  address: z.string(),
  investor: investorBrief,
  /** As an exact decimal, for an unknown token in its smallest unit. */
  quantity: z.string(),
  contract: z.nullable(z.string()),
  state: z.enum(PAYMENT_STATES),
  reason: z.nullable(z.string()),
  /** What happened, and what can be done. */
  words: z.string(),
  amount: z.nullable(z.number()),
  confirmations: z.nullable(z.number()),
  needed: z.nullable(z.number()),
  block: z.nullable(z.object({ height: z.number(), hash: z.nullable(z.string()) })),
  /** When it was first seen. */
  createdAt: isoTime,
  deposit: z.nullable(z.object({ _id: z.string(), ref: z.string() })),
  /** While it is open: the quantity that custody gains if it is kept, in words. Null if it cannot be kept. */
  custody: z.nullable(z.string()),
  /** The operator who closed it while it needed an operator, with their note of the work done. */
  steps: stepsField,
  risk: riskField,
})
export type OperatorPayment = z.output<typeof operatorPayment>

const STATES = [...PAYMENT_STATES, 'unknown'] as const

export const listOperatorPayments = endpoint('GET', '/operator/payments', 'operator:deposits.read', {
  summary:
    'Observed payments in a state, newest first, or oldest first with `order=oldest`. Without `state`, those that need an operator and are not closed. `unknown` are receipts of unknown tokens and of ether from contracts. `query` is a part of the investor’s name or e-mail address, at least the first eight characters of a transaction id, or six of an address. `format=csv` returns all matching ones as a file',
  query: z
    .object({
      ...queuePage,
      ...riskQuery,
      ...caseFilters,
      state: z.optional(z.enum(STATES, { error: `state is one of ${STATES.join(', ')}` })),
    })
    .check(filtersInOrder),
  answer: z.array(operatorPayment),
  findsPeopleBy: 'query',
  audit: ['payments.exported'],
})

const CLOSING = 'Please write what was done'

export const closeOperatorPayment = endpoint(
  'POST',
  '/operator/payments/:id/close',
  'operator:deposits.decide',
  {
    summary:
      'Close a queued payment or an unknown receipt that needs no more work, with a note of what was done. With `keep`, what arrived stays in the wallet and is added to custody',
    body: z.object({ note: requiredLines(CLOSING, 500), keep: z.optional(z.boolean()) }),
    answer: operatorPayment,
    idempotent: true,
    refusals: ['already_decided'],
    audit: ['payment.closed'],
  },
)
