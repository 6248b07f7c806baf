import { type SQL, sql } from 'drizzle-orm'
import { site } from '../../../src/site.ts'
import type { Call } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { runBatch } from '../../lib/database.ts'
import { type Env, limitsApply } from '../../lib/env.ts'
import { enqueueMail, type Mail } from '../../lib/mail/outbox.ts'
import { type AccountOwner, securityMail } from '../credentials/lockToken.ts'

/** The most wrong app codes within seven days. Migration 0044 has the same figures. */
const MOST_WRONG_CODES = 30
const WINDOW_MS = 7 * 24 * 3_600_000

/**
 * SQL: until when app codes of the user `u` are refused (epoch milliseconds), or null. Right and wrong codes get
 * the same refusal, so it reveals nothing about the code.
 */
export function codesRefusedUntil(env: Env, nowMs: number): SQL {
  if (!limitsApply(env)) return sql`NULL`
  return sql`(${countedFailures(sql`u.id`, nowMs, sql`c.at + ${WINDOW_MS}`)}
    ORDER BY c.at DESC LIMIT 1 OFFSET ${MOST_WRONG_CODES - 1})`
}

/**
 * Records a wrong code. Limits of 15 minutes allow a patient guesser a thousand codes a day, and about one in 300,000 is
 * right at any moment. So wrong codes count for seven days, across sign-in, withdrawals and security changes.
 *
 * The count falls only with time, or when the app is set up again, which takes a proof. A right code does not clear it: each
 * sign-in by the owner would give a thief who knows the password 30 new guesses. A new password, session or passkey does not
 * clear it either: a thief with a session could create some of these.
 *
 * Nobody is locked out: recovery codes (125 random bits), passkeys and mailed codes still work, and app codes are accepted
 * again once the oldest wrong one is seven days old. The owner gets a mail when the limit is reached, once in seven days.
 *
 * Parallel codes may pass the limit together, up to the ten per endpoint that the 15-minute limits allow. A trigger on
 * `second_factors` checks the limit again for a right code.
 */
export async function recordWrongCode(
  { db, env, nowMs }: Pick<Call, 'db' | 'env' | 'nowMs'>,
  owner: AccountOwner,
): Promise<void> {
  if (!limitsApply(env)) return
  const id = newId()
  const isLast = sql`(SELECT count(*) FROM (${countedFailures(sql`${owner.id}`, nowMs, sql`c.at`)})) >= ${MOST_WRONG_CODES - 1}`
  const wasNotified = sql`EXISTS (SELECT 1 FROM code_failures
    WHERE user_id = ${owner.id} AND at > ${nowMs - WINDOW_MS} AND told = 1)`
  await runBatch(db, [
    sql`INSERT INTO code_failures (id, user_id, at, told)
      SELECT ${id}, ${owner.id}, ${nowMs}, CASE WHEN ${isLast} AND NOT ${wasNotified} THEN 1 ELSE 0 END`,
    ...(await enqueueMail(
      env,
      {
        ...(await wrongCodesMail(env, owner, nowMs)),
        onlyIf: sql`(SELECT told FROM code_failures WHERE id = ${id}) = 1`,
      },
      nowMs,
    )),
  ])
}

/** Mailed when codes are refused, because an attacker may be guessing them. */
function wrongCodesMail(env: Env, to: AccountOwner, nowMs: number): Promise<Mail> {
  return securityMail(
    env,
    to,
    nowMs,
    'Codes from your authenticator app are refused for now',
    [
      `Somebody entered ${MOST_WRONG_CODES} wrong codes for your account at ${site.brand} within seven days. They know your password or have access to one of your sessions. To prevent guessing, we refuse codes from your app until the oldest wrong code is seven days old.`,
      'You can still sign in with your password and a passkey or a recovery code.',
    ],
    'If you did not enter these codes, choose a new password at once.',
  )
}

/** SQL: wrong codes of the last seven days, since the app was turned on. */
function countedFailures(user: SQL, nowMs: number, column: SQL): SQL {
  return sql`SELECT ${column} FROM code_failures c
    WHERE c.user_id = ${user} AND c.at > max(${nowMs - WINDOW_MS},
      coalesce((SELECT f.enabled_at FROM second_factors f WHERE f.user_id = ${user}), 0))`
}
