import type {
  listInvestorDocuments as endpoint,
  OperatorRecord,
} from '../../../src/contract/console/investorFile.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { iso, openCursor, pageOf } from '../../http/paging.ts'
import { readRecords, recordOf } from '../../identity/kyc/list.ts'
import { readFile } from './file.ts'

/** An investor's identity documents, newest first, with who decided about each, and who looked at it and when. */
export async function listInvestorDocuments(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<OperatorRecord[]>> {
  const { cursor, limit } = call.query
  const { rows } = await readFile(call, readRecords(call.params.id ?? '', openCursor(cursor), limit))
  const page = pageOf(call, rows[0], limit, ({ seq }) => ({ at: 0, seq }))
  return ok(
    page.rows.map((row) => ({
      ...recordOf(row),
      ref: row.ref,
      decidedAt: row.decidedAt === null ? null : iso(row.decidedAt),
      decidedBy: row.decidedBy,
    })),
    page.headers,
  )
}
