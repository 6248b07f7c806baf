import { isNull } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import type { twoFactorSetup } from '../../../src/contract/identity/auth.ts'
import { site } from '../../../src/site.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { newTotpSecret, otpauthUri } from '../../lib/crypto/totp.ts'
import { refuse } from '../../lib/errors.ts'
import { secondFactors } from '../../lib/tables/people.ts'
import { sealTotpSecret } from './secondFactor.ts'

/** Gives a new secret, which counts once a first code of it was given. Refuses where the second factor is on. */
export async function setUpTwoFactor(call: ActorCall): Promise<Answer<AnswerOf<typeof twoFactorSetup>>> {
  const { actor, db, env, nowMs } = call
  const secret = newTotpSecret()
  const secretSealed = await sealTotpSecret(env, actor.id, secret)
  const pending = { secretSealed, createdAt: nowMs, lastStep: 0 }
  const stored = await db
    .insert(secondFactors)
    .values({ userId: actor.id, ...pending })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: pending,
      setWhere: isNull(secondFactors.enabledAt),
    })
    .returning({ userId: secondFactors.userId })
  if (stored.length === 0) refuse('two_factor_enabled')
  const uri = otpauthUri(secret, actor.email, site.brand)
  return ok({ secret, otpauthUri: uri, qr: `data:image/svg+xml;base64,${btoa(renderSVG(uri))}` })
}
