import { eq } from 'drizzle-orm'
import type { OperatorInvestor } from '../../../src/contract/console/investors.ts'
import { type ActorCall, type Answer, accepted, type CheckedCall, ok } from '../../http/call.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { LOCK_REASON } from '../../identity/signIn/lockAccount.ts'
import { refuse } from '../../lib/errors.ts'
import { lockLiftings } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { accountFrozen, accountUnfrozen } from '../cases/mails.ts'
import { type Investor, investorDetail } from './investor.ts'

/** Freezes an account: it signs in and reads, cancels what is pending, and moves no money. The reason stays among operators. */
export async function freezeInvestor(
  call: CheckedCall<{ reason: string }, unknown> & ActorCall,
  investor: Investor,
): Promise<Answer<OperatorInvestor>> {
  const frozenAt = investor.facts.frozenAt ?? call.nowMs
  return change(call, investor, { frozenAt, frozenReason: call.body.reason })
}

/** Lifts the freeze of an account. One that its owner locked takes two operators: the first of them is answered 202. */
export async function unfreezeInvestor(
  call: ActorCall,
  investor: Investor,
): Promise<Answer<OperatorInvestor>> {
  if (investor.facts.lockedAt !== null) return liftLock(call, investor, investor.facts.lockedAt)
  return change(call, investor, { frozenAt: null, frozenReason: null })
}

/**
 * Agrees to lift the lock that the owner set. The second operator's agreement lifts it; a freeze that an operator put on the
 * account stays, and is lifted by one. The database counts.
 */
async function liftLock(
  call: ActorCall,
  { facts, figures }: Investor,
  lockedAt: number,
): Promise<Answer<OperatorInvestor>> {
  const { db, env, actor, nowMs } = call
  await assertFactor(call, {})
  if (facts.unlockedBy === actor.id)
    refuse('second_operator_required', {
      msg: 'You have agreed to lift this lock. Another operator has to lift it.',
    })
  const lifting = db.insert(lockLiftings).values({
    investor: facts.id,
    lockedAt,
    operator: actor.id,
    step: facts.unlockedBy === null ? 1 : 2,
    at: nowMs,
  })
  if (facts.unlockedBy === null) {
    const first = { unlockedBy: actor.id, unlockedByName: actor.displayName }
    const answer = accepted(investorDetail({ facts: { ...facts, ...first }, figures }))
    await commitWithFactor(
      call,
      {},
      {
        statements: [lifting],
        audit: [{ action: 'investor.unlock_first', subject: facts.id }],
        answer,
      },
    )
    return answer
  }
  const isOwnersFreeze = facts.frozenReason === LOCK_REASON
  const standing = {
    lockedAt: null,
    ...(isOwnersFreeze && { frozenAt: null, frozenReason: null }),
  }
  const lifted = { ...standing, unlockedBy: null, unlockedByName: null }
  const answer = ok(investorDetail({ facts: { ...facts, ...lifted }, figures }))
  await commitWithFactor(
    call,
    {},
    {
      statements: [lifting, db.update(users).set(standing).where(eq(users.id, facts.id))],
      audit: [
        { action: 'investor.unfrozen', subject: facts.id, detail: { secondOperator: facts.unlockedBy } },
      ],
      mails: isOwnersFreeze ? [accountUnfrozen(env, facts)] : [],
      answer,
    },
  )
  return answer
}

async function change(
  call: ActorCall,
  { facts, figures }: Investor,
  freeze: { frozenAt: number | null; frozenReason: string | null },
): Promise<Answer<OperatorInvestor>> {
  const { db, env } = call
  const frozen = freeze.frozenAt !== null
  const answer = ok(investorDetail({ facts: { ...facts, ...freeze }, figures }))
  // Nobody is told again what has not changed, or of an account that they closed: there it only keeps what is to be shredded.
  const changes = frozen !== (facts.frozenAt !== null) && facts.closedAt === null
  await call.commit({
    statements: [db.update(users).set(freeze).where(eq(users.id, facts.id))],
    audit: [{ action: frozen ? 'investor.frozen' : 'investor.unfrozen', subject: facts.id }],
    mails: changes ? [frozen ? accountFrozen(env, facts) : accountUnfrozen(env, facts)] : [],
    answer,
  })
  return answer
}
