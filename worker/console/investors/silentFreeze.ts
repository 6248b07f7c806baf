import { and, eq, isNull, sql } from 'drizzle-orm'
import type * as contract from '../../../src/contract/console/investors.ts'
import { type ActorCall, type Answer, type CallOf, type Effect, ok } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { findDatabaseRefusal, refuse } from '../../lib/errors.ts'
import { silentFreezes } from '../../lib/tables/operators.ts'
import { type Investor, toInvestorDetail } from './investor.ts'

/**
 * Begins a silent freeze, or renews the one that stands. The person is not told: they see and file everything as usual, but
 * no request is decided. The database demands the role that the settings name.
 */
export async function freezeSilently(call: CallOf<typeof contract.freezeSilently>, investor: Investor) {
  const { db, actor, nowMs, body } = call
  const { facts } = investor
  if (facts.isErased) refuse('conflict', { msg: 'This person was erased.' })
  const begun = { reason: body.reason, begunBy: actor.id, begunAt: nowMs }
  const isRenewal = facts.isReserved === 1
  return commitReserved(call, {
    statements: [
      ...(isRenewal ? [endStanding(call, facts.id)] : []),
      db.insert(silentFreezes).values({ id: newId(), investor: facts.id, ...begun }),
    ],
    audit: [
      {
        action: isRenewal ? 'investor.silent_freeze_renewed' : 'investor.silently_frozen',
        subject: facts.id,
      },
    ],
    answer: describeInvestor(investor, { reason: body.reason, by: actor.displayName, at: nowMs }),
  })
}

/** Ends a silent freeze. Refuses `already_decided` if none stands. */
export async function endSilentFreeze(call: CallOf<typeof contract.endSilentFreeze>, investor: Investor) {
  const { facts } = investor
  if (facts.isReserved === 0) refuse('already_decided', { msg: 'No silent freeze stands on this account.' })
  return commitReserved(call, {
    statements: [endStanding(call, facts.id)],
    audit: [{ action: 'investor.silent_freeze_ended', subject: facts.id }],
    answer: describeInvestor(investor, null),
  })
}

function endStanding({ db, actor, nowMs }: ActorCall, investor: string) {
  return db
    .update(silentFreezes)
    .set({ endedBy: actor.id, endedAt: sql`max(${nowMs}, ${silentFreezes.begunAt})` })
    .where(and(eq(silentFreezes.investor, investor), isNull(silentFreezes.endedAt)))
}

function describeInvestor(
  { facts, figures }: Investor,
  freeze: { readonly reason: string; readonly by: string; readonly at: number } | null,
): Answer<contract.OperatorInvestor> {
  const changed = {
    isReserved: freeze === null ? 0 : 1,
    silentReason: freeze?.reason ?? null,
    silentBy: freeze?.by ?? null,
    silentAt: freeze?.at ?? null,
  } as const
  return ok(toInvestorDetail({ facts: { ...facts, ...changed }, figures }))
}

/** Commits what only the role of the settings may do, and names that role in a refusal. */
export async function commitReserved<A extends Answer<unknown>>(
  call: ActorCall,
  effect: Effect<A>,
): Promise<A> {
  try {
    return await call.commit(effect)
  } catch (error) {
    if (findDatabaseRefusal(error)?.code !== 'forbidden') throw error
    return refuse('forbidden', {
      msg: 'This takes compliance, or the role that the settings name for confidential notes.',
    })
  }
}
