import * as z from 'zod/mini'
import { type Endpoint, endpoint } from '../endpoint.ts'
import type { OperatorScope } from '../roles.ts'
import { ASSIGNMENT_HOURS, assignment, noBody } from './cases.ts'

const assigned = z.object({ assigned: z.nullable(assignment) })

export type AssignEndpoint = Endpoint<typeof noBody, z.ZodMiniType<undefined>, z.output<typeof assigned>>

/** The kinds, as audit actions begin. */
type Kind = 'deposit' | 'withdrawal' | 'kyc' | 'factor_recovery'

/* @__NO_SIDE_EFFECTS__ */
function createAssignEndpoint(queue: string, kind: Kind, scope: OperatorScope): AssignEndpoint {
  return endpoint('POST', `/operator/${queue}/:id/assign`, scope, {
    summary: `Take an open case for ${ASSIGNMENT_HOURS} hours, or extend that time. Other operators see this, and can still decide the case`,
    body: noBody,
    answer: assigned,
    refusals: ['already_decided', 'case_assigned'],
    audit: [`${kind}.assigned`],
  })
}

/* @__NO_SIDE_EFFECTS__ */
function createUnassignEndpoint(queue: string, kind: Kind, scope: OperatorScope): AssignEndpoint {
  return endpoint('POST', `/operator/${queue}/:id/unassign`, scope, {
    summary: 'Give back a case that you have taken',
    body: noBody,
    answer: assigned,
    refusals: ['conflict'],
    audit: [`${kind}.unassigned`],
  })
}

export const assignDeposit = createAssignEndpoint('deposits', 'deposit', 'operator:deposits.decide')
export const unassignDeposit = createUnassignEndpoint('deposits', 'deposit', 'operator:deposits.decide')
export const assignWithdrawal = createAssignEndpoint(
  'withdrawals',
  'withdrawal',
  'operator:withdrawals.decide',
)
export const unassignWithdrawal = createUnassignEndpoint(
  'withdrawals',
  'withdrawal',
  'operator:withdrawals.decide',
)
export const assignKyc = createAssignEndpoint('kyc', 'kyc', 'operator:kyc.decide')
export const unassignKyc = createUnassignEndpoint('kyc', 'kyc', 'operator:kyc.decide')
export const assignFactorRecovery = createAssignEndpoint(
  'factor-recoveries',
  'factor_recovery',
  'operator:kyc.decide',
)
export const unassignFactorRecovery = createUnassignEndpoint(
  'factor-recoveries',
  'factor_recovery',
  'operator:kyc.decide',
)
