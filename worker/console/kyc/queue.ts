import { type SQL, sql } from 'drizzle-orm'
import { listKycQueue } from '../../../src/contract/console/kyc.ts'
import { iso } from '../../http/paging.ts'
import { readTogether } from '../../lib/database.ts'
import { queue } from '../cases/queue.ts'
import { isMeant, refRange } from '../cases/search.ts'
import { isOutdated, readSubmissions, submissionRow } from './submission.ts'

/** Submitted identity documents. The file has them without the documents. */
export const kyc = queue(listKycQueue, {
  read: async ({ db, env, query: { status, query, outdated } }, after, rows) => {
    const where = sql`
      ${status ? sql`k.status = ${status}` : sql`1`} AND ${after === null ? sql`1` : sql`k.seq < ${after.seq}`}
      AND ${query === undefined ? sql`1` : isSought(query)} AND ${outdated ? isOutdated(env) : sql`1`}`
    const [found] = await readTogether(db, readSubmissions(where, rows))
    return found
  },
  row: (submission, { env }) => submissionRow(env, submission),
  file: {
    name: 'kyc',
    columns: {
      Reference: (row) => row.ref,
      Id: (row) => row.id,
      'Submitted (UTC)': (row) => iso(row.createdAt),
      Status: (row) => row.status,
      Investor: (row) => row.investor,
      Name: (row) => row.investorName,
      'E-mail': (row) => row.investorEmail,
      Document: (row) => row.document,
      'Encrypted by': (row) => row.sealedBy,
      'Decided by': (row) => row.decidedByName ?? '',
      Reason: (row) => row.reason ?? '',
    },
  },
  waiting: { kyc: { from: sql`kyc_submissions WHERE status = 'pending'`, oldestFirst: sql`seq` } },
})

// One investor hands in few documents, so all of theirs are read.
function isSought(query: string): SQL {
  const range = refRange(query, 'KYC')
  if (range !== null) return sql`k.seq IN (SELECT seq FROM kyc_submissions WHERE ${range})`
  return sql`k.seq IN (
    SELECT seq FROM kyc_submissions WHERE id = ${query}
    UNION ALL SELECT seq FROM kyc_submissions
      WHERE user_id IN (SELECT u.id FROM users u WHERE u.role = 'investor' AND ${isMeant(query)}))`
}
