import { and, eq, gt, isNull } from 'drizzle-orm'
import type { EmailChange } from '../../../src/contract/identity/emailChange.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { emailChanges } from '../../lib/tables/people.ts'

/**
 * The actor's address and the change of it that waits, if any. Of a new address that has an account nothing more shows
 * than of any other: its mailbox has not confirmed.
 */
export async function showEmail(
  call: ActorCall,
): Promise<Answer<{ email: string; change: EmailChange | null }>> {
  const waiting = await waitingChange(call)
  return ok({
    email: call.actor.email,
    change: waiting && {
      newEmail: waiting.newEmail,
      askedAt: iso(waiting.createdAt),
      expiresAt: iso(waiting.expiresAt),
      isConfirmedByPresent: waiting.oldConfirmedAt !== null,
      isConfirmedByNew: waiting.newConfirmedAt !== null,
    },
  })
}

/** The change that the actor has open and whose links still work. */
export async function waitingChange({ actor, db, nowMs }: ActorCall) {
  const [change] = await db
    .select()
    .from(emailChanges)
    .where(
      and(eq(emailChanges.userId, actor.id), isNull(emailChanges.endedAt), gt(emailChanges.expiresAt, nowMs)),
    )
  return change ?? null
}
