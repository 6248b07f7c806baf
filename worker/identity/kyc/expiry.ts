import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { mailDateText } from '../../../src/contract/dates.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Database, type RowOf, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import type { Env } from '../../lib/env.ts'
import { composeNews } from '../../lib/mail/compose.ts'
import { enqueueMail } from '../../lib/mail/outbox.ts'
import { insertNotifications } from '../../lib/notifications/receive.ts'
import { processItems } from '../../lib/processItems.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { users } from '../../lib/tables/people.ts'

/** How long before a document expires its owner is told. */
const NOTICE_MS = 30 * DAY_MS
const PAGE = 10
/** More than one notice takes. */
const STATEMENTS = 4

/** Tells investors once, by mail and in the account, that their approved document expires within 30 days. One failure stops no other. */
export async function tellOfExpiry(env: Env, db: Database, nowMs: number): Promise<void> {
  const [due] = await readTogether(db, readExpiring(formatIsoDay(nowMs + NOTICE_MS)))
  await processItems(db, STATEMENTS, due, (document) => tellOwner(env, db, document, nowMs))
}

// By the partial index `kyc_expiring`.
function readExpiring(until: string) {
  const [k, u] = [alias(kycSubmissions, 'k'), alias(users, 'u')]
  return selectRows({
    ...{ id: k.id, investor: u.id, email: u.email, displayName: u.displayName, document: k.document },
    expiresOn: sql<string>`k.document_expires_on`,
  })
    .from(k)
    .innerJoin(u, eq(u.id, k.userId))
    .where(
      sql`k.status = 'approved' AND k.expiry_told_at IS NULL AND k.document_expires_on <= ${until} AND u.closed_at IS NULL`,
    )
    .orderBy(sql`k.document_expires_on`)
    .limit(PAGE)
}

async function tellOwner(
  env: Env,
  db: Database,
  row: RowOf<typeof readExpiring>,
  nowMs: number,
): Promise<void> {
  const { id, investor, email, displayName, document, expiresOn } = row
  const day = mailDateText(Date.parse(`${expiresOn}T00:00:00Z`), 'date')
  const title = `Your ${document.toLowerCase()} expires on ${day}`
  const what =
    'After that day we may ask you for a new picture, and you can deposit and withdraw once it is approved.'
  const mail = composeNews(email, title, displayName, [
    `The ${document.toLowerCase()} with which we verified your identity expires on ${day}.`,
    what,
    'You need not do anything now. If you already have a new one, keep it at hand.',
  ])
  await runBatch(db, [
    sql`UPDATE kyc_submissions SET expiry_told_at = ${nowMs} WHERE id = ${id} AND expiry_told_at IS NULL`,
    insertNotifications([investor], { title, content: what }, nowMs),
    ...(await enqueueMail(env, mail, nowMs)),
  ])
}
