import { MICRO_A_CENT } from '../../ledger/units.ts'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { poolFills, poolOrders } from '../../lib/tables/strategies.ts'
import { type Broker, type BrokerFill, computeCashChange } from './broker.ts'
import { planOrders, type Target } from './plan.ts'
import { type Pool, type PoolOrder, readPool, readStep } from './state.ts'
import { toPoolBook } from './valuation.ts'

/** A pool on its trading day. */
export interface Trading {
  readonly db: Database
  readonly broker: (pool: Pool) => Broker
  readonly pool: Pool
  /** 00:00 UTC. */
  readonly day: number
  readonly nowMs: number
}

/** A pool owes its broker and cannot sell enough to pay. Its day waits for a person. */
class PoolOverdrawn extends Error {
  constructor({ slug, cash }: Pool) {
    super(`E_POOL_OVERDRAWN ${slug}: ${cash} micro-USD of cash`)
  }
}

const EXIT = ':exit'
const COVER = ':cover'
/** How often a day sells to cover missing cash. */
const MOST_COVERS = 3
/** Sold beyond the missing cash, because the broker may pay less again. Micro-USD. */
const COVER_MARGIN = 100 * MICRO_A_CENT
/** An exchange takes no smaller orders than some dollars. Micro-USD. */
const VENUE_COVER_MARGIN = 2_000 * MICRO_A_CENT

/** The id of an order of a day. `purpose` tells it from the day's order at its open. */
export function buildOrderId({ slug }: Pool, day: number, asset: string, purpose = ''): string {
  return `${slug}:${formatIsoDay(day)}:${asset}${purpose}`
}

/** The order that sells an asset that hit its stop within the day. */
export function buildExitId(pool: Pool, day: number, asset: string): string {
  return buildOrderId(pool, day, asset, EXIT)
}

export function isExit(id: string): boolean {
  return id.endsWith(EXIT)
}

/** An order to store, with the price that it is expected at. */
export type PlacedOrder = PoolOrder & { readonly seenPrice: number }

/** Stores orders before they go to the broker. */
export function placeOrders({ db, pool, day, nowMs }: Trading, orders: readonly PlacedOrder[]): Statement[] {
  return orders.map(({ id, asset, side, quantity, seenPrice }) =>
    db
      .insert(poolOrders)
      .values({ id, strategy: pool.slug, day, asset, side, quantity, at: nowMs, seenPrice }),
  )
}

/**
 * Places an order with the broker and records its fill. Returns the change of the cash: null while it waits at the broker, 0 if
 * it was refused.
 * @param cash the most that a purchase may cost, in micro-USD
 */
export async function* executeOrder(
  trading: Trading,
  order: PoolOrder,
  seenPrice: number,
  cash: number,
): AsyncGenerator<void, number | null> {
  const { db, pool, broker } = trading
  const { id: clientId, asset, side, quantity } = order
  const mostPaid = side === 'buy' ? Math.max(0, cash) : null
  const state = await broker(pool).work({ clientId, asset, side, quantity, seenPrice, mostPaid })
  if (state.state === 'waiting') return null
  if (state.state === 'refused') {
    logAlarm({ strategy: pool.slug, order: clientId, refused: state.reason })
    return 0
  }
  if (state.state === 'ended') return state.cash
  await runBatch(db, [insertFill(trading, order, state.fill)])
  yield
  return computeCashChange(side, state.fill)
}

/**
 * Sells to pay a pool's debt at its broker, if a purchase cost more or a sale brought less than planned. A day is done only when
 * the cash is there. If a sale was refused, its amount is missing and it is placed again. Returns false while the broker has not
 * finished.
 * @param opens prices of the day's open
 * @param target the pool's target holdings
 */
export async function* coverDebt(
  trading: Trading,
  opens: Float64Array,
  target: Target | null,
): AsyncGenerator<void, boolean> {
  const { db, day } = trading
  for (;;) {
    const pool = await readPool(db, trading.pool.slug)
    if (pool.cash >= 0) return true
    const { placed } = await readStep(db, pool.slug, day, false)
    const round = 1 + Math.max(0, ...placed.map(({ id }) => Number(id.split(COVER)[1] ?? 0)))
    logAlarm({ strategy: pool.slug, day: formatIsoDay(day), cash: pool.cash, cover: round })
    const isRefused = placed.some(({ side, isFilled }) => side === 'sell' && isFilled === 0)
    const mayCover = !isRefused && round <= MOST_COVERS
    const sales = mayCover ? planDebtSales({ ...trading, pool }, opens, target, `${COVER}${round}`) : []
    if (sales.length === 0) throw new PoolOverdrawn(pool)
    await runBatch(db, placeOrders(trading, sales))
    yield
    for (const sale of sales) {
      if ((yield* executeOrder(trading, sale, sale.seenPrice, 0)) === null) return false
    }
  }
}

function planDebtSales(
  { pool, day }: Trading,
  opens: Float64Array,
  target: Target | null,
  purpose: string,
): PlacedOrder[] {
  const margin = pool.venue === null ? COVER_MARGIN : VENUE_COVER_MARGIN
  const planned = planOrders(toPoolBook(pool), -margin, opens, target, pool.definition.costs)
  return planned.flatMap(({ asset: place, side, quantity }) => {
    const asset = pool.definition.assets[place] ?? ''
    return side === 'sell'
      ? [
          {
            id: buildOrderId(pool, day, asset, purpose),
            asset,
            side,
            quantity,
            isFilled: 0 as const,
            seenPrice: opens[place] ?? 0,
          },
        ]
      : []
  })
}

function insertFill({ db, nowMs }: Trading, { id, side }: PoolOrder, fill: BrokerFill): Statement {
  const { quantity, price, fee, slippage } = fill
  const booked = { quantity, price, fee, slippage, cash: computeCashChange(side, fill), at: nowMs }
  return db.insert(poolFills).values({ id: `${id}:fill`, poolOrder: id, ...booked })
}

function logAlarm(what: Readonly<Record<string, string | number>>): void {
  console.error(JSON.stringify({ level: 'alarm', ...what }))
}
