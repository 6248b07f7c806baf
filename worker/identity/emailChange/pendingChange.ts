import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import type { EmailChange } from '../../../src/contract/identity/emailChange.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { findDatabaseRefusal, refuse } from '../../lib/errors.ts'
import { emailChanges } from '../../lib/tables/people.ts'

/** The actor's address and its pending change. The answer never reveals whether the new address has an account. */
export async function showEmail(
  call: ActorCall,
): Promise<Answer<{ email: string; change: EmailChange | null }>> {
  const pending = await findPendingChange(call)
  return ok({
    email: call.actor.email,
    change: pending && {
      newEmail: pending.newEmail,
      askedAt: toIso(pending.createdAt),
      expiresAt: toIso(pending.expiresAt),
      isConfirmedByPresent: pending.oldConfirmedAt !== null,
      isConfirmedByNew: pending.newConfirmedAt !== null,
    },
  })
}

/** The actor's pending change, if it has not expired. */
async function findPendingChange({ actor, db, nowMs }: ActorCall) {
  const [change] = await db
    .select()
    .from(emailChanges)
    .where(
      and(eq(emailChanges.userId, actor.id), isNull(emailChanges.endedAt), gt(emailChanges.expiresAt, nowMs)),
    )
  return change ?? null
}

const NONE = 'No change of your e-mail address is waiting any more.'

/**
 * Cancels the pending change of address, also on a frozen account. Refuses `already_decided` if none is pending, or if it was
 * completed or replaced meanwhile.
 */
export async function cancelChange(call: ActorCall): Promise<Answer<Message>> {
  const { actor, nowMs } = call
  const pending = await findPendingChange(call)
  if (pending === null) return refuse('already_decided', { msg: NONE })
  try {
    await call.commit({
      // No further condition: a trigger refuses to end it twice.
      statements: [sql`UPDATE email_changes SET ended_at = ${nowMs} WHERE id = ${pending.id}`],
      audit: [{ action: 'email.change_cancelled', subject: actor.id }],
    })
  } catch (error) {
    if (findDatabaseRefusal(error) !== null) refuse('already_decided', { msg: NONE })
    throw error
  }
  return ok({ msg: 'The change was cancelled. Your e-mail address stays the same.' })
}
