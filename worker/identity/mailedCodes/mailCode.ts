import { sql } from 'drizzle-orm'
import type { AuditEntry } from '../../http/audit.ts'
import type { ActorCall } from '../../http/call.ts'
import { type Read, reading, type Statement } from '../../lib/database.ts'
import { limitsApply } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { countInWindow } from '../../lib/rateCounters.ts'
import { type Bound, newCode } from './codes.ts'

interface CodeMail {
  readonly bound: Bound
  readonly mailOf: (code: string) => Mail
  readonly audit: AuditEntry
  /** For the same batch. */
  readonly statements?: readonly Statement[]
  /** The counter as it was read, to tell how long to wait. */
  readonly mails?: Counter | undefined
}

/** Mails a new code of six digits, which ends earlier ones for the same. Refuses more mails than the hourly limit. */
export async function mailCode(
  call: ActorCall,
  { bound, mailOf, audit, statements = [], mails }: CodeMail,
): Promise<void> {
  const { db, actor, nowMs, env } = call
  const { code, statements: stored } = await newCode(env, db, bound, nowMs)
  try {
    await call.commit({
      // One mail too many fails the batch, so that parallel requests cannot pass the limit.
      statements: [...(limitsApply(env) ? [countMail(actor.id, nowMs)] : []), ...stored, ...statements],
      audit: [audit],
      mails: [mailOf(code)],
    })
  } catch (error) {
    if (isMailRefused(error)) refuseMail(mails, nowMs)
    throw error
  }
}

/** Code mails of an account in a window. */
const MAILS = { max: 30, windowMs: 3_600_000 }

export interface Counter {
  readonly used: number
  readonly window_start: number
}

const mailsKey = (userId: string) => `code-mails:account:${userId}`

export function readMailCounter(userId: string): Read<Counter> {
  return reading<Counter>(sql`SELECT used, window_start FROM rate_counters WHERE key = ${mailsKey(userId)}`)
}

/** Refuses a mail beyond the limit, by the counter that was read. */
export function assertMayMail(counter: Counter | undefined, nowMs: number): void {
  const running = counter !== undefined && counter.window_start > nowMs - MAILS.windowMs
  if (running && counter.used >= MAILS.max) refuseMail(counter, nowMs)
}

function refuseMail(counter: Counter | undefined, nowMs: number): never {
  refuse('too_many_requests', waitFor(counter ?? { used: 0, window_start: nowMs }, MAILS, nowMs))
}

/**
 * Counts a mail in the batch that sends it. One too many sets the counter to null, which the column refuses: so parallel
 * requests cannot pass the limit.
 */
function countMail(userId: string, nowMs: number): Statement {
  const counted = `CASE WHEN rate_counters.used < ${MAILS.max} THEN rate_counters.used + 1 END`
  return sql`
    INSERT INTO rate_counters (key, window_start, used) VALUES (${mailsKey(userId)}, ${nowMs}, 1)
    ${sql.raw(countInWindow(MAILS.windowMs, counted))}`
}

function isMailRefused(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.message.includes('NOT NULL constraint failed: rate_counters.used')) return true
  }
  return false
}

/** Until a counter's window ends, as details of a refusal. */
export function waitFor(counter: Counter, { windowMs }: { windowMs: number }, nowMs: number) {
  return { retryAfterSeconds: Math.ceil((counter.window_start + windowMs - nowMs) / 1000) }
}
