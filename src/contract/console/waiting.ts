import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** A queue with more than so many is counted no further. */
export const MOST_COUNTED = 1000

/** How many wait for a decision; payouts are approved withdrawals that are not paid yet. */
export const waitingCounts = z.object({
  deposits: z.number(),
  withdrawals: z.number(),
  payouts: z.number(),
  kyc: z.number(),
  messages: z.number(),
  proposals: z.number(),
})

export type WaitingCounts = z.output<typeof waitingCounts>

export const getWaiting = endpoint({
  method: 'GET',
  path: '/operator/waiting',
  scope: 'operator:overview',
  summary: `How many wait in each queue, up to ${MOST_COUNTED}. Made to be asked often: 304 where nothing changed since \`If-None-Match\``,
  status: 200,
  answer: waitingCounts,
  byItself: true,
})
