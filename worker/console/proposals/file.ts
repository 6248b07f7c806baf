import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { ActorCall, Answer } from '../../http/call.ts'
import { type Act, assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import type { Proposed } from './operatorChange.ts'
import { insertProposal, newProposal, proposalRow } from './proposal.ts'

/** Files a proposal of the actor's, and answers its row. */
export async function fileProposal(
  call: ActorCall,
  { facts, alongside }: Proposed,
  answered: (row: Proposal) => Answer<Proposal>,
): Promise<Answer<Proposal>> {
  const act = actOf(facts)
  await assertFactor(call, act)
  const proposal = newProposal(call, facts)
  const answer = answered(proposalRow(proposal))
  await commitWithFactor(call, act, {
    statements: [insertProposal(call.db, proposal), ...(alongside?.(proposal.id) ?? [])],
    audit: [{ action: 'proposal.created', subject: proposal.id, detail: { kind: proposal.kind } }],
    answer,
  })
  return answer
}

// The address is the same for every proposal: the proof is bound to what is proposed, for whom and how much.
function actOf({ kind, investor, request, amount, requestAmount, payload }: Proposed['facts']): Act {
  return {
    amountCents: amount ?? requestAmount ?? 0,
    about: [kind, investor, request, payload].join(' '),
  }
}
