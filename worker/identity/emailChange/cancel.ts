import { eq } from 'drizzle-orm'
import type { Message } from '../../../src/contract/common.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { refusalOfDatabase, refuse } from '../../lib/errors.ts'
import { emailChanges } from '../../lib/tables/people.ts'
import { waitingChange } from './waiting.ts'

const NONE = 'No change of your e-mail address is waiting any more.'

/**
 * Calls off the change of address that waits, also on a frozen account. Refuses `already_decided` where none does, and
 * where both mailboxes confirmed it, or a newer one took its place, a moment earlier.
 */
export async function cancelChange(call: ActorCall): Promise<Answer<Message>> {
  const { actor, db, nowMs } = call
  const waiting = await waitingChange(call)
  if (waiting === null) return refuse('already_decided', { msg: NONE })
  try {
    await call.commit({
      // By its id, ended or not: a trigger refuses to end what has ended.
      statements: [db.update(emailChanges).set({ endedAt: nowMs }).where(eq(emailChanges.id, waiting.id))],
      audit: [{ action: 'email.change_cancelled', subject: actor.id }],
    })
  } catch (error) {
    if (refusalOfDatabase(error) !== null) refuse('already_decided', { msg: NONE })
    throw error
  }
  return ok({ msg: 'The change was called off. Your e-mail address stays as it is.' })
}
