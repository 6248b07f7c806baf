import { type SQL, sql } from 'drizzle-orm'
import { site } from '../../../src/site.ts'
import type { Call } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { runBatch } from '../../lib/database.ts'
import { type Env, limitsApply } from '../../lib/env.ts'
import { enqueueMail, type Mail } from '../../lib/mail/outbox.ts'
import { type AccountOwner, securityMail } from '../credentials/lockToken.ts'

/** Wrong codes of an authenticator app that an account takes in any seven days. Migration 0044 has the same figures. */
const MOST_WRONG_CODES = 30
const WINDOW_MS = 7 * 24 * 3_600_000

/**
 * SQL: until when codes of the authenticator app of the user `u` are refused, in epoch milliseconds; null where they are
 * taken. Refused is right and wrong alike, so that a refusal tells nothing about the code.
 */
export function codesRefusedUntil(env: Env, nowMs: number): SQL {
  if (!limitsApply(env)) return sql`NULL`
  return sql`(${countedFailures(sql`u.id`, nowMs, sql`c.at + ${WINDOW_MS}`)}
    ORDER BY c.at DESC LIMIT 1 OFFSET ${MOST_WRONG_CODES - 1})`
}

/**
 * Records a wrong code. Limits of 15 minutes allow a patient guesser a thousand codes a day, and about one in 300,000 is
 * right at any moment: so wrong codes count for seven days, over every door together (sign-in, withdrawals, changes of
 * security).
 *
 * A right code takes nothing off the count. The owner signs in each day: would that clear it, a thief who knows the
 * password got 30 new guesses each time. Nor does a new password, a new session or a new passkey clear it, because a thief
 * with a session can bring some of these about. It falls with time alone, or when the app is set up anew, which itself takes
 * a proof: a thief who has that needs no more guesses, and guesses at the old secret say nothing about the new one.
 *
 * It slows down, and locks nobody out: only codes of the app are refused. A recovery code (125 random bits, which nobody
 * guesses), a passkey, and where one is mailed a mailed code go on, and one code of the app is taken again as soon as the
 * oldest wrong one is seven days old. The owner is mailed when the limit is reached, once in seven days.
 *
 * Codes that are compared at the same moment may pass the limit together. How many, the limits of 15 minutes say: ten at
 * each door. A trigger on `second_factors` holds the limit once more for a right code.
 */
export async function recordWrongCode(
  { db, env, nowMs }: Pick<Call, 'db' | 'env' | 'nowMs'>,
  owner: AccountOwner,
): Promise<void> {
  if (!limitsApply(env)) return
  const id = newId()
  const isLast = sql`(SELECT count(*) FROM (${countedFailures(sql`${owner.id}`, nowMs, sql`c.at`)})) >= ${MOST_WRONG_CODES - 1}`
  const wasTold = sql`EXISTS (SELECT 1 FROM code_failures
    WHERE user_id = ${owner.id} AND at > ${nowMs - WINDOW_MS} AND told = 1)`
  await runBatch(db, [
    sql`INSERT INTO code_failures (id, user_id, at, told)
      SELECT ${id}, ${owner.id}, ${nowMs}, CASE WHEN ${isLast} AND NOT ${wasTold} THEN 1 ELSE 0 END`,
    ...(await enqueueMail(
      env,
      db,
      {
        ...(await wrongCodesMail(env, owner, nowMs)),
        onlyIf: sql`(SELECT told FROM code_failures WHERE id = ${id}) = 1`,
      },
      nowMs,
    )),
  ])
}

/** Mailed once codes are refused, because somebody else may be guessing them. */
function wrongCodesMail(env: Env, to: AccountOwner, nowMs: number): Promise<Mail> {
  return securityMail(
    env,
    to,
    nowMs,
    'Codes from your authenticator app are refused for now',
    [
      `${MOST_WRONG_CODES} wrong codes were sent to your account at ${site.brand} within seven days. Whoever sent them knows your password or has one of your sessions. So that nobody guesses a right code, codes from your app are refused until the oldest of these wrong codes is seven days old.`,
      'You can still sign in with your password and a passkey or a recovery code.',
    ],
    'If you did not send them, choose a new password at once.',
  )
}

/** Wrong codes that count: of the last seven days, since the app was turned on. */
function countedFailures(user: SQL, nowMs: number, column: SQL): SQL {
  return sql`SELECT ${column} FROM code_failures c
    WHERE c.user_id = ${user} AND c.at > max(${nowMs - WINDOW_MS},
      coalesce((SELECT f.enabled_at FROM second_factors f WHERE f.user_id = ${user}), 0))`
}
