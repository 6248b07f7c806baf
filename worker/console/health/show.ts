import { count, getTableColumns, gt, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as contract from '../../../src/contract/console/health.ts'
import { parseRoles } from '../../../src/contract/roles.ts'
import { DAY_MS } from '../../../src/time.ts'
import { readUnsearchedBlocks } from '../../chains/follow/unsearchedBlocks.ts'
import { isRepresentative } from '../../chains/payments/dust.ts'
import { IDLE_MS, SESSION_MS } from '../../http/actor.ts'
import { type Call, type CallOf, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { IS_UNDONE } from '../../ledger/balances.ts'
import { type RowOf, readTogether, selectRows, selectValues } from '../../lib/database.ts'
import { findCarrier } from '../../lib/mail/carriers.ts'
import { deliverOutbox } from '../../lib/mail/outbox.ts'
import { runtime } from '../../lib/runtime.ts'
import { marketSnapshots } from '../../lib/tables/market.ts'
import { chainServers, unsearchedBlocks } from '../../lib/tables/payments.ts'
import { sessions, users } from '../../lib/tables/people.ts'
import { cronWork, selfChecks, signInFailures } from '../../lib/tables/platform.ts'
import { CRON, getErrorClass } from '../../platform/health/cronWork.ts'
import { listTroubledStrategies, readTrouble } from '../strategies/strategies.ts'

const LOCK_MS = 15 * 60_000
const MOST_LOCKS = 1000
const MOST_OPERATORS = 50
const MOST_BLOCKS = 20
const LONGEST_FINDING = 2000

/**
 * The state of the platform's own work, in one round trip. Reads are bounded: a thousand waiting mails, a thousand failing
 * mails, a week of failed sign-ins by hour and cause, a thousand locks and one day of operators' sessions.
 */
export async function readHealth({
  db,
  env,
  nowMs,
}: Pick<Call, 'db' | 'env' | 'nowMs'>): Promise<contract.OperatorHealth> {
  const [u, s] = [alias(users, 'u'), alias(sessions, 's')]
  const [
    waiting,
    failing,
    work,
    checks,
    market,
    failed,
    locked,
    operators,
    strategies,
    servers,
    open,
    unsearched,
    lostKeys,
  ] = await readTogether(
    db,
    readWaitingMail(),
    readFailing(nowMs),
    selectRows(getTableColumns(cronWork)).from(cronWork),
    selectRows({
      name: selfChecks.name,
      ok: sql<0 | 1>`ok`,
      finding: sql<string | null>`substr(finding, 1, ${LONGEST_FINDING})`,
      at: selfChecks.at,
    })
      .from(selfChecks)
      .orderBy(selfChecks.name),
    selectRows({ name: marketSnapshots.name, source: marketSnapshots.source, at: marketSnapshots.at })
      .from(marketSnapshots)
      .orderBy(marketSnapshots.name),
    selectRows(getTableColumns(signInFailures))
      .from(signInFailures)
      .where(gt(signInFailures.hour, nowMs - 7 * DAY_MS))
      .orderBy(signInFailures.hour, signInFailures.cause),
    selectRows({
      accounts: sql<number | null>`sum(key LIKE 'sign-in:account:%')`,
      addresses: sql<number | null>`sum(key LIKE 'sign-in:address:%' AND failed >= 30)`,
    }).from(
      sql`(SELECT key, failed FROM rate_counters WHERE failed >= 10 AND window_start > ${nowMs - LOCK_MS} LIMIT ${MOST_LOCKS})`,
    ),
    selectRows({
      id: u.id,
      name: u.displayName,
      roles: u.operatorRoles,
      sessions: count(),
      seen: sql<number>`max(s.last_seen_at)`,
    })
      .from(u)
      .innerJoin(s, sql`s.user_id = u.id AND s.created_at > ${nowMs - SESSION_MS}`)
      .where(
        sql`u.role = 'operator' AND s.ended_at IS NULL AND s.expires_at > ${nowMs} AND s.last_seen_at > ${nowMs - IDLE_MS}`,
      )
      .groupBy(u.id)
      .orderBy(sql`seen DESC`)
      .limit(MOST_OPERATORS),
    readTrouble(),
    selectRows(getTableColumns(chainServers))
      .from(chainServers)
      .orderBy(chainServers.chain, chainServers.server),
    selectValues({
      queued: sql<number>`(SELECT count(*) FROM payments WHERE state = 'queued' AND ${isRepresentative()})`,
      undone: sql<number>`(SELECT count(*) FROM payments WHERE ${IS_UNDONE})`,
      pausedAt: sql<number | null>`(SELECT at FROM payout_pauses WHERE lifted_at IS NULL)`,
    }),
    readUnsearchedBlocks(MOST_BLOCKS),
    selectRows({
      wallet: sql<string>`w.id`,
      chain: sql<contract.OperatorHealth['lostKeys'][number]['chain']>`w.chain`,
      holder: sql<string>`o.display_name`,
      keys: count(),
    })
      .from(sql`watch_wallets w`)
      .innerJoin(sql`key_holders h`, sql`h.wallet = w.id`)
      .innerJoin(sql`users o`, sql`o.id = h.holder`)
      .where(sql`w.retired_at IS NULL AND h.holder NOT IN (SELECT id FROM deciding_treasurers)`)
      .groupBy(sql`w.id, o.id`)
      .orderBy(sql`w.created_at`)
      .limit(MOST_OPERATORS),
  )
  const cron = work.find(({ name }) => name === CRON)
  const oldest = [waiting[0]?.oldest, failing[0]?.oldest].filter((at) => typeof at === 'number')
  return {
    at: toIso(nowMs),
    mail: {
      carried: findCarrier(env) !== null,
      waiting: waiting[0]?.count ?? 0,
      oldest: oldest.length === 0 ? null : toIso(Math.min(...oldest)),
      ...groupFailures(failing),
    },
    cron: {
      at: cron === undefined ? null : toIso(cron.at),
      work: work
        .filter(({ name }) => name !== CRON)
        .map(({ name, at, longestMs, failedSince, error }) => ({
          name,
          at: toIso(at),
          longestMs,
          failedSince: toIsoOrNull(failedSince),
          error,
        })),
    },
    payoutsPausedSince: toIsoOrNull(open[0]?.pausedAt ?? null),
    checks: checks.map((check) => ({ ...check, ok: check.ok === 1, at: toIso(check.at) })),
    chains: {
      servers: servers.map(({ chain, server, height, answeredAt, failingSince, fault }) => ({
        chain,
        server,
        height,
        answeredAt: toIsoOrNull(answeredAt),
        failingSince: toIsoOrNull(failingSince),
        fault,
      })),
      queued: open[0]?.queued ?? 0,
      undone: open[0]?.undone ?? 0,
      unsearched: unsearched.map(({ failedAt, ...block }) => ({ ...block, since: toIso(failedAt) })),
    },
    lostKeys,
    market: market.map((list) => ({ ...list, at: toIso(list.at) })),
    strategies: listTroubledStrategies(strategies, nowMs),
    signIns: {
      hours: failed.flatMap(({ hour, cause, count }) => {
        const known = contract.FAILED_SIGN_INS.find((knownCause) => knownCause === cause)
        return known === undefined ? [] : [{ at: toIso(hour), cause: known, count }]
      }),
      locked: { accounts: locked[0]?.accounts ?? 0, addresses: locked[0]?.addresses ?? 0 },
    },
    operators: operators.map(({ id, name, roles, sessions, seen }) => ({
      _id: id,
      name,
      roles: parseRoles(roles),
      sessions,
      lastSeenAt: toIso(seen),
    })),
  }
}

export async function showHealth(call: CallOf<typeof contract.getHealth>) {
  return ok(await readHealth(call))
}

/** The number of waiting mails, up to a thousand, and the age of the oldest of them. */
function readWaitingMail() {
  return selectRows({ count: count(), oldest: sql<number | null>`min(created_at)` }).from(
    sql`(SELECT created_at FROM outbox WHERE next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT ${contract.MOST_MAILS})`,
  )
}

/** Mails that failed and await a retry, and those of a week whose recipient was refused, by error message, oldest first. */
function readFailing(nowMs: number) {
  return selectRows({ error: sql<string>`last_error`, count: count(), oldest: sql<number>`min(created_at)` })
    .from(sql`(
      SELECT last_error, created_at FROM outbox WHERE delivered_at IS NULL AND last_error IS NOT NULL
        AND (next_attempt_at IS NOT NULL OR created_at > ${nowMs - 7 * DAY_MS})
      ORDER BY created_at LIMIT ${contract.MOST_MAILS})`)
    .groupBy(sql`last_error`)
    .orderBy(sql`oldest`)
}

/** Failures by kind. The carrier's own message is not shown: it may contain an address. */
function groupFailures(rows: readonly RowOf<typeof readFailing>[]) {
  const counts = new Map<string, number>()
  for (const { error, count } of rows) {
    const shown = getErrorClass(error)
    counts.set(shown, (counts.get(shown) ?? 0) + count)
  }
  const [oldest] = rows
  return {
    failing: [...counts]
      .map(([error, count]) => ({ error, count }))
      .sort((a, b) => b.count - a.count || (a.error < b.error ? -1 : 1)),
    failingSince: oldest === undefined ? null : toIso(oldest.oldest),
  }
}

/** Mails retried per call. */
const MOST = 500
/** A mail due sooner than this may be in delivery right now. */
const UNDER_WAY_MS = 60_000

/** Makes failed mails due at once and delivers the first of them after the answer. */
export async function retryMails(call: CallOf<typeof contract.retryMail>) {
  const { db, env, nowMs } = call
  const later = sql`
    SELECT seq FROM outbox
    WHERE next_attempt_at IS NOT NULL AND last_error IS NOT NULL AND next_attempt_at > ${nowMs + UNDER_WAY_MS}
    ORDER BY created_at LIMIT ${MOST}`
  const [[found]] = await readTogether(db, selectRows({ count: count() }).from(sql`(${later})`))
  const tried = found?.count ?? 0
  await call.commit({
    statements: [db.run(sql`UPDATE outbox SET next_attempt_at = ${nowMs} WHERE seq IN (${later})`)],
    audit: [{ action: 'outbox.retried', subject: 'outbox', detail: { mails: tried } }],
  })
  call.defer(() => deliverOutbox(env, db, runtime.now()))
  return ok({ msg: retryMessage(tried), tried })
}

/** Makes blocks that could not be searched due at once. The next runs of the job `payments` search them, two in each. */
export async function retryBlocks(call: CallOf<typeof contract.retryBlocks>) {
  const { db } = call
  const tried = await db.$count(unsearchedBlocks)
  await call.commit({
    statements: [db.update(unsearchedBlocks).set({ triedAt: 0 })],
    audit: [{ action: 'blocks.retried', subject: 'blocks', detail: { blocks: tried } }],
  })
  const msg = tried === 0 ? 'Every block is searched.' : 'The blocks are searched again, two in each minute.'
  return ok({ msg, tried })
}

function retryMessage(tried: number): string {
  if (tried === 0) return 'Each mail that failed is being tried within the minute already.'
  return tried === 1 ? 'One mail is being tried again.' : `${tried} mails are being tried again.`
}
