import { and, eq, gt, sql } from 'drizzle-orm'
import { at } from '../../../engine/at.ts'
import { GAP_PARTS } from '../../../src/contract/investing/gapParts.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { DAY_MS } from '../../../src/time.ts'
import { START_PRICE } from '../../ledger/units.ts'
import { type Database, parseStored, readTogether, type Statement, selectRows } from '../../lib/database.ts'
import { gaps } from '../../lib/tables/gaps.ts'
import { poolFills, poolOrders, valuations } from '../../lib/tables/strategies.ts'
import { poolCovers, poolOrderEnds, venueOrders } from '../../lib/tables/venues.ts'
import {
  type CarriedParts,
  createEmptyParts,
  type GapFill,
  type GapFlow,
  gapParts,
  type PoolDay,
  splitCappedGap,
  splitPoolGap,
  splitUnitGap,
  type TestedDay,
} from './gap.ts'
import { getPricesAt, type Model, type ModelHoldings } from './model.ts'
import { isExit } from './orders.ts'
import { type Pool, selectFlows } from './state.ts'
import { storedHoldings } from './stored.ts'
import { computeMovedPrice } from './unitPrices.ts'
import { priceSinceOpen, type StrategyValuation } from './valuation.ts'

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
  const row = buildGapRow(pool, model, close, await readBooks(db, pool, close.day))
  // Inside an object, because awaiting a bare statement would run it.
  return { statement: db.insert(gaps).values(row) }
}

/** A close, valued. `day` is 00:00 UTC, and `bar` the market's bar that begins then. */
export interface Close {
  readonly day: number
  readonly bar: number
  readonly valued: Pick<StrategyValuation, 'unit' | 'netValue'>
}

/** The records that explain a day, besides the pool and the model. */
export interface Books {
  /** The close before; null on the first day. */
  readonly before: Before | null
  readonly fills: readonly FillRow[]
  /** The unfilled rests of orders that ended. */
  readonly rests: readonly RestRow[]
  readonly flows: readonly GapFlow[]
  readonly carried: CarriedParts
  /** The company's payments for the pool since the close before, in micro-USD. */
  readonly covered: number
}

interface Before {
  readonly unitPrice: number
  readonly follows: boolean
  readonly held: PoolDay['before']
}

/** The row of a day. */
export function buildGapRow(pool: Pool, model: Model, { day, bar, valued }: Close, books: Books) {
  const { costs } = pool.definition
  const tested = computeTestedDay(model, bar)
  const before = books.before?.unitPrice ?? START_PRICE
  const following = {
    overnight: books.before?.follows ?? true,
    today: pool.latest?.follows === 1,
  }
  const unit = splitUnitGap(
    {
      before,
      open: pool.latest?.unitPrice ?? before,
      uncappedOpen:
        books.before !== null && following.overnight
          ? computeMovedPrice(before, tested.before, tested.opened)
          : before,
      close: valued.unit,
      uncappedClose: priceSinceOpen(pool, model, bar, tested.closed),
    },
    tested,
    following,
    costs,
  )
  const poolDay = buildPoolDay(pool, model, bar, books, valued)
  const own = splitPoolGap(poolDay, tested, following, costs)
  const shown = splitCappedGap(unit, own, books.carried, (pool.units * before) / 1e6)
  const parts = createEmptyParts()
  for (const part of GAP_PARTS) parts[part] = Math.round(shown.parts[part] * STORED_SHARE)
  return {
    ...{ strategy: pool.slug, day },
    ...{ live: Math.round(unit.live * STORED_SHARE), test: Math.round(unit.test * STORED_SHARE) },
    ...parts,
    pool: own === null ? null : JSON.stringify(own),
    carried: JSON.stringify(shown.carried),
  }
}

/** Returns are stored in 10⁻⁶ of a basis point. */
export const STORED_SHARE = 1e10

interface OrderRow {
  readonly order: string
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly seenPrice: number
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

/** @param recordedAt when the close was recorded, if it was: later payments of the company belong to the next day */
export async function readBooks(
  db: Database,
  { slug, definition: { assets } }: Pick<Pool, 'slug' | 'definition'>,
  day: number,
  recordedAt = Number.MAX_SAFE_INTEGER,
): Promise<Books> {
  const yesterday = day - DAY_MS
  const { id, asset, side, seenPrice } = poolOrders
  const { unitPrice } = valuations
  const isOfDay = and(eq(poolOrders.strategy, slug), eq(poolOrders.day, day))
  const [[before], fills, rests, flows, [known], [covers]] = await readTogether(
    db,
    selectRows({
      unitPrice,
      net: valuations.netValue,
      follows: valuations.follows,
      details: valuations.details,
    })
      .from(valuations)
      .where(sql`strategy = ${slug} AND day = ${yesterday} AND kind = 'close'`),
    selectRows({
      ...{ order: id, asset, side, seenPrice },
      ...{ quantity: poolFills.quantity, price: poolFills.price, fee: poolFills.fee, cash: poolFills.cash },
      ...{ bid: venueOrders.bid, ask: venueOrders.ask, sentAt: venueOrders.sentAt },
    })
      .from(poolOrders)
      .innerJoin(poolFills, eq(poolFills.poolOrder, id))
      .leftJoin(venueOrders, eq(venueOrders.id, poolFills.venueOrder))
      .where(isOfDay)
      .orderBy(poolFills.seq),
    selectRows({
      ...{ order: id, asset, side, seenPrice },
      ...{ quantity: poolOrderEnds.unfilled, endedAt: poolOrderEnds.at },
    })
      .from(poolOrders)
      .innerJoin(poolOrderEnds, eq(poolOrderEnds.poolOrder, id))
      .where(and(isOfDay, gt(poolOrderEnds.unfilled, 0)))
      .orderBy(poolOrders.seq),
    selectFlows(slug, day),
    selectRows({ carried: gaps.carried }).from(gaps).where(sql`strategy = ${slug} AND day = ${yesterday}`),
    selectRows({ cash: sql<number>`coalesce(sum(cash), 0)` })
      .from(poolCovers)
      .where(sql`
      strategy = ${slug} AND at <= ${recordedAt} AND at > coalesce((
        SELECT recorded_at FROM valuations WHERE strategy = ${slug} AND day = ${yesterday} AND kind = 'close'), 0)`),
  )
  return {
    before: before === undefined ? null : parseDayBefore(before, assets),
    fills,
    rests,
    flows,
    carried: known === undefined ? createEmptyParts() : parseStored(gapParts, known.carried),
    covered: covers?.cash ?? 0,
  }
}

function parseDayBefore(
  { unitPrice, net, follows, details }: { unitPrice: number; net: number; follows: number; details: string },
  assets: readonly string[],
): Before {
  const { cash, holdings } = parseStored(storedHoldings, details)
  return {
    unitPrice,
    follows: follows === 1,
    held: { net, cash, quantity: assets.map((asset) => holdings[asset] ?? 0) },
  }
}

/** The model on one bar. */
function computeTestedDay(model: Model, bar: number): TestedDay {
  const { before, after } = model.opening(bar)
  const isAtOpen = ({ reason }: { reason: string }) => reason === 'target' || reason === 'risk'
  const fills = model.run.fills.filter((fill) => fill.bar === bar)
  const sumFillCosts = (some: typeof fills) => ({
    fees: sum(some.map(({ fee }) => fee)),
    slippage: sum(some.map(({ slippage }) => slippage)),
  })
  return {
    before: model.closing(bar - 1).equity,
    opened: before.equity,
    traded: after.equity,
    closed: model.closing(bar).equity,
    atOpen: sumFillCosts(fills.filter(isAtOpen)),
    atExits: sumFillCosts(fills.filter((fill) => !isAtOpen(fill))),
    invested: { before: computeInvestedShare(before), after: computeInvestedShare(after) },
  }
}

function computeInvestedShare({ cash, equity }: ModelHoldings): number {
  return equity > 0 ? Math.max(0, (equity - cash) / equity) : 0
}

function buildPoolDay(
  { definition, latest }: Pool,
  model: Model,
  bar: number,
  { before, fills, rests, flows, covered }: Books,
  valued: Close['valued'],
): PoolDay {
  const { assets } = definition
  const held = before?.held ?? { net: 0, cash: 0, quantity: assets.map(() => 0) }
  const opens = getPricesAt(model.market, 'open', bar)
  const began = at(model.market.time, bar)
  const findAssetIndex = ({ asset }: OrderRow) => assets.indexOf(asset)
  return {
    before: held,
    net: valued.netValue - covered,
    unitPrice: latest?.unitPrice ?? START_PRICE,
    opens,
    closes: getPricesAt(model.market, 'close', bar),
    fills: fills.map((row) => toGapFill(row, findAssetIndex(row), began)),
    rests: rests
      .filter((row) => row.endedAt > getDueMs(row, began) + LATE_MS)
      .map((row) => ({
        asset: findAssetIndex(row),
        side: row.side,
        quantity: row.quantity,
        tested: row.seenPrice,
      })),
    flows,
  }
}

function toGapFill(row: FillRow, asset: number, day: number): GapFill {
  const { side, quantity, price, fee, cash, bid, ask, sentAt, seenPrice: tested } = row
  return {
    ...{ asset, side, quantity, price, fee, cash, tested },
    reference: bid === null || ask === null ? tested : (bid + ask) / 2 / 1e9,
    isLate: sentAt !== null && sentAt > getDueMs(row, day) + LATE_MS,
  }
}

/** The order of a stop is sent when the day has closed. */
function getDueMs({ order }: OrderRow, day: number): number {
  return isExit(order) ? day + DAY_MS : day
}
