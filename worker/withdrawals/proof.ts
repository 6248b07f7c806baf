import { eq } from 'drizzle-orm'
import { devices, secondFactors, sessions } from '../auth/tables.ts'
import type { ActorCall } from '../lib/call.ts'
import { matchingStep } from '../lib/crypto/totp.ts'
import { openVault } from '../lib/crypto/vault.ts'
import type { Statement } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { matchingCode, spendCode } from './codes.ts'
import type { Facts } from './facts.ts'
import { knownDestinations } from './tables.ts'
import type { Wish } from './wish.ts'

/** The extra proof that was given, with what follows from it in the withdrawal's own batch. */
export interface Proof {
  readonly by: 'none' | 'email' | 'totp'
  readonly statements: readonly Statement[]
}

export const NO_PROOF: Proof = { by: 'none', statements: [] }

/**
 * Takes the code as one that was mailed for just this withdrawal, or as the second factor's. Either is used up by the
 * withdrawal, and makes its destination and the device known. Refuses `invalid_code`, and sends no mail then.
 */
export async function proveBy(call: ActorCall, wish: Wish, code: string, facts: Facts): Promise<Proof> {
  const mailed = await matchingCode(facts.tried, code)
  if (mailed !== null) {
    return { by: 'email', statements: [spendCode(call.db, mailed, call.nowMs), ...makeKnown(call, wish)] }
  }
  const step = await matchingFactorStep(call, code, facts)
  if (step === null) refuse('invalid_code')
  // A trigger refuses a step that is not later than the last: of two requests with one code, one wins.
  const useStep = call.db
    .update(secondFactors)
    .set({ lastStep: step })
    .where(eq(secondFactors.userId, call.actor.id))
  return { by: 'totp', statements: [useStep, ...makeKnown(call, wish)] }
}

async function matchingFactorStep(
  { actor, env, nowMs }: ActorCall,
  code: string,
  { factor }: Facts,
): Promise<number | null> {
  if (factor === undefined) return null
  const secret = await openVault(env.VAULT_KEYS).openSmall(factor.secret_sealed, `totp:${actor.id}`)
  const step = matchingStep(new TextDecoder().decode(secret), code, nowMs)
  return step !== null && step > factor.last_step ? step : null
}

function makeKnown({ db, actor, deviceHash, nowMs }: ActorCall, { destination }: Wish): Statement[] {
  const confirmedAt = nowMs
  return [
    db
      .insert(knownDestinations)
      .values({ investor: actor.id, destinationHash: destination.hash, confirmedAt })
      .onConflictDoUpdate({
        target: [knownDestinations.investor, knownDestinations.destinationHash],
        set: { confirmedAt },
      }),
    db.update(sessions).set({ confirmedAt }).where(eq(sessions.id, actor.session.id)),
    ...(deviceHash === null
      ? []
      : [
          db
            .insert(devices)
            .values({ userId: actor.id, deviceHash, firstSeenAt: nowMs, confirmedAt })
            .onConflictDoUpdate({ target: [devices.userId, devices.deviceHash], set: { confirmedAt } }),
        ]),
  ]
}
