import type { StepUpReason } from '../../../src/contract/withdrawals.ts'
import type { ActorCall } from '../../http/call.ts'
import { refuseFields } from '../../http/fields.ts'
import { minimumProblem } from '../requests/minimums.ts'
import type { Facts } from './facts.ts'
import { noProof, type Proof, proveBy } from './proof.ts'
import { reasonsOf } from './reasons.ts'
import { askForProof } from './stepUp.ts'
import { isProofGiven, type Wish } from './wish.ts'

/** That a withdrawal may be filed: why it needed extra proof, and what came. */
export interface Confirmed {
  readonly proof: Proof
  readonly reasons: readonly StepUpReason[]
}

/** Refuses an amount below the minimum, and a destination that is none. */
export function assertWish({ amountCents, destination }: Wish, facts: Facts): void {
  // Who takes out all that is there is never left with an amount too small to get.
  const takesAll = amountCents === facts.availableCents
  const tooSmall = takesAll ? null : minimumProblem(facts.minimums, 'withdrawal', amountCents)
  const problems = { ...(tooSmall !== null && { amount: tooSmall }), ...destination.problems }
  if (Object.keys(problems).length > 0) refuseFields(problems)
}

/** Takes the proof that came along, asks for one that is needed and did not come (`step_up_required`), or needs none. */
export async function confirm(call: ActorCall, wish: Wish, facts: Facts): Promise<Confirmed> {
  const reasons = reasonsOf({
    ...facts,
    amountCents: wish.amountCents,
    deviceKnown: call.actor.session.known,
    securityChangedAtMs: facts.factors.securityChangedAtMs,
    nowMs: call.nowMs,
  })
  if (reasons.length > 0 && !isProofGiven(wish)) await askForProof(call, wish, reasons, facts)
  // A code that comes is looked at even where none is needed: sending a withdrawal with its used code again is a
  // repetition, and must not file a second one.
  return { reasons, proof: isProofGiven(wish) ? await proveBy(call, wish, facts) : noProof(call, facts) }
}
