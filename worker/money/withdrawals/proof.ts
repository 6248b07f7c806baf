import { and, eq } from 'drizzle-orm'
import { STEP_UP_METHODS } from '../../../src/contract/withdrawals.ts'
import type { ActorCall } from '../../http/call.ts'
import type { Asked } from '../../identity/factors/challenges.ts'
import { checkProof, ownerOf, waysToProve } from '../../identity/factors/factors.ts'
import { keysOf } from '../../identity/factors/keys.ts'
import { checkCode } from '../../identity/factors/secondFactor.ts'
import { matchingCode, spendCode } from '../../identity/mailedCodes/codes.ts'
import type { Statement } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { devices, sessions } from '../../lib/tables/people.ts'
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
  const mailed = await matchingCode(call.env, facts.tried, code)
  if (mailed !== null)
    return proof(call, wish, facts, { by: 'email', spend: [spendCode(call.db, mailed, call.nowMs)] })
  // A recovery code confirms no withdrawal: it opens a session for whoever lost the phone, and is told of by mail.
  const factor = { ...facts.factors, recoveryHash: null }
  const checked = await checkCode(call, ownerOf(call.actor.id, facts.factors), factor, code)
  if (checked.state === 'too many codes')
    return refuse('too_many_codes', {
      msg: 'Too many wrong codes in the last seven days: codes from your app are refused for now. Ask for a code by e-mail, or use a passkey.',
      retryAfterSeconds: checked.retryAfterSeconds,
    })
  if (checked.state === 'wrong code') return refuse('invalid_code')
  return proof(call, wish, facts, { by: 'totp', spend: checked.spend })
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

/** A device is made known for the account that signed in from it, and for no other that its cookie comes along with. */
function makeDeviceKnown({ db, actor, device, nowMs }: ActorCall): Statement[] {
  const confirmedAt = nowMs
  return [
    db.update(sessions).set({ confirmedAt }).where(eq(sessions.id, actor.session.id)),
    ...(device === null
      ? []
      : [
          db
            .update(devices)
            .set({ confirmedAt })
            .where(and(eq(devices.userId, actor.id), eq(devices.deviceHash, device.hash))),
        ]),
  ]
}
