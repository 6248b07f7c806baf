import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { FACTOR_REFUSALS, factorFields } from '../identity/factorProof.ts'
import { noBody, reasonBody } from './bodies.ts'
import { invitationFields, rolesFields } from './operatorChanges.ts'
import { invitationRow, operatorRow } from './operators.ts'
import { proposal } from './proposals.ts'

const reasonAndFactor = z.object({ ...reasonBody.shape, ...factorFields })

export const inviteOperator = endpoint({
  method: 'POST',
  path: '/operator/operators/invite',
  scope: 'operator:operators.write',
  summary: 'Propose to invite an operator. The link is mailed once another administrator has approved it',
  status: 202,
  body: z.object({ ...invitationFields, ...factorFields }),
  answer: proposal,
  idempotent: true,
  asksFactor: true,
  refusals: ['conflict', ...FACTOR_REFUSALS],
  audit: ['proposal.created'],
})

export const withdrawInvitation = endpoint({
  method: 'POST',
  path: '/operator/operators/invitations/:id/withdraw',
  scope: 'operator:operators.write',
  summary: 'Make an open invitation’s link worthless, at once',
  status: 200,
  body: noBody,
  answer: invitationRow,
  idempotent: true,
  refusals: ['already_decided'],
  audit: ['operator.invitation_withdrawn'],
})

export const changeRoles = endpoint({
  method: 'POST',
  path: '/operator/operators/:id/roles',
  scope: 'operator:operators.write',
  summary: 'Propose other roles for an operator; another administrator decides. Never one’s own',
  status: 202,
  body: z.object({ ...rolesFields, ...factorFields }),
  answer: proposal,
  idempotent: true,
  asksFactor: true,
  refusals: ['conflict', 'last_administrator', ...FACTOR_REFUSALS],
  audit: ['proposal.created'],
})

export const disableOperator = endpoint({
  method: 'POST',
  path: '/operator/operators/:id/disable',
  scope: 'operator:operators.write',
  summary:
    'Let an operator in no more, at once: every session ends. Never oneself, nor the last administrator',
  status: 200,
  body: reasonBody,
  answer: operatorRow,
  idempotent: true,
  refusals: ['already_decided', 'last_administrator'],
  audit: ['operator.disabled'],
})

export const enableOperator = endpoint({
  method: 'POST',
  path: '/operator/operators/:id/enable',
  scope: 'operator:operators.write',
  summary: 'Propose to let a disabled operator in again; another administrator decides',
  status: 202,
  body: reasonAndFactor,
  answer: proposal,
  idempotent: true,
  asksFactor: true,
  refusals: ['conflict', ...FACTOR_REFUSALS],
  audit: ['proposal.created'],
})

export const resetFactor = endpoint({
  method: 'POST',
  path: '/operator/operators/:id/reset-factor',
  scope: 'operator:operators.write',
  summary:
    'Propose to take off an operator’s second factor, when it is lost; another administrator decides. They choose a new password by mail and turn on a new one',
  status: 202,
  body: reasonAndFactor,
  answer: proposal,
  idempotent: true,
  asksFactor: true,
  refusals: ['conflict', ...FACTOR_REFUSALS],
  audit: ['proposal.created'],
})

export const endOperatorSessions = endpoint({
  method: 'POST',
  path: '/operator/operators/:id/end-sessions',
  scope: 'operator:operators.write',
  summary: 'End every session of an operator, who is told by mail',
  status: 200,
  body: noBody,
  answer: operatorRow,
  idempotent: true,
  audit: ['operator.sessions_ended'],
})
