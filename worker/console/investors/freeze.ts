import { eq } from 'drizzle-orm'
import type * as contract from '../../../src/contract/console/investors.ts'
import { type ActorCall, type Answer, accepted, type CallOf, ok } from '../../http/call.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { LOCK_REASON } from '../../identity/signIn/lockAccount.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { refuse } from '../../lib/errors.ts'
import { lockLiftings } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { addInternalNote } from '../cases/internalNote.ts'
import { buildAccountFrozenMail, buildAccountUnfrozenMail } from '../cases/mails.ts'
import { type Investor, toInvestorDetail } from './investor.ts'

/**
 * Freezes an account. Its owner can still sign in, read and cancel pending requests, but moves no money. The reason stays among
 * operators.
 */
export async function freezeInvestor(call: CallOf<typeof contract.freezeInvestor>, investor: Investor) {
  const frozenAt = investor.facts.frozenAt ?? call.nowMs
  return updateFreeze(call, investor, { frozenAt, frozenReason: call.body.reason }, call.body.reason)
}

/** Lifts a freeze. A lock by the owner needs two operators; the first one gets 202. */
export async function unfreezeInvestor(call: CallOf<typeof contract.unfreezeInvestor>, investor: Investor) {
  if (investor.facts.lockedAt !== null)
    return liftLock(call, investor, investor.facts.lockedAt, call.body.reason)
  return updateFreeze(call, investor, { frozenAt: null, frozenReason: null }, call.body.reason)
}

/**
 * Records an agreement to lift the owner's lock. The second operator's agreement lifts it. A freeze by an operator remains, and
 * one operator lifts that. The database counts the agreements.
 */
async function liftLock(
  call: ActorCall,
  { facts, figures }: Investor,
  lockedAt: number,
  reason: string,
): Promise<Answer<contract.OperatorInvestor>> {
  const { db, env, actor, nowMs } = call
  await assertFactor(call, {})
  if (facts.unlockedBy === actor.id)
    refuse('second_operator_required', {
      msg: 'You already agreed to lift this lock. Another operator must lift it.',
    })
  const isFirst = facts.unlockedBy === null
  const note = newId()
  const kept = addInternalNote(call, facts.id, 'Lock of the owner lifted', reason, { id: note })
  const isOwnersFreeze = facts.frozenReason === LOCK_REASON
  const lifting = {
    investor: facts.id,
    lockedAt,
    operator: actor.id,
    step: isFirst ? 1 : 2,
    at: nowMs,
  } as const
  if (isFirst) {
    const unlocked = { unlockedBy: actor.id, unlockedByName: actor.displayName, unlockedAt: nowMs }
    const agreed = { ...facts, ...unlocked, unlockNote: reason }
    return commitWithFactor(
      call,
      {},
      {
        statements: [db.insert(lockLiftings).values(lifting), ...kept],
        audit: [{ action: 'investor.unlock_first', subject: facts.id, detail: { note } }],
        answer: accepted(toInvestorDetail({ facts: agreed, figures })),
      },
    )
  }
  const changed = { lockedAt: null, ...(isOwnersFreeze && { frozenAt: null, frozenReason: null }) }
  const lifted = { ...facts, ...changed, unlockedBy: null, unlockedByName: null, unlockNote: null }
  return commitWithFactor(
    call,
    {},
    {
      statements: [
        db.insert(lockLiftings).values(lifting),
        db.update(users).set(changed).where(eq(users.id, facts.id)),
        ...kept,
      ],
      audit: [
        {
          action: 'investor.unfrozen',
          subject: facts.id,
          detail: { secondOperator: facts.unlockedBy, note },
        },
      ],
      mails: isOwnersFreeze ? [buildAccountUnfrozenMail(env, facts)] : [],
      answer: ok(toInvestorDetail({ facts: lifted, figures })),
    },
  )
}

async function updateFreeze(
  call: ActorCall,
  { facts, figures }: Investor,
  freeze: { frozenAt: number | null; frozenReason: string | null },
  reason: string,
): Promise<Answer<contract.OperatorInvestor>> {
  const { db, env } = call
  const frozen = freeze.frozenAt !== null
  const note = newId()
  // Send no mail if the freeze is unchanged, or for a closed account, where it only keeps documents from being shredded.
  const changes = frozen !== (facts.frozenAt !== null) && facts.closedAt === null
  return call.commit({
    statements: [
      db.update(users).set(freeze).where(eq(users.id, facts.id)),
      // Support reads neither the reason of a freeze nor its note.
      ...addInternalNote(call, facts.id, frozen ? 'Frozen' : 'Freeze lifted', reason, {
        ...{ id: note, kind: frozen ? 'suspicion' : 'decision' },
      }),
    ],
    audit: [
      { action: frozen ? 'investor.frozen' : 'investor.unfrozen', subject: facts.id, detail: { note } },
    ],
    mails: changes
      ? [frozen ? buildAccountFrozenMail(env, facts) : buildAccountUnfrozenMail(env, facts)]
      : [],
    answer: ok(toInvestorDetail({ facts: { ...facts, ...freeze }, figures })),
  })
}
