import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { DAY_MS } from '../../../src/time.ts'
import { recordAudit } from '../../http/audit.ts'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { buildFoldedNames } from '../../lib/foldName.ts'
import { processItems } from '../../lib/processItems.ts'
import { settings } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { depositDetails, requests } from '../../lib/tables/requests.ts'
import { parseRetention } from '../../platform/settings/values.ts'
import { deleteShreddedFiles, shredDocuments } from '../kyc/shred.ts'

/**
 * Shreds rejected documents and those of closed accounts, and erases persons, once their retention is over. Runs each
 * minute, one page of each. Safe to interrupt and repeat. One document or person that fails stops no other.
 */
export async function endRetention(env: Env, db: Database, nowMs: number): Promise<void> {
  const [stored] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.key, 'retention'))
  const days = parseRetention(stored?.value)
  const computeCutoff = (kept: number) => nowMs - kept * DAY_MS
  // A document is never kept longer than the person.
  const closedBefore = computeCutoff(Math.min(days.documentDays, days.personDays))
  // Names the index, because SQLite would go through all documents.
  const ofClosed = sql`k.user_id IN (
    SELECT id FROM users INDEXED BY users_to_erase
    WHERE closed_at IS NOT NULL AND closed_at < ${closedBefore} AND erased_at IS NULL)`
  const rejected = sql`k.status = 'rejected' AND k.decided_at < ${computeCutoff(days.rejectedDocumentDays)}`
  const failures: unknown[] = []
  for (const work of [
    () => shredDocuments(db, ofClosed, nowMs),
    () => shredDocuments(db, rejected, nowMs),
    () => deleteShreddedFiles(env, db, nowMs),
    () => erasePersons(env, db, computeCutoff(days.personDays), nowMs),
  ])
    await work().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** A person whose retention is over. */
type DuePerson = Pick<typeof users.$inferSelect, 'id' | 'email'>

/** The most persons per run, and the most receipts per deletion. */
const PAGE = 10
const RECEIPTS = 500
/** More than the erasure of a person takes. */
const STATEMENTS = 20

/**
 * Erases the names and details of people who closed their account before a time and whose documents are shredded. Ids stay
 * in the books and the audit log. Receipts are deleted first, so an interrupted run is repeated. Frozen accounts are skipped.
 * Each minute begins with other persons, so that ten who cannot be erased keep no other waiting.
 */
async function erasePersons(env: Env, db: Database, closedBeforeMs: number, nowMs: number): Promise<void> {
  const u = alias(users, 'u')
  const due: DuePerson[] = await db
    .select({ id: u.id, email: u.email })
    .from(u)
    .where(sql`u.closed_at < ${closedBeforeMs} AND u.closed_at IS NOT NULL AND u.erased_at IS NULL AND u.frozen_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM silent_freezes WHERE investor = u.id AND ended_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM kyc_submissions k WHERE k.user_id = u.id AND k.shredded_at IS NULL)`)
    .orderBy(sql`(u.seq + ${Math.floor(nowMs / 60_000)}) % ${PAGE}`, u.closedAt)
    .limit(PAGE)
  await processItems(db, STATEMENTS, due, async (person) => {
    await deleteReceipts(env, db, person.id)
    await runBatch(db, buildErasure(db, person, nowMs))
  })
}

async function deleteReceipts(env: Env, db: Database, investor: string): Promise<void> {
  for (let after = 0; ; ) {
    const page = await db
      .select({ seq: requests.seq, key: depositDetails.receiptKey })
      .from(requests)
      .innerJoin(depositDetails, eq(depositDetails.request, requests.id))
      .where(and(eq(requests.investor, investor), gt(requests.seq, after)))
      .orderBy(requests.seq)
      .limit(RECEIPTS)
    if (page.length > 0) await env.FILES.delete(page.map(({ key }) => key))
    if (page.length < RECEIPTS) return
    after = page.at(-1)?.seq ?? after
  }
}

/** Statements that erase a person. `erasedAt` is set first: the database refuses the other changes before it. */
export function buildErasure(db: Database, { id, email }: DuePerson, nowMs: number): Statement[] {
  const theirs = sql`(SELECT id FROM requests WHERE investor = ${id})`
  return [
    db
      .update(users)
      .set({
        erasedAt: nowMs,
        // ".invalid" is a reserved domain, so no mail can reach it.
        email: `${id}@erased.invalid`,
        fullname: 'erased',
        displayName: 'Erased',
        ...buildFoldedNames({ fullname: 'erased', displayName: 'erased' }),
        phone: '',
        country: '',
        address: null,
        maritalStatus: null,
        gender: null,
        passwordHash: '',
        emailVerifiedAt: null,
        referralCode: `erased-${id}`,
        frozenReason: null,
      })
      .where(and(eq(users.id, id), isNull(users.erasedAt))),
    sql`UPDATE kyc_submissions SET reason = NULL, document_name = NULL, document_number = NULL, picture_hash = NULL, final_reason = NULL, document_expires_on = NULL, born_on = NULL, issued_on = NULL, address_country = NULL WHERE user_id = ${id}`,
    sql`UPDATE deposit_details SET txid = NULL WHERE request IN ${theirs}`,
    sql`
      UPDATE withdrawal_details SET address = CASE WHEN address IS NOT NULL THEN '' END, bank = CASE WHEN bank IS NOT NULL THEN (SELECT json_group_object(key, '') FROM json_each(bank)) END, destination_hash = '', account_hash = ''
      WHERE request IN ${theirs}`,
    sql`UPDATE unit_orders SET onward = NULL WHERE investor = ${id} AND onward IS NOT NULL`,
    sql`DELETE FROM investor_notes WHERE investor = ${id}`,
    sql`DELETE FROM owner_proofs WHERE investor = ${id}`,
    sql`DELETE FROM screenings WHERE investor = ${id}`,
    sql`DELETE FROM sanctions_hits WHERE investor = ${id}`,
    sql`DELETE FROM tax_details WHERE investor = ${id}`,
    sql`DELETE FROM silent_freezes WHERE investor = ${id}`,
    sql`DELETE FROM contact_messages WHERE email = ${email} OR investor = ${id}`,
    sql`DELETE FROM outbox WHERE recipient = ${email} AND list IS NULL`,
    recordAudit(db, 'system', { action: 'account.erased', subject: id }, nowMs),
  ]
}
