import { type ActorCall, type Answer, noContent } from '../../http/call.ts'
import { endSession } from '../credentials/endSessions.ts'

/** Ends the session: its token is dead from now on. */
export async function logout(call: ActorCall): Promise<Answer<undefined>> {
  const { actor, db, nowMs } = call
  await call.commit({
    statements: [endSession(db, actor.session.id, nowMs)],
    audit: [{ action: 'session.ended', subject: actor.id }],
  })
  return noContent()
}
