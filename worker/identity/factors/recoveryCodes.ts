import { sql } from 'drizzle-orm'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import type { renewRecoveryCodes as endpoint } from '../../../src/contract/identity/factors.ts'
import { site } from '../../../src/site.ts'
import { type Answer, type CallOf, ok } from '../../http/call.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { newRecoveryCodes } from '../../lib/crypto/totp.ts'
import type { Database, Statement } from '../../lib/database.ts'
import { recoveryCodes } from '../../lib/tables/people.ts'
import { DISTRUST_WORDS, distrust } from '../credentials/distrust.ts'
import { buildSecurityMail } from '../credentials/lockToken.ts'
import { commitWithProof } from './commitWithProof.ts'

/**
 * Replaces the recovery codes, with the password and a second factor. The database records a security change, because a
 * recovery code replaces the second factor at sign-in.
 */
export async function renewRecoveryCodes(
  call: CallOf<typeof endpoint>,
): Promise<Answer<AnswerOf<typeof endpoint>>> {
  const { actor, db, env, nowMs, body } = call
  const { codes, statements } = await issueRecoveryCodes(db, actor.id, nowMs)
  await commitWithProof(call, body, {
    statements: [
      ...statements,
      ...distrust({ userId: actor.id, cause: 'factor_changed', keepSession: actor.session.id, nowMs }),
    ],
    audit: [{ action: 'two_factor.recovery_codes_renewed', subject: actor.id }],
    mails: [
      await buildSecurityMail(env, actor, nowMs, 'Your recovery codes were replaced', [
        `Your account at ${site.brand} has ten new recovery codes. The old ones no longer work. For three days, withdrawals need extra proof.`,
        DISTRUST_WORDS,
      ]),
    ],
  })
  return ok({ recoveryCodes: codes })
}

/** Ten new recovery codes, which are shown once, and the statements that replace the old hashes. */
export async function issueRecoveryCodes(
  db: Database,
  userId: string,
  nowMs: number,
): Promise<{ readonly codes: string[]; readonly statements: readonly Statement[] }> {
  const codes = newRecoveryCodes()
  const stored = await Promise.all(
    codes.map(async (code) => ({ userId, codeHash: await sha256Hex(code), createdAt: nowMs })),
  )
  return {
    codes,
    statements: [
      sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`,
      db.insert(recoveryCodes).values(stored),
    ],
  }
}
