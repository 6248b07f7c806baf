import { eq, sql } from 'drizzle-orm'
import type { AuditEntry } from '../../http/audit.ts'
import type { Call } from '../../http/call.ts'
import { type RowOf, type Statement, selectRows } from '../../lib/database.ts'
import { hasRateLimits } from '../../lib/env.ts'
import { isConstraintError, refuse } from '../../lib/errors.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { countInWindow } from '../../lib/rateCounters.ts'
import { rateCounters } from '../../lib/tables/platform.ts'
import { type Bound, newCode } from './codes.ts'

interface CodeMail {
  readonly bound: Bound
  /** Writes the mail with a code and its id. */
  readonly mailOf: (code: string, id: string) => Mail | Promise<Mail>
  readonly audit: AuditEntry
  /** Further statements for the same batch. */
  readonly statements?: readonly Statement[]
  /** The counter as it was read, for the wait in a refusal. */
  readonly mails?: Counter | undefined
}

/** Mails a new six-digit code, which ends earlier codes with the same `bound`. Refuses mails above the hourly limit. */
export async function mailCode(
  { db, env, nowMs, commit }: Pick<Call, 'db' | 'env' | 'nowMs' | 'commit'>,
  { bound, mailOf, audit, statements = [], mails }: CodeMail,
): Promise<void> {
  const { id, code, statements: stored } = await newCode(env, db, bound, nowMs)
  try {
    await commit({
      statements: [
        ...(hasRateLimits(env) ? [countMail(bound.investor, nowMs)] : []),
        ...stored,
        ...statements,
      ],
      audit: [audit],
      mails: [await mailOf(code, id)],
    })
  } catch (error) {
    if (isConstraintError(error, 'NOT NULL', 'rate_counters.used')) refuseMail(mails, nowMs)
    throw error
  }
}

/** The most code mails per account in a window. */
const MAILS = { max: 30, windowMs: 3_600_000 }

export type Counter = RowOf<typeof readMailCounter>

const buildMailsKey = (userId: string) => `code-mails:account:${userId}`

export function readMailCounter(userId: string) {
  return selectRows({ used: rateCounters.used, window_start: rateCounters.windowStart })
    .from(rateCounters)
    .where(eq(rateCounters.key, buildMailsKey(userId)))
}

/** Refuses a mail above the limit, by the counter as it was read. */
export function assertMayMail(counter: Counter | undefined, nowMs: number): void {
  const running = counter !== undefined && counter.window_start > nowMs - MAILS.windowMs
  if (running && counter.used >= MAILS.max) refuseMail(counter, nowMs)
}

function refuseMail(counter: Counter | undefined, nowMs: number): never {
  refuse('too_many_requests', waitFor(counter ?? { used: 0, window_start: nowMs }, MAILS, nowMs))
}

/**
 * Counts a mail in the batch that sends it. A mail above the limit sets the counter to null, which fails the batch, so
 * parallel requests cannot exceed the limit.
 */
function countMail(userId: string, nowMs: number): Statement {
  const counted = `CASE WHEN rate_counters.used < ${MAILS.max} THEN rate_counters.used + 1 END`
  return sql`
    INSERT INTO rate_counters (key, window_start, used) VALUES (${buildMailsKey(userId)}, ${nowMs}, 1)
    ${sql.raw(countInWindow(MAILS.windowMs, counted))}`
}

/** The time until a counter's window ends, as details of a refusal. */
export function waitFor(counter: Counter, { windowMs }: { windowMs: number }, nowMs: number) {
  return { retryAfterSeconds: Math.ceil((counter.window_start + windowMs - nowMs) / 1000) }
}
