import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { assignment } from './cases.ts'
import { proposal } from './proposals.ts'
import { WORK_KIND_NAMES } from './work.ts'

/** The list has at most this many of each kind, besides the caller's own cases. */
export const MOST_WORK = 20

export const workItem = z.object({
  _id: z.string(),
  kind: z.enum(WORK_KIND_NAMES),
  /** Since when it waits for an operator. */
  createdAt: isoTime,
  /** When it should be done. */
  dueAt: isoTime,
  ref: z.nullable(z.string()),
  /** The investor, or the sender of a message. */
  person: z.nullable(z.string()),
  /** USD. */
  amount: z.nullable(z.number()),
  /** The beginning of the person's latest message, or the name of a self-check. */
  about: z.nullable(z.string()),
  /** Who approved first, or who made a proposal. */
  first: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  /** The amount is above the limit of one operator. */
  aboveLimit: z.boolean(),
  /** The operator who has taken the case. */
  assigned: z.nullable(assignment),
  proposal: z.optional(proposal),
  waitsFor: z.enum(['you', 'others']),
})

export type WorkItem = z.output<typeof workItem>

export const getWork = endpoint('GET', '/operator/work', 'operator:overview', {
  summary: `Everything that waits for an operator, oldest first, when it should be done, and whether the caller can do it: at most ${MOST_WORK} of each kind, and all that the caller has taken`,
  answer: z.object({ at: isoTime, items: z.array(workItem) }),
})
