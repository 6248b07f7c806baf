import type { listInvestorActivity as endpoint } from '../../../src/contract/console/investorFile.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import type { ActivityRow } from '../../../src/contract/identity/activity.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { activityRowOf, readActivity } from '../../identity/preferences/listActivity.ts'
import { readFile } from './file.ts'

/** What happened with an investor's account, newest first; nothing where they turned the log off. */
export async function listInvestorActivity(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<ActivityRow[]>> {
  const { cursor, limit } = call.query
  const { rows } = await readFile(call, readActivity(call.params.id ?? '', openCursor(cursor), limit))
  const page = pageOf(call, rows[0], limit, ({ at, seq }) => ({ at, seq }))
  return ok(page.rows.map(activityRowOf), page.headers)
}
