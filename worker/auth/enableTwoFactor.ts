import { eq } from 'drizzle-orm'
import type { twoFactorEnable } from '../../src/contract/auth.ts'
import type { AnswerOf, BodyOf } from '../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, type Effect, ok } from '../lib/call.ts'
import { refuse, refuseField } from '../lib/errors.ts'
import { factorWasChosen } from './chosenFactor.ts'
import { commitWithProof } from './commitWithProof.ts'
import { issueRecoveryCodes } from './issueRecoveryCodes.ts'
import { secondFactorOnMail } from './mails.ts'
import { hasShownPassword } from './ownerProof.ts'
import { DOUBT_MS, readFactor, totpStepOf } from './secondFactor.ts'
import { secondFactors } from './tables.ts'

type EnableCall = CheckedCall<BodyOf<typeof twoFactorEnable>, undefined> & ActorCall

/**
 * Turns the second factor on with a first code, and answers ten recovery codes, this once.
 *
 * Choosing it the first time is no change of security, and a withdrawal confirmed with it has nothing to wait for. So that
 * a stolen session cannot turn one on and withdraw with it, a factor that comes without the password is in doubt for 72
 * hours: signing in asks for it and it confirms withdrawals, but a new destination stays on hold as after a mailed code.
 * The password may come along in `password`; a sign-in of the last 15 minutes has shown it as well. Where a passkey is on
 * already, the password and an answer of that are asked for.
 */
export async function enableTwoFactor(call: EnableCall): Promise<Answer<AnswerOf<typeof twoFactorEnable>>> {
  const { actor, db, env, nowMs } = call
  const [factor] = await readFactor(db, actor.id)
  if (factor === undefined) return refuse('two_factor_not_set_up')
  if (factor.enabledAt !== null) return refuse('two_factor_enabled')
  const step = await totpStepOf(env, actor.id, factor, call.body.code, nowMs)
  if (step === null) return refuse('invalid_code')
  const password = call.body.password || undefined
  // Beside a passkey, only who has that one chooses another: a stolen session that knows the password does not.
  if (actor.twoFactor && password === undefined) refuseField('password', 'Please enter your password')
  const doubtedUntil = actor.twoFactor || (await hasShownPassword(call, password)) ? null : nowMs + DOUBT_MS
  const { codes, statements } = await issueRecoveryCodes(db, actor.id)
  const effect: Effect = {
    statements: [
      // The secret that was proved counts, even where another set-up came between. A trigger lets this happen once.
      db
        .update(secondFactors)
        .set({ secretSealed: factor.secretSealed, enabledAt: nowMs, lastStep: step, doubtedUntil })
        .where(eq(secondFactors.userId, actor.id)),
      ...statements,
      factorWasChosen(db, actor, nowMs),
    ],
    audit: [
      { action: 'two_factor.enabled', subject: actor.id, detail: { passwordShown: doubtedUntil === null } },
    ],
    mails: [await secondFactorOnMail(env, { ...actor, displayName: actor.name }, nowMs)],
  }
  if (actor.twoFactor && password !== undefined)
    await commitWithProof(call, { password, passkey: call.body.passkey }, effect)
  else await call.commit(effect)
  return ok({ recoveryCodes: codes })
}
