import { sql } from 'drizzle-orm'
import type { ContactMessage } from '../../../src/contract/operator/messages.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../lib/call.ts'
import { readTogether } from '../../lib/database.ts'
import { openCursor, pageOf } from '../../lib/paging.ts'
import { messageRow, readMessages } from './message.ts'

interface MessageQuery {
  readonly status?: 'open' | 'closed' | '' | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Contact messages, newest first. */
export async function listMessages(
  call: CheckedCall<unknown, MessageQuery> & ActorCall,
): Promise<Answer<ContactMessage[]>> {
  const { status, limit, cursor } = call.query
  const after = openCursor(cursor)
  const where = sql`
    ${status ? sql`m.status = ${status}` : sql`1`} AND ${after === null ? sql`1` : sql`m.seq < ${after.seq}`}`
  const [found] = await readTogether(call.db, readMessages(where, limit + 1))
  const { rows, headers } = pageOf(call, found, limit, ({ seq }) => ({ at: 0, seq }))
  return ok(rows.map(messageRow), headers)
}
