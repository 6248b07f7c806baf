import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import type { Env } from '../../env.ts'
import { newId } from '../crypto/tokens.ts'
import type { Database, Statement } from '../database.ts'
import { outbox } from '../tables.ts'
import { type Carrier, carrierOf } from './carriers.ts'

/** A mail as it is written: plain text always, HTML beside it. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Further headers of the mail, by name. Their values are ours, never what a person typed. */
  readonly headers?: Readonly<Record<string, string>>
  /** The mailing list it belongs to. Once delivered such a mail is deleted, address and all. */
  readonly list?: 'newsletter'
}

/** Puts a mail on its way, in the batch of what it tells about. */
export function enqueueMail(db: Database, mail: Mail, nowMs: number): Statement {
  return db.insert(outbox).values({
    id: newId(),
    recipient: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: mail.headers ? JSON.stringify(mail.headers) : null,
    list: mail.list ?? null,
    createdAt: nowMs,
    nextAttemptAt: nowMs,
  })
}

/** How long a delivery that was begun keeps others from beginning it: a run that died is taken over after that. */
const CLAIM_MS = 60_000
const PAGE = 20

/**
 * Delivers what is due, oldest first. A mail that fails stays and is tried again, 30 seconds later at first, six hours
 * at most: none is ever dropped. Each mail is claimed before it is sent, so that two runs seldom send one twice.
 */
export async function deliverOutbox(
  env: Env,
  db: Database,
  nowMs: number,
): Promise<{ delivered: number; failed: number }> {
  const carrier = carrierOf(env)
  if (carrier === null) return { delivered: 0, failed: 0 }
  const due = await db
    .update(outbox)
    .set({ nextAttemptAt: nowMs + CLAIM_MS, attempts: sql`${outbox.attempts} + 1` })
    .where(
      sql`${outbox.seq} IN (SELECT seq FROM outbox WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= ${nowMs} ORDER BY next_attempt_at LIMIT ${PAGE})`,
    )
    .returning()
  let delivered = 0
  for (const mail of due) {
    const error = await carrier
      .send(
        {
          to: mail.recipient,
          subject: mail.subject,
          text: mail.text ?? '',
          html: mail.html ?? '',
          headers: headersOf(mail.headers),
        },
        mail.id,
      )
      .then(() => null)
      .catch((failure: unknown) => String(failure instanceof Error ? failure.message : failure).slice(0, 300))
    if (error === null) {
      delivered++
      await forget(db, mail, carrier, nowMs)
    } else {
      await db
        .update(outbox)
        .set({ nextAttemptAt: nowMs + backOffMs(mail.attempts), lastError: error })
        .where(
          and(eq(outbox.id, mail.id), isNotNull(outbox.nextAttemptAt), lte(outbox.attempts, mail.attempts)),
        )
    }
  }
  return { delivered, failed: due.length - delivered }
}

// What was delivered is forgotten: it held links and codes, and a list's mail tells who reads it. The development mailbox is
// the outbox itself.
async function forget(
  db: Database,
  mail: Pick<typeof outbox.$inferSelect, 'id' | 'list'>,
  carrier: Carrier,
  nowMs: number,
): Promise<void> {
  const thisMail = eq(outbox.id, mail.id)
  if (mail.list !== null && !carrier.keepsMail) {
    await db.delete(outbox).where(thisMail)
  } else {
    await db
      .update(outbox)
      .set({
        deliveredAt: nowMs,
        nextAttemptAt: null,
        lastError: null,
        ...(carrier.keepsMail ? {} : { text: null, html: null, headers: null }),
      })
      .where(thisMail)
  }
}

/** The extra headers of a mail as the outbox keeps them. */
export function headersOf(stored: string | null): Record<string, string> {
  return stored === null ? {} : (JSON.parse(stored) as Record<string, string>)
}

/** 30 s, 1 min, 2 min … 6 h after so many attempts. */
export function backOffMs(attempts: number): number {
  return Math.min(6 * 3_600_000, 30_000 * 2 ** Math.min(20, Math.max(0, attempts - 1)))
}
