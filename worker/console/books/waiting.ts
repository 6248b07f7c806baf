import { type SQL, sql } from 'drizzle-orm'
import { MOST_COUNTED, type WaitingCounts } from '../../../src/contract/console/overview.ts'
import type { ActorCall } from '../../http/call.ts'
import { tagged } from '../../http/tagged.ts'
import { reading, readTogether } from '../../lib/database.ts'

const WAITING: Readonly<Record<keyof WaitingCounts, SQL>> = {
  deposits: sql`requests WHERE queue = 'deposits' AND status = 'pending'`,
  withdrawals: sql`requests WHERE queue = 'withdrawals' AND status = 'pending'`,
  payouts: sql`requests WHERE queue = 'withdrawals' AND status = 'approved'`,
  kyc: sql`kyc_submissions WHERE status = 'pending'`,
  messages: sql`contact_messages WHERE status = 'open'`,
  proposals: sql`proposals WHERE status = 'pending'`,
}

/** How many wait in each queue: as many rows of an index read as there are, whatever was decided before. */
export async function showWaiting(call: ActorCall): Promise<Response> {
  const counts = Object.entries(WAITING).map(
    ([name, where]) =>
      sql`(SELECT count(*) FROM (SELECT 1 FROM ${where} LIMIT ${MOST_COUNTED})) AS ${sql.identifier(name)}`,
  )
  const [rows] = await readTogether(call.db, reading<WaitingCounts>(sql`SELECT ${sql.join(counts, sql`, `)}`))
  // Like all that is answered to somebody signed in; who asks often can send the tag along.
  return tagged(call, JSON.stringify(rows[0]), { 'Cache-Control': 'no-store' })
}
