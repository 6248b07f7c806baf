import { type Recorded, recordHash } from '../../src/contract/strategyRecord.ts'
import { MICRO_A_CENT, START_PRICE, unitPrice } from '../ledger/units.ts'
import type { Database, Statement } from '../lib/database.ts'
import { iso } from '../lib/paging.ts'
import { type Held, type Model, pricesAt } from './model.ts'
import { investedShare, netValue, type PoolBook, soldValue, weightsOf } from './plan.ts'
import type { Latest, Pool } from './state.ts'
import { valuations } from './tables.ts'
import { type Flows, movedPrice, nettedPrices, type UnitPrices, unitPrices } from './unitPrices.ts'

/** What a pool is worth at one moment. */
export interface Valued extends UnitPrices {
  /** Micro-USD. */
  readonly netValue: number
  readonly weights: Readonly<Record<string, number>>
}

/** At the open of a bar, before it trades. `flows` tells what comes and goes then at given prices: nothing, unless it is told. */
export function valueAtOpen(
  pool: Pool,
  model: Model,
  bar: number,
  flows: (prices: UnitPrices) => Flows = () => ({ coming: 0, going: 0 }),
): Valued {
  const { costs } = pool.definition
  const opens = pricesAt(model.market, 'open', bar)
  const valued = valueAt(pool, opens, model.opening(bar).before, model.closing(bar - 1).equity)
  const whole = unitPrices(valued.unit, valued.invested, costs)
  // Whatever is rounded on the way: all of them can be paid at once.
  const most = pool.units > 0 ? unitPrice(soldValue(bookOf(pool), opens, costs), pool.units) : whole.redeem
  const redeem = Math.max(1, Math.min(whole.redeem, most))
  return { ...valued, ...nettedPrices({ ...whole, redeem }, flows) }
}

/** At the close of a bar. Nobody comes or goes there, so that its prices are one. */
export function valueAtClose(pool: Pool, model: Model, bar: number): Valued {
  const prices = pricesAt(model.market, 'close', bar)
  const {
    unit,
    netValue: net,
    weights,
  } = valueAt(pool, prices, model.closing(bar), model.opening(bar).before.equity)
  return { unit, issue: unit, redeem: unit, netValue: net, weights }
}

/**
 * While nobody holds a unit its price goes on as the model does, so that the record has no hole; while the strategy is suspended it
 * stands still, as a pool does that is all cash.
 * @param modelBefore what the model was worth at the valuation before
 */
function valueAt(pool: Pool, prices: Float64Array, held: Held, modelBefore: number) {
  const book = bookOf(pool)
  const net = netValue(book, prices)
  const { assets } = pool.definition
  const last = pool.latest?.unitPrice ?? START_PRICE
  if (pool.units > 0) {
    const isStill = pool.status !== 'active' && pool.quantity.every((quantity) => quantity === 0)
    const followed = isStill ? last : movedPrice(last, modelBefore, held.equity)
    return {
      unit: pool.units < A_UNIT ? Math.min(followed, payable(net, pool.units)) : unitPrice(net, pool.units),
      netValue: net,
      invested: investedShare(book, prices),
      weights: weightsOf(book, prices, assets),
    }
  }
  if (pool.status !== 'active') return { unit: last, netValue: net, invested: 0, weights: {} }
  const model = {
    cash: Math.round(held.cash * 1e6),
    quantity: Array.from(held.quantity, (q) => Math.floor(q * 1e8)),
  }
  return {
    unit: pool.latest === null ? last : movedPrice(last, modelBefore, held.equity),
    netValue: net,
    invested: investedShare(model, prices),
    weights: weightsOf(model, prices, assets),
  }
}

/**
 * Of less than one unit a cent's rounding would move the price, up to any height and down to nothing: it goes on as the model does, as far as
 * the pool can pay it to the cent.
 */
export const A_UNIT = 1_000_000

/** The highest price at which units are worth no cent more than a net value (micro-USD). */
function payable(net: number, units: number): number {
  const cents = BigInt(Math.floor(net / MICRO_A_CENT)) + 1n
  const most = (cents * 10_000_000_000n - 1n) / BigInt(units)
  return most > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(most)
}

/** What a pool holds, as its plan reckons with it. */
export function bookOf({ cash, quantity }: Pool): PoolBook {
  return { cash, quantity }
}

/** Writes a valuation down as the next one of the record, and tells what then is the latest. */
export async function recordValuation(
  db: Database,
  pool: Pool,
  day: number,
  kind: 'open' | 'close',
  valued: Valued,
  nowMs: number,
): Promise<{ readonly statement: Statement; readonly latest: Latest }> {
  const isOpen = kind === 'open'
  const recorded: Omit<Recorded, 'hash'> = {
    strategy: pool.slug,
    day: dayName(day),
    kind,
    unitPrice: valued.unit,
    issuePrice: isOpen ? valued.issue : null,
    redeemPrice: isOpen ? valued.redeem : null,
    weights: valued.weights,
    recordedAt: nowMs,
    previous: pool.latest?.hash ?? pool.hash,
  }
  const row = {
    ...recorded,
    day,
    weights: JSON.stringify(valued.weights),
    netValue: valued.netValue,
    units: pool.units,
    hash: await recordHash(recorded),
  }
  const { unitPrice: unit, issuePrice, redeemPrice, hash } = row
  const latest = { day, kind, unitPrice: unit, issuePrice, redeemPrice, hash, isDone: 0 } as const
  // Beside something else: a statement alone would be run by whoever awaits it.
  return { statement: db.insert(valuations).values(row), latest }
}

/** `2026-01-31`, as the record names a day that begins at this moment. */
export function dayName(dayMs: number): string {
  return iso(dayMs).slice(0, 10)
}
