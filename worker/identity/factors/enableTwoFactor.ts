import { eq } from 'drizzle-orm'
import type { AnswerOf, BodyOf } from '../../../src/contract/endpoint.ts'
import type { twoFactorEnable } from '../../../src/contract/identity/auth.ts'
import { type ActorCall, type Answer, type CheckedCall, type Effect, ok } from '../../http/call.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { secondFactors } from '../../lib/tables/people.ts'
import { contextOf } from './challenges.ts'
import { commitWithProof } from './commitWithProof.ts'
import { issueRecoveryCodes } from './issueRecoveryCodes.ts'
import { type NewFactor, proveMailbox } from './mailboxProof.ts'
import { secondFactorOnMail } from './mails.ts'
import { firstStepOf, readFactor, spendTotpStep } from './secondFactor.ts'

type EnableCall = CheckedCall<BodyOf<typeof twoFactorEnable>, undefined> & ActorCall

/** A session this young was opened with the password just now. */
const FRESH_SESSION_MS = 15 * 60_000

/**
 * Turns the second factor on with a first code, and answers ten recovery codes, this once. A stolen session or password is not
 * enough: it takes a code from the owner's mailbox, in a session older than 15 minutes the password, and where a passkey is
 * on already the password and an answer of that. The mailed code is asked for last, and a refusal uses nothing up.
 */
export async function enableTwoFactor(call: EnableCall): Promise<Answer<AnswerOf<typeof twoFactorEnable>>> {
  const { actor, db, env, nowMs, body } = call
  const password = body.password || undefined
  const needsPassword = actor.twoFactor || nowMs - actor.session.createdAtMs > FRESH_SESSION_MS
  const [factor] = await readFactor(db, actor.id)
  if (factor === undefined) return refuse('two_factor_not_set_up')
  if (factor.enabledAt !== null) return refuse('two_factor_enabled')
  if (needsPassword && password === undefined) refuseField('password', 'Please enter your password')
  const step = await firstStepOf(env, actor.id, factor, body.code, nowMs)
  if (step === null) return refuse('invalid_code')
  const isNewStep = step > factor.lastStep
  const newFactor: NewFactor = {
    words: 'an authenticator app',
    context: await contextOf('authenticator app', actor.session.id, factor.secretSealed),
    proof: body.proof,
    asking: isNewStep ? [spendTotpStep(db, actor.id, step)] : [],
  }
  const { codes, statements } = await issueRecoveryCodes(db, actor.id, nowMs)
  const effect: Effect = {
    statements: [
      // The secret that was proved counts, even where another set-up came between. A trigger lets this happen once.
      db
        .update(secondFactors)
        .set({
          secretSealed: factor.secretSealed,
          enabledAt: nowMs,
          ...(isNewStep && { lastStep: step }),
        })
        .where(eq(secondFactors.userId, actor.id)),
      ...statements,
    ],
    audit: [{ action: 'two_factor.enabled', subject: actor.id }],
    mails: [await secondFactorOnMail(env, { ...actor, displayName: actor.name }, nowMs)],
  }
  if (password === undefined) {
    const mailed = await proveMailbox(call, newFactor)
    await call.commit({ ...effect, statements: [...mailed, ...(effect.statements ?? [])] })
  } else {
    await commitWithProof(call, { password, passkey: body.passkey }, effect, {
      whereOff: 'password',
      newFactor,
    })
  }
  return ok({ recoveryCodes: codes })
}
