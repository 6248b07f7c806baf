import * as z from 'zod/mini'
import { formatQuery, page } from '../common.ts'
import { optionalText, requiredText } from '../fields.ts'
import { statusFilter } from '../money/transactions.ts'

export const REASON = 'Please give a reason'

/** Of decisions that somebody has to be able to understand later. */
export const reasonBody = z.object({ reason: requiredText(REASON, 500) })

/** Of decisions about which nothing more is to be said. What is sent all the same is ignored. */
export const noBody = z.optional(z.object({}))

/** Whose a row is. */
export const investorBrief = z.object({ _id: z.string(), name: z.string(), email: z.string() })

/** Why one operator does not decide something alone. */
export const SECOND_OPERATOR_REASONS = [
  'limit',
  'daily_ceiling',
  'credited',
  'identified',
  'no_price',
] as const
export type SecondOperatorReason = (typeof SECOND_OPERATOR_REASONS)[number]

/** What one operator decides alone, for whoever asks. Amounts in USD. */
export const aloneWithin = z.object({
  /** For one investor within a day: above it two are needed. */
  limit: z.number(),
  /** What whoever asks decided alone for this investor in the last 24 hours. */
  used: z.number(),
  /** The same for all investors together: the daily ceiling of one operator. */
  day: z.object({ limit: z.number(), used: z.number() }),
  /** Whether this one takes a second operator. */
  needsTwo: z.boolean(),
  /** Why it does. */
  reasons: z.array(z.enum(SECOND_OPERATOR_REASONS)),
})

export type AloneWithin = z.output<typeof aloneWithin>

/** Of every queue: a page of it, what is searched for, and whether all of it is wanted as a file. */
export const queuePage = {
  ...page,
  query: optionalText(120),
  format: formatQuery,
}

/** The query of a queue of requests. */
export const statusList = z.object({ ...queuePage, status: statusFilter })
