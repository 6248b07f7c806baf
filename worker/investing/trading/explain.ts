import { sql } from 'drizzle-orm'
import { at } from '../../../engine/at.ts'
import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import { GAP_PARTS } from '../../../src/contract/investing/gapParts.ts'
import { START_PRICE } from '../../ledger/units.ts'
import { type Database, reading, readTogether, type Statement } from '../../lib/database.ts'
import { gaps } from '../../lib/tables/gaps.ts'
import {
  type GapFill,
  type GapFlow,
  noParts,
  type PoolDay,
  type PoolGap,
  poolGap,
  shownGap,
  type TestedDay,
  type UnitGap,
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
 * @param valued its close
 */
export async function explainDay(
  db: Database,
  pool: Pool,
  model: Model,
  { day, bar, valued }: { readonly day: number; readonly bar: number; readonly valued: Valued },
): Promise<{ readonly statement: Statement }> {
  const { costs } = pool.definition
  const books = await readBooks(db, pool.slug, day)
  const tested = testedDay(model, bar)
  const before = books.before?.unitPrice ?? START_PRICE
  const following = {
    overnight: books.before === null || books.before.follows === 1,
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
  // Inside an object, because awaiting a bare statement would run it.
  return { statement: statementOf(db, pool.slug, day, { ...unit, ...shown }, own) }
}

interface Before {
  readonly unitPrice: number
  readonly netValue: number
  readonly follows: 0 | 1
  readonly recordedAt: number
  /** JSON. Null for a valuation from before commitments. */
  readonly details: string | null
}

interface FillRow {
  readonly order: string
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly seenPrice: number | null
  readonly quantity: number
  readonly price: number
  readonly fee: number
  readonly cash: number
  /** Nano-USD and milliseconds. Null on paper. */
  readonly bid: number | null
  readonly ask: number | null
  readonly sentAt: number | null
}

type Books = Awaited<ReturnType<typeof readBooks>>

async function readBooks(db: Database, slug: string, day: number) {
  const yesterday = day - DAY_MS
  const [[before], fills, flows, [carried], [covered]] = await readTogether(
    db,
    reading<Before>(sql`
      SELECT unit_price AS unitPrice, net_value AS netValue, coalesce(follows, weights <> '{}') AS follows,
             recorded_at AS recordedAt, details
      FROM valuations WHERE strategy = ${slug} AND day = ${yesterday} AND kind = 'close'`),
    reading<FillRow>(sql`
      SELECT o.id AS "order", o.asset, o.side, o.seen_price AS seenPrice, f.quantity, f.price, f.fee, f.cash,
             w.bid, w.ask, w.sent_at AS sentAt
      FROM pool_orders o JOIN pool_fills f ON f.pool_order = o.id LEFT JOIN venue_orders w ON w.id = f.venue_order
      WHERE o.strategy = ${slug} AND o.day = ${day} ORDER BY f.seq`),
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
      WHERE c.strategy = ${slug} AND c.at > coalesce((
        SELECT recorded_at FROM valuations WHERE strategy = ${slug} AND day = ${yesterday} AND kind = 'close'), 0)`),
  )
  return {
    before: before ?? null,
    fills,
    flows,
    carried: { ...noParts(), ...(JSON.parse(carried?.carried ?? '{}') as object) },
    covered: covered?.cash ?? 0,
  }
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
  { before, fills, flows, covered }: Books,
  valued: Valued,
): PoolDay | null {
  if (before !== null && before.details === null) return null
  const { cash = 0, holdings = {} } = JSON.parse(before?.details ?? '{}') as {
    cash?: number
    holdings?: Record<string, number>
  }
  const { assets } = definition
  const opens = pricesAt(model.market, 'open', bar)
  return {
    before: {
      net: before?.netValue ?? 0,
      cash,
      quantity: assets.map((asset) => holdings[asset] ?? 0),
    },
    net: valued.netValue - covered,
    unitPrice: latest?.unitPrice ?? START_PRICE,
    opens,
    closes: pricesAt(model.market, 'close', bar),
    fills: fills.map((row) => fillOf(row, assets.indexOf(row.asset), opens, at(model.market.time, bar))),
    flows,
  }
}

function fillOf(row: FillRow, asset: number, opens: Float64Array, day: number): GapFill {
  const { order, side, quantity, price, fee, cash, bid, ask, sentAt } = row
  // The order of a stop is sent when the day has closed.
  const dueAt = isExit(order) ? day + DAY_MS : day
  // Orders from before the column were planned at the open.
  const tested = row.seenPrice ?? at(opens, asset)
  return {
    ...{ asset, side, quantity, price, fee, cash, tested },
    reference: bid === null || ask === null ? tested : (bid + ask) / 2 / 1e9,
    isLate: sentAt !== null && sentAt > dueAt + LATE_MS,
  }
}

/** Returns are stored in 10⁻⁶ of a basis point. */
const SHARE = 1e10

function statementOf(
  db: Database,
  strategy: string,
  day: number,
  { live, test, parts, carried }: Omit<UnitGap, 'capped'> & ReturnType<typeof shownGap>,
  pool: PoolGap | null,
): Statement {
  const whole = noParts()
  for (const part of GAP_PARTS) whole[part] = Math.round(parts[part] * SHARE)
  return db.insert(gaps).values({
    ...{ strategy, day, live: Math.round(live * SHARE), test: Math.round(test * SHARE) },
    ...whole,
    pool: pool === null ? null : JSON.stringify(pool),
    carried: JSON.stringify(carried),
  })
}
