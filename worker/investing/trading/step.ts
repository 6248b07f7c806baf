import { at } from '../../../engine/at.ts'
import type { Market } from '../../../engine/market/market.ts'
import { Standing } from '../../../engine/run.ts'
import { DAY_MS } from '../../../src/time.ts'
import { cancelOrder, settleAllocation, settleRedemption, takeFee } from '../../ledger/strategies.ts'
import { type Database, runBatch, type Statement } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'
import { poolSteps } from '../../lib/tables/strategies.ts'
import { getStandings } from '../candles/closedBars.ts'
import type { Broker } from './broker.ts'
import { explainDay } from './explain.ts'
import { checkClose } from './judge.ts'
import { getPricesAt, type Model, type ModelHoldings, replayModel } from './model.ts'
import { readFees, type StepFees } from './monthFees.ts'
import {
  buildExitId,
  buildOrderId,
  coverDebt,
  executeOrder,
  isExit,
  type PlacedOrder,
  placeOrders,
} from './orders.ts'
import { planOrders } from './plan.ts'
import type { Prices } from './prices.ts'
import { type Movement, Settling, sumFlow, type WaitingOrder } from './settlement.ts'
import { type Latest, type Pool, type Progress, readPool, readStep } from './state.ts'
import { recordValuation, toPoolBook, valueAtClose, valueAtOpen } from './valuation.ts'

/** The services that a step needs. */
export interface Surroundings {
  readonly db: Database
  readonly prices: Prices
  readonly broker: (pool: Pool) => Broker
  readonly nowMs: number
}

/**
 * Continues a strategy's days until no phase is due, and yields after each batch. The caller may stop after any batch: continuing
 * later gives the same books. A day is opened (this fixes the unit prices and which orders belong to it), traded, settled order
 * by order, and done. The next day it is closed. Missed days are processed one by one.
 */
export async function* followDays(services: Surroundings, slug: string): AsyncGenerator<void> {
  const { db, nowMs } = services
  let model: Model | null = null
  let pool = await readPool(db, slug)
  let due = findDuePhase(pool, nowMs)
  while (due !== null) {
    // Refuses before anything is written.
    services.broker(pool)
    model ??= await loadModel(services, pool)
    yield* PHASES[due.phase]({ ...services, pool, model, day: due.day, bar: getBarIndex(model, due.day) })
    pool = await readPool(db, slug)
    const next = findDuePhase(pool, nowMs)
    // The broker has not finished. The next run asks again.
    if (next?.day === due.day && next.phase === due.phase) return
    due = next
  }
}

/** The next phase that is due by now. Null if none is. */
export function findDuePhase(
  { latest, startedAt }: Progress,
  nowMs: number,
): { phase: Phase; day: number } | null {
  const due = getNextPhase(latest, startedAt)
  return due.from <= nowMs ? { phase: due.phase, day: due.day } : null
}

function getNextPhase(latest: Latest | null, startedAt: number): { phase: Phase; day: number; from: number } {
  if (latest === null) {
    // The first open after the start, because earlier ones were known already.
    const day = Math.floor(startedAt / DAY_MS) * DAY_MS + DAY_MS
    return { phase: 'open', day, from: day }
  }
  const next = latest.day + DAY_MS
  if (latest.kind === 'close') return { phase: 'open', day: next, from: next }
  return latest.isDone === 1
    ? { phase: 'close', day: latest.day, from: next }
    : { phase: 'work', day: latest.day, from: latest.day }
}

type Phase = 'open' | 'work' | 'close'

interface Step extends Surroundings {
  readonly pool: Pool
  readonly model: Model
  /** 00:00 UTC, and the market's bar that begins then. */
  readonly day: number
  readonly bar: number
}

const PHASES: Readonly<Record<Phase, (step: Step) => AsyncGenerator<void>>> = {
  open: openDay,
  work: processDay,
  close: closeDay,
}

/** Fixes the day's prices. A suspended strategy first returns the money of pending allocations. */
async function* openDay(step: Step): AsyncGenerator<void> {
  const { db, pool, model, day, bar, nowMs } = step
  const isTaking = pool.status === 'active'
  const { orders } = isTaking ? { orders: [] } : await readStep(db, pool.slug, day, false)
  for (const order of orders) {
    if (order.kind !== 'allocate') continue
    await runBatch(db, [cancelWaiting(step, order)])
    yield
  }
  const valued = valueAtOpen(pool, model, bar)
  const { statement } = await recordValuation(db, pool, day, 'open', valued, nowMs)
  await runBatch(db, [statement])
  yield
}

/** Trades at the day's open, settles its orders and ends the step. */
async function* processDay(step: Step): AsyncGenerator<void> {
  const { db, pool, day, nowMs } = step
  const fees = await readFees(db, pool.slug, day)
  const books = await readStep(db, pool.slug, day, fees.due.size > 0)
  const createSettling = () => new Settling(getUnitPrices(pool), fees.terms, books.holdings)
  const placed = books.placed.filter(({ id }) => !isExit(id))
  const movements = listMovements(createSettling(), fees, books.orders)
  // Settled orders are already traded, or needed no trade.
  if (placed.length === 0 && !books.isSettling) {
    const orders = planDayOrders(step, movements)
    if (orders.length > 0) {
      await runBatch(db, placeOrders(step, orders))
      yield
    }
    placed.push(...orders)
  }
  const opens = getPricesAt(step.model.market, 'open', step.bar)
  let cash = books.cash + sumFlow(movements)
  for (const order of placed) {
    if (order.isFilled === 1) continue
    const seen = at(opens, pool.definition.assets.indexOf(order.asset))
    const added = yield* executeOrder(step, order, seen, cash)
    if (added === null) return
    cash += added
  }
  const following = createSettling()
  for (const [investor, refs] of fees.due) {
    const charges = following.chargeMonth(investor, refs)
    if (charges.length === 0) continue
    await runBatch(
      db,
      charges.flatMap((charge) => buildMovementStatements(step, charge, null)),
    )
    yield
  }
  for (const order of books.orders) {
    await runBatch(db, buildSettlementStatements(step, order, following.settle(order)))
    yield
  }
  if (!(yield* coverDebt(step, opens, getTarget(step)))) return
  await runBatch(db, [db.insert(poolSteps).values({ strategy: pool.slug, day, at: nowMs })])
  yield
}

/** Sells positions that hit a stop, values the pool at its close, and suspends the strategy if it broke one of its rules. */
async function* closeDay(step: Step): AsyncGenerator<void> {
  const { db, pool, model, day, bar, nowMs } = step
  const exits = model.exits(bar)
  const placed = exits.length > 0 ? (await readStep(db, pool.slug, day, false)).placed : []
  for (const { asset, seenPrice } of exits) {
    const quantity = pool.quantity[asset] ?? 0
    const name = pool.definition.assets[asset] ?? ''
    const id = buildExitId(pool, day, name)
    const known = placed.find((order) => order.id === id)
    if (known?.isFilled === 1 || (known === undefined && quantity === 0)) continue
    const order = known ?? { id, asset: name, side: 'sell', quantity, isFilled: 0 }
    if (known === undefined) {
      await runBatch(db, placeOrders(step, [{ ...order, seenPrice }]))
      yield
    }
    if ((yield* executeOrder(step, order, seenPrice, 0)) === null) return
  }
  const sold = exits.length > 0 ? await readPool(db, pool.slug) : pool
  const valued = valueAtClose(sold, model, bar)
  const { statement } = await recordValuation(db, sold, day, 'close', valued, nowMs)
  await runBatch(db, [
    statement,
    (await explainDay(db, sold, model, { day, bar, valued })).statement,
    ...(await checkClose(db, sold, model, { day, bar, unit: valued.unit }, nowMs)),
  ])
  yield
}

function planDayOrders(step: Step, movements: readonly Movement[]): PlacedOrder[] {
  const { pool, model, bar, day } = step
  const flow = sumFlow(movements)
  const opens = getPricesAt(model.market, 'open', bar)
  const isQuiet = flow === 0 && model.opening(bar).trades.length === 0
  const planned = planOrders(toPoolBook(pool), flow, opens, getTarget(step), pool.definition.costs, isQuiet)
  return planned.map(({ asset: place, side, quantity }) => {
    const asset = pool.definition.assets[place] ?? ''
    return {
      id: buildOrderId(pool, day, asset),
      asset,
      side,
      quantity,
      isFilled: 0,
      seenPrice: at(opens, place),
    }
  })
}

/** The pool's target after the open. Null, cash alone, if the strategy was suspended when its price was fixed. */
function getTarget({ pool, model, bar }: Step): ModelHoldings | null {
  return pool.latest?.follows === 1 ? model.opening(bar).after : null
}

/** All movements of the step, in the order of settlement. */
function listMovements(settling: Settling, fees: StepFees, orders: readonly WaitingOrder[]): Movement[] {
  const charges = [...fees.due].flatMap(([investor, refs]) => settling.chargeMonth(investor, refs))
  return [...charges, ...orders.flatMap((order) => settling.settle(order))]
}

function buildSettlementStatements(
  step: Step,
  order: WaitingOrder,
  movements: readonly Movement[],
): Statement[] {
  if (movements.length === 0) return [cancelWaiting(step, order)]
  return movements.flatMap((movement) => buildMovementStatements(step, movement, order))
}

function buildMovementStatements(step: Step, movement: Movement, order: WaitingOrder | null): Statement[] {
  const { db, pool, day, nowMs } = step
  const { investor, price, holding, highWater } = movement
  const named = { id: movement.ref, investor, strategy: pool.slug }
  const settlement = { day, price, nowMs }
  if (movement.code === 'fee') {
    return [takeFee(db, { ...named, units: -movement.units, highWater }, holding, settlement).statement]
  }
  if (movement.code === 'issue') {
    return [settleAllocation(db, { ...named, cents: movement.cents }, holding, settlement).statement]
  }
  const sold = settleRedemption(db, { ...named, cents: order?.cents ?? null }, holding, settlement)
  return sold === null ? [] : [sold.statement]
}

/** Cancels an order: its units are gone, its strategy is suspended, or its investor has a debt. */
function cancelWaiting({ nowMs }: Step, { id }: WaitingOrder): Statement {
  return cancelOrder(id, { actor: 'system', nowMs })
}

/** Replays a strategy from its start to now. */
export async function loadModel(
  { prices, nowMs }: Pick<Surroundings, 'prices' | 'nowMs'>,
  pool: Pool,
): Promise<Model> {
  const { definition, market, startedAt } = pool
  const days = await prices.days(market, definition.assets, nowMs)
  const first = Math.floor(startedAt / DAY_MS) * DAY_MS + DAY_MS
  const from = Math.round((first - at(days.time, 0)) / DAY_MS)
  const known = models.get(days) ?? new Map<string, Model>()
  models.set(days, known)
  const key = `${pool.hash} ${from}`
  const model = known.get(key) ?? replayModel(definition, days, from, getStanding(days, key))
  known.set(key, model)
  return model
}

// A day's trades, its close and its hourly prices need the same model.
const models = new WeakMap<Market, Map<string, Model>>()

/** The state of this replay on the days before, if this instance of the Worker made it. */
function getStanding(days: Market, key: string): Standing {
  const known = getStandings(days)
  const standing = known.get(key) ?? new Standing()
  known.set(key, standing)
  return standing
}

export function getBarIndex(model: Model, day: number): number {
  const bar = model.market.time.indexOf(day)
  if (bar < 0) throw new Error(`There is no bar of ${formatIsoDay(day)} yet`)
  return bar
}

function getUnitPrices({ latest }: Pool) {
  const unit = latest?.unitPrice ?? 0
  return { unit, issue: latest?.issuePrice ?? unit, redeem: latest?.redeemPrice ?? unit }
}
