import * as z from 'zod/mini'
import { choice, isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { amountField } from '../fields.ts'
import { COINS, NETWORKS } from './coins.ts'

export const wallet = z.object({
  _id: z.string(),
  walletName: z.enum(COINS),
  type: z.enum(COINS),
  network: z.enum(NETWORKS),
  address: z.string(),
  image: z.string(),
  simulated: z.boolean(),
  /** An address of the caller alone, whose payments the chain proves. No receipt is needed. */
  own: z.optional(z.literal(true)),
})
export type Wallet = z.output<typeof wallet>

export const listWallets = endpoint('GET', '/admin-wallets', 'signed-in', {
  summary:
    'Where to send a deposit: your own address on each proved network, then the active receiving wallets of other networks, newest first',
  query: pageQuery,
  answer: z.array(wallet),
})

export const walletPicture = endpoint('GET', '/wallets/:id/qr.svg', 'public', {
  summary: 'The QR picture of a receiving wallet’s address',
  answerType: 'image/svg+xml',
})

export const quote = z.object({ quantity: z.number(), rate: z.number(), at: isoTime })
export type Quote = z.output<typeof quote>

export const getQuote = endpoint('GET', '/quotes', 'signed-in', {
  summary: 'Convert an amount in USD to a coin, at the price of the market snapshot',
  query: z.object({
    type: choice(COINS, 'Please choose a coin'),
    amount: amountField('Please input deposit amount in USD'),
  }),
  answer: quote,
})
