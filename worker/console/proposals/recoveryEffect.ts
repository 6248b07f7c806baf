import { eq } from 'drizzle-orm'
import { RECOVERY_DELAY_HOURS } from '../../../src/contract/identity/factorRecovery.ts'
import type { ActorCall } from '../../http/call.ts'
import { announcedMail } from '../../identity/factorRecovery/mails.ts'
import { factorRecoveries } from '../../lib/tables/people.ts'
import type { ProposalEffect } from './effect.ts'
import type { ProposalFacts } from './proposal.ts'

/** What approving the removal of a second factor does: the delay begins, and its owner is told how to stop it. */
export async function approveRecovery(call: ActorCall, proposal: ProposalFacts): Promise<ProposalEffect> {
  const { db, env, nowMs } = call
  const { id: proposalId, investor, investorName, investorEmail } = proposal
  if (investor === null || investorName === null || investorEmail === null)
    throw new Error(`Proposal ${proposalId} removes a second factor of nobody.`)
  const { recovery } = JSON.parse(proposal.payload) as { recovery: string }
  const effectiveAt = nowMs + RECOVERY_DELAY_HOURS * 3_600_000
  const owner = { id: investor, email: investorEmail, displayName: investorName }
  return {
    statements: [
      db
        .update(factorRecoveries)
        .set({ proposal: proposalId, effectiveAt })
        .where(eq(factorRecoveries.id, recovery)),
    ],
    audit: [{ action: 'factor_recovery.approved', subject: investor, detail: { proposal: proposalId } }],
    mails: [await announcedMail(env, owner, { id: recovery, effectiveAt }, nowMs)],
  }
}
