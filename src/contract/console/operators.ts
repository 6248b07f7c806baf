import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import { ROLES } from '../roles.ts'
import { noBody, reasonBody } from './cases.ts'
import { invitationFields, proposal, rolesFields } from './proposals.ts'

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

export const listOperators = endpoint('GET', '/operator/operators', 'operator:operators.read', {
  summary: 'Operators, newest first',
  query: pageQuery,
  answer: z.array(operatorRow),
})

export const listInvitations = endpoint('GET', '/operator/operators/invitations', 'operator:operators.read', {
  summary: 'Invitations of the last 30 days, newest first',
  query: pageQuery,
  answer: z.array(invitationRow),
})

export const getSelf = endpoint('GET', '/operator/me', 'operator:overview', {
  summary: 'Who one is as an operator, and with which roles',
  answer: z.object({
    _id: z.string(),
    name: z.string(),
    email: z.string(),
    roles: z.array(z.enum(ROLES)),
  }),
})

const reasonAndFactor = z.object({ ...reasonBody.shape, ...factorFields })

export const inviteOperator = endpoint('POST', '/operator/operators/invite', 'operator:operators.write', {
  summary: 'Propose to invite an operator. The link is mailed once another administrator has approved it',
  status: 202,
  body: z.object({ ...invitationFields, ...factorFields }),
  answer: proposal,
  idempotent: true,
  asksFactor: true,
  refusals: ['conflict', ...FACTOR_REFUSALS],
  audit: ['proposal.created'],
})

export const withdrawInvitation = endpoint(
  'POST',
  '/operator/operators/invitations/:id/withdraw',
  'operator:operators.write',
  {
    summary: 'Make an open invitation’s link worthless, at once',
    body: noBody,
    answer: invitationRow,
    idempotent: true,
    refusals: ['already_decided'],
    audit: ['operator.invitation_withdrawn'],
  },
)

export const changeRoles = endpoint('POST', '/operator/operators/:id/roles', 'operator:operators.write', {
  summary: 'Propose other roles for an operator; another administrator decides. Never one’s own',
  status: 202,
  body: z.object({ ...rolesFields, ...factorFields }),
  answer: proposal,
  idempotent: true,
  asksFactor: true,
  refusals: ['conflict', 'last_administrator', ...FACTOR_REFUSALS],
  audit: ['proposal.created'],
})

export const disableOperator = endpoint(
  'POST',
  '/operator/operators/:id/disable',
  'operator:operators.write',
  {
    summary:
      'Let an operator in no more, at once: every session ends. Never oneself, nor the last administrator',
    body: reasonBody,
    answer: operatorRow,
    idempotent: true,
    refusals: ['already_decided', 'last_administrator'],
    audit: ['operator.disabled'],
  },
)

export const enableOperator = endpoint('POST', '/operator/operators/:id/enable', 'operator:operators.write', {
  summary: 'Propose to let a disabled operator in again; another administrator decides',
  status: 202,
  body: reasonAndFactor,
  answer: proposal,
  idempotent: true,
  asksFactor: true,
  refusals: ['conflict', ...FACTOR_REFUSALS],
  audit: ['proposal.created'],
})

export const resetFactor = endpoint(
  'POST',
  '/operator/operators/:id/reset-factor',
  'operator:operators.write',
  {
    summary:
      'Propose to take off an operator’s second factor, when it is lost; another administrator decides. They choose a new password by mail and turn on a new one',
    status: 202,
    body: reasonAndFactor,
    answer: proposal,
    idempotent: true,
    asksFactor: true,
    refusals: ['conflict', ...FACTOR_REFUSALS],
    audit: ['proposal.created'],
  },
)

export const endOperatorSessions = endpoint(
  'POST',
  '/operator/operators/:id/end-sessions',
  'operator:operators.write',
  {
    summary: 'End every session of an operator, who is told by mail',
    body: noBody,
    answer: operatorRow,
    idempotent: true,
    audit: ['operator.sessions_ended'],
  },
)
