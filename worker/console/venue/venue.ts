import { sql } from 'drizzle-orm'
import * as contract from '../../../src/contract/console/venue.ts'
import { type ActorCall, createRoute, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { getMarket } from '../../investing/candles/markets.ts'
import { getStrategyName } from '../../investing/trading/notices.ts'
import { getVenueName } from '../../investing/venueAccount/configuration.ts'
import { buildQuery, readTogether } from '../../lib/database.ts'
import { formatDecimal } from '../../lib/decimalText.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { tradingStops } from '../../lib/tables/venues.ts'
import { checkConditions, readConditions } from './conditions.ts'

const MOST_ROWS = 50

/** The exchange, as it is now. One round trip. */
export const showVenue = createRoute(contract.showVenue, async (call) => ok(await loadVenue(call)))

/** The kill switch of an exchange, or of all trading. One operator is enough, because it only reduces risk. */
export const stopTrading = createRoute(contract.stopTrading, async (call) => {
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
})

interface CheckRow {
  readonly at: number
  readonly state: 'equal' | 'different' | 'unreachable'
  readonly since: number
  readonly finding: string
}

interface Finding {
  readonly differences: readonly { asset: string; expected: number; actual: number }[]
  readonly found: string[]
  readonly waits: string[]
}

interface OrderRow {
  readonly id: string
  readonly strategy: string
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly quantity: number
  readonly limitPrice: number
  readonly sentAt: number
  readonly state: 'sending' | 'open' | 'closed' | 'refused' | 'absent'
  readonly filled: number
  readonly reason: string | null
}

async function loadVenue({ db, env, nowMs }: ActorCall): Promise<contract.OperatorVenue> {
  const venue = getVenueName(env)
  const [[check], balances, stops, strategies, orders, transfers] = await readTogether(
    db,
    buildQuery<CheckRow>(sql`SELECT at, state, since, finding FROM venue_checks WHERE venue = ${venue}`),
    buildQuery<{ asset: string; quantity: number }>(
      sql`SELECT asset, quantity FROM venue_balances WHERE venue = ${venue} ORDER BY asset`,
    ),
    buildQuery<{ scope: string; at: number; actor: string; name: string; reason: string }>(sql`
      SELECT t.scope, t.at, t.actor, u.display_name AS name, t.reason FROM trading_stops t JOIN users u ON u.id = t.actor
      WHERE t.lifted_at IS NULL ORDER BY t.seq`),
    readConditions(venue),
    buildQuery<OrderRow>(sql`
      SELECT w.id, o.strategy, o.asset, w.side, w.quantity, w.limit_price AS limitPrice, w.sent_at AS sentAt, w.state,
             (SELECT coalesce(sum(quantity), 0) FROM pool_fills WHERE venue_order = w.id) AS filled, w.reason
      FROM venue_orders w JOIN pool_orders o ON o.id = w.pool_order
      WHERE w.venue = ${venue} ORDER BY w.seq DESC LIMIT ${MOST_ROWS}`),
    buildQuery<{ id: string; asset: string; quantity: number; at: number; actor: string; name: string }>(sql`
      SELECT t.proposal AS id, t.asset, t.quantity, t.at, u.id AS actor, u.display_name AS name
      FROM venue_transfers t JOIN proposals p ON p.id = t.proposal JOIN users u ON u.id = p.decided_by
      WHERE t.venue = ${venue} ORDER BY t.seq DESC LIMIT ${MOST_ROWS}`),
  )
  return {
    venue: venue === '' ? null : { _id: venue, name: getMarket(venue).name },
    check: check === undefined ? null : toVenueCheck(check),
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
    transfers: transfers.map(({ id, asset, quantity, at, actor, name }) => ({
      _id: id,
      asset,
      quantity: formatQuantity(quantity),
      at: toIso(at),
      by: { _id: actor, name },
    })),
  }
}

function toVenueCheck({ at, state, since, finding }: CheckRow): NonNullable<contract.OperatorVenue['check']> {
  // `compareWithBooks` wrote it.
  const { differences, found, waits } = JSON.parse(finding) as Finding
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
