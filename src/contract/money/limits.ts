import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { NETWORKS } from './coins.ts'
import { decisionTimes } from './decisionTimes.ts'
import { destinationLock } from './destinationLock.ts'

/** The status of an investor's identity check. */
export const IDENTITIES = ['none', 'pending', 'approved', 'rejected'] as const
export type Identity = (typeof IDENTITIES)[number]

/** Limits of one kind of request. USD, exact to the cent. */
const bounds = z.object({
  /** The smallest amount; 0 means any. */
  minimum: z.number(),
  open: z.number(),
  /** The sum of the open ones. */
  pending: z.number(),
})

const limits = z.object({
  frozen: z.boolean(),
  identity: z.enum(IDENTITIES),
  /** Whether depositing and withdrawing need an approved identity. */
  identityRequired: z.boolean(),
  /** The most open requests of one kind. */
  maxOpen: z.number(),
  available: z.number(),
  deposits: bounds,
  withdrawals: z.extend(bounds, {
    /** The smallest amount over each network; it covers the network's fee. All that is available may always be withdrawn. */
    minimumByNetwork: z.record(z.enum(NETWORKS), z.number()),
    /** What may still be withdrawn before we ask for a proof of address; null if we do not ask, or if one is approved. */
    withoutAddressProof: z.nullable(z.number()),
  }),
  /** How many hours a withdrawal to a new destination waits; 0 if the investor's second factor avoids that. */
  newDestinationHours: z.number(),
  /** Null while withdrawals go to any destination. */
  destinationLock: z.nullable(destinationLock),
  decisionTimes,
  /** Since when all payouts are paused; null while they go on. Requests are taken either way. */
  payoutsPausedSince: z.nullable(isoTime),
  /** While money is simulated: USD that a practice deposit starts with, which the practice reviewer can credit. */
  practiceDeposit: z.optional(z.number()),
})
export type Limits = z.output<typeof limits>

export const getLimits = endpoint('GET', '/limits', 'signed-in', {
  summary:
    'The limits and conditions for deposits and withdrawals, so that a form can show them before a refusal, and how long decisions take',
  answer: limits,
})
