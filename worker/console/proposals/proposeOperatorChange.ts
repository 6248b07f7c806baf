import type {
  changeRoles as changeRolesEndpoint,
  inviteOperator as inviteEndpoint,
  resetFactor as resetEndpoint,
} from '../../../src/contract/console/operators.ts'
import type { OperatorProposal, Proposal } from '../../../src/contract/console/proposals.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, accepted, type CheckedCall } from '../../http/call.ts'
import type { OperatorFacts } from '../operators/operator.ts'
import { fileProposal } from './file.ts'
import { proposedChange } from './operatorChange.ts'

type Because = CheckedCall<BodyOf<typeof resetEndpoint>, unknown> & ActorCall

/** Proposes to invite somebody. */
export function inviteOperator(
  call: CheckedCall<BodyOf<typeof inviteEndpoint>, unknown> & ActorCall,
): Promise<Answer<Proposal>> {
  return proposeChange(call, { kind: 'operator', action: 'invite', ...call.body })
}

/** Proposes other roles for an operator. */
export function changeRoles(
  call: CheckedCall<BodyOf<typeof changeRolesEndpoint>, unknown> & ActorCall,
  { id }: OperatorFacts,
): Promise<Answer<Proposal>> {
  return proposeChange(call, { kind: 'operator', action: 'roles', operator: id, ...call.body })
}

/** Proposes to let a disabled operator in again. */
export function enableOperator(call: Because, { id }: OperatorFacts): Promise<Answer<Proposal>> {
  return proposeChange(call, { kind: 'operator', action: 'enable', operator: id, ...call.body })
}

/** Proposes to take off a second factor that is lost. */
export function resetFactor(call: Because, { id }: OperatorFacts): Promise<Answer<Proposal>> {
  return proposeChange(call, {
    kind: 'operator',
    action: 'reset_factor',
    operator: id,
    ...call.body,
  })
}

async function proposeChange(call: ActorCall, change: OperatorProposal): Promise<Answer<Proposal>> {
  return fileProposal(call, await proposedChange(call, change), accepted)
}
