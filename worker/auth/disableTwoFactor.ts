import { eq } from 'drizzle-orm'
import type { twoFactorDisable } from '../../src/contract/auth.ts'
import type { BodyOf } from '../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, noContent } from '../lib/call.ts'
import { verifyPassword } from '../lib/crypto/password.ts'
import type { Statement } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { secondFactorOffMail } from './mails.ts'
import { readFactor, recoveryCodeHash, spendRecoveryCode, spendTotpStep, totpStepOf } from './secondFactor.ts'
import { recoveryCodes, secondFactors, users } from './tables.ts'

type DisableCall = CheckedCall<BodyOf<typeof twoFactorDisable>, undefined> & ActorCall
type Factor = typeof secondFactors.$inferSelect

/** Turns the second factor off with the password and a code, of the app or a recovery code. Never an operator's. */
export async function disableTwoFactor(call: DisableCall): Promise<Answer<undefined>> {
  const { actor, db, env, nowMs } = call
  if (actor.role === 'operator') refuse('two_factor_mandatory')
  const [[user], [factor], codes] = await db.batch([
    db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, actor.id)),
    readFactor(db, actor.id),
    db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, actor.id)),
  ])
  if (user === undefined || factor === undefined || factor.enabledAt === null)
    return refuse('two_factor_not_set_up')
  if (!(await verifyPassword(call.body.password, user.passwordHash))) refuse('wrong_password')
  const unused = codes.filter(({ usedAt }) => usedAt === null).map(({ codeHash }) => codeHash)
  await call.commit({
    statements: [
      ...(await proof(call, factor, unused)),
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, actor.id)),
      db.delete(secondFactors).where(eq(secondFactors.userId, actor.id)),
      db.update(users).set({ securityChangedAt: nowMs }).where(eq(users.id, actor.id)),
    ],
    audit: [{ action: 'two_factor.disabled', subject: actor.id }],
    mails: [await secondFactorOffMail(env, { ...actor, displayName: actor.name }, nowMs)],
  })
  return noContent()
}

async function proof(call: DisableCall, factor: Factor, unused: readonly string[]): Promise<Statement[]> {
  const { actor, db, env, nowMs } = call
  const hash = await recoveryCodeHash(call.body.code)
  if (hash !== null && unused.includes(hash)) return [spendRecoveryCode(db, actor.id, hash, nowMs)]
  const step = await totpStepOf(env, actor.id, factor, call.body.code, nowMs)
  return step === null ? refuse('invalid_code') : [spendTotpStep(db, actor.id, step)]
}
