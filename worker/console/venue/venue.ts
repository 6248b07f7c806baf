import { desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type * as contract from '../../../src/contract/console/venue.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { getMarket } from '../../investing/candles/markets.ts'
import { getVenueName } from '../../investing/venueAccount/configuration.ts'
import { parseStored, readTogether, selectRows } from '../../lib/database.ts'
import { formatDecimal } from '../../lib/decimalText.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { poolOrders } from '../../lib/tables/strategies.ts'
import {
  tradingStops,
  venueBalances,
  venueChecks,
  venueFees,
  venueOrders,
  venueTransfers,
} from '../../lib/tables/venues.ts'
import { checkConditions, readConditions } from './conditions.ts'

const MOST_ROWS = 50

/** The exchange, as it is now. One round trip. */
export async function showVenue(call: CallOf<typeof contract.showVenue>) {
  return ok(await loadVenue(call))
}

/** The kill switch of an exchange, or of all trading. One operator is enough, because it only reduces risk. */
export async function stopTrading(call: CallOf<typeof contract.stopTrading>) {
  const { db, env, actor, nowMs, body } = call
  const { scope, reason } = body
  if (scope !== 'all' && scope !== getVenueName(env)) refuseField('scope', 'There is no such exchange')
  const now = await loadVenue(call)
  if (now.stops.some((stop) => stop.scope === scope))
    refuse('already_decided', { msg: 'This is already stopped.' })
  const stop = { scope, since: toIso(nowMs), by: { _id: actor.id, name: actor.displayName }, reason }
  return call.commit({
    statements: [db.insert(tradingStops).values({ scope, at: nowMs, actor: actor.id, reason })],
    audit: [{ action: 'trading.stopped', subject: scope }],
    answer: ok({ ...now, stops: [...now.stops, stop] }),
  })
}

/** What `compareWithBooks` wrote. Quantities are 10⁻⁸. */
const checkFinding = z.object({
  differences: z.array(z.object({ asset: z.string(), expected: z.number(), actual: z.number() })),
  found: z.array(z.string()),
  waits: z.array(z.string()),
})

async function loadVenue({ db, env, nowMs }: ActorCall): Promise<contract.OperatorVenue> {
  const venue = getVenueName(env)
  const [s, t, u] = [alias(tradingStops, 's'), alias(venueTransfers, 't'), alias(users, 'u')]
  const [w, o, p] = [alias(venueOrders, 'w'), alias(poolOrders, 'o'), alias(proposals, 'p')]
  const { id, side, quantity, limitPrice, sentAt, state, reason } = w
  const { strategy, asset } = o
  const filled = sql<number>`(SELECT coalesce(sum(quantity), 0) FROM pool_fills WHERE venue_order = w.id)`
  const [[check], [fee], balances, stops, strategies, orders, transfers] = await readTogether(
    db,
    selectRows(getTableColumns(venueChecks)).from(venueChecks).where(eq(venueChecks.venue, venue)),
    selectRows(getTableColumns(venueFees)).from(venueFees).where(eq(venueFees.venue, venue)),
    selectRows(getTableColumns(venueBalances))
      .from(venueBalances)
      .where(eq(venueBalances.venue, venue))
      .orderBy(venueBalances.asset),
    selectRows({ scope: s.scope, at: s.at, actor: s.actor, name: u.displayName, reason: s.reason })
      .from(s)
      .innerJoin(u, eq(u.id, s.actor))
      .where(isNull(s.liftedAt))
      .orderBy(s.seq),
    readConditions(venue),
    selectRows({ id, strategy, asset, side, quantity, limitPrice, sentAt, state, filled, reason })
      .from(w)
      .innerJoin(o, eq(o.id, w.poolOrder))
      .where(eq(w.venue, venue))
      .orderBy(desc(w.seq))
      .limit(MOST_ROWS),
    selectRows({ ...getTableColumns(t), actor: u.id, name: u.displayName })
      .from(t)
      .innerJoin(p, eq(p.id, t.proposal))
      .innerJoin(u, eq(u.id, p.decidedBy))
      .where(eq(t.venue, venue))
      .orderBy(desc(t.seq))
      .limit(MOST_ROWS),
  )
  return {
    venue: venue === '' ? null : { _id: venue, name: getMarket(venue).name },
    check: check === undefined ? null : toVenueCheck(check),
    fee: fee === undefined ? null : { share: fee.takerMillionths / 1e6, askedAt: toIso(fee.askedAt) },
    balances: balances.map(({ asset, quantity }) => ({ asset, quantity: formatQuantity(quantity) })),
    stops: stops.map(({ scope, at, actor, name, reason }) => ({
      scope,
      since: toIso(at),
      by: { _id: actor, name },
      reason,
    })),
    strategies: strategies.map((facts) => ({
      _id: facts.slug,
      name: getStrategyName(facts.slug),
      since: toIsoOrNull(facts.since),
      conditions: checkConditions(facts, nowMs),
      owes: facts.venue !== null && facts.cash < 0 && facts.isSettling === 0 ? -facts.cash / 1e6 : null,
    })),
    orders: orders.map(({ id, quantity, limitPrice, sentAt, filled, ...order }) => ({
      ...order,
      _id: id,
      quantity: formatQuantity(quantity),
      limitPrice: formatDecimal(limitPrice, 9),
      sentAt: toIso(sentAt),
      filled: formatQuantity(filled),
    })),
    transfers: transfers.map(({ proposal: id, asset, quantity, at, actor, name }) => ({
      _id: id,
      asset,
      quantity: formatQuantity(quantity),
      at: toIso(at),
      by: { _id: actor, name },
    })),
  }
}

function toVenueCheck({
  at,
  state,
  since,
  finding,
}: typeof venueChecks.$inferSelect): contract.OperatorVenue['check'] {
  const { differences, found, waits } = parseStored(checkFinding, finding)
  return {
    at: toIso(at),
    state,
    since: toIso(since),
    differences: differences.map(({ asset, expected, actual }) => ({
      asset,
      expected: formatQuantity(expected),
      actual: formatQuantity(actual),
    })),
    found,
    waits,
  }
}

function formatQuantity(quantity: number): string {
  return formatDecimal(quantity, 8)
}
