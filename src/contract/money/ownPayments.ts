import * as z from 'zod/mini'
import { message, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { payment } from './payments.ts'

export const listPayments = endpoint('GET', '/payments', 'signed-in', {
  summary: 'Payments that were observed at your own deposit addresses, newest first',
  query: pageQuery,
  answer: z.array(payment),
})

/** Something that arrived and cannot be credited automatically. `reference` of ether that a contract sent is the address and the block. */
const receipt = z.object({
  ...z.pick(payment, { _id: true, reference: true, address: true, words: true, seenAt: true }).shape,
  /** Of the coin that arrived; null for a token that we do not take. */
  network: z.nullable(payment.shape.network),
  /** As an exact decimal; null for a token that we do not take. */
  quantity: z.nullable(payment.shape.quantity),
  /** When a person has dealt with it. */
  closedAt: payment.shape.finalAt,
})
export type Receipt = z.output<typeof receipt>

export const listReceipts = endpoint('GET', '/payments/receipts', 'signed-in', {
  summary: 'What arrived at your own deposit addresses and cannot be credited automatically, newest first',
  query: pageQuery,
  answer: z.array(receipt),
})

/** A check asks other servers, so one account does not do it often. */
const CHECK_LIMIT = { name: 'payment-checks', per: 'account', max: 6, windowSeconds: 300 } as const

export const checkPayments = endpoint('POST', '/payments/check', 'signed-in', {
  summary: 'Look for payments to your own deposit addresses now',
  answer: message,
  limit: CHECK_LIMIT,
})

export const checkDeposit = endpoint('POST', '/deposits/:id/check', 'signed-in', {
  summary: 'Say that you have paid an announced deposit, so that its address is checked now',
  answer: message,
  limit: CHECK_LIMIT,
  refusals: ['not_pending'],
})
