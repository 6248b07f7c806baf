import { sql } from 'drizzle-orm'
import type {
  listFactorRecoveries as endpoint,
  FactorRecovery,
} from '../../../src/contract/console/factorRecoveries.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { openCursor, pageOf } from '../../http/paging.ts'
import { readTogether } from '../../lib/database.ts'
import { readRecoveries, recoveryRow } from './recovery.ts'

/** Investors' requests to remove a lost second factor, newest first. */
export async function listRecoveries(
  call: CheckedCall<unknown, QueryOf<typeof endpoint>> & ActorCall,
): Promise<Answer<FactorRecovery[]>> {
  const { limit, cursor, status } = call.query
  const after = openCursor(cursor)
  const ended =
    status === undefined ? sql`1` : status === 'open' ? sql`r.ended_at IS NULL` : sql`r.ended_at IS NOT NULL`
  const where = sql`${ended} AND ${after === null ? sql`1` : sql`r.seq < ${after.seq}`}`
  const [found] = await readTogether(call.db, readRecoveries(where, limit + 1))
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(rows.map(recoveryRow), headers)
}
