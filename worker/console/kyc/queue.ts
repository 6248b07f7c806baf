import { type SQL, sql } from 'drizzle-orm'
import type { listKycQueue as endpoint, OperatorKyc } from '../../../src/contract/console/kyc.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { ActorCall, Answer, CheckedCall } from '../../http/call.ts'
import { iso, type Position } from '../../http/paging.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { pageOrFile } from '../cases/pageOrFile.ts'
import { isMeant, refRange } from '../cases/search.ts'
import { isOutdated, readSubmissions, type Submission, submissionRow } from './submission.ts'

type QueueQuery = QueryOf<typeof endpoint>

/** Identity documents submitted, newest first: a page of them, or all as a file, without the documents. */
export function listSubmissions(
  call: CheckedCall<unknown, QueueQuery> & ActorCall,
): Promise<Answer<OperatorKyc[]> | Response> {
  return pageOrFile(call, {
    what: 'kyc',
    read: (after, rows) => readQueue(call, after, rows),
    rowOf: (row) => submissionRow(call.env, row),
    positionOf: positionOf,
    header: HEADER,
    fields,
  })
}

async function readQueue(
  { db, env, query: { status, query, outdated } }: CheckedCall<unknown, QueueQuery>,
  after: Position | null,
  rows: number,
): Promise<Submission[]> {
  const where = sql`
    ${status ? sql`k.status = ${status}` : sql`1`} AND ${after === null ? sql`1` : sql`k.seq < ${after.seq}`}
    AND ${query === undefined ? sql`1` : isSought(query)} AND ${outdated ? isOutdated(env) : sql`1`}`
  const [found] = await readTogether(db, readSubmissions(where, rows))
  return found
}

// Somebody hands in few documents: all of theirs are read.
function isSought(query: string): SQL {
  const range = refRange(query, 'KYC')
  if (range !== null) return sql`k.seq IN (SELECT seq FROM kyc_submissions WHERE ${range})`
  return sql`k.seq IN (
    SELECT seq FROM kyc_submissions WHERE id = ${query}
    UNION ALL SELECT seq FROM kyc_submissions
      WHERE user_id IN (SELECT u.id FROM users u WHERE u.role = 'investor' AND ${isMeant(query)}))`
}

function positionOf({ seq }: Submission): Position {
  return { at: 0, seq }
}

const HEADER = [
  'Reference',
  'Id',
  'Submitted (UTC)',
  'Status',
  'Investor',
  'Name',
  'E-mail',
  'Document',
  'Encrypted by',
  'Decided by',
  'Reason',
]

function fields(submission: Submission): string[] {
  return [
    submission.ref,
    submission.id,
    iso(submission.createdAt),
    submission.status,
    submission.investor,
    submission.investorName,
    submission.investorEmail,
    submission.document,
    submission.sealedBy,
    submission.decidedByName ?? '',
    submission.reason ?? '',
  ]
}

/** The submission that `:id` names. */
export async function loadSubmission(call: ActorCall): Promise<Submission> {
  const [found] = await readTogether(call.db, readSubmissions(sql`k.id = ${call.params.id ?? ''}`, 1))
  return found[0] ?? refuse('not_found')
}
