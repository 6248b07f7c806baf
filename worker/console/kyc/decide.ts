import { eq } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/kyc.ts'
import { type ActorCall, type Answer, ok, routeOf } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { kycApproved, kycRejected } from '../cases/mails.ts'
import { loadSubmission, type Submission, submissionRow } from './queue.ts'

/** Approves an identity document. Its owner may then deposit and withdraw. */
export const approveSubmission = routeOf(contract.approveKyc, loadSubmission, (call, submission) =>
  decide(call, submission, 'approved', null),
)

/** Rejects an identity document. Its owner reads the reason and may send another. */
export const rejectSubmission = routeOf(contract.rejectKyc, loadSubmission, (call, submission) =>
  decide(call, submission, 'rejected', call.body.reason),
)

async function decide(
  call: ActorCall,
  submission: Submission,
  status: 'approved' | 'rejected',
  reason: string | null,
): Promise<Answer<contract.OperatorKyc>> {
  const { db, env, actor, nowMs } = call
  if (submission.status !== 'pending') refuse('already_decided')
  if (submission.investor === actor.id) refuse('forbidden', { msg: 'Another operator must review this.' })
  return call.commit({
    statements: [
      db
        .update(kycSubmissions)
        .set({ status, reason, decidedBy: actor.id, decidedAt: nowMs })
        .where(eq(kycSubmissions.id, submission.id)),
    ],
    audit: [{ action: `kyc.${status}`, subject: submission.id }],
    mails: [reason === null ? kycApproved(env, submission) : kycRejected(env, submission, reason)],
    answer: ok(
      await submissionRow(call, {
        ...submission,
        status,
        reason,
        decidedByName: actor.displayName,
        assigned: null,
      }),
    ),
  })
}
