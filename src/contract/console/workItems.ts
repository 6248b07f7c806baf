import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { requiredLines } from '../fields.ts'
import { MESSAGE_LENGTH } from '../outreach/contact.ts'
import { ROLES } from '../roles.ts'
import { ASSIGNMENT_HOURS, assignment, hold } from './cases.ts'
import { MESSAGE_TOPIC_NAMES } from './messages.ts'
import { proposal } from './proposals.ts'
import { riskField } from './risk.ts'
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
  /** Of a message. */
  topic: z.optional(z.nullable(z.enum(MESSAGE_TOPIC_NAMES))),
  /** Who approved first, or who made a proposal. */
  first: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  /** The amount is above the limit of one operator. */
  aboveLimit: z.boolean(),
  /** The operator to whom the case is assigned. */
  assigned: z.nullable(assignment),
  proposal: z.optional(proposal),
  waitsFor: z.enum(['you', 'others']),
  /** Of a case about an investor, for those who may read money. */
  risk: riskField,
})

export type WorkItem = z.output<typeof workItem>

export const getWork = endpoint('GET', '/operator/work', 'operator:overview', {
  summary: `Everything that waits for an operator, messages with a topic first, then what is due first, and whether the caller can do it: at most ${MOST_WORK} of each kind, and all that the caller has taken`,
  answer: z.object({ at: isoTime, items: z.array(workItem) }),
})

export const listColleagues = endpoint('GET', '/operator/colleagues', 'operator:overview', {
  summary: 'The operators to whom a case can be assigned, with their roles',
  answer: z.array(z.object({ _id: z.string(), name: z.string(), roles: z.array(z.enum(ROLES)) })),
})

const OPERATOR_MISSING = 'Please name the operator'

export const assignCase = endpoint('POST', '/operator/cases/:id/assign', 'operator:cases.assign', {
  summary: `Assign an open case to yourself for ${ASSIGNMENT_HOURS} hours (again: extend that time), or to another operator who can do it, who gets a mail. Without “to” it is you; null gives it back. Other operators see it. Within the first hour they decide a deposit, withdrawal, document, lost factor, sanctions hit, message or proposal, or ask its investor, only after they have taken it over, with takeOver`,
  body: z.object({
    to: z.optional(z.nullable(z.string(OPERATOR_MISSING).check(z.regex(/^[\w-]{1,64}$/, OPERATOR_MISSING)))),
    /** Takes over the case of another operator. */
    takeOver: z.optional(z.boolean({ error: 'takeOver is true or false' })),
  }),
  answer: z.object({ assigned: z.nullable(assignment) }),
  refusals: ['already_decided', 'case_assigned', 'conflict'],
  audit: ['case.assigned', 'case.unassigned', 'case.taken_over'],
})

export const askInvestor = endpoint('POST', '/operator/cases/:id/ask', 'operator:cases.assign', {
  summary:
    'Ask the investor of an open case by a message, which puts it on hold until they answer. Its target stops meanwhile. Links may lead to our own pages only',
  body: z.object({ text: requiredLines('Please write the question', MESSAGE_LENGTH) }),
  answer: z.object({ hold }),
  idempotent: true,
  limit: { name: 'replies', per: 'account', max: 120, windowSeconds: 3600 },
  refusals: ['already_decided', 'case_assigned', 'conflict', 'too_many_notifications'],
  audit: ['case.asked'],
})
