import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { decisionTimes } from './decisionTimes.ts'

/** Where the check of somebody's identity stands. */
export const IDENTITIES = ['none', 'pending', 'approved', 'rejected'] as const
export type Identity = (typeof IDENTITIES)[number]

/** What holds for one kind of request. USD, exact to the cent. */
const bounds = z.object({
  /** The smallest amount; 0 where any is taken. */
  minimum: z.number(),
  /** How many are open now. */
  open: z.number(),
  /** What they amount to. */
  pending: z.number(),
})

const limits = z.object({
  frozen: z.boolean(),
  identity: z.enum(IDENTITIES),
  /** Whether depositing and withdrawing need an approved identity. */
  identityRequired: z.boolean(),
  /** How many requests of a kind may be open at a time. */
  maxOpen: z.number(),
  /** What can be withdrawn now. */
  available: z.number(),
  deposits: bounds,
  withdrawals: bounds,
  /** As everybody is told them: `decisionTimes.ts`. */
  decisionTimes,
})
export type Limits = z.output<typeof limits>

export const getLimits = endpoint('GET', '/limits', 'signed-in', {
  summary:
    'What a deposit or a withdrawal would be refused for: so that it is said before anything is typed. And how long decisions take',
  answer: limits,
})
