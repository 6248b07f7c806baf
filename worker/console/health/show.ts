import { sql } from 'drizzle-orm'
import { FAILED_SIGN_INS, type OperatorHealth } from '../../../src/contract/console/health.ts'
import { rolesIn } from '../../../src/contract/console/roles.ts'
import { IDLE_MS, SESSION_MS } from '../../http/actor.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { DAY_MS } from '../../lib/days.ts'
import { carrierOf } from '../../lib/mail/carriers.ts'
import { cronWork, signInFailures } from '../../lib/tables/platform.ts'
import { WHOLE } from '../../platform/health/recordWork.ts'
import { readTrouble, troubled } from '../strategies/trouble.ts'
import { failingOf, readFailing, readWaitingMail } from './mail.ts'

const LOCK_MS = 15 * 60_000
const MOST_LOCKS = 1000
const MOST_OPERATORS = 50
const LONGEST_FINDING = 2000

/**
 * How the platform’s own work goes, in one round trip. What it reads is bounded: a thousand mails that wait and as many that
 * fail, a week’s hours by cause, a thousand locks, the operators’ sessions of a day.
 */
export async function showHealth({ db, env, nowMs }: ActorCall): Promise<Answer<OperatorHealth>> {
  const [waiting, failing, work, checks, market, failed, locked, operators, strategies] = await readTogether(
    db,
    readWaitingMail(),
    readFailing(),
    reading<typeof cronWork.$inferSelect>(
      sql`SELECT name, at, longest_ms AS longestMs, failed_since AS failedSince, error FROM ${cronWork}`,
    ),
    reading<{ name: string; ok: number; finding: string | null; at: number }>(
      sql`SELECT name, ok, substr(finding, 1, ${LONGEST_FINDING}) AS finding, at FROM self_checks ORDER BY name`,
    ),
    reading<{ name: string; source: string; at: number }>(
      sql`SELECT name, source, at FROM market_snapshots ORDER BY name`,
    ),
    reading<typeof signInFailures.$inferSelect>(
      sql`SELECT hour, cause, count FROM ${signInFailures} WHERE hour > ${nowMs - 7 * DAY_MS} ORDER BY hour, cause`,
    ),
    reading<{ accounts: number | null; addresses: number | null }>(sql`
      SELECT sum(key LIKE 'sign-in:account:%') AS accounts, sum(key LIKE 'sign-in:address:%' AND failed >= 30) AS addresses
      FROM (SELECT key, failed FROM rate_counters WHERE failed >= 10 AND window_start > ${nowMs - LOCK_MS} LIMIT ${MOST_LOCKS})`),
    reading<{ id: string; name: string; roles: string; sessions: number; seen: number }>(sql`
      SELECT u.id, u.display_name AS name, u.operator_roles AS roles, count(*) AS sessions, max(s.last_seen_at) AS seen
      FROM users u JOIN sessions s ON s.user_id = u.id AND s.created_at > ${nowMs - SESSION_MS}
      WHERE u.role = 'operator' AND s.ended_at IS NULL AND s.expires_at > ${nowMs} AND s.last_seen_at > ${nowMs - IDLE_MS}
      GROUP BY u.id ORDER BY seen DESC LIMIT ${MOST_OPERATORS}`),
    readTrouble(),
  )
  const whole = work.find(({ name }) => name === WHOLE)
  const oldest = [waiting[0]?.oldest, failing[0]?.oldest].filter((at) => typeof at === 'number')
  return ok({
    at: iso(nowMs),
    mail: {
      carried: carrierOf(env) !== null,
      waiting: waiting[0]?.count ?? 0,
      oldest: oldest.length === 0 ? null : iso(Math.min(...oldest)),
      ...failingOf(failing),
    },
    cron: {
      at: whole === undefined ? null : iso(whole.at),
      work: work
        .filter(({ name }) => name !== WHOLE)
        .map(({ name, at, longestMs, failedSince, error }) => ({
          name,
          at: iso(at),
          longestMs,
          failedSince: failedSince === null ? null : iso(failedSince),
          error,
        })),
    },
    checks: checks.map((check) => ({ ...check, ok: check.ok === 1, at: iso(check.at) })),
    market: market.map((list) => ({ ...list, at: iso(list.at) })),
    strategies: troubled(strategies, nowMs),
    signIns: {
      hours: failed.flatMap(({ hour, cause, count }) => {
        const known = FAILED_SIGN_INS.find((each) => each === cause)
        return known === undefined ? [] : [{ at: iso(hour), cause: known, count }]
      }),
      locked: { accounts: locked[0]?.accounts ?? 0, addresses: locked[0]?.addresses ?? 0 },
    },
    operators: operators.map(({ id, name, roles, sessions, seen }) => ({
      _id: id,
      name,
      roles: rolesIn(roles),
      sessions,
      lastSeenAt: iso(seen),
    })),
  })
}
