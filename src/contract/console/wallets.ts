import * as z from 'zod/mini'
import { filter, isoTime, page } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredText } from '../fields.ts'
import { COINS, NETWORKS } from '../money/coins.ts'
import { noBody } from './cases.ts'

/** By which standard a signature was checked: BIP 322, BIP 137, EIP-191, TIP-191. */
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
  /** Decided while no money was real: investors are never sent to it once it is. */
  simulated: z.boolean(),
  createdAt: isoTime,
  retiredAt: z.nullable(isoTime),
  /** What the address says of itself, `words` being "bech32m, main network" or what is wrong with it. */
  checksum: z.object({ isRight: z.boolean(), words: z.string() }),
  proposedBy: colleague,
  proposedAt: isoTime,
  reason: z.nullable(z.string()),
  approvedBy: z.nullable(colleague),
  /** Null while it is active, and where nobody recorded it. */
  retiredBy: z.nullable(colleague),
  /** Deposits to this address on this network, whichever wallet it belonged to then: what was credited, and what waits. */
  paid: z.object({ waiting: z.number(), deposits: z.number(), credited: z.number() }),
  /** The newest proof that somebody holds its key. */
  proof: z.nullable(
    z.object({
      at: isoTime,
      by: colleague,
      method: z.enum(PROOF_METHODS),
      message: z.string(),
      signature: z.string(),
    }),
  ),
  /** A message that was issued to be signed, and has not been. */
  challenge: z.nullable(z.object({ message: z.string(), expiresAt: isoTime })),
})

export type OperatorWallet = z.output<typeof operatorWallet>

const WALLET_STATUSES = ['active', 'retired'] as const
export type WalletStatus = (typeof WALLET_STATUSES)[number]

export const listOperatorWallets = endpoint('GET', '/operator/wallets', 'operator:wallets.read', {
  summary: 'Receiving wallets, active and retired, newest first',
  query: z.object({
    ...page,
    status: filter('status', WALLET_STATUSES),
  }),
  answer: z.array(operatorWallet),
})

export const walletsStanding = z.object({
  networks: z.array(
    z.object({
      network: z.enum(NETWORKS),
      walletName: z.enum(COINS),
      /** How many wallets investors may be sent to, and which of them they are: the newest. */
      offered: z.number(),
      address: z.nullable(z.string()),
      /** Active ones that were decided while no money was real, and so are offered to nobody now. */
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
export type WalletsStanding = z.output<typeof walletsStanding>

export const getWalletsStanding = endpoint('GET', '/operator/wallets/standing', 'operator:wallets.read', {
  summary:
    'Where investors are sent to pay, network by network, and which wallets wait for a second operator',
  answer: walletsStanding,
})

export const retireWallet = endpoint('POST', '/operator/wallets/:id/retire', 'operator:wallets.write', {
  summary: 'Show a receiving wallet to nobody any more; its history stays',
  body: noBody,
  answer: operatorWallet,
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['wallet.retired'],
})

export const challengeWallet = endpoint('POST', '/operator/wallets/:id/challenge', 'operator:wallets.write', {
  summary:
    'Issue a message for the key of a receiving wallet to sign: it names this platform, the address and the day, and is good for a week',
  status: 201,
  body: noBody,
  answer: z.object({ message: z.string(), expiresAt: isoTime }),
  limit: { name: 'wallet-challenge', per: 'account', max: 30, windowSeconds: 3600 },
  refusals: ['conflict'],
  audit: ['wallet.challenged'],
})

const walletProof = z.object({
  message: requiredText('Please give the message that was signed', 1000),
  signature: requiredText('Please give the signature', 1000),
})

export const proveWallet = endpoint('POST', '/operator/wallets/:id/proof', 'operator:wallets.write', {
  summary:
    'Attach the signature of an issued message, which shows that somebody holds the wallet’s key: BIP 322 or BIP 137, EIP-191, TIP-191',
  body: walletProof,
  answer: operatorWallet,
  idempotent: true,
  refusals: ['already_decided', 'conflict'],
  audit: ['wallet.proved'],
})
