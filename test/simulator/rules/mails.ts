import { DAY_MS } from '../../../src/time.ts'
import { VERIFICATION_SUBJECT } from '../../../worker/lib/mail/outbox.ts'
import { atLast, none, noneSince, type Rule, type Rules } from './rule.ts'

export const MAIL_RULES: Rules = {
  everyDecisionIsMailed,

  mailsReachTheirOwner,

  /** A mail is sent or waits; none is given up. */
  noMailIsLost: none(`
    SELECT id, subject FROM outbox WHERE delivered_at IS NULL AND next_attempt_at IS NULL`),

  /** Every mail was delivered. */
  outboxIsDrained: atLast(none('SELECT id, subject FROM outbox WHERE delivered_at IS NULL')),

  /** Delivered links and codes are deleted. */
  deliveredMailsAreEmptied: noneSince(
    'outbox',
    `SELECT id, subject FROM outbox
    WHERE seq > ?1 AND delivered_at IS NOT NULL AND sealed IS NOT NULL`,
  ),

  noSecretInSubjects,
  mailsAreHandedOverOnce,
  nothingPrivateInLogs,
}

/** Verbs of the subjects. */
const SAYS: Readonly<Record<string, string>> = {
  'deposits approved': 'credited',
  'deposits rejected': 'rejected',
  'deposits reversed': 'reversed',
  'withdrawals approved': 'approved',
  'withdrawals completed': 'paid',
  'withdrawals rejected': 'rejected',
  'withdrawals reversed': 'reversed',
}

/** An operator's decision about a request is mailed to its investor. */
async function everyDecisionIsMailed({ world, model, afterMs }: Parameters<Rule>[0]): Promise<string | null> {
  const { database } = world
  const decisions = await database.rows<{ ref: string; queue: string; status: string }>(
    `SELECT r.ref, r.queue, e.status FROM request_events e JOIN requests r ON r.id = e.request
     WHERE e.at > ?1 AND e.actor <> r.investor
       AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = r.investor AND u.closed_at IS NOT NULL)`,
    // Old mails are deleted, waiting ones when their account is closed, and a restored backup has none.
    Math.max(afterMs, world.now() - 14 * DAY_MS, model.restoredAtMs),
  )
  const written = new Set(
    (
      await database.rows<{ subject: string }>(
        'SELECT subject FROM outbox WHERE created_at > ?1',
        world.now() - 15 * DAY_MS,
      )
    ).map(({ subject }) => subject),
  )
  for (const { ref, queue, status } of decisions) {
    const subject = `Your ${queue.slice(0, -1)} ${ref} was ${SAYS[`${queue} ${status}`]}`
    if (!written.has(subject)) return `no mail says: ${subject}`
  }
  return null
}

/** A mail about a request or an order goes to the person who filed it. */
async function mailsReachTheirOwner({
  world: { database },
  after,
}: Parameters<Rule>[0]): Promise<string | null> {
  const mails = await database.rows<{ subject: string; recipient: string; created_at: number }>(
    `SELECT subject, recipient, created_at FROM outbox WHERE seq > ?1 AND subject GLOB '*[A-Z][A-Z][A-Z]-*'`,
    after.outbox,
  )
  for (const { subject, recipient, created_at: writtenMs } of mails) {
    const [ref = ''] = /\b[A-Z]{3}-[\w-]+/.exec(subject) ?? []
    const [owner] = await database.rows<{ email: string }>(
      `SELECT u.email FROM users u
       WHERE u.id = coalesce((SELECT investor FROM requests WHERE ref = ?1), (SELECT investor FROM unit_orders WHERE ref = ?1))
         AND NOT EXISTS (
           SELECT 1 FROM audit_log c WHERE c.subject = u.id AND c.action = 'email.changed' AND c.at >= ?2)`,
      ref,
      writtenMs,
    )
    if (owner !== undefined && owner.email !== recipient)
      return `"${subject}" went to ${recipient}, and is about ${owner.email}`
  }
  return null
}

/** A subject, which stays readable, has no code of six digits and no link. A reference may have six digits too. */
async function noSecretInSubjects({ world, after }: Parameters<Rule>[0]): Promise<string | null> {
  const mails = await world.database.rows<{ subject: string }>(
    'SELECT DISTINCT subject FROM outbox WHERE seq > ?1',
    after.outbox,
  )
  const told = mails.find(({ subject }) => /\b\d{6}\b|https?:/.test(subject.replace(/\b[A-Z]{3}-\w+/, '')))
  return told?.subject ?? null
}

/**
 * The mail provider gets each mail under its own name, so that a repeated one is not delivered again. Mails that wait are deleted when
 * their recipient closes the account, also those whose delivery was answered too late. Those of a registration are deleted with it.
 */
async function mailsAreHandedOverOnce({ world }: Parameters<Rule>[0]): Promise<string | null> {
  const [unknown] = await world.database.rows<{ name: string }>(
    `SELECT value ->> 'name' AS name FROM json_each(?1)
     WHERE value ->> 'name' NOT IN (SELECT id FROM outbox) AND value ->> 'subject' <> ?2
       AND EXISTS (SELECT 1 FROM users WHERE email = value ->> 'to' AND closed_at IS NULL) LIMIT 1`,
    JSON.stringify(world.mailboxes.takeHandedOver()),
    VERIFICATION_SUBJECT,
  )
  return unknown === undefined ? null : `a mail was handed over as ${unknown.name}, which is no mail`
}

const SECRETS =
  /correct-horse|Bearer |verificationToken|AGE-SECRET|"code":"\d{6}"|[?&](?:token|code)=[\w-]{16}/
/** Mail addresses of people, payout addresses as `segwitSigner` makes them, and the values of a failed statement as Drizzle adds them. */
const PERSONAL = /@people\.test|\bbc1[a-z0-9]{20}|\\nparams: /

const KEPT_LINES = 10

/** No password, token, code, mail address or payout address is logged, nor the values of a statement that failed. */
async function nothingPrivateInLogs({ world: { logs } }: Parameters<Rule>[0]): Promise<string | null> {
  const told = logs.find((line) => SECRETS.test(line) || PERSONAL.test(line))
  // What was read is dropped, except the newest lines, which say why a run failed.
  logs.splice(0, logs.length - KEPT_LINES)
  return told ?? null
}
