import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** Below so many decisions no figure is given: what is left would be a few people’s own. */
export const FEWEST_DECISIONS = 20

/** How long decisions of one kind took, rounded up; null where too few were made to say. */
const decisionTime = z.nullable(
  z.object({
    /** From how many: at least so many, in tens. */
    decisions: z.number(),
    /** Over how many days up to `until`. */
    days: z.number(),
    /** Half of them took no longer. */
    medianMinutes: z.number(),
    /** Nineteen of twenty took no longer: the 95th percentile. */
    p95Minutes: z.number(),
  }),
)
export type DecisionTime = z.output<typeof decisionTime>

export const decisionTimes = z.object({
  /** The midnight (UTC) up to which decisions count; null before the first was measured. */
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
    'How long operators take to decide: median and 95th percentile (nearest rank) of the last 90 days, by kind, measured once a day and rounded up; null where fewer than 20 were decided',
  answer: decisionTimes,
})
