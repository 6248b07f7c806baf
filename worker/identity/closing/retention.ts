import { sql } from 'drizzle-orm'
import { type Database, reading, readTogether } from '../../lib/database.ts'
import { DAY_MS } from '../../lib/days.ts'
import type { Env } from '../../lib/env.ts'
import { retentionOf } from '../../platform/settings/values.ts'
import { deleteShreddedFiles, shredDocuments } from '../kyc/shred.ts'
import { erasePersons } from './erase.ts'

/**
 * Ends what was kept long enough, a page of each: shreds rejected documents, and those of closed accounts, then erases
 * the persons. Called each minute; killed anywhere and called again it ends the same.
 */
export async function endRetention(env: Env, db: Database, nowMs: number): Promise<void> {
  const [[stored]] = await readTogether(
    db,
    reading<{ value: string }>(sql`SELECT value FROM settings WHERE key = 'retention'`),
  )
  const days = retentionOf(stored?.value)
  const before = (kept: number) => nowMs - kept * DAY_MS
  // Whoever is erased takes their documents along.
  const closedBefore = before(Math.min(days.documentDays, days.personDays))
  await shredDocuments(db, sql`u.closed_at IS NOT NULL AND u.closed_at < ${closedBefore}`, nowMs)
  await shredDocuments(
    db,
    sql`k.status = 'rejected' AND k.decided_at < ${before(days.rejectedDocumentDays)}`,
    nowMs,
  )
  await deleteShreddedFiles(env, db, nowMs)
  await erasePersons(env, db, before(days.personDays), nowMs)
}
