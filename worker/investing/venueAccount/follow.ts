import { and, eq, inArray, sql } from 'drizzle-orm'
import { sum } from '../../../src/contract/numbers.ts'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import { getLogMessage } from '../../lib/errors.ts'
import { poolFills, poolOrders } from '../../lib/tables/strategies.ts'
import { venueOrders } from '../../lib/tables/venues.ts'
import { isItemFailure } from '../venues/client.ts'
import { computeValue } from '../venues/units.ts'
import type { VenueFill, VenueOrder } from '../venues/venue.ts'
import { type Account, MOST_SKEW_MS } from './account.ts'

/** An order that was sent, or is being sent, and can still be filled. */
export type UnfinishedOrder = Awaited<ReturnType<typeof readUnfinished>>[number]

/** A venue shows an order at most this long after it took it. The database has the same figure. */
const VISIBLE_AFTER_MS = 30 * 60_000
/** A venue ends an order at its deadline by itself. After this time we cancel it. */
const OVERDUE_MS = 60_000

const isUnfinished = (venue: string) =>
  and(eq(venueOrders.venue, venue), inArray(venueOrders.state, ['sending', 'open']))

/** `seenPrice` is the price that the pool's order was planned at, in USD. */
export async function readUnfinished(db: Database, venue: string) {
  const { id, poolOrder, quantity, limitPrice, mostPaid, state, venueId, sentAt, expiresAt } = venueOrders
  const { asset, side, seenPrice } = poolOrders
  return await db
    .select({
      ...{ id, poolOrder, asset, side, quantity, limitPrice, mostPaid, state, venueId, sentAt, expiresAt },
      seenPrice,
    })
    .from(venueOrders)
    .innerJoin(poolOrders, eq(poolOrders.id, poolOrder))
    .where(isUnfinished(venue))
    .orderBy(venueOrders.seq)
}

/**
 * Asks the venue about every order that can still be filled, books its new trades, and records what became of it. An order whose
 * answer was lost is found by its client id. It counts as absent only when the venue's complete lists do not have it long after its
 * deadline, and it is not found by its id either. An order that cannot be read or booked waits, and the others go on. Returns what cannot
 * be explained, and why orders wait.
 */
export async function followOrders(
  account: Account,
  unfinished: readonly UnfinishedOrder[],
): Promise<FollowReport> {
  if (unfinished.length === 0) return { found: [], waits: [] }
  const { db, venue, now } = account
  const since = Math.min(...unfinished.map(({ sentAt }) => sentAt)) - MOST_SKEW_MS
  // The lists are at least as new as this.
  const askedAt = now()
  const orders = await venue.orders(since)
  const listed = await venue.fills(since)
  const fills = [...new Map(listed.map((fill) => [fill.tradeId, fill])).values()]
  const booked = await db
    .select({ trade: poolFills.trade })
    .from(venueOrders)
    .innerJoin(poolFills, eq(poolFills.venueOrder, venueOrders.id))
    .where(isUnfinished(venue.name))
  const known = new Set(booked.flatMap(({ trade }) => trade ?? []))
  const findings: string[] = []
  const waits: string[] = []
  for (const sent of unfinished) {
    try {
      const found = await findOrder(account, sent, orders, askedAt)
      if (found === null) {
        findings.push(...(await handleMissingOrder(account, sent, askedAt)))
        continue
      }
      const trades = fills.filter(({ venueId }) => venueId === found.venueId)
      const mismatch = describeMismatch(sent, found, trades)
      if (mismatch === null) await recordOrder(account, sent, found, trades, known)
      else findings.push(mismatch)
      if (found.isOpen && askedAt > sent.expiresAt + OVERDUE_MS) await venue.cancel(found.venueId)
    } catch (error) {
      waits.push(describeWait(error, sent))
    }
  }
  return { found: findings, waits }
}

interface FollowReport {
  /** What cannot be explained: it counts as a difference. */
  readonly found: readonly string[]
  readonly waits: readonly string[]
}

/** Why one order alone waits. Throws an error that concerns all orders. */
function describeWait(error: unknown, { id, asset }: UnfinishedOrder): string {
  const isRefused = /SQLITE_CONSTRAINT/.test(getLogMessage(error))
  if (!isItemFailure(error) && !(error instanceof RangeError) && !isRefused) throw error
  console.error(JSON.stringify({ level: 'error', venueOrder: id, error: getLogMessage(error) }))
  return `The order ${id} of ${asset} cannot be ${isRefused ? 'booked' : 'read'}`
}

/** What the venue shows for an order and nobody sent. Nothing of it is booked, because a mistake in the books would stay. */
function describeMismatch(
  { id, asset, side, limitPrice }: UnfinishedOrder,
  found: VenueOrder,
  trades: readonly VenueFill[],
): string | null {
  const isOther = [found, ...trades].some((row) => row.asset !== asset || row.side !== side)
  if (isOther) return `The exchange shows another asset or side for the order ${id}`
  const worse = trades.find(({ price }) => (side === 'buy' ? price > limitPrice : price < limitPrice))
  return worse ? `The trade ${worse.tradeId} of the order ${id} is beyond its limit` : null
}

async function findOrder(
  { venue }: Account,
  { id, venueId, expiresAt }: UnfinishedOrder,
  orders: readonly VenueOrder[],
  askedAt: number,
): Promise<VenueOrder | null> {
  const listed = orders.find((order) => order.clientId === id || order.venueId === venueId)
  if (listed !== undefined) return listed
  // The lists leave out what cannot be read, so absence needs an answer about this order.
  if (venueId === null) return askedAt < expiresAt + VISIBLE_AFTER_MS ? null : await venue.order(id)
  return await venue.order(venueId)
}

/** An order that the venue does not show. */
async function handleMissingOrder(
  { db }: Account,
  sent: UnfinishedOrder,
  askedAt: number,
): Promise<string[]> {
  if (askedAt < sent.expiresAt + VISIBLE_AFTER_MS) return []
  if (sent.state === 'open') return [`The order ${sent.venueId} was accepted and is not listed`]
  await runBatch(db, [
    sql`UPDATE venue_orders SET state = 'absent', seen_at = ${askedAt} WHERE id = ${sent.id} AND state = 'sending'`,
  ])
  return []
}

/** Books an order's new trades, and closes it once the venue says that it ended and all its trades are booked. One batch. */
async function recordOrder(
  { db, venue, now }: Account,
  sent: UnfinishedOrder,
  found: VenueOrder,
  trades: readonly VenueFill[],
  known: ReadonlySet<string>,
): Promise<void> {
  const isWhole = sum(trades.map(({ quantity }) => quantity)) === found.filled
  const fresh = trades.filter(({ tradeId }) => !known.has(`${venue.name}:${tradeId}`))
  const isClosed = !found.isOpen && isWhole
  if (fresh.length === 0 && !isClosed && sent.venueId === found.venueId && sent.state === 'open') return
  const statements: Statement[] = [
    sql`UPDATE venue_orders SET state = 'open', venue_id = ${found.venueId} WHERE id = ${sent.id}`,
    ...fresh.map((fill) => db.insert(poolFills).values(toPoolFill(venue.name, sent, fill, now()))),
  ]
  if (isClosed)
    statements.push(sql`
      UPDATE venue_orders SET state = 'closed', filled = (
        SELECT coalesce(sum(quantity), 0) FROM pool_fills WHERE venue_order = ${sent.id})
      WHERE id = ${sent.id}`)
  await runBatch(db, statements)
}

/** 10⁻⁸ USD in one micro-USD. */
const PARTS = 100
const QUANTITY_SCALE = 100_000_000

/**
 * A trade as the pool books it. Payments are rounded up to micro-USD, proceeds down. A fee in coins of a purchase reduces the coins
 * that arrived. A fee in coins of a sale is taken in addition to the sold coins, and the pool may have no more coins: it pays their
 * value at the trade's price, and `venueFee` takes them off the company's coins at the venue.
 */
function toPoolFill(venue: string, sent: UnfinishedOrder, fill: VenueFill, atMs: number) {
  const { id, poolOrder, side, seenPrice } = sent
  const price = fill.price / 1e9
  const feeUsd = fill.fee.asset === 'usd' ? fill.fee.amount : 0
  const feeCoins = fill.fee.asset === 'base' ? fill.fee.amount : 0
  // The fee that the pool pays, in 10⁻⁸ USD.
  const paid = side === 'sell' && feeCoins > 0 ? computeValue(feeCoins, fill.price) : feeUsd
  const quantity = side === 'buy' ? fill.quantity - feeCoins : fill.quantity
  const cash =
    side === 'buy' ? -Math.ceil((fill.value + paid) / PARTS) : Math.floor((fill.value - paid) / PARTS)
  const worse = side === 'buy' ? price - seenPrice : seenPrice - price
  return {
    id: `${venue}:${fill.tradeId}`,
    poolOrder,
    quantity,
    price,
    fee: Math.ceil(paid / PARTS),
    slippage: Math.max(0, Math.round((worse * fill.quantity * 1e6) / QUANTITY_SCALE)),
    cash,
    at: atMs,
    venueOrder: id,
    trade: `${venue}:${fill.tradeId}`,
    venueCash: side === 'buy' ? -(fill.value + feeUsd) : fill.value - feeUsd,
    venueFee: side === 'sell' && feeCoins > 0 ? feeCoins : null,
  }
}
