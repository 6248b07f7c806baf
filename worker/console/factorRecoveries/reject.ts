import { eq } from 'drizzle-orm'
import type { FactorRecovery } from '../../../src/contract/console/factorRecoveries.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { rejectedMail } from '../../identity/factorRecovery/mails.ts'
import { refuse } from '../../lib/errors.ts'
import { factorRecoveries } from '../../lib/tables/people.ts'
import { type Recovery, recoveryRow } from './recovery.ts'

/** Rejects the removal of a second factor, also after two reviewers approved it: keeping a factor takes one. */
export async function rejectRecovery(
  call: CheckedCall<{ reason: string }, unknown> & ActorCall,
  recovery: Recovery,
): Promise<Answer<FactorRecovery>> {
  const { db, env, nowMs, body } = call
  if (recovery.outcome !== null) refuse('already_decided')
  const { id, investor, investorName: displayName, investorEmail: email } = recovery
  const answer = ok(recoveryRow({ ...recovery, outcome: 'rejected', endedAt: nowMs }))
  await call.commit({
    statements: [
      db
        .update(factorRecoveries)
        .set({ endedAt: nowMs, outcome: 'rejected' })
        .where(eq(factorRecoveries.id, id)),
    ],
    audit: [{ action: 'factor_recovery.rejected', subject: investor }],
    mails: [await rejectedMail(env, { id: investor, email, displayName }, body.reason, nowMs)],
    answer,
  })
  return answer
}
