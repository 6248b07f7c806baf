import { type Recorded, recordHash } from '../../src/contract/strategyRecord.ts'
import { START_PRICE, unitPrice } from '../ledger/units.ts'
import type { Database, Statement } from '../lib/database.ts'
import { iso } from '../lib/paging.ts'
import { type Held, type Model, pricesAt } from './model.ts'
import { investedShare, netValue, type PoolBook, weightsOf } from './plan.ts'
import type { Latest, Pool } from './state.ts'
import { valuations } from './tables.ts'
import { movedPrice, type UnitPrices, unitPrices } from './unitPrices.ts'

/** What a pool is worth at one moment. */
export interface Valued extends UnitPrices {
  /** Micro-USD. */
  readonly netValue: number
  readonly weights: Readonly<Record<string, number>>
}

/** At the open of a bar, before it trades. */
export function valueAtOpen(pool: Pool, model: Model, bar: number): Valued {
  const prices = pricesAt(model.market, 'open', bar)
  const valued = valueAt(pool, prices, model.opening(bar).before, model.closing(bar - 1).equity)
  return { ...valued, ...unitPrices(valued.unit, valued.invested, pool.definition.costs) }
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
  if (pool.units > 0) {
    const unit = unitPrice(net, pool.units)
    return {
      unit,
      netValue: net,
      invested: investedShare(book, prices),
      weights: weightsOf(book, prices, assets),
    }
  }
  const last = pool.latest?.unitPrice ?? START_PRICE
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
