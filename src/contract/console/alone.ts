import * as z from 'zod/mini'

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
