import { sql } from 'drizzle-orm'
import type { OperatorKyc } from '../../../src/contract/operator/kyc.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import { readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { openCursor, pageOf } from '../../lib/paging.ts'
import { readSubmissions, type Submission, submissionRow } from './submission.ts'

interface QueueQuery {
  readonly status?: Submission['status'] | '' | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Identity documents submitted, newest first. */
export async function listSubmissions(
  call: CheckedCall<unknown, QueueQuery> & ActorCall,
): Promise<Answer<OperatorKyc[]>> {
  const { status, limit, cursor } = call.query
  const after = openCursor(cursor)
  const where = sql`
    ${status ? sql`k.status = ${status}` : sql`1`} AND ${after === null ? sql`1` : sql`k.seq < ${after.seq}`}`
  const [found] = await readTogether(call.db, readSubmissions(where, limit + 1))
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(await Promise.all(rows.map((row) => submissionRow(call.env, row))), headers)
}

/** The submission that `:id` names. */
export async function loadSubmission(call: ActorCall): Promise<Submission> {
  const [found] = await readTogether(call.db, readSubmissions(sql`k.id = ${call.params.id ?? ''}`, 1))
  return found[0] ?? refuse('not_found')
}
