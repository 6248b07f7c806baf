import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredText } from '../text.ts'
import { noBody } from './bodies.ts'
import { operatorWallet } from './wallets.ts'

export const retireWallet = endpoint({
  method: 'POST',
  path: '/operator/wallets/:id/retire',
  scope: 'operator:wallets.write',
  summary: 'Show a receiving wallet to nobody any more; its history stays',
  status: 200,
  body: noBody,
  answer: operatorWallet,
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['wallet.retired'],
})

export const challengeWallet = endpoint({
  method: 'POST',
  path: '/operator/wallets/:id/challenge',
  scope: 'operator:wallets.write',
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

export const proveWallet = endpoint({
  method: 'POST',
  path: '/operator/wallets/:id/proof',
  scope: 'operator:wallets.write',
  summary:
    'Attach the signature of an issued message, which shows that somebody holds the wallet’s key: BIP 322 or BIP 137, EIP-191, TIP-191',
  status: 200,
  body: walletProof,
  answer: operatorWallet,
  idempotent: true,
  refusals: ['already_decided', 'conflict'],
  audit: ['wallet.proved'],
})
