import type { Filed } from '../../src/contract/common.ts'
import type { RefusalCode } from '../../src/contract/errors.ts'
import type { StepUpReason } from '../../src/contract/withdrawals.ts'
import { hold } from '../ledger/post.ts'
import { type ActorCall, type Answer, created } from '../lib/call.ts'
import { newId, newRef } from '../lib/crypto/tokens.ts'
import { refusalOfDatabase, refuse } from '../lib/errors.ts'
import { refuseFields } from '../lib/fields.ts'
import { iso } from '../lib/paging.ts'
import { minimumProblem } from '../requests/minimums.ts'
import { assertMayOpen } from '../requests/open.ts'
import { requests } from '../requests/tables.ts'
import { type Facts, readFacts } from './facts.ts'
import { heldMail } from './heldMail.ts'
import { assertMayTry, forgiveTry } from './limits.ts'
import { noProof, type Proof, proveBy } from './proof.ts'
import { reasonsOf } from './reasons.ts'
import { askForProof } from './stepUp.ts'
import { withdrawalDetails } from './tables.ts'
import { isProofGiven, type Wish } from './wish.ts'

/** How often a decision is taken anew because other requests of the same investor came between. */
const ATTEMPTS = 5

/**
 * Files a withdrawal and holds its amount, or refuses in the contract's order: fields, too many open, not covered, extra
 * proof. What is read here only chooses the words: the database decides again in the batch itself.
 */
export async function fileWithdrawal(call: ActorCall, wish: Wish): Promise<Answer<Filed>> {
  for (let attempt = 1; ; attempt++) {
    const facts = await readFacts(call, wish)
    assertMayTry(facts.tries, call.nowMs)
    assertFields(wish, facts)
    assertMayOpen(facts.open)
    if (facts.availableCents < wish.amountCents) refuse('insufficient_funds')
    const reasons = reasonsOf({
      ...facts,
      amountCents: wish.amountCents,
      deviceKnown: call.actor.session.known,
      securityChangedAtMs: call.actor.securityChangedAtMs,
      nowMs: call.nowMs,
    })
    if (reasons.length > 0 && !isProofGiven(wish)) await askForProof(call, wish, reasons, facts)
    // A code that comes is looked at even where none is needed: sending a withdrawal with its used code again is a
    // repetition, and must not file a second one.
    const proof = isProofGiven(wish) ? await proveBy(call, wish, facts) : noProof(call, facts)
    try {
      return await commitWithdrawal(call, wish, proof, reasons)
    } catch (error) {
      if (!isOvertaken(refusalOfDatabase(error)?.code) || attempt === ATTEMPTS) throw error
    }
  }
}

/**
 * Whether requests that came between changed what was decided: together with them this one takes a large share after all,
 * or their proof set or lifted the hold of its destination.
 */
function isOvertaken(code: RefusalCode | undefined): boolean {
  return code === 'step_up_required' || code === 'destination_on_hold'
}

function assertFields({ amountCents, destination }: Wish, facts: Facts): void {
  // Who takes out all that is there is never left with an amount too small to get.
  const takesAll = amountCents === facts.availableCents
  const tooSmall = takesAll ? null : minimumProblem(facts.minimums, 'withdrawal', amountCents)
  const problems = { ...(tooSmall !== null && { amount: tooSmall }), ...destination.problems }
  if (Object.keys(problems).length > 0) refuseFields(problems)
}

async function commitWithdrawal(
  call: ActorCall,
  wish: Wish,
  proof: Proof,
  reasons: readonly StepUpReason[],
): Promise<Answer<Filed>> {
  const { db, actor, nowMs } = call
  const { kind, amountCents, destination } = wish
  const id = newId()
  const ref = newRef('WDR')
  const { heldUntil } = proof
  const answer = created({
    msg: `Withdrawal request ${ref} was sent and awaits approval.`,
    ref,
    _id: id,
    ...(heldUntil !== null && { heldUntil: iso(heldUntil) }),
  })
  await call.commit({
    statements: [
      // The code first: one that was used meanwhile is refused as that, whatever else would be wrong by now.
      ...proof.statements,
      ...(isProofGiven(wish) && actor.twoFactor ? [forgiveTry(db, actor.id)] : []),
      db.insert(requests).values({
        id,
        ref,
        investor: actor.id,
        kind,
        queue: 'withdrawals',
        amount: amountCents,
        asked: amountCents,
        createdAt: nowMs,
      }),
      db.insert(withdrawalDetails).values({
        ...destination.details,
        request: id,
        destinationHash: destination.hash,
        sessionId: actor.session.id,
        proof: proof.by === 'passkey' ? 'totp' : proof.by,
        passkey: proof.passkey,
        reasons: JSON.stringify(reasons),
        heldUntil,
      }),
      hold(db, { id, investor: actor.id, amountCents }, { actor: actor.id, nowMs }),
    ],
    audit: [
      {
        action: 'withdrawal.requested',
        subject: id,
        detail: { amountCents, kind, proof: proof.by, reasons: reasons.join(' '), heldUntil },
      },
    ],
    mails: heldUntil === null ? [] : [await heldMail(call, ref, wish, heldUntil)],
    answer,
  })
  return answer
}
