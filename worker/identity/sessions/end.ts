import { type ActorCall, type Answer, noContent } from '../../http/call.ts'
import { endSession } from '../credentials/endSessions.ts'

/** Ends a session of the actor's own: its token is dead from now on. Of two calls at once both answer the same. */
export async function endOwnSession(
  call: ActorCall,
  { id }: { readonly id: string },
): Promise<Answer<undefined>> {
  const { actor, db, nowMs } = call
  await call.commit({
    statements: [endSession(db, id, nowMs)],
    audit: [{ action: 'session.revoked', subject: actor.id }],
  })
  return noContent()
}
