import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { reverseCustody, takeIntoCustody } from '../../../worker/ledger/custody.ts'
import { credit, reverseCredit } from '../../../worker/ledger/post.ts'
import { recordEvent } from '../../../worker/ledger/requestEvents.ts'
import {
  cancelOrder,
  settleAllocation,
  settleRedemption,
  submitAllocation,
  submitRedemption,
  takeFee,
} from '../../../worker/ledger/strategies.ts'
import { openDatabase, runBatch, type Statement } from '../../../worker/lib/database.ts'
import { findDatabaseRefusal } from '../../../worker/lib/errors.ts'
import { proposals } from '../../../worker/lib/tables/operators.ts'
import { users } from '../../../worker/lib/tables/people.ts'
import { poolFills, poolOrders } from '../../../worker/lib/tables/strategies.ts'
import { fileDeposit, person, propose } from './records.ts'
import { endStep, openDay, openHash, startStrategy } from './strategies.ts'
import { txid } from './txid.ts'

// A simple model of investors in strategies, and steps that are applied to the database and to the model.

const FIRST_DAY = 20_000
const db = openDatabase(env.DB)

export const step = fc.record({
  kind: fc.oneof(
    ...Object.entries({
      deposit: 3,
      reverse: 1,
      allocate: 6,
      cancel: 2,
      redeem: 5,
      day: 7,
      freeze: 1,
    } as const).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(
        kind as 'deposit' | 'reverse' | 'allocate' | 'cancel' | 'redeem' | 'day' | 'freeze',
      ),
    })),
  ),
  who: fc.nat(1),
  which: fc.nat(1),
  cents: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 900, max: 80_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 10_000_000 }) },
  ),
  all: fc.nat(3),
  /** The change of the pool's value, in thousandths. */
  change: fc.integer({ min: 300, max: 1_900 }),
  fee: fc.nat(4),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

export interface Holding {
  allocating: number
  result: number
  units: number
  cost: number
  highWater: number
}
export interface Investor {
  readonly id: string
  available: number
  paidIn: number
  owed: number
  fees: number
  frozen: boolean
  readonly deposits: { id: string; cents: number }[]
  readonly holdings: Record<string, Holding>
}
interface Order {
  readonly atMs: number
  readonly id: string
  readonly kind: 'allocate' | 'redeem'
  readonly investor: Investor
  readonly strategy: string
  readonly cents: number | null
  /** Filed with a reversal, so that nobody cancels it. */
  readonly isRecovery?: true
}
export interface Pool {
  readonly slug: string
  cash: number
  units: number
  price: number
  day: number
  previous: string | undefined
}
export interface Life {
  readonly people: readonly Investor[]
  readonly pools: readonly Pool[]
  orders: Order[]
  nowMs: number
}

let names = 0
/** Counts what happened in all lives. */
export const seen = { settled: 0, gains: 0, losses: 0, refusals: new Set<string>() }

/** Two investors and two empty strategies. */
export async function begin(): Promise<Life> {
  const n = names++
  const slugs = [`up-${n}`, `down-${n}`]
  const people = [`ana${n}`, `bob${n}`].map(
    (id): Investor => ({
      ...{ id, available: 0, paidIn: 0, owed: 0, fees: 0, frozen: false, deposits: [] },
      holdings: Object.fromEntries(
        slugs.map((slug) => [slug, { allocating: 0, result: 0, units: 0, cost: 0, highWater: 0 }]),
      ),
    }),
  )
  const pools = slugs.map(
    (slug): Pool => ({
      slug,
      cash: 0,
      units: 0,
      price: 100_000_000,
      day: FIRST_DAY,
      previous: undefined,
    }),
  )
  const nowMs = FIRST_DAY * DAY_MS + 1
  await runBatch(db, [
    ...people.flatMap(({ id }) => person(db, id, 'investor')),
    ...slugs.map((slug) => startStrategy(db, slug, nowMs)),
  ])
  return { people, pools, orders: [], nowMs }
}

export const MOVES: Record<Step['kind'], (life: Life, step: Step) => Promise<void>> = {
  async deposit(life, { who, cents }) {
    if (!at(life.people, who).frozen) await credited(life, who, Math.min(cents, 499_999))
  },

  async reverse(life, { who }) {
    const { people, nowMs } = life
    const investor = at(people, who)
    const deposit = investor.deposits.shift()
    if (deposit === undefined) return
    const { id, cents } = deposit
    const proposal = `rev-${id}`
    await runBatch(db, [
      propose(db, { id: proposal, proposedBy: 'olu', atMs: nowMs, request: id }),
      db
        .update(proposals)
        .set({ status: 'approved', decidedBy: 'pia', decidedAt: nowMs })
        .where(eq(proposals.id, proposal)),
      recordEvent(db, { request: id, investor: investor.id, status: 'reversed', actor: 'pia', atMs: nowMs }),
      ...reverseCredit(db, { id, investor: investor.id, amountCents: cents }, { actor: 'pia', nowMs }),
      reverseCustody(id, 'in', nowMs),
    ])
    // What was invested is owed, and redeemed at the next valuation.
    const lacking = Math.max(0, cents - investor.available)
    investor.owed += lacking
    investor.available += lacking - cents
    investor.paidIn -= cents
    const { results } = await env.DB.prepare(
      'SELECT id, strategy, cents FROM unit_orders WHERE recovers = ? ORDER BY seq',
    )
      .bind(id)
      .all<Pick<Order, 'id' | 'strategy' | 'cents'>>()
    const holdings = Object.values(investor.holdings)
    const isComing = life.orders.some((order) => order.investor === investor)
    if (lacking > 0 && !isComing && holdings.some(({ units }) => units > 1_000_000))
      expect(results.length).toBeGreaterThan(0)
    if (lacking === 0 || holdings.every(({ units }) => units === 0)) expect(results).toEqual([])
    for (const order of results)
      life.orders.push({ ...order, kind: 'redeem', investor, atMs: nowMs, isRecovery: true })
  },

  async allocate(life, { who, which, cents }) {
    const investor = at(life.people, who)
    const { slug } = at(life.pools, which)
    const holding = of(investor, slug)
    const order = { id: `o-${names++}`, investor: investor.id, strategy: slug, cents }
    const expected = investor.frozen
      ? 'account_frozen'
      : cents < (holding.units > 0 ? 100 : 1000)
        ? 'validation_failed'
        : investor.owed > 0
          ? 'debt_outstanding'
          : cents > investor.available
            ? 'insufficient_funds'
            : null
    expect(await refused([submitAllocation(db, { ...order, ref: order.id, atMs: life.nowMs })])).toBe(
      expected,
    )
    if (expected !== null) return
    investor.available -= cents
    holding.allocating += cents
    life.orders.push({ id: order.id, kind: 'allocate', investor, strategy: slug, cents, atMs: life.nowMs })
  },

  async cancel(life, { who }) {
    const [order] = life.orders.filter(
      ({ investor, isRecovery }) => investor === at(life.people, who) && isRecovery === undefined,
    )
    if (order === undefined) return
    // Also on a frozen account, but not from midnight on, whether or not the price is stored.
    const isLate = Math.floor(life.nowMs / DAY_MS) > Math.floor(order.atMs / DAY_MS)
    const by = { actor: order.investor.id, nowMs: life.nowMs }
    expect(await refused([cancelOrder(order.id, by)])).toBe(isLate ? 'already_decided' : null)
    if (isLate) return
    life.orders = life.orders.filter((each) => each !== order)
    if (order.kind === 'redeem' || order.cents === null) return
    of(order.investor, order.strategy).allocating -= order.cents
    come(order.investor, order.cents)
  },

  async redeem(life, { who, which, cents, all }) {
    const investor = at(life.people, who)
    const { slug } = at(life.pools, which)
    const asked = all === 0 ? null : cents
    const id = `o-${names++}`
    const filing = { id, investor: investor.id, strategy: slug, cents: asked, ref: id, atMs: life.nowMs }
    const expected = investor.frozen
      ? 'account_frozen'
      : of(investor, slug).units === 0
        ? 'insufficient_funds'
        : null
    expect(await refused([submitRedemption(db, filing)])).toBe(expected)
    if (expected !== null) return
    life.orders.push({ id, kind: 'redeem', investor, strategy: slug, cents: asked, atMs: life.nowMs })
  },

  async day(life, { which, change, fee }) {
    const pool = at(life.pools, which)
    await earn(pool, change)
    pool.day = Math.max(pool.day + 1, Math.ceil(life.nowMs / DAY_MS))
    const day = pool.day * DAY_MS
    life.nowMs = day + 1
    if (pool.units > 0) pool.price = Number((BigInt(pool.cash) * 1_000_000n) / BigInt(pool.units))
    const { slug: strategy, price, units, cash: netValue, previous } = pool
    const opened = { strategy, day, unitPrice: price, units, netValue, ...(previous && { previous }) }
    await runBatch(db, [openDay(db, opened)])
    pool.previous = openHash(opened)
    const prices = { issue: Math.ceil(price * 1.01), redeem: Math.floor(price * 0.99) }
    for (const order of life.orders.filter((each) => each.strategy === strategy))
      await settle(order, pool, prices, day)
    life.orders = life.orders.filter((each) => each.strategy !== strategy)
    if (fee === 0) for (const investor of life.people) await charge(investor, pool, prices.redeem, day)
    await runBatch(db, [endStep(db, strategy, day)])
    for (const investor of life.people) if (investor.frozen) await setFrozen(investor, null)
  },

  async freeze({ people, nowMs }, { who }) {
    const investor = at(people, who)
    await setFrozen(investor, nowMs)
  },
}

async function setFrozen(investor: Investor, nowMs: number | null): Promise<void> {
  investor.frozen = nowMs !== null
  await runBatch(db, [db.update(users).set({ frozenAt: nowMs }).where(eq(users.id, investor.id))])
}

/** Pays an amount in. */
export async function credited(life: Life, who: number, cents: number): Promise<void> {
  const investor = at(life.people, who)
  // One operator alone has a daily limit for credits.
  life.nowMs += DAY_MS
  const { nowMs } = life
  const id = `dep-${names++}`
  const cause = { id, investor: investor.id, amountCents: cents }
  await runBatch(db, [
    ...fileDeposit(db, { ...cause, atMs: nowMs }),
    recordEvent(db, {
      ...{ request: id, investor: investor.id, status: 'approved', actor: 'olu', atMs: nowMs },
      ...{ amountCents: cents, reference: txid(id), arrived: { units: 1n, unitsAtRate: 1n } },
    }),
    credit(db, cause, { actor: 'olu', nowMs }),
    takeIntoCustody({ request: id, asset: 'usdt', units: 1n, nowMs }),
  ])
  come(investor, cents)
  investor.paidIn += cents
  investor.deposits.push({ id, cents })
}

/** The pool's gain or loss since its last day, as one tiny trade. */
async function earn(pool: Pool, change: number): Promise<void> {
  const now = Math.max(Math.floor((pool.cash * change) / 1000), pool.units)
  const cash = now - pool.cash
  if (pool.day === FIRST_DAY || cash === 0) return
  const day = pool.day * DAY_MS
  const trade = (side: 'buy' | 'sell', quantity: number, moved: number): Statement[] => {
    const id = `trade-${names++}`
    return [
      db
        .insert(poolOrders)
        .values({ id, strategy: pool.slug, day, asset: 'sim-index', side, quantity, at: day, seenPrice: 1 }),
      db
        .insert(poolFills)
        .values({ id, poolOrder: id, quantity, price: 1, fee: 0, slippage: 0, cash: moved, at: day }),
    ]
  }
  await runBatch(db, cash < 0 ? trade('buy', 1, cash) : [...trade('buy', 1, 0), ...trade('sell', 1, cash)])
  pool.cash = now
}

async function settle(order: Order, pool: Pool, prices: { issue: number; redeem: number }, day: number) {
  const { investor, strategy, kind, id } = order
  const holding = of(investor, strategy)
  const named = { id, investor: investor.id, strategy }
  const before = { ...holding }
  if (kind === 'allocate') {
    const cents = order.cents ?? 0
    const moved = settleAllocation(db, { ...named, cents }, before, { day, price: prices.issue, nowMs: day })
    if (investor.owed > 0) {
      expect(await refused([moved.statement])).toBe('debt_outstanding')
      await runBatch(db, [cancelOrder(id, { actor: 'system', nowMs: day })])
      holding.allocating -= cents
      come(investor, cents)
      return
    }
    await runBatch(db, [moved.statement])
    const units = Number((BigInt(cents) * 10n ** 10n) / BigInt(prices.issue))
    holding.highWater = averaged(before, prices.issue, units)
    holding.units += units
    holding.cost += cents
    holding.allocating -= cents
    pool.cash += cents * 10_000
    pool.units += units
  } else {
    const at = { day, price: prices.redeem, nowMs: day }
    const moved = settleRedemption(db, { ...named, cents: order.cents }, before, at)
    if (moved === null) {
      expect(before.units).toBe(0)
      return await runBatch(db, [cancelOrder(id, { actor: 'system', nowMs: day })])
    }
    await runBatch(db, [moved.statement])
    const asked =
      order.cents === null
        ? before.units
        : Number((BigInt(order.cents) * 10n ** 10n + BigInt(prices.redeem) - 1n) / BigInt(prices.redeem))
    const repaid = come(investor, sell(holding, pool, Math.min(asked, before.units), prices.redeem))
    forfeit(investor, { cost: before.cost - holding.cost, result: before.result - holding.result, repaid })
  }
  seen.settled++
}

async function charge(investor: Investor, pool: Pool, price: number, day: number): Promise<void> {
  const holding = of(investor, pool.slug)
  const units = Math.floor(holding.units / 100)
  if (BigInt(units) * BigInt(price) < 10n ** 10n) return
  const highWater = Math.max(holding.highWater, pool.price)
  const fee = { id: `fee-${names++}`, investor: investor.id, strategy: pool.slug, units, highWater }
  await runBatch(db, [takeFee(db, fee, { ...holding }, { day, price, nowMs: day }).statement])
  investor.fees += sell(holding, pool, units, price)
  holding.highWater = highWater
}

/** Returns the proceeds. */
function sell(holding: Holding, pool: Pool, units: number, price: number): number {
  const cents = Number((BigInt(units) * BigInt(price)) / 10n ** 10n)
  const cost = Number((BigInt(holding.cost) * BigInt(units)) / BigInt(holding.units))
  if (cents > cost) seen.gains++
  if (cents < cost) seen.losses++
  holding.units -= units
  holding.cost -= cost
  holding.result += cost - cents
  pool.units -= units
  pool.cash -= cents * 10_000
  return cents
}

function averaged({ highWater, units: held }: Holding, price: number, units: number): number {
  const all = BigInt(held + units)
  return Number((BigInt(highWater) * BigInt(held) + BigInt(price) * BigInt(units) + all - 1n) / all)
}

/** Credits and proceeds from strategies repay debts first. Returns the cents that did. */
function come(investor: Investor, cents: number): number {
  const repaid = Math.min(investor.owed, cents)
  investor.owed -= repaid
  investor.available += cents - repaid
  return repaid
}

/** The company keeps the share of a gain that belongs to the money which repaid a debt. */
function forfeit(investor: Investor, sale: { cost: number; result: number; repaid: number }): void {
  const { cost, result: gain, repaid } = sale
  const kept = Math.min(cost + gain - repaid, Math.trunc((gain * repaid) / Math.max(cost, 1)))
  if (kept <= 0) return
  investor.available -= kept
  investor.fees += kept
}

async function refused(statements: readonly Statement[]): Promise<string | null> {
  try {
    await runBatch(db, statements)
    return null
  } catch (error) {
    const code = findDatabaseRefusal(error)?.code ?? String(error)
    seen.refusals.add(code)
    return code
  }
}

/** The model's state of an investor in a strategy. */
export function of(investor: Investor, strategy: string): Holding {
  const holding = investor.holdings[strategy]
  if (holding === undefined) throw new Error(`No ${strategy}`)
  return holding
}

export function at<T>(values: readonly T[], index: number): T {
  const value = values[index]
  if (value === undefined) throw new Error(`No ${index}`)
  return value
}
