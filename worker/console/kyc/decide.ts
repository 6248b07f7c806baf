import { eq, sql } from 'drizzle-orm'
import type * as contract from '../../../src/contract/console/kyc.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import { readTogether, type Statement } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { readSettings } from '../../platform/settings/values.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import { buildKycApprovedMail, buildKycRejectedMail } from '../cases/mails.ts'
import { tellReason } from '../cases/reasons.ts'
import { readSubmissions, type Submission, toSubmissionRow } from './queue.ts'

/** Approves an identity document and records the name on it. Its owner may then deposit and withdraw. */
export function approveSubmission(call: CallOf<typeof contract.approveKyc>, submission: Submission) {
  return decide(call, submission, {
    status: 'approved',
    reason: null,
    documentName: call.body?.documentName ?? submission.investorName,
  })
}

/** Rejects an identity document. Its owner reads a listed reason and may send another. */
export async function rejectSubmission(
  call: CallOf<typeof contract.rejectKyc>,
  found: Awaited<ReturnType<typeof loadSubmissionToReject>>,
) {
  const { submission, settings } = found
  const { told, note } = await tellReason(call, 'identityRejection', settings, call.body)
  const { documentName } = submission
  const statements = addInternalNote(call, submission.investor, `${submission.ref} rejected`, note)
  return decide(call, submission, { status: 'rejected', reason: told, documentName, statements })
}

/** Loads a submission and the settings with the listed reasons in one round trip. */
export async function loadSubmissionToReject({ db, params }: ActorCall) {
  const [[submission], settings] = await readTogether(
    db,
    readSubmissions(sql`k.id = ${params.id ?? ''}`, 1),
    readSettings(),
  )
  return { submission: submission ?? refuse('not_found'), settings }
}

interface Decision {
  readonly status: 'approved' | 'rejected'
  /** What its owner reads; null for an approval. */
  readonly reason: string | null
  readonly documentName: string | null
  readonly statements?: readonly Statement[]
}

async function decide(
  call: ActorCall,
  submission: Submission,
  { status, reason, documentName, statements = [] }: Decision,
): Promise<Answer<contract.OperatorKyc>> {
  const { db, env, actor, nowMs } = call
  if (submission.status !== 'pending') refuse('already_decided')
  if (submission.investor === actor.id) refuse('forbidden', { msg: 'Another operator must review this.' })
  return call.commit({
    statements: [
      db
        .update(kycSubmissions)
        .set({ status, reason, documentName, decidedBy: actor.id, decidedAt: nowMs })
        .where(eq(kycSubmissions.id, submission.id)),
      ...statements,
    ],
    audit: [{ action: `kyc.${status}`, subject: submission.id }],
    mails: [
      reason === null ? buildKycApprovedMail(env, submission) : buildKycRejectedMail(env, submission, reason),
    ],
    answer: ok(
      await toSubmissionRow(call, {
        ...submission,
        status,
        reason,
        documentName,
        decidedBy: actor.id,
        decidedByName: actor.displayName,
        decidedAt: nowMs,
        assigned: null,
      }),
    ),
  })
}
