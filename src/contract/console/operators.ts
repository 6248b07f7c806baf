import * as z from 'zod/mini'
import { isoTime, pageQuery } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factors.ts'
import { ROLES } from '../roles.ts'
import { noBody, reasonBody, stepsField } from './cases.ts'
import { invitationFields, rolesFields } from './operatorFields.ts'
import { proposal } from './proposals.ts'

export const operatorRow = z.object({
  _id: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.enum(ROLES)),
  createdAt: isoTime,
  /** Whether any second factor is on. Without one, no operator endpoint answers. */
  secondFactor: z.boolean(),
  lastSeenAt: z.nullable(isoTime),
  disabledAt: z.nullable(isoTime),
  /** Who disabled the operator, and why. */
  steps: stepsField,
  /** Whether this is the caller. Operators cannot change their own access. */
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
  /**
   * `awaiting` a second administrator, `open` for acceptance, `accepted`, or `expired`, which includes withdrawn and
   * rejected.
   */
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
  summary: 'The calling operator, with their roles',
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
    summary: 'Withdraw an open invitation: its link stops working immediately',
    body: noBody,
    answer: invitationRow,
    idempotent: true,
    refusals: ['already_decided'],
    audit: ['operator.invitation_withdrawn'],
  },
)

export const changeRoles = endpoint('POST', '/operator/operators/:id/roles', 'operator:operators.write', {
  summary: 'Propose other roles for another operator. A different administrator decides',
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
      'Disable an operator immediately: every session ends. You cannot disable yourself or the last administrator',
    body: reasonBody,
    answer: operatorRow,
    idempotent: true,
    refusals: ['already_decided', 'last_administrator'],
    audit: ['operator.disabled'],
  },
)

export const enableOperator = endpoint('POST', '/operator/operators/:id/enable', 'operator:operators.write', {
  summary: 'Propose to enable a disabled operator. Another administrator decides',
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
      'Propose to remove an operator’s lost second factor. Another administrator decides. The operator then sets a new password by mail and a new second factor',
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
    summary: 'End every session of an operator and notify them by mail',
    body: noBody,
    answer: operatorRow,
    idempotent: true,
    audit: ['operator.sessions_ended'],
  },
)
