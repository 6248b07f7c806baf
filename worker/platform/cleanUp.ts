import { DAY_MS } from '../../src/time.ts'
import { openDatabase } from '../lib/database.ts'
import type { Env } from '../lib/env.ts'
import { VERIFICATION_SUBJECT } from '../lib/mail/outbox.ts'
import { hasBudget } from '../lib/workBudget.ts'

const HOUR_MS = 3_600_000
/** The most rows that one statement deletes. */
const PAGE = 1000
/** The most statements of a run beyond the first of each table. The budget of the job may allow fewer. */
const MOST_FURTHER = 200

/** Expired rows: table, time column, and how long after that time a row is kept. */
const EXPIRED: readonly { table: string; column: string; keepMs: number }[] = [
  { table: 'rate_counters', column: 'window_start', keepMs: DAY_MS },
  { table: 'sign_in_failures', column: 'hour', keepMs: 30 * DAY_MS },
  { table: 'idempotency', column: 'at', keepMs: 25 * HOUR_MS },
  { table: 'withdrawal_codes', column: 'expires_at', keepMs: DAY_MS },
  { table: 'factor_recoveries', column: 'expires_at', keepMs: DAY_MS },
  { table: 'passkey_challenges', column: 'expires_at', keepMs: DAY_MS },
  { table: 'email_tokens', column: 'expires_at', keepMs: 7 * DAY_MS },
  { table: 'registrations', column: 'created_at', keepMs: DAY_MS },
  { table: 'email_changes', column: 'expires_at', keepMs: 7 * DAY_MS },
  { table: 'operator_invitations', column: 'created_at', keepMs: 30 * DAY_MS },
  { table: 'newsletter_tokens', column: 'expires_at', keepMs: 0 },
  { table: 'newsletter_subscribers', column: 'expires_at', keepMs: 0 },
  { table: 'code_failures', column: 'at', keepMs: 8 * DAY_MS },
  { table: 'activity', column: 'at', keepMs: 90 * DAY_MS },
  { table: 'handover_notes', column: 'at', keepMs: 90 * DAY_MS },
  { table: 'sessions', column: 'expires_at', keepMs: 30 * DAY_MS },
  { table: 'devices', column: 'last_seen_at', keepMs: 365 * DAY_MS },
]

/**
 * Deletes expired counters, keys, codes, tokens, registrations with their mails, activity, sessions, devices and subscribers. Goes on
 * with each table that had a full page, because an attack can leave rows faster than a page a minute; what exceeds the bound of a run
 * waits for the next one. Never deletes anything about money.
 */
export async function cleanUp(env: Env, nowMs: number, mostFurther = MOST_FURTHER): Promise<void> {
  let due = await deletePages(env, EXPIRED, nowMs)
  const db = openDatabase(env.DB)
  const canContinue = () => due.length > 0 && hasBudget(db, due.length + 1)
  for (let further = due.length; canContinue() && further <= mostFurther; further += due.length)
    due = await deletePages(env, due, nowMs)
}

/** Deletes a page of each table. Returns those that may have more. */
async function deletePages(env: Env, tables: typeof EXPIRED, nowMs: number): Promise<typeof EXPIRED> {
  const mails = tables.some(({ table }) => table === 'registrations')
    ? [endVerificationMails(env, nowMs)]
    : []
  const results = await env.DB.batch([
    ...mails,
    ...tables.map(({ table, column, keepMs }) =>
      env.DB.prepare(
        `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${column} < ?1 LIMIT ${PAGE})`,
      ).bind(nowMs - keepMs),
    ),
  ])
  return tables.filter((_, index) => (results[mails.length + index]?.meta.changes ?? 0) >= PAGE)
}

/** Deletes the mails of a page of ended registrations, sent or not, unless another one of the address waits. */
function endVerificationMails(env: Env, nowMs: number): D1PreparedStatement {
  return env.DB.prepare(
    `DELETE FROM outbox WHERE subject = ?2
       AND recipient IN (SELECT email FROM registrations WHERE created_at < ?1 LIMIT ${PAGE})
       AND recipient NOT IN (SELECT email FROM registrations WHERE created_at >= ?1)
       AND NOT EXISTS (SELECT 1 FROM users u WHERE u.email = recipient)`,
  ).bind(nowMs - DAY_MS, VERIFICATION_SUBJECT)
}
