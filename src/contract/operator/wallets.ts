import * as z from 'zod/mini'
import { COINS, NETWORKS } from '../coins.ts'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { noBody } from './bodies.ts'

export const operatorWallet = z.object({
  _id: z.string(),
  walletName: z.enum(COINS),
  network: z.enum(NETWORKS),
  address: z.string(),
  image: z.string(),
  active: z.boolean(),
  simulated: z.boolean(),
  createdAt: isoTime,
  retiredAt: z.nullable(isoTime),
})

export type OperatorWallet = z.output<typeof operatorWallet>

export const listOperatorWallets = endpoint({
  method: 'GET',
  path: '/operator/wallets',
  scope: 'operator:wallets.read',
  summary: 'Receiving wallets, active and retired',
  status: 200,
  query: pageQuery,
  answer: z.array(operatorWallet),
})

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
