import * as z from 'zod/mini'
import { isoTime } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import type { OperatorScope } from '../roles.ts'
import { assignment } from './cases.ts'
import { proposal } from './proposals.ts'

/** The list has at most this many of each kind, besides the caller's own cases. */
export const MOST_WORK = 20

/** The kinds of work, and the scope that does each. Proposals depend on their kind, see `ROLES_OF_PROPOSALS`. */
export const WORK_SCOPES = {
  deposit: 'operator:deposits.decide',
  withdrawal: 'operator:withdrawals.decide',
  payout: 'operator:withdrawals.decide',
  kyc: 'operator:kyc.decide',
  proposal: 'operator:proposals.decide',
  message: 'operator:messages.write',
  payment: 'operator:deposits.decide',
} as const satisfies Record<string, OperatorScope>

export type WorkKind = keyof typeof WORK_SCOPES
const WORK_KINDS = Object.keys(WORK_SCOPES) as [WorkKind, ...WorkKind[]]

export const workItem = z.object({
  _id: z.string(),
  kind: z.enum(WORK_KINDS),
  createdAt: isoTime,
  ref: z.nullable(z.string()),
  /** The investor, or the sender of a message. */
  person: z.nullable(z.string()),
  /** USD. */
  amount: z.nullable(z.number()),
  /** The beginning of the person's latest message. */
  about: z.nullable(z.string()),
  /** Who approved a credit first, who approved a payout, or who made a proposal. */
  first: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  /** The amount is above the limit of one operator. */
  aboveLimit: z.boolean(),
  /** For a delayed payout, the time from which it can be paid. */
  heldUntil: z.nullable(isoTime),
  /** The operator who has taken the case. */
  assigned: z.nullable(assignment),
  proposal: z.optional(proposal),
  /** The caller, another operator, or the end of a hold. */
  waitsFor: z.enum(['you', 'others', 'hold']),
})

export type WorkItem = z.output<typeof workItem>

export const getWork = endpoint('GET', '/operator/work', 'operator:overview', {
  summary: `Open cases and proposals, oldest first, and whether each waits for the caller: at most ${MOST_WORK} of each kind, and all that the caller has taken`,
  answer: z.object({ at: isoTime, items: z.array(workItem) }),
})
