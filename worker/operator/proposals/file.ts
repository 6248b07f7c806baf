import type { Proposal } from '../../../src/contract/operator/proposals.ts'
import type { ActorCall, Answer } from '../../lib/call.ts'
import type { Proposed } from '../operators/proposed.ts'
import { insertProposal, newProposal, proposalRow } from './proposal.ts'

/** Files a proposal of the actor's, and answers its row. */
export async function fileProposal(
  call: ActorCall,
  { facts, alongside }: Proposed,
  answered: (row: Proposal) => Answer<Proposal>,
): Promise<Answer<Proposal>> {
  const proposal = newProposal(call, facts)
  const answer = answered(proposalRow(proposal))
  await call.commit({
    statements: [insertProposal(call.db, proposal), ...(alongside?.(proposal.id) ?? [])],
    audit: [{ action: 'proposal.created', subject: proposal.id, detail: { kind: proposal.kind } }],
    answer,
  })
  return answer
}
