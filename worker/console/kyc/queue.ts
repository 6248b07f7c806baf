import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type { CaseStep } from '../../../src/contract/console/cases.ts'
import { listKycQueue, type OperatorKyc, SEALED_WORDS } from '../../../src/contract/console/kyc.ts'
import { describeStatus } from '../../../src/contract/console/requestWords.ts'
import { computeRecipientFingerprint } from '../../../src/contract/identity/kyc.ts'
import type { ActorCall } from '../../http/call.ts'
import { matchFilters } from '../../http/filters.ts'
import { toIso } from '../../http/paging.ts'
import { buildSeqPage, createQueue } from '../../http/queue.ts'
import { buildDecisionColumns, toStep } from '../../http/steps.ts'
import { withRecovery } from '../../identity/kyc/recipients.ts'
import { parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { users } from '../../lib/tables/people.ts'
import { selectAccepted, withAccepted } from '../cases/accepted.ts'
import { toInvestor } from '../cases/requests.ts'
import { parseScreening, selectScreening } from '../cases/screening.ts'
import { matchRefSql, selectMatchingInvestors, selectMatchingOpen } from '../cases/search.ts'
import { isAssignedTo, isWaitingFor, parseWork, selectWork } from '../cases/workState.ts'
import { RISK_COLUMNS, readByRisk } from '../risk/queue.ts'

/** Identity documents and proofs of address. The CSV file leaves out the documents. */
export const kycQueue = createQueue(listKycQueue, {
  read: async (call, after, rows) => {
    const { db, env } = call
    const { status, query, outdated, expired, assigned, waits } = call.query
    const narrowed = sql`
      ${status ? sql`k.status = ${status}` : sql`1`}
      AND ${query === undefined ? sql`1` : matchQuerySql(query)} AND ${outdated ? isOutdated(env) : sql`1`}
      AND ${expired ? isExpiredSql(call.nowMs) : sql`1`}
      AND ${isAssignedTo(assigned, sql`k.id`, call)} AND ${isWaitingFor(waits, sql`'kyc'`, sql`k.id`)}`
    return readByRisk<Submission>(call, 'kyc', after, rows, {
      select: ({ order, after, rows, also }) => {
        const { isAfter, by } = buildSeqPage(sql`k.seq`, order, after)
        const where = matchFilters(call.query, {
          table: sql`kyc_submissions`,
          alias: sql`k`,
          base: sql`${narrowed} AND ${isAfter} AND ${also}`,
          by,
          at: sql`k.created_at`,
          investor: sql`k.user_id`,
        })
        return sql`SELECT k.id FROM kyc_submissions k WHERE ${where} ORDER BY ${by} LIMIT ${rows}`
      },
      isOpen: sql`k.status = 'pending'`,
      read: (ids, risks) => readTogether(db, readSubmissions(sql`k.id IN (${ids})`, rows), risks),
      position: ({ seq }) => ({ at: 0, seq }),
    })
  },
  row: async (submission, call) => ({ ...(await toSubmissionRow(call, submission)), risk: submission.risk }),
  file: {
    name: 'kyc',
    columns: {
      Reference: (row) => row.ref,
      Id: (row) => row.id,
      'Submitted (UTC)': (row) => toIso(row.createdAt),
      Status: (row) => describeStatus(row.status),
      Investor: (row) => row.investor,
      Name: (row) => row.investorName,
      'E-mail': (row) => row.investorEmail,
      Document: (row) => row.document,
      'Name on the document': (row) => row.documentName ?? '',
      'Date of birth': (row) => row.bornOn ?? '',
      'Expires on': (row) => row.documentExpiresOn ?? '',
      'Issued on': (row) => row.issuedOn ?? '',
      'Country on the document': (row) => row.addressCountry ?? '',
      Encrypted: (row) => SEALED_WORDS[row.sealedBy],
      ...RISK_COLUMNS,
      ...buildDecisionColumns(toSubmissionSteps),
      Reason: (row) => row.reason ?? '',
    },
  },
})

// One investor submits few documents, so all of theirs are read.
function matchQuerySql(query: string): SQL {
  const range = matchRefSql(query, 'KYC')
  if (range !== null) return sql`k.seq IN (SELECT seq FROM kyc_submissions WHERE ${range})`
  return sql`k.seq IN (
    SELECT seq FROM kyc_submissions WHERE id = ${query}
    UNION ALL SELECT seq FROM kyc_submissions WHERE user_id IN (${selectMatchingInvestors(query)})
    UNION ALL ${selectMatchingOpen([OPEN], query)})`
}

const OPEN = sql`SELECT seq, user_id AS investor FROM kyc_submissions WHERE status = 'pending' ORDER BY seq`

/** An identity submission, without the document. */
export type Submission = RowOf<typeof readSubmissions>

/** Submissions `k` under a condition, newest first. */
export function readSubmissions(where: SQL, limit: number) {
  const k = alias(kycSubmissions, 'k')
  const [u, d, f] = [alias(users, 'u'), alias(users, 'd'), alias(users, 'f')]
  return selectRows({
    ...getTableColumns(k),
    /** JSON: the keys to which a browser encrypted it. */
    recipients: sql<string>`(
      SELECT json_group_array(r.recipient) FROM kyc_document_recipients r WHERE r.submission_id = k.id)`,
    /** JSON: the reviewers' active keys. */
    activeKeys: sql<string>`(
      SELECT json_group_array(a.recipient) FROM reviewer_keys a
      WHERE a.approved_at IS NOT NULL AND a.retired_at IS NULL)`,
    decidedByName: d.displayName,
    /** Who proposed to reject it for good. */
    finalByName: f.displayName,
    investor: k.userId,
    investorName: u.displayName,
    investorEmail: u.email,
    investorAddress: u.address,
    investorCountry: u.country,
    work: selectWork(sql`iif(k.status = 'pending', 'kyc', NULL)`, sql`k.id`, sql`k.created_at`),
    screening: selectScreening(sql`k.id`),
    accepted: selectAccepted(sql`k.id`),
  })
    .from(k)
    .innerJoin(u, eq(u.id, k.userId))
    .leftJoin(d, eq(d.id, k.decidedBy))
    .leftJoin(f, eq(f.id, k.finalBy))
    .where(where)
    .orderBy(desc(k.seq))
    .limit(limit)
}

function toSubmissionSteps(submission: Submission): CaseStep[] {
  const { createdAt, investor, investorName, status, decidedAt, decidedBy, decidedByName } = submission
  const { finalBy, finalByName, finalAt, finalReason } = submission
  const steps = [
    toStep('filed', createdAt, investor, investorName),
    ...(finalBy === null || finalAt === null
      ? []
      : [toStep('proposed', finalAt, finalBy, finalByName, finalReason)]),
    ...(decidedAt === null || status === 'pending'
      ? []
      : [toStep(status, decidedAt, decidedBy, decidedByName)]),
  ]
  return withAccepted(steps, submission)
}

/** Of `recipients` and `activeKeys`. */
export const recipientList = z.array(z.string())

export async function loadSubmission({ db, params }: ActorCall): Promise<Submission> {
  const [[found]] = await readTogether(db, readSubmissions(sql`k.id = ${params.id ?? ''}`, 1))
  return found ?? refuse('not_found')
}

export async function toSubmissionRow(
  call: Pick<ActorCall, 'env' | 'nowMs'>,
  submission: Submission,
): Promise<OperatorKyc> {
  const { sealedBy } = submission
  const recipients = parseStored(recipientList, submission.recipients)
  return {
    _id: submission.id,
    ref: submission.ref,
    investor: toInvestor(submission),
    status: submission.status,
    createdAt: toIso(submission.createdAt),
    kind: submission.kind,
    document: submission.document,
    mediaType: submission.mediaType,
    reason: submission.reason,
    documentName: submission.documentName,
    steps: toSubmissionSteps(submission),
    documentExpiresOn: submission.documentExpiresOn,
    bornOn: submission.bornOn,
    ...(submission.kind === 'address' && {
      address: {
        ofAccount: submission.investorAddress,
        countryOfAccount: submission.investorCountry,
        issuedOn: submission.issuedOn,
        country: submission.addressCountry,
      },
    }),
    ...(isExpired(submission, call.nowMs) && { expired: true }),
    ...(submission.final === 1 && { final: true }),
    ...describeFinalProposal(submission),
    sealedBy,
    sealedTo: (await Promise.all(recipients.map(computeRecipientFingerprint))).toSorted(),
    outdated:
      sealedBy === 'browser' &&
      submission.wrappedKey !== null &&
      isSealedToOthers(call.env, submission, recipients),
    ...(submission.sample === 1 && { sample: true }),
    ...parseWork(submission, call),
    screening: parseScreening(submission),
  }
}

function describeFinalProposal(submission: Submission): Pick<OperatorKyc, 'finalProposal'> {
  const { status, finalBy, finalByName, finalAt, finalReason } = submission
  if (status !== 'pending' || finalBy === null || finalAt === null) return {}
  return {
    finalProposal: { by: finalByName ?? '', byId: finalBy, at: toIso(finalAt), reason: finalReason ?? '' },
  }
}

/** Whether an approved document was valid until a day before today. */
export function isExpired(
  { status, documentExpiresOn }: Pick<Submission, 'status' | 'documentExpiresOn'>,
  nowMs: number,
): boolean {
  return status === 'approved' && documentExpiresOn !== null && documentExpiresOn < formatIsoDay(nowMs)
}

/** The same as a condition on submissions `k`, by its index. */
function isExpiredSql(nowMs: number): SQL {
  return sql`k.seq IN (
    SELECT seq FROM kyc_submissions WHERE status = 'approved' AND document_expires_on < ${formatIsoDay(nowMs)})`
}

/** Whether a document is encrypted to other keys than the current ones. False if there are no keys to encrypt to. */
function isSealedToOthers(env: Env, { activeKeys }: Submission, recipients: readonly string[]): boolean {
  const today = withRecovery(env, parseStored(recipientList, activeKeys))
  return (
    today.length > 0 &&
    (recipients.length !== today.length || !today.every((key) => recipients.includes(key)))
  )
}

/** The same as a condition on submissions `k`, so that outdated ones are found without reading the rest. */
function isOutdated({ KYC_RECOVERY_RECIPIENT: recovery = '' }: Env): SQL {
  if (recovery === '') return sql`0`
  const active = sql`SELECT a.recipient FROM reviewer_keys a WHERE a.approved_at IS NOT NULL AND a.retired_at IS NULL`
  const today = sql`(${active} UNION SELECT ${recovery})`
  const sealedTo = sql`FROM kyc_document_recipients r WHERE r.submission_id = k.id`
  return sql`(
    k.sealed_by = 'browser' AND k.wrapped_key IS NOT NULL AND EXISTS (${active}) AND (
      (SELECT count(*) ${sealedTo}) <> (SELECT count(*) FROM ${today})
      OR EXISTS (SELECT 1 FROM ${today} t WHERE t.recipient NOT IN (SELECT r.recipient ${sealedTo}))))`
}
