import { type SQL, sql } from 'drizzle-orm'
import { site } from '../../../src/site.ts'
import { DAY_MS } from '../../../src/time.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import { type Env, hasRateLimits } from '../../lib/env.ts'
import { enqueueMail, type Mail } from '../../lib/mail/outbox.ts'
import { type AccountOwner, buildSecurityMail } from './lockToken.ts'

/** Codes of the authenticator app and codes that we mail have a count each. */
export type CodeKind = 'app' | 'mailed'

/** The most wrong codes of a kind within seven days. Triggers of the migrations have the same figures. */
const MOST_WRONG_CODES = 30
const WINDOW_MS = 7 * DAY_MS

/** `spend` marks the code as used, in the batch that it confirms. The batch aborts if the code was used meanwhile. */
export type CheckedCode =
  | { readonly state: 'right'; readonly spend: readonly Statement[] }
  | { readonly state: 'wrong code' }
  | { readonly state: 'too many codes'; readonly retryAfterSeconds: number }

/**
 * SQL: until when codes of this kind are refused for the user `u` (epoch milliseconds), or null. Right and wrong codes get
 * the same refusal, so it does not reveal whether the code is right.
 */
export function selectCodesRefusedUntil(env: Env, kind: CodeKind, nowMs: number) {
  if (!hasRateLimits(env)) return sql<number | null>`NULL`
  return sql<number | null>`(${selectCountedFailures(sql`u.id`, kind, nowMs, sql`c.at + ${WINDOW_MS}`)}
    ORDER BY c.at DESC LIMIT 1 OFFSET ${MOST_WRONG_CODES - 1})`
}

/**
 * Records a wrong code. Limits of 15 minutes allow a patient guesser a thousand app codes a day, and about one in 300,000 is
 * right at any moment. Five tries for each of thirty mails an hour allow a million mailed codes a year. So wrong codes count for
 * seven days, across sign-in, withdrawals and security changes.
 *
 * The count falls only with time. That of app codes also ends when the app is set up again, which takes a proof, and that of
 * mailed codes when the password is reset, which proves the mailbox. A right code does not clear it: each sign-in by the owner
 * would give a thief who knows the password 30 new guesses. A changed password, session or passkey does not clear it either: a
 * thief with a session could create some of these.
 *
 * The owner is not locked out: the other kind, recovery codes (125 random bits) and passkeys still work, and codes are accepted again
 * once the oldest wrong one is seven days old. The owner gets a mail when the limit is reached, once in seven days.
 *
 * Parallel codes may be compared beyond the limit. But triggers on `second_factors`, `withdrawal_codes` and `factor_recoveries`
 * check the limit again when a right code is used.
 */
export async function recordWrongCode(
  db: Database,
  env: Env,
  owner: AccountOwner,
  kind: CodeKind,
  nowMs: number,
): Promise<void> {
  if (!hasRateLimits(env)) return
  const id = newId()
  const isLast = sql`(SELECT count(*) FROM (${selectCountedFailures(sql`${owner.id}`, kind, nowMs, sql`c.at`)})) >= ${MOST_WRONG_CODES - 1}`
  const wasNotified = sql`EXISTS (SELECT 1 FROM code_failures
    WHERE user_id = ${owner.id} AND mailed = ${toMailedFlag(kind)} AND at > ${nowMs - WINDOW_MS} AND told = 1)`
  await runBatch(db, [
    sql`INSERT INTO code_failures (id, user_id, at, mailed, told)
      SELECT ${id}, ${owner.id}, ${nowMs}, ${toMailedFlag(kind)}, CASE WHEN ${isLast} AND NOT ${wasNotified} THEN 1 ELSE 0 END`,
    ...(await enqueueMail(
      env,
      {
        ...(await buildWrongCodesMail(env, owner, kind, nowMs)),
        onlyIf: sql`(SELECT told FROM code_failures WHERE id = ${id}) = 1`,
      },
      nowMs,
    )),
  ])
}

/** Clears the count of wrong mailed codes, once the mailbox was proved. */
export function clearWrongMailedCodes(userId: string): Statement {
  return sql`DELETE FROM code_failures WHERE user_id = ${userId} AND mailed = 1`
}

const MAIL_WORDS: Readonly<Record<CodeKind, { subject: string; refused: string; instead: string }>> = {
  app: {
    subject: 'Codes from your authenticator app are refused for now',
    refused: 'codes from your app',
    instead: 'You can still sign in with your password and a passkey or a recovery code.',
  },
  mailed: {
    subject: 'Codes from our mails are refused for now',
    refused: 'the codes that we mail',
    instead:
      'You can still confirm with an authenticator app or a passkey. A new password lifts this at once.',
  },
}

/** Mailed when codes are refused, because an attacker may be guessing them. */
function buildWrongCodesMail(env: Env, to: AccountOwner, kind: CodeKind, nowMs: number): Promise<Mail> {
  const { subject, refused, instead } = MAIL_WORDS[kind]
  return buildSecurityMail(
    env,
    to,
    nowMs,
    subject,
    [
      `Somebody entered ${MOST_WRONG_CODES} wrong codes for your account at ${site.brand} within seven days. They know your password or have access to one of your sessions. To prevent guessing, we refuse ${refused} until the oldest wrong code is seven days old.`,
      instead,
    ],
    'If you did not enter these codes, choose a new password at once.',
  )
}

function toMailedFlag(kind: CodeKind): 0 | 1 {
  return kind === 'mailed' ? 1 : 0
}

/** SQL: wrong codes of the last seven days; those of an app since it was turned on. */
function selectCountedFailures(user: SQL, kind: CodeKind, nowMs: number, column: SQL): SQL {
  const since =
    kind === 'mailed'
      ? sql`${nowMs - WINDOW_MS}`
      : sql`max(${nowMs - WINDOW_MS},
          coalesce((SELECT f.enabled_at FROM second_factors f WHERE f.user_id = ${user}), 0))`
  return sql`SELECT ${column} FROM code_failures c
    WHERE c.user_id = ${user} AND c.mailed = ${toMailedFlag(kind)} AND c.at > ${since}`
}
