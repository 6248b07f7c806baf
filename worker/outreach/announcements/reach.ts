import { sql } from 'drizzle-orm'
import type { AnswerOf, QueryOf } from '../../../src/contract/endpoint.ts'
import type { getAnnouncementReach } from '../../../src/contract/outreach/announcements.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { readersOf } from './readers.ts'

/** How many people would get a mail on a topic, were it approved now. */
export async function announcementReach(
  call: CheckedCall<unknown, QueryOf<typeof getAnnouncementReach>> & ActorCall,
): Promise<Answer<AnswerOf<typeof getAnnouncementReach>>> {
  const [[row]] = await readTogether(
    call.db,
    reading<{ readers: number }>(sql`
      SELECT count(*) AS readers FROM users u LEFT JOIN preferences p ON p.user_id = u.id
      WHERE ${readersOf(call.query.topic)}`),
  )
  return ok({ readers: row?.readers ?? 0 })
}
