import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { lockAccount as lockEndpoint } from '../../../src/contract/identity/signIn.ts'
import { type Answer, type Effect, ok, type PublicCallOf } from '../../http/call.ts'
import { countOutgoing, describeStoppedPayouts } from '../../ledger/stopPayouts.ts'
import { isConstraintError, refuse } from '../../lib/errors.ts'
import { users } from '../../lib/tables/people.ts'
import { distrust } from '../credentials/distrust.ts'
import { verifyLockToken } from '../credentials/lockToken.ts'
import { buildAccountLockedMail } from './mails.ts'

type LockCall = PublicCallOf<typeof lockEndpoint>

/** Shown to the operators, who lift the freeze when the owner requests it. */
export const LOCK_REASON = 'Locked by its owner, with the link in a mail'

/**
 * Locks an account with the token of a security mail: freezes it, undoes what an intruder may have left in it, and mails the
 * owner. The account refuses sign-ins until the lock is lifted. A repeated call also undoes changes made since; an existing freeze and
 * its reason stay. Refuses `invalid_token` if the token is wrong or expired, or not an investor's.
 */
export async function lockAccount(call: LockCall): Promise<Answer<Message>> {
  const { db, env, nowMs, body } = call
  const id = await verifyLockToken(env, body.token, nowMs)
  if (id === null) return refuse('invalid_token')
  const [owner] = await db
    .select({
      id: users.id,
      email: users.email,
      displayName: users.displayName,
      frozenAt: users.frozenAt,
      outgoing: countOutgoing(sql`${users.id}`),
    })
    .from(users)
    .where(and(eq(users.id, id), eq(users.role, 'investor'), isNull(users.closedAt)))
  if (owner === undefined) return refuse('invalid_token')
  if (owner.frozenAt !== null) await call.commit(buildLockEffect(call, id))
  else await freeze(call, owner)
  return ok({
    msg: 'Your account is locked. All sessions have ended, nobody can sign in, and no money can be moved. Write to us to have the lock lifted.',
  })
}

async function freeze(
  call: LockCall,
  owner: {
    readonly id: string
    readonly email: string
    readonly displayName: string
    readonly outgoing: number
  },
): Promise<void> {
  const { db, env, nowMs } = call
  const { statements = [], audit } = buildLockEffect(call, owner.id)
  try {
    await call.commit({
      statements: [
        db
          .update(users)
          .set({
            frozenAt: nowMs,
            frozenReason: LOCK_REASON,
            // NOT NULL aborts the batch if the account was frozen meanwhile.
            createdAt: sql`CASE WHEN ${users.frozenAt} IS NULL THEN ${users.createdAt} END`,
          })
          .where(eq(users.id, owner.id)),
        ...statements,
      ],
      audit,
      mails: [buildAccountLockedMail(env, owner, describeStoppedPayouts(owner.outgoing))],
    })
  } catch (error) {
    // Another call or an operator froze it meanwhile. Sessions still end.
    if (!isConstraintError(error, 'NOT NULL', 'users.created_at')) throw error
    await call.commit(buildLockEffect(call, owner.id))
  }
}

function buildLockEffect({ nowMs }: LockCall, userId: string): Effect {
  return {
    statements: [
      // Before the lock: no stop is recorded for a locked account, because it has no payouts left to stop.
      ...distrust({ userId, cause: 'account_locked', nowMs }),
      // Lifting it now takes two operators, even if an operator froze it too. Earlier approvals no longer count.
      sql`UPDATE users SET locked_at = ${nowMs} WHERE id = ${userId}`,
    ],
    audit: [{ action: 'account.locked', subject: userId }],
  }
}
