import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** With fewer decisions no figure is shown, because it would describe a few individuals. */
export const FEWEST_DECISIONS = 20

/** How long decisions of one kind took, rounded up; null with fewer than `FEWEST_DECISIONS`. */
const decisionTime = z.nullable(
  z.object({
    /** At least this many decisions, rounded down to tens. */
    decisions: z.number(),
    /** The days before `until` that count. */
    days: z.number(),
    /** The median. */
    medianMinutes: z.number(),
    /** The 95th percentile. */
    p95Minutes: z.number(),
  }),
)
export type DecisionTime = z.output<typeof decisionTime>

export const decisionTimes = z.object({
  /** Decisions before this midnight (UTC) count; null before the first measurement. */
  until: z.nullable(isoTime),
  /** From filing a deposit until it was credited or rejected. */
  deposits: decisionTime,
  /** From filing a withdrawal until it was approved or rejected. */
  withdrawals: decisionTime,
  /** From filing a withdrawal until it was recorded as paid. */
  payouts: decisionTime,
  /** From sending a document until it was approved or rejected. */
  identity: decisionTime,
  /** From sending a message until it was closed. */
  messages: decisionTime,
})
export type DecisionTimes = z.output<typeof decisionTimes>
export type DecisionKind = Exclude<keyof DecisionTimes, 'until'>

export const getDecisionTimes = endpoint('GET', '/decision-times', 'public', {
  summary:
    'How long operators take to decide, by kind: median and 95th percentile (nearest rank) of the last 90 days. Measured once a day and rounded up. Null with fewer than 20 decisions',
  answer: decisionTimes,
})
