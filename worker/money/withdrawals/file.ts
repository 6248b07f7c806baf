import type { Filed } from '../../../src/contract/common.ts'
import type { RefusalCode } from '../../../src/contract/errors.ts'
import { type ActorCall, type Answer, created } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { refusalOfDatabase, refuse } from '../../lib/errors.ts'
import { assertMayOpen } from '../requests/open.ts'
import { assertWish, type Confirmed, confirm } from './confirm.ts'
import { readFacts } from './facts.ts'
import { filingOf } from './filing.ts'
import { heldMail } from './heldMail.ts'
import { assertMayTry, forgiveTry } from './limits.ts'
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
    assertWish(wish, facts)
    assertMayOpen(facts.open)
    if (facts.owedCents > 0) refuse('debt_outstanding')
    if (facts.availableCents < wish.amountCents) refuse('insufficient_funds')
    const confirmed = await confirm(call, wish, facts)
    try {
      return await commitWithdrawal(call, wish, confirmed)
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

async function commitWithdrawal(
  call: ActorCall,
  wish: Wish,
  { proof, reasons }: Confirmed,
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
  const [investor, sessionId] = [actor.id, actor.session.id]
  const filing = { id, ref, investor, actor: investor, kind, amountCents, destination, sessionId, nowMs }
  await call.commit({
    statements: [
      // The code first: one that was used meanwhile is refused as that, whatever else would be wrong by now.
      ...proof.statements,
      ...(isProofGiven(wish) && actor.twoFactor ? [forgiveTry(db, actor.id)] : []),
      ...filingOf(db, { ...filing, proof, reasons, heldUntil }),
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
