import { sql } from 'drizzle-orm'
import { at } from '../../../engine/at.ts'
import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import { GAP_PARTS } from '../../../src/contract/investing/gapParts.ts'
import { START_PRICE } from '../../ledger/units.ts'
import { type Database, reading, readTogether, type Statement } from '../../lib/database.ts'
import { gaps } from '../../lib/tables/gaps.ts'
import {
  type Carried,
  type GapFill,
  type GapFlow,
  noParts,
  type PoolDay,
  poolGap,
  shownGap,
  type TestedDay,
  unitGap,
} from './gap.ts'
import { type Model, type ModelHoldings, pricesAt } from './model.ts'
import type { Pool } from './state.ts'
import { isExit } from './trading.ts'
import { movedPrice } from './unitPrices.ts'
import { priceSinceOpen, type Valued } from './valuation.ts'

/** An order that was sent later than this after it was due is late. A lost answer delays one by half an hour. */
const LATE_MS = 60 * 60_000

/**
 * The statement that stores why a strategy's day went otherwise than its test. It belongs to the batch that records the close. The
 * replayed model is at hand then; a reader would have to replay it for each request.
 * @param pool after the day's trades
 */
export async function explainDay(
  db: Database,
  pool: Pool,
  model: Model,
  close: Close,
): Promise<{ readonly statement: Statement }> {
  const row = explained(pool, model, close, await readBooks(db, pool, close.day))
  // Inside an object, because awaiting a bare statement would run it.
  return { statement: db.insert(gaps).values(row) }
}

/** A close, valued. `day` is 00:00 UTC, and `bar` the market's bar that begins then. */
export interface Close {
  readonly day: number
  readonly bar: number
  readonly valued: Pick<Valued, 'unit' | 'netValue'>
}

/** What a day's explanation needs besides the pool and the model. */
export interface Books {
  /** The close before; null on the first day. */
  readonly before: Before | null
  readonly fills: readonly FillRow[]
  /** What was left of orders when they ended. */
  readonly rests: readonly RestRow[]
  readonly flows: readonly GapFlow[]
  readonly carried: Carried
  /** What the company paid for the pool since the close before, in micro-USD. */
  readonly covered: number
}

interface Before {
  readonly unitPrice: number
  readonly follows: boolean
  /** Null for a valuation from before commitments. */
  readonly held: PoolDay['before'] | null
}

/** The row of a day. */
export function explained(pool: Pool, model: Model, { day, bar, valued }: Close, books: Books) {
  const { costs } = pool.definition
  const tested = testedDay(model, bar)
  const before = books.before?.unitPrice ?? START_PRICE
  const following = {
    overnight: books.before?.follows ?? true,
    today: pool.latest?.follows === 1,
  }
  const unit = unitGap(
    {
      before,
      open: pool.latest?.unitPrice ?? before,
      uncappedOpen:
        books.before !== null && following.overnight
          ? movedPrice(before, tested.before, tested.opened)
          : before,
      close: valued.unit,
      uncappedClose: priceSinceOpen(pool, model, bar, tested.closed),
    },
    tested,
    following,
    costs,
  )
  const poolDay = poolDayOf(pool, model, bar, books, valued)
  const own = poolDay === null ? null : poolGap(poolDay, tested, following, costs)
  const shown = shownGap(unit, own, books.carried, (pool.units * before) / 1e6)
  const parts = noParts()
  for (const part of GAP_PARTS) parts[part] = Math.round(shown.parts[part] * SHARE)
  return {
    ...{ strategy: pool.slug, day },
    ...{ live: Math.round(unit.live * SHARE), test: Math.round(unit.test * SHARE) },
    ...parts,
    pool: own === null ? null : JSON.stringify(own),
    carried: JSON.stringify(shown.carried),
  }
}

/** Returns are stored in 10⁻⁶ of a basis point. */
const SHARE = 1e10

interface OrderRow {
  readonly order: string
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly seenPrice: number | null
  readonly quantity: number
}

interface RestRow extends OrderRow {
  readonly endedAt: number
}

interface FillRow extends OrderRow {
  readonly price: number
  readonly fee: number
  readonly cash: number
  /** Nano-USD and milliseconds. Null on paper. */
  readonly bid: number | null
  readonly ask: number | null
  readonly sentAt: number | null
}

interface BeforeRow {
  readonly unitPrice: number
  readonly net: number
  readonly follows: 0 | 1
  /** JSON. */
  readonly details: string | null
}

/** @param recordedAt when the close was recorded, if it was: what the company paid in later belongs to the next day */
export async function readBooks(
  db: Database,
  { slug, definition: { assets } }: Pick<Pool, 'slug' | 'definition'>,
  day: number,
  recordedAt = Number.MAX_SAFE_INTEGER,
): Promise<Books> {
  const yesterday = day - DAY_MS
  const [[before], fills, rests, flows, [known], [covers]] = await readTogether(
    db,
    reading<BeforeRow>(sql`
      SELECT unit_price AS unitPrice, net_value AS net, coalesce(follows, weights <> '{}') AS follows, details
      FROM valuations WHERE strategy = ${slug} AND day = ${yesterday} AND kind = 'close'`),
    reading<FillRow>(sql`
      SELECT o.id AS "order", o.asset, o.side, o.seen_price AS seenPrice, f.quantity, f.price, f.fee, f.cash,
             w.bid, w.ask, w.sent_at AS sentAt
      FROM pool_orders o JOIN pool_fills f ON f.pool_order = o.id LEFT JOIN venue_orders w ON w.id = f.venue_order
      WHERE o.strategy = ${slug} AND o.day = ${day} ORDER BY f.seq`),
    reading<RestRow>(sql`
      SELECT o.id AS "order", o.asset, o.side, o.seen_price AS seenPrice, e.unfilled AS quantity, e.at AS endedAt
      FROM pool_orders o JOIN pool_order_ends e ON e.pool_order = o.id
      WHERE o.strategy = ${slug} AND o.day = ${day} AND e.unfilled > 0 ORDER BY o.seq`),
    // Only the newest movements are read: none is from a later day.
    reading<GapFlow>(sql`
      SELECT code, count(*) AS count, sum(units) AS units, sum(cents) AS cents, max(price) AS price FROM unit_movements
      WHERE strategy = ${slug} AND seq > coalesce((
        SELECT max(seq) FROM unit_movements WHERE strategy = ${slug} AND day < ${day}), 0) AND day = ${day}
      GROUP BY code`),
    reading<{ carried: string }>(
      sql`SELECT carried FROM gaps WHERE strategy = ${slug} AND day = ${yesterday}`,
    ),
    reading<{ cash: number }>(sql`
      SELECT coalesce(sum(c.cash), 0) AS cash FROM pool_covers c
      WHERE c.strategy = ${slug} AND c.at <= ${recordedAt} AND c.at > coalesce((
        SELECT recorded_at FROM valuations WHERE strategy = ${slug} AND day = ${yesterday} AND kind = 'close'), 0)`),
  )
  return {
    before: before === undefined ? null : beforeOf(before, assets),
    fills,
    rests,
    flows,
    carried: known === undefined ? noParts() : (JSON.parse(known.carried) as Carried),
    covered: covers?.cash ?? 0,
  }
}

function beforeOf({ unitPrice, net, follows, details }: BeforeRow, assets: readonly string[]): Before {
  const known = { unitPrice, follows: follows === 1 }
  if (details === null) return { ...known, held: null }
  const { cash, holdings } = JSON.parse(details) as { cash: number; holdings: Record<string, number> }
  return { ...known, held: { net, cash, quantity: assets.map((asset) => holdings[asset] ?? 0) } }
}

/** The model on one bar. */
function testedDay(model: Model, bar: number): TestedDay {
  const { before, after } = model.opening(bar)
  const isAtOpen = ({ reason }: { reason: string }) => reason === 'target' || reason === 'risk'
  const fills = model.run.fills.filter((fill) => fill.bar === bar)
  const costsOf = (some: typeof fills) => ({
    fees: some.reduce((sum, { fee }) => sum + fee, 0),
    slippage: some.reduce((sum, { slippage }) => sum + slippage, 0),
  })
  return {
    before: model.closing(bar - 1).equity,
    opened: before.equity,
    traded: after.equity,
    closed: model.closing(bar).equity,
    atOpen: costsOf(fills.filter(isAtOpen)),
    atExits: costsOf(fills.filter((fill) => !isAtOpen(fill))),
    invested: { before: investedIn(before), after: investedIn(after) },
  }
}

function investedIn({ cash, equity }: ModelHoldings): number {
  return equity > 0 ? Math.max(0, (equity - cash) / equity) : 0
}

/** Null if what the pool held before is not known. */
function poolDayOf(
  { definition, latest }: Pool,
  model: Model,
  bar: number,
  { before, fills, rests, flows, covered }: Books,
  valued: Close['valued'],
): PoolDay | null {
  const { assets } = definition
  const held = before === null ? { net: 0, cash: 0, quantity: assets.map(() => 0) } : before.held
  if (held === null) return null
  const opens = pricesAt(model.market, 'open', bar)
  const began = at(model.market.time, bar)
  const placeOf = ({ asset }: OrderRow) => assets.indexOf(asset)
  return {
    before: held,
    net: valued.netValue - covered,
    unitPrice: latest?.unitPrice ?? START_PRICE,
    opens,
    closes: pricesAt(model.market, 'close', bar),
    fills: fills.map((row) => fillOf(row, placeOf(row), opens, began)),
    rests: rests
      .filter((row) => row.endedAt > dueAt(row, began) + LATE_MS)
      .map((row) => ({
        asset: placeOf(row),
        side: row.side,
        quantity: row.quantity,
        tested: testedPrice(row, placeOf(row), opens),
      })),
    flows,
  }
}

function fillOf(row: FillRow, asset: number, opens: Float64Array, day: number): GapFill {
  const { side, quantity, price, fee, cash, bid, ask, sentAt } = row
  const tested = testedPrice(row, asset, opens)
  return {
    ...{ asset, side, quantity, price, fee, cash, tested },
    reference: bid === null || ask === null ? tested : (bid + ask) / 2 / 1e9,
    isLate: sentAt !== null && sentAt > dueAt(row, day) + LATE_MS,
  }
}

/** The order of a stop is sent when the day has closed. */
function dueAt({ order }: OrderRow, day: number): number {
  return isExit(order) ? day + DAY_MS : day
}

/** Orders from before the column were planned at the open. */
function testedPrice({ seenPrice }: OrderRow, asset: number, opens: Float64Array): number {
  return seenPrice ?? at(opens, asset)
}
