import { and, eq, sql } from 'drizzle-orm'
import {
  type CommittedFacts,
  computeCommitment,
  computeReturn,
  type RecordedValuation,
  recordHash,
} from '../../../src/contract/investing/strategyRecord.ts'
import { MICRO_A_CENT, START_PRICE } from '../../ledger/units.ts'
import { generateHex } from '../../lib/crypto/tokens.ts'
import { type Database, readTogether, type Statement, selectRows } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { poolFills, poolOrders, valuations } from '../../lib/tables/strategies.ts'
import { getPricesAt, type Model, type ModelHoldings } from './model.ts'
import { computeNetValue, computeSoldValue, computeWeights, type PoolBook } from './plan.ts'
import { type Latest, type Pool, selectFlows } from './state.ts'
import {
  computeBoughtPrice,
  computeCappedPrice,
  computeMovedPrice,
  computeSoldPrice,
  computeUnitPrices,
  type UnitPrices,
} from './unitPrices.ts'

/** A strategy's valuation at one moment. Only `computeNetValue` is about its pool. */
export interface StrategyValuation extends UnitPrices {
  /** Micro-USD. */
  readonly netValue: number
  readonly weights: Readonly<Record<string, number>>
  /** Whether the pool follows the model from this day's open on, or holds only cash. */
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
 * candles alone, so it does not depend on investors' payments in or out. The pool only caps it at the price that it can pay.
 */
export function valueAtOpen(pool: Pool, model: Model, bar: number): StrategyValuation {
  const { costs, assets } = pool.definition
  const { latest } = pool
  const { before, after, trades } = model.opening(bar)
  const opens = getPricesAt(model.market, 'open', bar)
  const last = latest?.unitPrice ?? START_PRICE
  const hasFollowed = latest === null || latest.follows === 1
  const follows = pool.status === 'active'
  const book = toPoolBook(pool)
  const net = computeNetValue(book, opens)
  const moved =
    latest !== null && hasFollowed
      ? computeMovedPrice(last, model.closing(bar - 1).equity, before.equity)
      : last
  const prices = computeUnitPrices(
    computeCappedPrice(moved, computePayablePrice(net, pool.units)),
    hasFollowed ? computeInvestedShare(before) : 0,
    costs,
  )
  // Despite rounding, all units can be redeemed at once.
  const redeem = computeCappedPrice(
    prices.redeem,
    pool.units > 0 ? computeHighestPrice(computeSoldValue(book, opens, costs), pool.units) : prices.redeem,
  )
  return {
    ...prices,
    redeem,
    netValue: net,
    weights: hasFollowed ? computeWeights(before, opens, assets) : {},
    follows,
    trades: listTradesAtOpen(pool, { before, after, trades }, opens, hasFollowed, follows),
  }
}

/** Values a strategy at the close of a bar. No investor joins or leaves then, so all prices are equal. */
export function valueAtClose(pool: Pool, model: Model, bar: number): StrategyValuation {
  const closes = getPricesAt(model.market, 'close', bar)
  const modelled = model.closing(bar)
  const net = computeNetValue(toPoolBook(pool), closes)
  const unit = computeCappedPrice(
    priceSinceOpen(pool, model, bar, modelled.equity),
    computePayablePrice(net, pool.units),
  )
  const follows = pool.latest?.follows === 1
  const { assets, costs } = pool.definition
  const slippage = 1 - costs.slippageBasisPoints / 10_000
  return {
    ...{ unit, issue: unit, redeem: unit, netValue: net, follows },
    weights: follows ? computeWeights(modelled, closes, assets) : {},
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
  const hasFollowed = latest.weights !== '{}' || computeInvestedShare(before) < WEIGHED
  if (latest.follows === 1)
    return hasFollowed
      ? computeMovedPrice(open, before.equity, equity)
      : computeMovedPrice(computeBoughtPrice(open, computeInvestedShare(after), costs), after.equity, equity)
  return hasFollowed ? computeSoldPrice(open, computeInvestedShare(before), costs) : open
}

/** Everything for a suspension or a resumption, otherwise the model's trades. */
function listTradesAtOpen(
  { definition: { assets, costs } }: Pool,
  { before, after, trades }: ReturnType<Model['opening']>,
  opens: Float64Array,
  hasFollowed: boolean,
  follows: boolean,
): RuleTrade[] {
  const getAssetId = (asset: number) => assets[asset] ?? ''
  if (hasFollowed && follows)
    return trades.map(({ asset, side, price }) => ({ asset: getAssetId(asset), side, price }))
  if (!hasFollowed && !follows) return []
  const slippage = costs.slippageBasisPoints / 10_000
  const side = follows ? 'buy' : 'sell'
  const times = follows ? 1 + slippage : 1 - slippage
  return [...(follows ? after : before).quantity.entries()]
    .filter(([, quantity]) => quantity > 0)
    .map(([asset]) => ({ asset: getAssetId(asset), side, price: (opens[asset] ?? 0) * times }))
}

/** Weights leave out smaller shares. */
const WEIGHED = 1e-6

function computeInvestedShare({ cash, equity }: ModelHoldings): number {
  return equity > 0 ? Math.max(0, (equity - cash) / equity) : 0
}

/** The highest price at which all units are worth at most a net value (micro-USD), rounded down to a cent, and one cent more. */
function computePayablePrice(net: number, units: number): number {
  return units > 0 ? computeHighestPrice(net + MICRO_A_CENT, units) : Number.MAX_SAFE_INTEGER
}

/** The highest price at which all units are worth at most a net value (micro-USD). */
function computeHighestPrice(net: number, units: number): number {
  const cents = BigInt(Math.max(0, Math.floor(net / MICRO_A_CENT))) + 1n
  const most = (cents * 10_000_000_000n - 1n) / BigInt(units)
  return most > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(most)
}

/** A pool's holdings, for its plan. */
export function toPoolBook({ cash, quantity }: Pool): PoolBook {
  return { cash, quantity }
}

/** Stores a valuation as the next one of the record, and returns the new latest one. */
export async function recordValuation(
  db: Database,
  pool: Pool,
  day: number,
  kind: 'open' | 'close',
  valued: StrategyValuation,
  nowMs: number,
): Promise<{ readonly statement: Statement; readonly latest: Latest }> {
  const isOpen = kind === 'open'
  const committed: CommittedFacts = {
    units: pool.units,
    netValue: valued.netValue,
    issuePrice: isOpen ? valued.issue : null,
    redeemPrice: isOpen ? valued.redeem : null,
    ...(await readDetails(db, pool, day, kind)),
  }
  const row = await sealValuation(
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
export async function sealValuation(told: PublicValuation, committed: CommittedFacts) {
  const { before, follows, trades, ...fields } = told
  const { units, netValue, issuePrice, redeemPrice, ...details } = committed
  // Random, so that the content of a commitment cannot be guessed.
  const salt = generateHex(32)
  const recorded: Omit<RecordedValuation, 'hash'> = {
    ...fields,
    format: 2,
    day: formatIsoDay(fields.day),
    return: computeReturn(before, fields.unitPrice),
    commitment: await computeCommitment(salt, committed),
  }
  return {
    ...fields,
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

type Details = Omit<CommittedFacts, 'units' | 'netValue' | 'issuePrice' | 'redeemPrice'>

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
  const { id, asset, side } = poolOrders
  const [flows, orders] = await readTogether(
    db,
    selectFlows(slug, day),
    selectRows({
      ...{ id, asset, side, quantity: poolOrders.quantity, filled: poolFills.quantity },
      ...{ price: poolFills.price, fee: poolFills.fee, slippage: poolFills.slippage, cash: poolFills.cash },
    })
      .from(poolOrders)
      .leftJoin(poolFills, eq(poolFills.poolOrder, id))
      .where(and(eq(poolOrders.strategy, slug), eq(poolOrders.day, day)))
      .orderBy(id),
  )
  return { cash, holdings, flows: flows.map(({ price, ...flow }) => flow), orders }
}
