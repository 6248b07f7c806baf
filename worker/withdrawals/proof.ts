import { eq } from 'drizzle-orm'
import { STEP_UP_METHODS } from '../../src/contract/withdrawals.ts'
import { checkProof, waysToProve } from '../auth/factors.ts'
import { spendTotpStep, totpStepOf } from '../auth/secondFactor.ts'
import { devices, sessions } from '../auth/tables.ts'
import type { ActorCall } from '../lib/call.ts'
import type { Statement } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import type { Asked } from '../passkeys/challenges.ts'
import { keysOf } from '../passkeys/keys.ts'
import { matchingCode, spendCode } from './codes.ts'
import type { Facts } from './facts.ts'
import { heldUntil, makeDestinationKnown } from './hold.ts'
import { isRecentChange } from './reasons.ts'
import { askedOf, type Wish } from './wish.ts'

/** The extra proof that was given, with what follows from it in the withdrawal's own batch. */
export interface Proof {
  readonly by: 'none' | 'email' | 'totp' | 'passkey'
  /** The id of the passkey that answered, where one did. */
  readonly passkey: string | null
  /** The withdrawal is not paid before, in epoch milliseconds; null where it may be paid at once. */
  readonly heldUntil: number | null
  readonly statements: readonly Statement[]
}

/** None: the destination is known, and may still be on hold. */
export function noProof(call: ActorCall, facts: Facts): Proof {
  return { by: 'none', passkey: null, heldUntil: heldUntil(facts, false, call.nowMs), statements: [] }
}

/**
 * Takes the code as one that was mailed for just this withdrawal, or as the app's, or takes a passkey's answer to the
 * question about just this withdrawal. Each is used up by the withdrawal, and makes its destination and the device known.
 * Refuses `invalid_code` or `invalid_passkey`, and sends no mail then.
 *
 * The second factor spares a new destination its hold, unless a factor, the password or the e-mail address was changed in the
 * last 72 hours: a thief could have changed it. Then it counts like e-mail. The database decides the same.
 */
export async function proveBy(call: ActorCall, wish: Wish, facts: Facts): Promise<Proof> {
  const { code } = wish.proof
  if (code === undefined) return proveByPasskey(call, wish, facts)
  const mailed = await matchingCode(facts.tried, code)
  if (mailed !== null)
    return proof(call, wish, facts, { by: 'email', spend: [spendCode(call.db, mailed, call.nowMs)] })
  const { secretSealed, lastStep } = facts.factors
  const step =
    secretSealed === null
      ? null
      : await totpStepOf(call.env, call.actor.id, { secretSealed, lastStep }, code, call.nowMs)
  if (step === null) return refuse('invalid_code')
  const spend = [spendTotpStep(call.db, call.actor.id, step)]
  return proof(call, wish, facts, { by: 'totp', spend })
}

async function proveByPasskey(call: ActorCall, wish: Wish, facts: Facts): Promise<Proof> {
  const asked = await askedOf(call.actor.id, wish)
  const checked = await checkProof(call, asked, facts.factors, wish.proof)
  if (checked.state !== 'right') return refuseWithNewQuestion(call, asked, facts)
  const passkey =
    keysOf(facts.factors.passkeys).find(
      ({ credentialId }) => credentialId === wish.proof.answer?.credentialId,
    )?.id ?? null
  return proof(call, wish, facts, { by: 'passkey', passkey, spend: checked.spend })
}

// A question is answered once: whoever tries again needs another.
async function refuseWithNewQuestion(call: ActorCall, asked: Asked, facts: Facts): Promise<never> {
  const { details, statements } = await waysToProve(call, asked, facts.factors)
  await call.commit({ statements })
  const methods = STEP_UP_METHODS.filter((method) => method === 'email' || details.methods.includes(method))
  return refuse('invalid_passkey', { ...details, methods })
}

interface Given {
  readonly by: Proof['by']
  readonly passkey?: string | null
  readonly spend: readonly Statement[]
}

function proof(call: ActorCall, wish: Wish, facts: Facts, { by, passkey = null, spend }: Given): Proof {
  const liftsHold = by !== 'email' && !isRecentChange(facts.factors.securityChangedAtMs, call.nowMs)
  const until = heldUntil(facts, liftsHold, call.nowMs)
  return {
    by,
    passkey,
    heldUntil: until,
    statements: [...spend, makeDestinationKnown(call, wish, until, liftsHold), ...makeDeviceKnown(call)],
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
            .values({ userId: actor.id, deviceHash, firstSeenAt: nowMs, lastSeenAt: nowMs, confirmedAt })
            .onConflictDoUpdate({ target: [devices.userId, devices.deviceHash], set: { confirmedAt } }),
        ]),
  ]
}
