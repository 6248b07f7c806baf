import { and, eq, isNull } from 'drizzle-orm'
import { type ActorCall, type Answer, noContent } from '../lib/call.ts'
import { sessions } from './tables.ts'

/** Ends the session: its token is dead from now on. */
export async function logout(call: ActorCall): Promise<Answer<undefined>> {
  const { actor, db, nowMs } = call
  await call.commit({
    statements: [
      db
        .update(sessions)
        .set({ endedAt: nowMs })
        .where(and(eq(sessions.id, actor.session.id), isNull(sessions.endedAt))),
    ],
    audit: [{ action: 'session.ended', subject: actor.id }],
  })
  return noContent()
}
