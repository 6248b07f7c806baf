import { eq } from 'drizzle-orm'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { twoFactorDisable } from '../../../src/contract/identity/auth.ts'
import { type ActorCall, type Answer, type CheckedCall, noContent } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { secondFactors } from '../../lib/tables/people.ts'
import { commitWithProof } from './commitWithProof.ts'
import { readPasskeys } from './keys.ts'
import { secondFactorOffMail } from './mails.ts'
import { readFactor } from './secondFactor.ts'

type DisableCall = CheckedCall<BodyOf<typeof twoFactorDisable>, undefined> & ActorCall

/**
 * Turns the authenticator app off with the password and a proof: a code of it, a recovery code, or a passkey. Recovery codes
 * go along unless a passkey stays. Never an operator's last second factor.
 */
export async function disableTwoFactor(call: DisableCall): Promise<Answer<undefined>> {
  const { actor, db, env, nowMs, body } = call
  const [[factor], keys] = await db.batch([readFactor(db, actor.id), readPasskeys(db, actor.id)])
  if (actor.role === 'operator' && keys.length === 0) refuse('two_factor_mandatory')
  if (factor === undefined || factor.enabledAt === null) refuse('two_factor_not_set_up')
  await commitWithProof(call, body, {
    statements: [db.delete(secondFactors).where(eq(secondFactors.userId, actor.id))],
    audit: [{ action: 'two_factor.disabled', subject: actor.id }],
    mails: [await secondFactorOffMail(env, { ...actor, displayName: actor.name }, keys.length, nowMs)],
  })
  return noContent()
}
