import { and, eq, isNull } from 'drizzle-orm'
import { sessions } from '../auth/tables.ts'
import { type ActorCall, type Answer, noContent } from '../lib/call.ts'

/** Ends a session of the actor's own: its token is dead from now on. Of two calls at once both answer the same. */
export async function endSession(
  call: ActorCall,
  { id }: { readonly id: string },
): Promise<Answer<undefined>> {
  const { actor, db, nowMs } = call
  await call.commit({
    statements: [
      db
        .update(sessions)
        .set({ endedAt: nowMs })
        .where(and(eq(sessions.id, id), isNull(sessions.endedAt))),
    ],
    audit: [{ action: 'session.revoked', subject: actor.id }],
  })
  return noContent()
}
