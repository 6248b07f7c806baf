import { sql } from 'drizzle-orm'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { deliverOutbox } from '../../lib/mail/outbox.ts'

/** How many are brought forward at a time. */
const MOST = 500
/** What is due sooner than this may be on its way just now. */
const UNDER_WAY_MS = 60_000

/** Brings mails that failed forward: they are due at once, and the first are tried right after the answer. */
export async function retryMails(call: ActorCall): Promise<Answer<{ msg: string; tried: number }>> {
  const { db, env, nowMs } = call
  const later = sql`
    SELECT seq FROM outbox
    WHERE next_attempt_at IS NOT NULL AND last_error IS NOT NULL AND next_attempt_at > ${nowMs + UNDER_WAY_MS}
    ORDER BY created_at LIMIT ${MOST}`
  const [[found]] = await readTogether(
    db,
    reading<{ count: number }>(sql`SELECT count(*) AS count FROM (${later})`),
  )
  const tried = found?.count ?? 0
  await call.commit({
    statements: [db.run(sql`UPDATE outbox SET next_attempt_at = ${nowMs} WHERE seq IN (${later})`)],
    audit: [{ action: 'outbox.retried', subject: 'outbox', detail: { mails: tried } }],
  })
  call.defer(deliverOutbox(env, db, Date.now()))
  return ok({ msg: saidOf(tried), tried })
}

function saidOf(tried: number): string {
  if (tried === 0) return 'Each mail that failed is being tried within the minute already.'
  return tried === 1 ? 'One mail is being tried again.' : `${tried} mails are being tried again.`
}
