import { sql } from 'drizzle-orm'
import {
  type Committed,
  commitmentOf,
  type RecordedValuation,
  recordHash,
  returnOf,
} from '../../../src/contract/investing/strategyRecord.ts'
import { MICRO_A_CENT, START_PRICE } from '../../ledger/units.ts'
import { randomHex } from '../../lib/crypto/tokens.ts'
import { type Database, reading, readTogether, type Statement } from '../../lib/database.ts'
import { isoDay } from '../../lib/days.ts'
import { valuations } from '../../lib/tables/strategies.ts'
import { type Model, type ModelHoldings, pricesAt } from './model.ts'
import { netValue, type PoolBook, soldValue, weightsOf } from './plan.ts'
import type { Latest, Pool } from './state.ts'
import { boughtPrice, cappedPrice, movedPrice, soldPrice, type UnitPrices, unitPrices } from './unitPrices.ts'

/** A strategy's valuation at one moment. Only `netValue` is about its pool. */
export interface Valued extends UnitPrices {
  /** Micro-USD. */
  readonly netValue: number
  readonly weights: Readonly<Record<string, number>>
  /** Whether the pool holds what the model does from this day's open on, or only cash. */
  readonly follows: boolean
  /** The model's trades at this open, or within the day that closed. */
  readonly trades: readonly RuleTrade[]
}

/** A purchase or sale by the rules, independent of the pool's flows on that day. */
export interface RuleTrade {
  readonly asset: string
  readonly side: 'buy' | 'sell'
  /** USD for one, with slippage, before the fee. */
  readonly price: number
}

/**
 * Values a strategy at the open of a bar, before it trades. The price follows the model: it comes from the definition and the
 * candles alone, so it does not depend on what investors pay in or take out. The pool only caps it at what it can pay.
 */
export function valueAtOpen(pool: Pool, model: Model, bar: number): Valued {
  const { costs, assets } = pool.definition
  const { latest } = pool
  const { before, after, trades } = model.opening(bar)
  const opens = pricesAt(model.market, 'open', bar)
  const last = latest?.unitPrice ?? START_PRICE
  const hasFollowed = latest === null || latest.follows === 1
  const follows = pool.status === 'active'
  const book = bookOf(pool)
  const net = netValue(book, opens)
  const moved =
    latest !== null && hasFollowed ? movedPrice(last, model.closing(bar - 1).equity, before.equity) : last
  const prices = unitPrices(
    cappedPrice(moved, payable(net, pool.units)),
    hasFollowed ? investedIn(before) : 0,
    costs,
  )
  // Despite rounding, all units can be redeemed at once.
  const redeem = cappedPrice(
    prices.redeem,
    pool.units > 0 ? paidOut(soldValue(book, opens, costs), pool.units) : prices.redeem,
  )
  return {
    ...prices,
    redeem,
    netValue: net,
    weights: hasFollowed ? weightsOf(before, opens, assets) : {},
    follows,
    trades: tradesAtOpen(pool, { before, after, trades }, opens, hasFollowed, follows),
  }
}

/** Values a strategy at the close of a bar. Nobody joins or leaves then, so all prices are equal. */
export function valueAtClose(pool: Pool, model: Model, bar: number): Valued {
  const closes = pricesAt(model.market, 'close', bar)
  const modelled = model.closing(bar)
  const net = netValue(bookOf(pool), closes)
  const unit = cappedPrice(priceSinceOpen(pool, model, bar, modelled.equity), payable(net, pool.units))
  const follows = pool.latest?.follows === 1
  const { assets, costs } = pool.definition
  const slippage = 1 - costs.slippageBasisPoints / 10_000
  return {
    ...{ unit, issue: unit, redeem: unit, netValue: net, follows },
    weights: follows ? weightsOf(modelled, closes, assets) : {},
    trades: follows
      ? model.exits(bar).map(({ asset, seenPrice }): RuleTrade => {
          return { asset: assets[asset] ?? '', side: 'sell', price: seenPrice * slippage }
        })
      : [],
  }
}

/**
 * The value of a unit after the open of a day at which the model got this value. The costs of a suspension, which sells
 * everything, and of a resumption, which buys everything, are subtracted.
 */
export function priceSinceOpen(pool: Pool, model: Model, bar: number, equity: number): number {
  const { latest } = pool
  const { costs } = pool.definition
  const { before, after } = model.opening(bar)
  if (latest === null) return START_PRICE
  const { unitPrice: open } = latest
  const hasFollowed = latest.weights !== '{}' || investedIn(before) < WEIGHED
  if (latest.follows === 1)
    return hasFollowed
      ? movedPrice(open, before.equity, equity)
      : movedPrice(boughtPrice(open, investedIn(after), costs), after.equity, equity)
  return hasFollowed ? soldPrice(open, investedIn(before), costs) : open
}

/** Everything for a suspension or a resumption, otherwise the model's trades. */
function tradesAtOpen(
  { definition: { assets, costs } }: Pool,
  { before, after, trades }: ReturnType<Model['opening']>,
  opens: Float64Array,
  hasFollowed: boolean,
  follows: boolean,
): RuleTrade[] {
  const named = (asset: number) => assets[asset] ?? ''
  if (hasFollowed && follows)
    return trades.map(({ asset, side, price }) => ({ asset: named(asset), side, price }))
  if (!hasFollowed && !follows) return []
  const slippage = costs.slippageBasisPoints / 10_000
  const side = follows ? 'buy' : 'sell'
  const times = follows ? 1 + slippage : 1 - slippage
  return [...(follows ? after : before).quantity.entries()]
    .filter(([, quantity]) => quantity > 0)
    .map(([asset]) => ({ asset: named(asset), side, price: (opens[asset] ?? 0) * times }))
}

/** Weights leave out smaller shares. */
const WEIGHED = 1e-6

function investedIn({ cash, equity }: ModelHoldings): number {
  return equity > 0 ? Math.max(0, (equity - cash) / equity) : 0
}

/** The highest price at which all units are worth at most a net value (micro-USD), rounded down to a cent, and one cent more. */
function payable(net: number, units: number): number {
  return units > 0 ? paidOut(net + MICRO_A_CENT, units) : Number.MAX_SAFE_INTEGER
}

/** The highest price at which all units are worth at most a net value (micro-USD). */
function paidOut(net: number, units: number): number {
  const cents = BigInt(Math.max(0, Math.floor(net / MICRO_A_CENT))) + 1n
  const most = (cents * 10_000_000_000n - 1n) / BigInt(units)
  return most > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(most)
}

/** A pool's holdings, for its plan. */
export function bookOf({ cash, quantity }: Pool): PoolBook {
  return { cash, quantity }
}

/** Stores a valuation as the next one of the record, and returns the new latest one. */
export async function recordValuation(
  db: Database,
  pool: Pool,
  day: number,
  kind: 'open' | 'close',
  valued: Valued,
  nowMs: number,
): Promise<{ readonly statement: Statement; readonly latest: Latest }> {
  const isOpen = kind === 'open'
  const committed: Committed = {
    units: pool.units,
    netValue: valued.netValue,
    issuePrice: isOpen ? valued.issue : null,
    redeemPrice: isOpen ? valued.redeem : null,
    ...(await readDetails(db, pool, day, kind)),
  }
  const row = await sealed(
    {
      ...{
        strategy: pool.slug,
        day,
        kind,
        unitPrice: valued.unit,
        weights: valued.weights,
        recordedAt: nowMs,
      },
      previous: pool.latest?.hash ?? pool.hash,
      before: pool.latest?.unitPrice ?? START_PRICE,
      follows: valued.follows,
      trades: valued.trades,
    },
    committed,
  )
  const { unitPrice, issuePrice, redeemPrice, hash, weights, follows } = row
  const latest = { day, kind, unitPrice, issuePrice, redeemPrice, hash, weights, follows, isDone: 0 } as const
  // Read as it is stored: a change of the fees during the day takes effect at the next open.
  const fees = isOpen ? sql`(SELECT value FROM settings WHERE key = 'fees')` : null
  // Returned inside an object, because awaiting a bare statement would run it.
  return { statement: db.insert(valuations).values({ ...row, fees }), latest }
}

/** The public part of a new valuation. */
export interface PublicValuation {
  readonly strategy: string
  readonly day: number
  readonly kind: 'open' | 'close'
  readonly unitPrice: number
  readonly weights: Readonly<Record<string, number>>
  readonly recordedAt: number
  readonly previous: string
  /** The unit price of the previous valuation. */
  readonly before: number
  readonly follows: boolean
  readonly trades: readonly RuleTrade[]
}

/** The row of a valuation: a commitment to the private part with its own salt, and the hash over everything public. */
export async function sealed(told: PublicValuation, committed: Committed) {
  const { before, follows, trades, ...fields } = told
  const { units, netValue, issuePrice, redeemPrice, ...details } = committed
  // Random, so that nobody can guess the content of a commitment.
  const salt = randomHex(32)
  const recorded: Omit<RecordedValuation, 'hash'> = {
    ...fields,
    format: 2,
    day: isoDay(fields.day),
    return: returnOf(before, fields.unitPrice),
    commitment: await commitmentOf(salt, committed),
  }
  return {
    ...fields,
    format: 2,
    priceReturn: recorded.return,
    weights: JSON.stringify(fields.weights),
    ...{ units, netValue, issuePrice, redeemPrice, salt },
    details: JSON.stringify(details),
    commitment: recorded.commitment,
    follows: follows ? 1 : 0,
    trades: trades.length > 0 ? JSON.stringify(trades) : null,
    hash: await recordHash(recorded),
  } as const
}

type Details = Omit<Committed, 'units' | 'netValue' | 'issuePrice' | 'redeemPrice'>

/**
 * The private part of a valuation, besides prices and units: the pool's cash and holdings, and at a close the flows and orders of
 * its day.
 */
async function readDetails(
  db: Database,
  { slug, cash, quantity, definition }: Pool,
  day: number,
  kind: 'open' | 'close',
): Promise<Details> {
  const holdings = Object.fromEntries(
    definition.assets.flatMap((asset, place) => (quantity[place] ? [[asset, quantity[place]]] : [])),
  )
  if (kind === 'open') return { cash, holdings, flows: [], orders: [] }
  const [flows, orders] = await readTogether(
    db,
    // Only the newest movements are read: none is from a later day.
    reading<Details['flows'][number]>(sql`
      SELECT code, count(*) AS count, sum(units) AS units, sum(cents) AS cents FROM unit_movements
      WHERE strategy = ${slug} AND seq > coalesce((
        SELECT max(seq) FROM unit_movements WHERE strategy = ${slug} AND day < ${day}), 0) AND day = ${day}
      GROUP BY code ORDER BY code`),
    reading<Details['orders'][number]>(sql`
      SELECT o.id, o.asset, o.side, o.quantity, f.quantity AS filled, f.price, f.fee, f.slippage, f.cash
      FROM pool_orders o LEFT JOIN pool_fills f ON f.pool_order = o.id
      WHERE o.strategy = ${slug} AND o.day = ${day} ORDER BY o.id`),
  )
  return { cash, holdings, flows, orders }
}
