import { eq } from 'drizzle-orm'
import type { twoFactorDisable } from '../../src/contract/auth.ts'
import type { BodyOf } from '../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, noContent } from '../lib/call.ts'
import { refuse } from '../lib/errors.ts'
import { commitWithPasswordAndCode } from './checkPasswordAndCode.ts'
import { secondFactorOffMail } from './mails.ts'
import { recoveryCodes, secondFactors, users } from './tables.ts'

type DisableCall = CheckedCall<BodyOf<typeof twoFactorDisable>, undefined> & ActorCall

/** Turns the second factor off with the password and a code, of the app or a recovery code. Never an operator's. */
export async function disableTwoFactor(call: DisableCall): Promise<Answer<undefined>> {
  const { actor, db, env, nowMs, body } = call
  if (actor.role === 'operator') refuse('two_factor_mandatory')
  await commitWithPasswordAndCode(call, body, {
    statements: [
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, actor.id)),
      db.delete(secondFactors).where(eq(secondFactors.userId, actor.id)),
      db.update(users).set({ securityChangedAt: nowMs }).where(eq(users.id, actor.id)),
    ],
    audit: [{ action: 'two_factor.disabled', subject: actor.id }],
    mails: [await secondFactorOffMail(env, { ...actor, displayName: actor.name }, nowMs)],
  })
  return noContent()
}
