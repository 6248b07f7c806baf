import type { Proposal } from '../../../src/contract/console/proposals.ts'
import { type ActorCall, type Answer, accepted, type CheckedCall } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import type { Recovery } from '../factorRecoveries/recovery.ts'
import { fileProposal } from './file.ts'

/**
 * Proposes to remove a lost second factor; nothing happens until another reviewer approves it. Refuses what has ended, and
 * what is proposed or approved already; the database looks again.
 */
export function proposeRecovery(
  call: CheckedCall<{ reason: string }, unknown> & ActorCall,
  recovery: Recovery,
): Promise<Answer<Proposal>> {
  if (recovery.outcome !== null) refuse('already_decided')
  if (recovery.proposal !== null)
    refuse('conflict', { msg: 'The removal of this second factor is proposed already.' })
  const { investor, investorName, investorEmail } = recovery
  return fileProposal(
    call,
    {
      facts: {
        kind: 'factor_recovery',
        reason: call.body.reason,
        payload: JSON.stringify({ recovery: recovery.id }),
        investor,
        investorName,
        investorEmail,
      },
    },
    accepted,
  )
}
