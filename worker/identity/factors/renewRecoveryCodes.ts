import type { AnswerOf, BodyOf } from '../../../src/contract/endpoint.ts'
import type { renewRecoveryCodes as endpoint } from '../../../src/contract/identity/recoveryCodes.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { commitWithProof } from './commitWithProof.ts'
import { issueRecoveryCodes } from './issueRecoveryCodes.ts'
import { recoveryCodesRenewedMail } from './mails.ts'

/**
 * Gives ten new recovery codes for the password and a proof of the second factor; the old ones are dead. The database notes it as a
 * change of security: whoever has the codes gets past the second factor.
 */
export async function renewRecoveryCodes(
  call: CheckedCall<BodyOf<typeof endpoint>, undefined> & ActorCall,
): Promise<Answer<AnswerOf<typeof endpoint>>> {
  const { actor, db, env, nowMs, body } = call
  const { codes, statements } = await issueRecoveryCodes(db, actor.id, nowMs)
  await commitWithProof(call, body, {
    statements,
    audit: [{ action: 'two_factor.recovery_codes_renewed', subject: actor.id }],
    mails: [await recoveryCodesRenewedMail(env, { ...actor, displayName: actor.name }, nowMs)],
  })
  return ok({ recoveryCodes: codes })
}
