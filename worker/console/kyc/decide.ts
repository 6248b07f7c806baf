import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import * as contract from '../../../src/contract/console/kyc.ts'
import { findCountryCode } from '../../../src/contract/countries.ts'
import { ADDRESS_PROOF_MONTHS } from '../../../src/contract/identity/kyc.ts'
import { isolate } from '../../../src/contract/isolate.ts'
import { type ActorCall, type Answer, accepted, type CallOf, ok } from '../../http/call.ts'
import { groupProblems, refuseFields } from '../../http/fields.ts'
import { hashForEquality } from '../../lib/crypto/signature.ts'
import { readTogether, type Statement, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import type { Env } from '../../lib/env.ts'
import { findDatabaseRefusal, refuse, refuseField } from '../../lib/errors.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { caseAssignments } from '../../lib/tables/operators.ts'
import { readSettings } from '../../platform/settings/values.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import { buildKycApprovedMail, buildKycRejectedMail } from '../cases/mails.ts'
import { listReasonWords, tellReason } from '../cases/reasons.ts'
import { assertNotAssigned } from '../cases/workState.ts'
import { acceptRisk } from '../risk/accept.ts'
import { readRiskFacts } from '../risk/facts.ts'
import { isExpired, readSubmissions, type Submission, toSubmissionRow } from './queue.ts'
import { assertViewed, type DocumentView, readDocumentView } from './views.ts'

type ApproveCall = CallOf<typeof contract.approveKyc>

/** Approves an identity document or a proof of address, and records the data on it. */
export async function approveSubmission(call: ApproveCall, { submission, risk }: SubmissionToApprove) {
  if (submission.status === 'pending') assertNotAssigned(submission, call)
  const accept = () => acceptRisk(call, 'kyc', risk, submission, call.body?.riskReason)
  return submission.kind === 'address'
    ? approveAddressProof(call, submission, accept)
    : approveIdentity(call, submission, accept)
}

type SubmissionToApprove = Awaited<ReturnType<typeof loadSubmissionToApprove>>
type Accept = () => ReturnType<typeof acceptRisk>

/** Loads a submission, the facts of its risk and the caller's view of it in one round trip. */
export async function loadSubmissionToApprove(call: ActorCall) {
  const id = sql`${call.params.id ?? ''}`
  const [[found], [risk], [view]] = await readTogether(
    call.db,
    readSubmissions(sql`k.id = ${id}`, 1),
    readRiskFacts('kyc', id, call, true),
    readDocumentView(call, id),
  )
  return { submission: withView(found, view), risk }
}

/** Approves a proof of address. The document was at most three months old when it was sent. */
async function approveAddressProof(call: ApproveCall, submission: ReviewedSubmission, accept: Accept) {
  const { issuedOn, country } = checkData(contract.addressData, call.body)
  const addressCountry =
    findCountryCode(country) ?? refuseField('country', 'Please enter the country of the address')
  if (issuedOn > formatIsoDay(call.nowMs)) refuseField('issuedOn', 'This day is in the future')
  if (issuedOn < findOldestIssue(submission.createdAt))
    refuseField('issuedOn', 'This document was older than three months when it was sent. Please reject it')
  return decide(call, submission, {
    ...{ status: 'approved', reason: null, documentName: submission.documentName },
    ...{ issuedOn, addressCountry },
    accepting: accept(),
  })
}

/** The data on a document, which its kind requires. The contract's schema has checked each field that was sent. */
function checkData<Data>(schema: z.ZodMiniType<Data>, body: ApproveCall['body']): Data {
  const parsed = schema.safeParse(body ?? {})
  return parsed.success ? parsed.data : refuseFields(groupProblems(parsed.error.issues))
}

/** The first day on which a proof of address may have been issued. After a day that a month lacks, JavaScript counts on. */
function findOldestIssue(sentAtMs: number): string {
  const day = new Date(sentAtMs)
  day.setUTCMonth(day.getUTCMonth() - ADDRESS_PROOF_MONTHS)
  return formatIsoDay(day.getTime())
}

/** The owner may then deposit and withdraw. Refuses a document that has expired, and a person under 18. */
async function approveIdentity(call: ApproveCall, submission: ReviewedSubmission, accept: Accept) {
  const { env, nowMs } = call
  // Our sample passport has no data, and is refused with real money.
  if (submission.sample === 1 && call.body?.documentNumber === undefined)
    return decide(call, submission, {
      status: 'approved',
      reason: null,
      documentName: submission.investorName,
    })
  const { documentName, documentNumber, bornOn, expiresOn } = checkData(contract.identityData, call.body)
  if (expiresOn < formatIsoDay(nowMs)) refuseField('expiresOn', 'This document has expired. Please reject it')
  if (findAge(bornOn, nowMs) < ADULT_YEARS)
    refuseField('bornOn', 'This person is under 18. Please reject the document')
  const number = await hashDocumentNumber(env, documentNumber)
  const approval = decide(call, submission, {
    ...{ status: 'approved', reason: null, documentName, documentNumber: number, bornOn },
    ...{ documentExpiresOn: expiresOn, expiryToldAt: null },
    accepting: accept(),
  })
  return approval.catch((error: unknown) => {
    if (findDatabaseRefusal(error)?.code !== 'same_document') throw error
    return refuseSameDocument(call, submission, number)
  })
}

/** Names the document of another person whose number the database refused. */
async function refuseSameDocument(
  { db }: ActorCall,
  { investor }: Submission,
  number: string,
): Promise<never> {
  const [[same]] = await readTogether(
    db,
    selectRows({ ref: kycSubmissions.ref })
      .from(kycSubmissions)
      .where(sql`document_number = ${number} AND user_id <> ${investor}`)
      .limit(1),
  )
  return refuseField(
    'documentNumber',
    `This number is on ${same?.ref} of another person. If another country gave it, put the country’s code before the number`,
  )
}

const ADULT_YEARS = 18

/** Whole years from a day of birth until now. */
function findAge(bornOn: string, nowMs: number): number {
  const [today, born] = [formatIsoDay(nowMs), bornOn]
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4))
  return today.slice(4) < born.slice(4) ? years - 1 : years
}

/** Blanks, dots and dashes are written in different ways, so letters and digits alone count. */
function hashDocumentNumber({ VAULT_KEYS }: Env, number: string): Promise<string> {
  const plain = number
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
  return hashForEquality(VAULT_KEYS, 'document-number', plain)
}

/**
 * Rejects an identity document or a proof of address. An approved identity document can be rejected once it has expired. The owner
 * reads a listed reason and may send another document, unless the rejection is final.
 */
export async function rejectSubmission(
  call: CallOf<typeof contract.rejectKyc>,
  found: Awaited<ReturnType<typeof loadSubmissionToReject>>,
) {
  const { submission, settings } = found
  const isAddress = submission.kind === 'address'
  const final = call.body.final === true ? 1 : 0
  if (final === 1 && isAddress) refuseField('final', 'Only an identity document can be rejected for good')
  const wasExpired = isExpired(submission, call.nowMs)
  assertNotAssigned(submission, call)
  const { told, note } = await tellReason(
    call,
    isAddress ? 'addressRejection' : final === 1 ? 'finalRejection' : 'identityRejection',
    settings,
    call.body,
    listReasonWords(submission),
  )
  const { documentName } = submission
  const open = sql`UPDATE kyc_submissions SET status = 'pending', decided_by = NULL, decided_at = NULL WHERE id = ${submission.id}`
  if (final === 1 && submission.finalBy === null) return proposeFinal(call, submission, told, note)
  if (final === 1 && submission.finalBy === call.actor.id)
    refuse('second_operator_required', {
      msg: 'You proposed to reject it for good. Another reviewer confirms it.',
    })
  const notes = addInternalNote(call, submission.investor, `${submission.ref} rejected`, note)
  return decide(call, wasExpired ? { ...submission, status: 'pending' } : submission, {
    ...{ status: 'rejected', reason: told, documentName, final },
    before: wasExpired ? [open] : [],
    after: notes,
  })
}

/** Records the first of the two reviewers who reject an identity for good. It stays pending. */
async function proposeFinal(
  call: ActorCall,
  submission: ReviewedSubmission,
  reason: string,
  note: string | null,
) {
  const { db, actor, nowMs } = call
  const { id, ref, investor } = submission
  if (submission.status !== 'pending') refuse('already_decided')
  if (investor === actor.id) refuse('forbidden', { msg: 'Another operator must review this.' })
  if (submission.sample === 0) assertViewed(submission)
  const proposal = { finalBy: actor.id, finalAt: nowMs, finalReason: reason }
  return call.commit({
    statements: [
      db.update(kycSubmissions).set(proposal).where(eq(kycSubmissions.id, id)),
      db.delete(caseAssignments).where(eq(caseAssignments.caseId, id)),
      ...addInternalNote(call, investor, `${ref}, rejection for good proposed`, note),
    ],
    audit: [{ action: 'kyc.final_proposed', subject: id, detail: { document: submission.document } }],
    answer: accepted(
      await toSubmissionRow(call, { ...submission, ...proposal, finalByName: actor.displayName }),
    ),
  })
}

/** Loads a submission, the settings with the listed reasons and the caller's view of it in one round trip. */
export async function loadSubmissionToReject(call: ActorCall) {
  const id = sql`${call.params.id ?? ''}`
  const [[found], settings, [view]] = await readTogether(
    call.db,
    readSubmissions(sql`k.id = ${id}`, 1),
    readSettings(),
    readDocumentView(call, id),
  )
  return { submission: withView(found, view), settings }
}

/** A submission, and whether the caller has opened its document. */
type ReviewedSubmission = Submission & DocumentView

function withView(submission: Submission | undefined, view: DocumentView | undefined): ReviewedSubmission {
  return { ...(submission ?? refuse('not_found')), isViewed: view?.isViewed ?? 0 }
}

interface Decision {
  readonly status: 'approved' | 'rejected'
  /** What its owner reads; null for an approval. */
  readonly reason: string | null
  readonly documentName: string | null
  readonly documentNumber?: string
  readonly documentExpiresOn?: string
  readonly bornOn?: string
  readonly issuedOn?: string
  readonly addressCountry?: string
  readonly expiryToldAt?: null
  readonly final?: 0 | 1
  readonly before?: readonly Statement[]
  readonly after?: readonly Statement[]
  /** Of an approval: why it was given despite a high risk. */
  readonly accepting?: ReturnType<typeof acceptRisk>
}

async function decide(
  call: ActorCall & { readonly body?: { readonly despiteProposalOf?: string | undefined } | undefined },
  submission: ReviewedSubmission,
  { before = [], after = [], accepting, ...decision }: Decision,
): Promise<Answer<contract.OperatorKyc>> {
  const { db, env, actor, nowMs } = call
  const { status, reason } = decision
  if (submission.status !== 'pending') refuse('already_decided')
  if (submission.investor === actor.id) refuse('forbidden', { msg: 'Another operator must review this.' })
  const { finalBy, finalByName } = submission
  if (
    decision.final !== 1 &&
    finalBy !== null &&
    finalBy !== actor.id &&
    finalBy !== call.body?.despiteProposalOf
  )
    refuse('conflict', {
      msg: `${isolate(finalByName ?? '')} proposed to reject this document for good. Read why before you decide otherwise.`,
    })
  // Our sample shows nobody.
  if ((status === 'approved' || decision.final === 1) && submission.sample === 0) assertViewed(submission)
  return call.commit({
    statements: [
      ...before,
      db
        .update(kycSubmissions)
        .set({ ...decision, decidedBy: actor.id, decidedAt: nowMs })
        .where(eq(kycSubmissions.id, submission.id)),
      ...after,
      ...(accepting?.statements ?? []),
    ],
    audit: [
      ...(accepting?.audit ?? []),
      {
        action: `kyc.${status}`,
        subject: submission.id,
        detail: { document: submission.document, ...(decision.final && { final: true }) },
      },
    ],
    mails: [
      reason === null
        ? buildKycApprovedMail(env, submission, submission.kind)
        : buildKycRejectedMail(env, submission, submission.kind, reason, decision.final === 1),
    ],
    answer: ok(
      await toSubmissionRow(call, {
        ...submission,
        ...decision,
        ...(decision.final !== 1 && { finalBy: null }),
        accepted: accepting?.accepted ?? submission.accepted,
        decidedBy: actor.id,
        decidedByName: actor.displayName,
        decidedAt: nowMs,
        work: null,
      }),
    ),
  })
}
