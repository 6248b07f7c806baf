import * as z from 'zod/mini'
import { filter, isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredLines } from '../fields.ts'
import { COINS, NETWORKS } from '../money/coins.ts'
import { amountFilters, filtersInOrder, noBody, stepsField } from './cases.ts'

/** The standards of signed messages: BIP 322, BIP 137, EIP-191, TIP-191. */
export const PROOF_METHODS = ['bip322', 'bip137', 'eip191', 'tip191'] as const
export type ProofMethod = (typeof PROOF_METHODS)[number]

const colleague = z.object({ _id: z.string(), name: z.string() })

export const operatorWallet = z.object({
  _id: z.string(),
  walletName: z.enum(COINS),
  network: z.enum(NETWORKS),
  address: z.string(),
  image: z.string(),
  active: z.boolean(),
  /** Approved while the platform was simulated: never offered to investors with real money. */
  simulated: z.boolean(),
  createdAt: isoTime,
  retiredAt: z.nullable(isoTime),
  /** The address's checksum: `words` is "bech32m, main network" or the error. */
  checksum: z.object({ isRight: z.boolean(), words: z.string() }),
  steps: stepsField,
  reason: z.nullable(z.string()),
  /** Deposits to this address on this network, including under earlier wallets: pending and credited. */
  paid: z.object({ waiting: z.number(), deposits: z.number(), credited: z.number() }),
  /** The newest proof of control over its key. */
  proof: z.nullable(
    z.object({
      at: isoTime,
      by: colleague,
      method: z.enum(PROOF_METHODS),
      message: z.string(),
      signature: z.string(),
    }),
  ),
  /** A message issued to be signed, until it is. */
  challenge: z.nullable(z.object({ message: z.string(), expiresAt: isoTime })),
})

export type OperatorWallet = z.output<typeof operatorWallet>

const WALLET_STATUSES = ['active', 'retired'] as const
export type WalletStatus = (typeof WALLET_STATUSES)[number]

export const listOperatorWallets = endpoint('GET', '/operator/wallets', 'operator:wallets.read', {
  summary: 'Receiving wallets, active and retired, newest first. Amounts are what was credited',
  query: z
    .extend(pageQuery, { ...amountFilters, status: filter('status', WALLET_STATUSES) })
    .check(filtersInOrder),
  answer: z.array(operatorWallet),
})

export const walletsStatus = z.object({
  networks: z.array(
    z.object({
      network: z.enum(NETWORKS),
      walletName: z.enum(COINS),
      /** How many wallets can be offered to investors, and the offered one, which is the newest. */
      offered: z.number(),
      address: z.nullable(z.string()),
      /** Active wallets from the time of the simulation, which are no longer offered. */
      leftOver: z.number(),
    }),
  ),
  proposals: z.array(
    z.object({
      _id: z.string(),
      walletName: z.enum(COINS),
      network: z.enum(NETWORKS),
      address: z.string(),
      createdAt: isoTime,
      proposedBy: colleague,
    }),
  ),
})
export type WalletsStatus = z.output<typeof walletsStatus>

export const getWalletsStatus = endpoint('GET', '/operator/wallets/standing', 'operator:wallets.read', {
  summary:
    'The wallets that investors are asked to pay to, by network, and the wallets that await a second operator',
  answer: walletsStatus,
})

export const retireWallet = endpoint('POST', '/operator/wallets/:id/retire', 'operator:wallets.write', {
  summary: 'Retire a receiving wallet. It is no longer offered, but its history stays',
  body: noBody,
  answer: operatorWallet,
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['wallet.retired'],
})

export const challengeWallet = endpoint('POST', '/operator/wallets/:id/challenge', 'operator:wallets.write', {
  summary:
    'Issue a message that the key of a receiving wallet must sign. It names this platform, the address and the date, and is valid for a week',
  status: 201,
  body: noBody,
  answer: z.object({ message: z.string(), expiresAt: isoTime }),
  limit: { name: 'wallet-challenge', per: 'account', max: 30, windowSeconds: 3600 },
  refusals: ['conflict'],
  audit: ['wallet.challenged'],
})

const walletProof = z.object({
  message: requiredLines('Please give the message that was signed', 1000),
  signature: requiredLines('Please give the signature', 1000),
})

export const proveWallet = endpoint('POST', '/operator/wallets/:id/proof', 'operator:wallets.write', {
  summary:
    'Attach the signature of an issued message, which proves control over the wallet’s key: BIP 322 or BIP 137, EIP-191, TIP-191',
  body: walletProof,
  answer: operatorWallet,
  idempotent: true,
  refusals: ['already_decided', 'conflict'],
  audit: ['wallet.proved'],
})
