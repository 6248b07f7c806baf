import { and, eq, isNotNull, lte, type SQL, sql } from 'drizzle-orm'
import type { AnnouncementTopic } from '../../../src/contract/outreach/announcements.ts'
import { newId } from '../crypto/tokens.ts'
import { openVault } from '../crypto/vault.ts'
import type { Database, Statement } from '../database.ts'
import type { Env } from '../env.ts'
import { countInWindow } from '../rateCounters.ts'
import { settings } from '../tables/operators.ts'
import { outbox } from '../tables/platform.ts'
import { type Carrier, findCarrier, RecipientRefused } from './carriers.ts'

/** A mail: plain text, and HTML beside it. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** HTML of the notification that says the same to an investor, under the mail's subject. */
  readonly news?: string
  /** The support address of the settings, added at delivery. */
  readonly replyTo?: string
  /** Further headers. Their values are ours, never typed by a person. */
  readonly headers?: Readonly<Record<string, string>>
  /** Its mailing list. Such a mail is deleted completely after delivery, with its address. */
  readonly list?: 'newsletter' | AnnouncementTopic
  /** The most mails of this kind for one person. More are dropped, but the event they are about still happens. */
  readonly atMost?: MailCap
  /** A condition in SQL, checked after the earlier statements of the batch. If it fails, the mail is dropped. */
  readonly onlyIf?: SQL
}

/** The subject of the mail with a registration's link. Clean-up deletes such mails with the registration. */
export const VERIFICATION_SUBJECT = 'Verify your e-mail address'

export interface MailCap {
  readonly key: string
  readonly max: number
  readonly windowMs: number
}

/** `enqueueMail` for several mails. */
export async function enqueueMails(env: Env, mails: readonly Mail[], nowMs: number): Promise<Statement[]> {
  return (await Promise.all(mails.map((mail) => enqueueMail(env, mail, nowMs)))).flat()
}

/**
 * Queues a mail in the batch of its event. Text, HTML and headers contain links and codes, so they are encrypted until the mail
 * is sent. Recipient and subject stay readable, to find, export and erase a person's mails and to understand failures. So a
 * subject never contains a link, a code or a secret.
 */
export async function enqueueMail(env: Env, mail: Mail, nowMs: number): Promise<Statement[]> {
  const id = newId()
  const sealed = await sealContent(env, id, mail)
  const isWithin =
    mail.atMost === undefined
      ? sql`1`
      : sql`(SELECT used FROM rate_counters WHERE key = ${mail.atMost.key}) <= ${mail.atMost.max}`
  return [
    ...(mail.atMost === undefined ? [] : [countMail(mail.atMost, nowMs)]),
    // By name, because the migrations determine the order of columns.
    sql`
      INSERT INTO outbox (id, recipient, subject, sealed, list, created_at, next_attempt_at)
      SELECT ${id}, ${mail.to}, ${mail.subject}, ${sealed}, ${mail.list ?? null}, ${nowMs}, ${nowMs}
      WHERE ${isWithin} AND ${mail.onlyIf ?? sql`1`}`,
    ...(mail.news === undefined ? [] : [notify(mail, mail.news, isWithin, nowMs)]),
  ]
}

/** Adds a mail's news to the notifications of its recipient, if that is an investor. */
function notify({ to, subject, onlyIf }: Mail, news: string, isWithin: SQL, nowMs: number): Statement {
  return sql`
    INSERT INTO received_notifications (id, user_id, title, content, created_at)
    SELECT ${newId()}, id, ${subject}, ${news}, ${nowMs} FROM users
    WHERE email = ${to} AND role = 'investor' AND closed_at IS NULL AND ${isWithin} AND ${onlyIf ?? sql`1`}`
}

interface Content {
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** SQL of the context that a row's content is encrypted with. */
export const CONTENT_CONTEXT = "'outbox:' || id"

function sealContent(env: Env, id: string, { text, html, headers = {} }: Content | Mail): Promise<string> {
  return openVault(env.VAULT_KEYS).sealSmall(JSON.stringify({ text, html, headers }), `outbox:${id}`)
}

type StoredContent = Pick<typeof outbox.$inferSelect, 'id' | 'sealed'>

/**
 * The content of a queued mail, empty once it was deleted. Throws if it was altered, moved to another row, or its key is
 * gone.
 */
export async function decryptContent(env: Env, { id, sealed }: StoredContent): Promise<Content> {
  if (sealed === null) return { text: '', html: '', headers: {} }
  const opened = await openVault(env.VAULT_KEYS).openSmall(sealed, `outbox:${id}`)
  return JSON.parse(new TextDecoder().decode(opened)) as Content
}

function countMail({ key, windowMs }: MailCap, nowMs: number): Statement {
  return sql`
    INSERT INTO rate_counters (key, window_start, used) VALUES (${key}, ${nowMs}, 1)
    ${sql.raw(countInWindow(windowMs))}`
}

/** How long a delivery claims a mail. Afterwards another run takes over, because the first one died. */
const CLAIM_MS = 60_000
const PAGE = 20

/**
 * Delivers due mails, oldest first. A failed mail is retried after 30 seconds at first and six hours at most, and never dropped,
 * unless the carrier refuses its recipient for good. Each is claimed before it is sent, so two runs rarely send one twice.
 */
export async function deliverOutbox(
  env: Env,
  db: Database,
  nowMs: number,
): Promise<{ delivered: number; failed: number }> {
  const carrier = findCarrier(env)
  if (carrier === null) return { delivered: 0, failed: 0 }
  const due = await db
    .update(outbox)
    .set({ nextAttemptAt: nowMs + CLAIM_MS, attempts: sql`${outbox.attempts} + 1` })
    .where(
      sql`${outbox.seq} IN (SELECT seq FROM outbox WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= ${nowMs} ORDER BY next_attempt_at LIMIT ${PAGE})`,
    )
    .returning()
  const replyTo = due.length === 0 ? null : await loadSupportAddress(db)
  let delivered = 0
  const failures: unknown[] = []
  for (const mail of due) {
    const error = await decryptContent(env, mail)
      .catch(() => {
        // Its key is gone or it was altered. It stays, and the others are sent.
        throw new Error('E_MAIL_SEALED')
      })
      .then((content) =>
        carrier.send(
          {
            ...content,
            to: mail.recipient,
            subject: mail.subject,
            ...(replyTo !== null && { replyTo }),
          },
          mail.id,
        ),
      )
      .then(() => null)
      .catch((failure: unknown) => (failure instanceof Error ? failure : new Error(String(failure))))
    if (error === null) delivered++
    // A result that cannot be recorded keeps no other mail from being sent.
    await (error === null
      ? recordDelivery(db, mail, carrier, nowMs)
      : recordFailedAttempt(db, mail, error, nowMs)
    ).catch((failure: unknown) => failures.push(failure))
  }
  if (failures.length > 0) throw failures[0]
  return { delivered, failed: due.length - delivered }
}

type DueMail = Pick<typeof outbox.$inferSelect, 'id' | 'list' | 'attempts'>

/** Records a failed attempt, and when the next one follows: none if the carrier refuses the recipient for good. */
async function recordFailedAttempt(
  db: Database,
  { id, attempts }: DueMail,
  error: Error,
  nowMs: number,
): Promise<void> {
  const isOver = error instanceof RecipientRefused
  const nextAttemptAt = isOver ? null : nowMs + computeBackOffMs(attempts)
  await db
    .update(outbox)
    .set({ nextAttemptAt, lastError: error.message.slice(0, 300), ...(isOver && { sealed: null }) })
    .where(and(eq(outbox.id, id), isNotNull(outbox.nextAttemptAt), lte(outbox.attempts, attempts)))
}

async function loadSupportAddress(db: Database): Promise<string | null> {
  const [setting] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.key, 'supportAddress'))
  const address: unknown = setting === undefined ? null : JSON.parse(setting.value)
  return typeof address === 'string' && address !== '' ? address : null
}

// Delivered content is deleted: it contained links and codes, and a list's mail shows who reads it. The development mailbox is
// the outbox itself.
async function recordDelivery(db: Database, mail: DueMail, carrier: Carrier, nowMs: number): Promise<void> {
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
        ...(carrier.keepsMail ? {} : { sealed: null }),
      })
      .where(thisMail)
  }
}

/** 30 s, 1 min, 2 min … 6 h, by the number of attempts. */
export function computeBackOffMs(attempts: number): number {
  return Math.min(6 * 3_600_000, 30_000 * 2 ** Math.min(20, Math.max(0, attempts - 1)))
}
