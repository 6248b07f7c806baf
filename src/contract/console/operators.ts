import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { ROLES } from './roles.ts'

export const operatorRow = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.enum(ROLES)),
  createdAt: isoTime,
  /** A second factor of any kind is on. Without one they are let in nowhere. */
  secondFactor: z.boolean(),
  lastSeenAt: z.nullable(isoTime),
  disabledAt: z.nullable(isoTime),
  disabledReason: z.nullable(z.string()),
  /** Whoever asks: nobody changes their own access. */
  own: z.boolean(),
})
export type OperatorRow = z.output<typeof operatorRow>

const INVITATION_STATUSES = ['awaiting', 'open', 'accepted', 'expired'] as const

export const invitationRow = z.object({
  _id: z.string(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.enum(ROLES)),
  createdAt: isoTime,
  /** Awaiting a second administrator, open to be accepted, accepted, or expired, withdrawn or rejected. */
  status: z.enum(INVITATION_STATUSES),
  expiresAt: z.nullable(isoTime),
})
export type InvitationRow = z.output<typeof invitationRow>

export const listOperators = endpoint({
  method: 'GET',
  path: '/operator/operators',
  scope: 'operator:operators.read',
  summary: 'Operators, newest first',
  status: 200,
  query: pageQuery,
  answer: z.array(operatorRow),
})

export const listInvitations = endpoint({
  method: 'GET',
  path: '/operator/operators/invitations',
  scope: 'operator:operators.read',
  summary: 'Invitations of the last 30 days, newest first',
  status: 200,
  query: pageQuery,
  answer: z.array(invitationRow),
})
