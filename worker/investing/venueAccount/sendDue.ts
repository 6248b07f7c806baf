import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { DAY_MS } from '../../../src/time.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import {
  type Database,
  type RowOf,
  readTogether,
  runBatch,
  selectRows,
  selectValues,
} from '../../lib/database.ts'
import { pools } from '../../lib/tables/ledger.ts'
import { currentCandles } from '../../lib/tables/market.ts'
import { poolOrders } from '../../lib/tables/strategies.ts'
import { poolOrderEnds, venueOrders, venueStrategies } from '../../lib/tables/venues.ts'
import { isItemFailure } from '../venues/client.ts'
import type { VenueMarket, VenueStatus } from '../venues/venue.ts'
import type { Account } from './account.ts'

type WaitingPoolOrder = RowOf<typeof selectWaiting>

/** How long an order may be filled. */
const VALID_MS = 60_000
/** A price older than this is not traded on. The database has the same figure. */
const STALE_MS = 5 * 60_000
/** The limit is this much beyond the best price of the other side, so that an order is filled at once where there is a market. */
const BEYOND = 0.002
/** After so many orders without a fill, the rest is left to the next day. */
const MOST_EMPTY = 5
/** The unfilled rest is also left to the next day this long after the order was planned. */
const MOST_MS = DAY_MS
const NANO = 1e9

/**
 * Sends a venue order for each pool order that has none that can be filled, and ends the pool orders that are filled or given up.
 * Each venue order is stored before it is sent. Returns why orders wait.
 *
 * @param highestFee as a share of an order's value
 */
export async function sendDue(account: Account, status: VenueStatus, highestFee: number): Promise<string[]> {
  const { db, venue, now } = account
  const { waiting, isStopped, collar, most, dayMost } = await readWaiting(db, venue.name, now())
  if (waiting.length === 0) return []
  const markets = new Map(
    (await venue.markets([...new Set(waiting.map(({ asset }) => asset))])).map((market) => [
      market.asset,
      market,
    ]),
  )
  const findings: string[] = []
  /** What this run sent for each strategy. */
  const sent = new Map<string, { purchases: number; all: number }>()
  let needsPrice = false
  for (const order of waiting) {
    if (order.isBehindSale === 1) continue
    const market = markets.get(order.asset)
    if (market === undefined) {
      findings.push(`There is no market for ${order.asset}`)
      continue
    }
    if (isOver(order, market, now())) {
      await runBatch(db, [
        db.insert(poolOrderEnds).values({ poolOrder: order.id, at: now(), unfilled: order.rest }),
      ])
      continue
    }
    if (isStopped || (status !== 'online' && status !== 'limit_only')) continue
    if (order.believed === null || order.believedAt === null || now() - order.believedAt > STALE_MS) {
      needsPrice = true
      continue
    }
    const before = sent.get(order.strategy) ?? { purchases: 0, all: 0 }
    const leftToday = dayMost - order.spent - before.all
    const terms: Terms = {
      price: order.believed,
      leftToday,
      at: order.believedAt,
      collar,
      highestFee,
      most: Math.min(
        most,
        leftToday,
        order.side === 'buy' ? order.cash - before.purchases : Number.POSITIVE_INFINITY,
      ),
    }
    const { mostPaid, finding } = await sendOne(account, order, market, terms).catch((error: unknown) => {
      // Of one market alone: the orders of the others are sent.
      if (isItemFailure(error))
        return createUnsentOutcome(`The exchange’s answer about ${order.asset} cannot be used`)
      throw error
    })
    sent.set(order.strategy, {
      purchases: before.purchases + (order.side === 'buy' ? mostPaid : 0),
      all: before.all + mostPaid,
    })
    if (finding !== null) findings.push(finding)
  }
  // The feed asks once an hour. An order that waits for a price makes it due.
  if (needsPrice)
    await runBatch(db, [
      sql`UPDATE candle_feeds SET due_at = min(due_at, ${now()}) WHERE market = ${venue.name}`,
    ])
  return findings
}

function isOver(
  { rest, believed, empty, at }: WaitingPoolOrder,
  market: VenueMarket,
  nowMs: number,
): boolean {
  const value = believed === null ? Number.POSITIVE_INFINITY : rest * believed
  return (
    rest < Math.max(1, market.leastQuantity) ||
    value < market.leastValue ||
    empty >= MOST_EMPTY ||
    nowMs - at > MOST_MS
  )
}

interface Terms {
  /** The believed price of one, in USD. */
  readonly price: number
  readonly at: number
  /** Basis points. */
  readonly collar: number
  readonly highestFee: number
  /** The most that the order may cost, in micro-USD. */
  readonly most: number
  /** The amount that the limit for 24 hours leaves for the order, in micro-USD. */
  readonly leftToday: number
}

interface Outcome {
  /** The most that the order costs, in micro-USD. 0 if none was sent. */
  readonly mostPaid: number
  /** Why no order was sent, or why the venue refused it. */
  readonly finding: string | null
}

async function sendOne(
  { db, venue, now }: Account,
  order: WaitingPoolOrder,
  market: VenueMarket,
  { price, at, collar, highestFee, most, leftToday }: Terms,
): Promise<Outcome> {
  const { bid, ask } = await venue.book(order.asset)
  if (bid === null || ask === null || bid >= ask)
    return createUnsentOutcome(`The book of ${order.asset} has one side only`)
  const believed = Math.round(price * NANO)
  const limit = computeLimit(order.side, { bid, ask }, believed, collar, market.priceStep)
  if (limit === null)
    return createUnsentOutcome(
      `${order.asset} costs more than ${collar / 100} % more or less than we believe`,
    )
  const unitCost = limit / NANO / 100 // micro-USD for 10⁻⁸
  const costs = order.side === 'buy' ? 1 + highestFee : 1
  const quantity = roundDownTo(Math.min(order.rest, most / (unitCost * costs) - 1), market.quantityStep)
  if (quantity < market.leastQuantity || quantity * unitCost * 100 < market.leastValue)
    return createUnsentOutcome(
      most === leftToday
        ? `The orders of ${order.strategy} in the last 24 hours reached the largest amount allowed, so the rest of ${order.asset} waits`
        : `No order of ${order.asset} fits the pool’s cash and the largest orders allowed`,
    )
  const sentAt = now()
  const sent = {
    id: newId(),
    poolOrder: order.id,
    venue: venue.name,
    side: order.side,
    quantity,
    limitPrice: limit,
    mostPaid: Math.ceil(quantity * unitCost * costs),
    believedPrice: believed,
    bid,
    ask,
    pricedAt: Math.min(at, sentAt),
    sentAt,
    expiresAt: sentAt + VALID_MS,
  }
  // Stored before it is sent. If this answer is lost, the order is not sent and will be absent from the venue.
  await runBatch(db, [db.insert(venueOrders).values(sent)])
  const answer = await venue.submit({
    clientId: sent.id,
    asset: order.asset,
    side: order.side,
    quantity,
    limitPrice: limit,
    expiresAt: sent.expiresAt,
  })
  if (answer.state === 'accepted')
    await runBatch(db, [
      sql`UPDATE venue_orders SET state = 'open', venue_id = ${answer.venueId} WHERE id = ${sent.id} AND state = 'sending'`,
    ])
  if (answer.state === 'refused')
    await runBatch(db, [
      sql`UPDATE venue_orders SET state = 'refused', reason = ${answer.reason} WHERE id = ${sent.id} AND state = 'sending'`,
    ])
  const finding =
    answer.state === 'refused' ? `The venue refused an order of ${order.asset}: ${answer.reason}` : null
  return { mostPaid: sent.mostPaid, finding }
}

function createUnsentOutcome(finding: string): Outcome {
  return { mostPaid: 0, finding }
}

/** A price at which the other side trades now, within the collar. Null if it trades beyond the collar. */
function computeLimit(
  side: 'buy' | 'sell',
  { bid, ask }: { readonly bid: number; readonly ask: number },
  believed: number,
  collarBasisPoints: number,
  priceStep: number,
): number | null {
  const width = (believed * collarBasisPoints) / 10_000
  if (side === 'buy') {
    const limit = roundDownTo(Math.min(ask * (1 + BEYOND), believed + width), priceStep)
    return limit >= ask ? limit : null
  }
  const limit = roundUpTo(Math.max(bid * (1 - BEYOND), believed - width), priceStep)
  return limit <= bid ? limit : null
}

function roundDownTo(value: number, step: number): number {
  return Math.floor(value / step) * step
}

function roundUpTo(value: number, step: number): number {
  return Math.ceil(value / step) * step
}

/** Orders of pools that have not ended and have no venue order that can be filled at the moment. */
function selectWaiting(venue: string, nowMs: number) {
  const v = alias(venueStrategies, 'v')
  const p = alias(pools, 'p')
  const o = alias(poolOrders, 'o')
  const c = alias(currentCandles, 'c')
  return selectRows({
    id: o.id,
    strategy: o.strategy,
    asset: o.asset,
    side: o.side,
    at: o.at,
    /** The unfilled quantity, in 10⁻⁸. */
    rest: sql<number>`o.quantity - (SELECT coalesce(sum(quantity), 0) FROM pool_fills WHERE pool_order = o.id)`,
    /** How many venue orders for it ended without a fill. */
    empty: sql<number>`(
      SELECT count(*) FROM venue_orders
      WHERE pool_order = o.id AND (state = 'absent' OR (state = 'refused' AND reason <> 'rate_limit') OR filled = 0))`,
    /** Another order of the same pool has to be filled first: sales come before purchases. */
    isBehindSale: sql<0 | 1>`o.side = 'buy' AND EXISTS (
      SELECT 1 FROM pool_orders s WHERE s.strategy = o.strategy AND s.day = o.day AND s.side = 'sell'
        AND NOT EXISTS (SELECT 1 FROM pool_order_ends WHERE pool_order = s.id))`,
    /** The most that a purchase may cost now, in micro-USD. */
    cash: sql<number>`p.cash
      + (SELECT coalesce(sum(u.cents), 0) * 10000 FROM unit_orders u
         WHERE u.strategy = o.strategy AND u.status = 'pending' AND u.kind = 'allocate' AND u.created_at < o.day)
      - (SELECT coalesce(sum(w.most_paid), 0) FROM pool_orders d JOIN venue_orders w ON w.pool_order = d.id
         WHERE d.strategy = o.strategy AND d.side = 'buy' AND w.state IN ('sending', 'open'))`,
    /** The most that the pool's orders of the last 24 hours may have cost, in micro-USD. */
    spent: sql<number>`(
      SELECT coalesce(sum(w.most_paid), 0) FROM pool_orders d JOIN venue_orders w ON w.pool_order = d.id
      WHERE d.strategy = o.strategy AND w.sent_at > ${nowMs - DAY_MS} AND w.state NOT IN ('refused', 'absent'))`,
    /** The newest believed price, in USD, and when it arrived. */
    believed: c.last,
    believedAt: c.at,
  })
    .from(v)
    .innerJoin(p, eq(p.strategy, v.strategy))
    .innerJoin(
      o,
      sql`o.strategy = v.strategy AND o.day >= coalesce((SELECT max(day) FROM pool_steps WHERE strategy = v.strategy), 0)`,
    )
    .leftJoin(c, and(eq(c.market, v.venue), eq(c.asset, o.asset)))
    .where(sql`v.venue = ${venue} AND NOT EXISTS (SELECT 1 FROM pool_order_ends WHERE pool_order = o.id)
      AND NOT EXISTS (SELECT 1 FROM venue_orders WHERE pool_order = o.id AND state IN ('sending', 'open'))`)
    .orderBy(o.seq)
}

async function readWaiting(db: Database, venue: string, nowMs: number) {
  const [waiting, [terms]] = await readTogether(
    db,
    selectWaiting(venue, nowMs),
    selectValues({
      isStopped: sql<
        0 | 1
      >`EXISTS (SELECT 1 FROM trading_stops WHERE scope IN ('all', ${venue}) AND lifted_at IS NULL)`,
      collar: sql<number>`coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'orderCollar'), 100)`,
      most: sql<number>`10000 * coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'orderMost'), 1000000)`,
      dayMost: sql<number>`10000 * coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'orderDayMost'), 5000000)`,
    }),
  )
  const { isStopped = 0, collar = 0, most = 0, dayMost = 0 } = terms ?? {}
  return { waiting, isStopped: isStopped === 1, collar, most, dayMost }
}
