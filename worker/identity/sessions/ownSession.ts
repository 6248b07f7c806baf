import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import { IDLE_MS, SESSION_MS } from '../../http/actor.ts'
import type { ActorCall } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { sessions } from '../../lib/tables/people.ts'

/** The live session that `:id` names, if it is the actor's own; refuses `not_found`, also once it has ended. */
export async function ownSession(call: ActorCall): Promise<{ readonly id: string }> {
  const [row] = await call.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, call.params.id ?? ''), ownAndLive(call)))
  return row ?? refuse('not_found')
}

/** Which sessions the actor's tokens still open: the rules of `LIVE_SESSION`, for all of them. */
export function ownAndLive({ actor, nowMs }: ActorCall): SQL | undefined {
  return and(
    eq(sessions.userId, actor.id),
    // None lives longer: what ended long ago is not even read.
    gt(sessions.createdAt, nowMs - SESSION_MS),
    isNull(sessions.endedAt),
    gt(sessions.expiresAt, nowMs),
    gt(sessions.lastSeenAt, nowMs - IDLE_MS),
  )
}
