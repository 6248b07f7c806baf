import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { listSessions as endpoint, SessionRow } from '../../../src/contract/identity/sessions.ts'
import { IDLE_MS, SESSION_MS } from '../../http/actor.ts'
import { type ActorCall, type Answer, type CallOf, noContent, ok } from '../../http/call.ts'
import { openCursor, takePage, toIso } from '../../http/paging.ts'
import { stopPayouts } from '../../ledger/stopPayouts.ts'
import { refuse } from '../../lib/errors.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { sessions } from '../../lib/tables/people.ts'
import { endPlansOfSessions, endSession, endSessions, revokeKeys } from '../credentials/distrust.ts'
import { buildSecurityMail } from '../credentials/lockToken.ts'

const seq = sql<number>`${sessions}.rowid`

/** The actor's live sessions, newest first. */
export async function listSessions(call: CallOf<typeof endpoint>): Promise<Answer<SessionRow[]>> {
  const { limit, cursor } = call.query
  const after = openCursor(cursor)
  const { id, createdAt, lastSeenAt, expiresAt, ip, userAgent } = sessions
  const rows = await call.db
    .select({ id, createdAt, lastSeenAt, expiresAt, ip, userAgent, seq })
    .from(sessions)
    .where(
      and(
        matchOwnLiveSessions(call),
        after === null ? undefined : sql`(${createdAt}, ${seq}) < (${after.at}, ${after.seq})`,
      ),
    )
    .orderBy(desc(createdAt), desc(seq))
    .limit(limit + 1)
  const page = takePage(call, rows, limit, (row) => ({ at: row.createdAt, seq: row.seq }))
  return ok(
    page.rows.map((row) => ({
      _id: row.id,
      createdAt: toIso(row.createdAt),
      lastSeenAt: toIso(row.lastSeenAt),
      expiresAt: toIso(row.expiresAt),
      ip: row.ip,
      userAgent: row.userAgent,
      current: row.id === call.actor.session.id,
    })),
    page.headers,
  )
}

/**
 * Ends one of the actor's sessions. Parallel calls return the same answer. Withdrawals that another session requested are
 * stopped with it, because an intruder may have requested them; the owner is mailed if there were any. The actor's own session ends
 * like a sign-out, and its withdrawals go on.
 */
export async function endOwnSession(
  call: ActorCall,
  { id }: { readonly id: string },
): Promise<Answer<undefined>> {
  const { actor, nowMs } = call
  const isOwn = id === actor.session.id
  await call.commit({
    statements: [
      ...(isOwn
        ? []
        : [
            stopPayouts(actor.id, 'session_ended', nowMs, { endedSession: id }),
            endPlansOfSessions(actor.id, { endedSession: id }, nowMs),
          ]),
      endSession(id, nowMs),
    ],
    audit: [{ action: 'session.revoked', subject: actor.id }],
    mails: isOwn ? [] : [await buildStoppedMail(call)],
  })
  return noContent()
}

/** Signs out everywhere else: ends all other sessions with their pending withdrawals, and revokes keys and guest links. */
export async function endOtherSessions(call: ActorCall): Promise<Answer<undefined>> {
  const { actor, nowMs } = call
  await call.commit({
    statements: [
      ...(actor.role === 'investor' ? [stopPayoutsOfOthers(call)] : []),
      endPlansOfSessions(actor.id, { keptSession: actor.session.id }, nowMs),
      endSessions(actor.id, nowMs, actor.session.id),
      revokeKeys(actor.id, nowMs),
    ],
    audit: [{ action: 'session.revoked', subject: actor.id }],
    mails: [await buildStoppedMail(call)],
  })
  return noContent()
}

/** Stops what each other live session requested. What the owner requested from a session that has ended goes on. */
function stopPayoutsOfOthers(call: ActorCall): SQL {
  return sql`
    INSERT INTO payout_stops (investor, cause, at, ended_session)
    SELECT user_id, 'session_ended', ${call.nowMs}, id FROM sessions
    WHERE ${matchOwnLiveSessions(call)} AND id <> ${call.actor.session.id}`
}

/** Sent only if a stop in the same batch took something back. */
async function buildStoppedMail({ env, actor, nowMs }: ActorCall): Promise<Mail> {
  const mail = await buildSecurityMail(env, actor, nowMs, 'Withdrawals of an ended session were stopped', [
    'You ended a session of your account. We cancelled the pending withdrawals that it had requested, and their money is available again. Approved ones need a new decision by two operators.',
    'If you requested them yourself, please request them again.',
  ])
  return {
    ...mail,
    onlyIf: sql`EXISTS (
      SELECT 1 FROM payout_stops s
      WHERE s.investor = ${actor.id} AND s.at = ${nowMs} AND s.cause = 'session_ended'
        AND (EXISTS (SELECT 1 FROM withdrawn_payout_approvals WHERE stop = s.seq)
          OR EXISTS (
            SELECT 1 FROM request_events
            WHERE investor = s.investor AND actor = s.investor AND status = 'cancelled' AND at = s.at)))`,
  }
}

/** Loads the actor's live session `:id`. Refuses `not_found`. */
export async function loadOwnSession(call: ActorCall): Promise<{ readonly id: string }> {
  const [row] = await call.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, call.params.id ?? ''), matchOwnLiveSessions(call)))
  return row ?? refuse('not_found')
}

/** The actor's live sessions, by the rules of `LIVE_SESSION`. */
function matchOwnLiveSessions({ actor, nowMs }: ActorCall): SQL | undefined {
  return and(
    eq(sessions.userId, actor.id),
    // No session lives longer, so the index can skip old rows.
    gt(sessions.createdAt, nowMs - SESSION_MS),
    isNull(sessions.endedAt),
    gt(sessions.expiresAt, nowMs),
    gt(sessions.lastSeenAt, nowMs - IDLE_MS),
  )
}
