import { eq } from 'drizzle-orm'
import { spendTotpStep, totpStepOf } from '../auth/secondFactor.ts'
import { devices, sessions } from '../auth/tables.ts'
import type { ActorCall } from '../lib/call.ts'
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
  const { factor } = facts
  const step = factor ? await totpStepOf(call.env, call.actor.id, factor, code, call.nowMs) : null
  if (step === null) refuse('invalid_code')
  return { by: 'totp', statements: [spendTotpStep(call.db, call.actor.id, step), ...makeKnown(call, wish)] }
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
