import { eq } from 'drizzle-orm'
import { isDoubted, spendTotpStep, totpStepOf } from '../auth/secondFactor.ts'
import { devices, sessions } from '../auth/tables.ts'
import type { ActorCall } from '../lib/call.ts'
import type { Statement } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { matchingCode, spendCode } from './codes.ts'
import type { Facts } from './facts.ts'
import { heldUntil, makeDestinationKnown } from './hold.ts'
import type { Wish } from './wish.ts'

/** The extra proof that was given, with what follows from it in the withdrawal's own batch. */
export interface Proof {
  readonly by: 'none' | 'email' | 'totp'
  /** The withdrawal is not paid before, in epoch milliseconds; null where it may be paid at once. */
  readonly heldUntil: number | null
  readonly statements: readonly Statement[]
}

/** None: the destination is known, and may still be on hold. */
export function noProof(call: ActorCall, facts: Facts): Proof {
  return { by: 'none', heldUntil: heldUntil(facts, false, call.nowMs), statements: [] }
}

/**
 * Takes the code as one that was mailed for just this withdrawal, or as the second factor's. Either is used up by the
 * withdrawal, and makes its destination and the device known. Refuses `invalid_code`, and sends no mail then.
 *
 * The second factor spares a new destination its hold, unless it is in doubt itself: whoever stole a session could turn one
 * on and confirm with it. Such a one counts like e-mail.
 */
export async function proveBy(call: ActorCall, wish: Wish, code: string, facts: Facts): Promise<Proof> {
  const mailed = await matchingCode(facts.tried, code)
  if (mailed !== null) return proof(call, wish, facts, 'email', spendCode(call.db, mailed, call.nowMs))
  const { factor } = facts
  const step = factor ? await totpStepOf(call.env, call.actor.id, factor, code, call.nowMs) : null
  if (factor === undefined || step === null) return refuse('invalid_code')
  const isSure = !isDoubted(factor, call.nowMs)
  return proof(call, wish, facts, 'totp', spendTotpStep(call.db, call.actor.id, step), isSure)
}

function proof(
  call: ActorCall,
  wish: Wish,
  facts: Facts,
  by: Proof['by'],
  spend: Statement,
  liftsHold = false,
): Proof {
  const until = heldUntil(facts, liftsHold, call.nowMs)
  return {
    by,
    heldUntil: until,
    statements: [spend, makeDestinationKnown(call, wish, until, liftsHold), ...makeDeviceKnown(call)],
  }
}

function makeDeviceKnown({ db, actor, deviceHash, nowMs }: ActorCall): Statement[] {
  const confirmedAt = nowMs
  return [
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
