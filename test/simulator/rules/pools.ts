import { DAY_MS } from '../../../src/time.ts'
import type { World } from '../lane/world.ts'
import { type Bar, barsOf } from './bars.ts'
import { feesOf, parseTerms, readTerms, type Terms } from './fees.ts'
import { highest } from './operators.ts'
import { none, noneSince, type Rule, type Rules } from './rule.ts'
import { type Holding, issued, NOTHING, redeemed } from './units.ts'

/** Rules of the pools. They replay the pools day by day, so that a week costs no more in the tenth year. */
export function poolRules(): Rules {
  const replay = openReplay()
  return {
    /** Investors own all units of a pool, and a pool holds what its entries brought. */
    poolUnitsAreThePositions: none(`
      SELECT p.strategy, p.units, coalesce(sum(o.units), 0) AS owned FROM pools p
      LEFT JOIN positions o ON o.strategy = p.strategy GROUP BY p.strategy HAVING p.units <> coalesce(sum(o.units), 0)`),

    /** What is invested is the cost of the units owned. */
    investedIsTheCostOfUnits: none(`
      SELECT a.owner, a.subject, a.balance, p.cost FROM accounts a
      LEFT JOIN positions p ON p.investor = a.owner AND p.strategy = a.subject
      WHERE a.kind = 'invested' AND a.balance <> coalesce(p.cost, 0)`),

    /** An order is priced at the first midnight after it was filed. */
    ordersArePricedAtTheNextOpen: noneSince(
      'unit_movements',
      `SELECT m.ref, m.day, o.created_at FROM unit_movements m JOIN unit_orders o ON o.id = m.ref
      WHERE m.seq > ?1 AND m.day <> (o.created_at / ${DAY_MS} + 1) * ${DAY_MS}`,
    ),

    /** An account pays its subscription once a month, however many strategies it has. */
    subscriptionsArePaidOnce: noneSince(
      'unit_movements',
      `SELECT m.investor, m.month, sum(o.cents) AS cents FROM (
        SELECT DISTINCT investor, strftime('%Y-%m', day / 1000, 'unixepoch') AS month FROM unit_movements
        WHERE seq > ?1 AND code = 'fee' AND ref GLOB '*:subscription*') m
      JOIN unit_movements o ON o.investor = m.investor AND o.code = 'fee' AND o.ref GLOB '*:' || m.month || ':subscription*'
      GROUP BY m.investor, m.month HAVING sum(o.cents) > ${highest('fees.subscriptionMonthly', 0)}`,
    ),

    /** Stored bars are those of the market. */
    barsAreTheMarket,

    /**
     * Units, prices, fees, fills and valuations follow from each other and from the market: each is computed again in whole numbers,
     * day by day, from nothing.
     */
    poolsFollowFromTheirEntries: replay,
  }
}

/** Bars follow each other day by day, over leap days and days without cron too. */
async function barsAreTheMarket({ world, afterMs }: Parameters<Rule>[0]): Promise<string | null> {
  const rows = await world.database.rows<Bar & { asset: string }>(
    `SELECT asset, day, open, high, low, close FROM candles WHERE market = 'simulated' AND day >= ?1 - ${3 * DAY_MS}
       AND day >= ${Date.UTC(2024, 11, 1)}`,
    afterMs,
  )
  const days = new Set(rows.map(({ asset, day }) => `${asset} ${day}`))
  const firstDay = Math.min(...rows.map(({ day }) => day))
  for (const { asset, ...stored } of rows) {
    if (stored.day > firstDay && !days.has(`${asset} ${stored.day - DAY_MS}`))
      return `${asset}: no bar before ${new Date(stored.day).toISOString()}`
    const [bar] = barsOf([asset], stored.day)
    if (JSON.stringify(bar) !== JSON.stringify(stored))
      return `${asset}: stored ${JSON.stringify(stored)}, and the market had ${JSON.stringify(bar)}`
  }
  return null
}

interface Valuation {
  readonly strategy: string
  readonly day: number
  readonly kind: 'open' | 'close'
  readonly unitPrice: number
  readonly issuePrice: number | null
  readonly redeemPrice: number | null
  readonly netValue: number
  readonly units: number
  readonly weights: string
  readonly follows: 0 | 1
  readonly trades: string | null
  readonly recordedAt: number
  /** The setting, as it was stored then. */
  readonly fees: string | null
}

interface Movement {
  readonly seq: number
  readonly ref: string
  readonly investor: string
  readonly strategy: string
  readonly code: 'issue' | 'redeem' | 'fee'
  readonly units: number
  readonly price: number
  readonly cents: number
  readonly cost: number
  readonly highWater: number
  readonly day: number
  readonly at: number
  /** Of the order; null: everything. */
  readonly asked: number | null
}

interface Fill {
  readonly seq: number
  readonly id: string
  readonly strategy: string
  readonly day: number
  readonly asset: string
  readonly side: 'buy' | 'sell'
  readonly quantity: number
  readonly price: number
  readonly fee: number
  readonly cash: number
}

interface Definition {
  readonly assets: readonly string[]
  readonly costs: { readonly feeBasisPoints: number; readonly slippageBasisPoints: number }
}

/** A pool as it must be after the days that were replayed. */
interface PoolBook {
  readonly definition: Definition
  cash: bigint
  units: bigint
  readonly quantity: Map<string, bigint>
  readonly holdings: Map<string, Holding>
  /** What the pool holds beyond the worth of its units, in micro-USD: costs that orders paid and no fill spent. */
  reserve: bigint
  lastDay: number
  lastClose: Valuation | null
}

/** Micro-USD of a cent. */
const MICRO = 10_000n
/** A quantity in 10⁻⁸ times a price in 10⁻⁹ USD, in micro-USD. */
const SCALE = 100_000_000_000n

const SLOW_MS = 120_000

function openReplay(): Rule {
  const pools = new Map<string, PoolBook>()
  const movements = new Map<string, Movement[]>()
  const fills = new Map<string, Fill[]>()
  let lastMovement = 0
  let lastFill = 0
  return async ({ world }) => {
    const { database } = world
    for (const row of await readMovements(world, lastMovement)) {
      lastMovement = row.seq
      push(movements, `${row.strategy}/${row.day}`, row)
    }
    for (const row of await readFills(world, lastFill)) {
      lastFill = row.seq
      push(fills, `${row.strategy}/${row.day}`, row)
    }
    const strategies = await database.rows<{ slug: string; definition: string }>(
      'SELECT slug, definition FROM strategies ORDER BY slug',
    )
    const terms = await readTerms(world)
    for (const { slug, definition } of strategies) {
      const pool = pools.get(slug) ?? emptyPool(JSON.parse(definition))
      pools.set(slug, pool)
      for (const [open, close] of await readDays(world, slug, pool.lastDay)) {
        const key = `${slug}/${open.day}`
        const finding = replayDay(pool, {
          open,
          close,
          movements: movements.get(key) ?? [],
          fills: fills.get(key) ?? [],
          // A run of cron writes the open some time after it began, which is the time that it records.
          terms: terms(open.recordedAt, open.recordedAt + SLOW_MS),
        })
        if (finding !== null) return `${slug} on ${new Date(open.day).toISOString().slice(0, 10)}: ${finding}`
        movements.delete(key)
        fills.delete(key)
      }
    }
    return null
  }
}

interface Day {
  readonly open: Valuation
  readonly close: Valuation
  readonly movements: readonly Movement[]
  readonly fills: readonly Fill[]
  /** Those that may have been in force when the day was opened. */
  readonly terms: readonly Terms[]
}

/** Plays one day of a pool. Returns what is wrong with it. */
function replayDay(pool: PoolBook, day: Day): string | null {
  const { open, close } = day
  const bars = barsOf(pool.definition.assets, open.day)
  const before = bars.map((bar) => bar.open)
  const wrong =
    valuationProblem(pool, open, before, 0n) ??
    priceProblem(pool, open, bars) ??
    costProblem(pool, open) ??
    feesProblem(pool, day) ??
    firstOf(day.movements, (each) => movementProblem(pool, each, open)) ??
    firstOf(day.fills, (each) => fillProblem(pool, each, bars)) ??
    (pool.cash < 0n ? `${pool.cash} micro-USD of cash` : null) ??
    valuationProblem(
      pool,
      close,
      bars.map((bar) => bar.close),
      // The price pays for the trades of the rules. Orders that match them save a part of that for the reserve.
      (open.trades === null && close.trades === null
        ? 0n
        : larger(spentBy(day.fills, bars, pool.definition), paidByPrice(pool, open, close, bars))) +
        driftOf(pool, close, bars),
    ) ??
    dayProblem(open, close, pool.definition, bars)
  pool.lastDay = open.day
  pool.lastClose = close
  return wrong
}

/** The fees of a day have the terms that its open kept, which were in force then. */
function feesProblem(pool: PoolBook, day: Day): string | null {
  const terms = parseTerms(day.open.fees)
  const wasInForce = day.terms.some(
    ({ performance, subscription }) =>
      performance === terms.performance && subscription === terms.subscription,
  )
  return wasInForce
    ? feesOf(pool, { ...day, terms }, pool.lastDay)
    : `it opened with fees that were not in force: ${day.open.fees}`
}

/** A valuation says what the pool holds, and what all units are worth differs from it by the reserve. Micro-USD: `slack`. */
function valuationProblem(
  pool: PoolBook,
  valuation: Valuation,
  prices: readonly number[],
  slack: bigint,
): string | null {
  const { kind, netValue, units, unitPrice } = valuation
  const worth = pool.definition.assets.reduce(
    (sum, asset, place) => sum + worthOf(pool.quantity.get(asset) ?? 0n, prices[place] ?? 0),
    pool.cash,
  )
  if (BigInt(netValue) !== worth) return `${kind}: valued at ${netValue} micro-USD, and it holds ${worth}`
  if (BigInt(units) !== pool.units) return `${kind}: ${units} units, and ${pool.units} were issued`
  const owed = (pool.units * BigInt(unitPrice)) / 1_000_000n
  // A price is cut to what pays whole cents: all units together may cost the pool one cent more than it has.
  if (owed / MICRO > worth / MICRO + 1n)
    return `${kind}: its units are worth ${owed} micro-USD, and it holds ${worth}`
  if (pool.units > 0n && worth - owed > mostReserve(pool.reserve, slack, owed))
    return `${kind}: it holds ${worth} micro-USD, and its units are worth only ${owed}`
  pool.reserve = worth - owed
  return null
}

/** The most that a pool may hold beyond the worth of its units, after a reserve and what the price may have paid for. Micro-USD. */
function mostReserve(reserve: bigint, slack: bigint, owed: bigint): bigint {
  const rounding = roundingOf(owed, reserve + slack)
  const most = reserve + slack + rounding
  // With hardly a reserve, or one that the day used up, the price may have been cut by a whole step because the pool could not pay it.
  const step = owed / CAP_STEPS + rounding
  return reserve - slack < rounding && most < step ? step : most
}

/** What rounded prices and the move of a day may add to a reserve. Micro-USD. */
function roundingOf(owed: bigint, reserve: bigint): bigint {
  return owed / 100_000n + (reserve < 0n ? -reserve : reserve) / 4n + 50_000n
}

/** Without flows and without trades of the rules, a pool keeps differences from its weights up to this share of it. */
const QUIET_SHARE = 0.001

/** What such differences may add to a reserve as prices move within the day, in micro-USD. */
function driftOf(
  { definition: { assets }, quantity }: PoolBook,
  close: Valuation,
  bars: readonly Bar[],
): bigint {
  const weights = weightsOf(close)
  const drift = assets.reduce((sum, asset, place) => {
    const bar = bars[place]
    if (bar === undefined) return sum
    const held = Number(worthOf(quantity.get(asset) ?? 0n, bar.close))
    const difference = Math.abs(held - (weights[asset] ?? 0) * close.netValue)
    return sum + Math.min(difference, QUIET_SHARE * close.netValue) * Math.abs(bar.close / bar.open - 1)
  }, 0)
  return BigInt(Math.ceil(drift))
}

/** What fills cost beyond the day's open, in micro-USD. */
function spentBy(fills: readonly Fill[], bars: readonly Bar[], { assets }: Definition): bigint {
  return fills.reduce((sum, fill) => sum - gainOf(fill, bars[assets.indexOf(fill.asset)]), 0n)
}

/**
 * What the unit price pays for the trades of the rules at an open, in micro-USD: the cost of moving the weights before the trades to
 * those after them. The weights after them are those of the close, carried back to the prices of the open.
 */
function paidByPrice(
  { definition: { assets, costs }, units }: PoolBook,
  open: Valuation,
  close: Valuation,
  bars: readonly Bar[],
): bigint {
  const before = weightsOf(open)
  const atClose = weightsOf(close)
  const carried = assets.map((asset, place) => {
    const bar = bars[place]
    return bar === undefined ? 0 : ((atClose[asset] ?? 0) * bar.open) / bar.close
  })
  const cash = 1 - assets.reduce((sum, asset) => sum + (atClose[asset] ?? 0), 0)
  const whole = carried.reduce((sum, part) => sum + part, cash)
  const moved = assets.reduce(
    (sum, asset, place) => sum + Math.abs((carried[place] ?? 0) / whole - (before[asset] ?? 0)),
    0,
  )
  const cost = (1 + costs.slippageBasisPoints / 10_000) * (1 + costs.feeBasisPoints / 10_000) - 1
  return BigInt(Math.ceil((Number(units) / 1e6) * open.unitPrice * moved * cost))
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** What a fill adds to a pool valued at the day's open, in micro-USD: less than nothing. */
function gainOf({ side, quantity, cash }: Fill, bar: Bar | undefined): bigint {
  const worth = worthOf(BigInt(quantity), bar?.open ?? 0)
  return BigInt(cash) + (side === 'buy' ? worth : -worth)
}

/** Weights are cut to millionths, so a price follows them up to that much for each asset. */
function toleranceOf({ assets }: Definition): number {
  return 4e-6 * (assets.length + 1)
}

/** Overnight a unit's price moves as its holdings do, from the last close to this open. */
function priceProblem(
  { definition, lastClose }: PoolBook,
  open: Valuation,
  bars: readonly Bar[],
): string | null {
  if (lastClose === null || open.follows === 0 || lastClose.follows === 0) return null
  const weights = weightsOf(open)
  const closes = barsOf(definition.assets, lastClose.day)
  let parts = 1
  for (const [place, asset] of definition.assets.entries())
    parts += (weights[asset] ?? 0) * ((closes[place]?.close ?? 0) / (bars[place]?.open ?? 1) - 1)
  const expected = lastClose.unitPrice / parts
  return isNear(open.unitPrice, expected, definition)
    ? null
    : `a unit opened at ${open.unitPrice}, and its holdings at ${Math.round(expected)}`
}

/** Within a day without trades a unit's price moves as its holdings do. */
function dayProblem(
  open: Valuation,
  close: Valuation,
  definition: Definition,
  bars: readonly Bar[],
): string | null {
  if (open.trades !== null || close.trades !== null || open.follows === 0) return null
  const weights = weightsOf(open)
  let parts = 1
  for (const [place, asset] of definition.assets.entries())
    parts += (weights[asset] ?? 0) * ((bars[place]?.close ?? 0) / (bars[place]?.open ?? 1) - 1)
  const expected = open.unitPrice * parts
  return isNear(close.unitPrice, expected, definition)
    ? null
    : `a unit closed at ${close.unitPrice}, and its holdings at ${Math.round(expected)}`
}

/** A unit that a pool cannot pay costs less, in steps of a ten-thousandth. */
const CAP_STEPS = 10_000n
const CAP_STEP = 1 / Number(CAP_STEPS)

function isNear(price: number, expected: number, definition: Definition): boolean {
  const share = price / expected - 1
  return share <= toleranceOf(definition) && share >= -toleranceOf(definition) - 10 * CAP_STEP
}

/** Who joins pays for buying their share, and who leaves pays for selling it. */
function costProblem({ definition, lastClose }: PoolBook, open: Valuation): string | null {
  if (lastClose !== null && lastClose.follows === 0) return null
  const { feeBasisPoints, slippageBasisPoints } = definition.costs
  const fee = feeBasisPoints / 10_000
  const slippage = slippageBasisPoints / 10_000
  const invested = Object.values(weightsOf(open)).reduce((sum, share) => sum + share, 0)
  const { unitPrice, issuePrice, redeemPrice } = open
  const issue = unitPrice * (1 + ((1 + slippage) * (1 + fee) - 1) * invested)
  const redeem = unitPrice * (1 - (1 - (1 - slippage) * (1 - fee)) * invested)
  if (Math.abs((issuePrice ?? 0) - issue) > 2 + unitPrice * 1e-7)
    return `a unit costs ${issuePrice}, and should cost ${Math.round(issue)}`
  const share = (redeemPrice ?? 0) / redeem - 1
  if (share > 1e-7 || share < -10 * CAP_STEP)
    return `a unit brings ${redeemPrice}, and should bring ${Math.round(redeem)}`
  return null
}

/** A movement of units has the price of its day, and moves what that price buys or brings. */
function movementProblem(pool: PoolBook, movement: Movement, open: Valuation): string | null {
  const { ref, investor, code, asked } = movement
  const before = pool.holdings.get(investor) ?? NOTHING
  const price = BigInt((code === 'issue' ? open.issuePrice : open.redeemPrice) ?? 0)
  const expected =
    code === 'issue'
      ? issued(before, BigInt(asked ?? movement.cents), price)
      : redeemed(before, code === 'fee' ? BigInt(-movement.units) : askedUnits(before, asked, price), price)
  const found = {
    units: BigInt(movement.units),
    cents: BigInt(movement.cents),
    cost: BigInt(movement.cost),
  }
  for (const part of ['units', 'cents', 'cost'] as const)
    if (found[part] !== expected[part])
      return `${ref}: ${part} ${found[part]}, and should be ${expected[part]}`
  if (BigInt(movement.price) !== price) return `${ref}: price ${movement.price}, and the day's is ${price}`
  // The mark after a fee is checked with the fee.
  const highWater = code === 'fee' ? BigInt(movement.highWater) : expected.holding.highWater
  if (BigInt(movement.highWater) !== highWater)
    return `${ref}: high-water mark ${movement.highWater}, and should be ${highWater}`
  pool.holdings.set(investor, { ...expected.holding, highWater })
  const paidIn = (code === 'issue' ? expected.cents : -expected.cents) * MICRO
  pool.units += expected.units
  pool.cash += paidIn
  pool.reserve += paidIn - (expected.units * BigInt(open.unitPrice)) / 1_000_000n
  return null
}

function askedUnits({ units }: Holding, asked: number | null, price: bigint): bigint {
  if (asked === null) return units
  const needed = (BigInt(asked) * 10_000_000_000n + price - 1n) / price
  return needed < units ? needed : units
}

/** A fill has the day's open, worse by the slippage, and the broker's fee. A stop is filled within the day's range. */
function fillProblem(pool: PoolBook, fill: Fill, bars: readonly Bar[]): string | null {
  const { feeBasisPoints, slippageBasisPoints } = pool.definition.costs
  const { id, asset, side, price } = fill
  const bar = bars[pool.definition.assets.indexOf(asset)]
  if (bar === undefined) return `${id}: it does not trade ${asset}`
  const worse = 1 + ((side === 'buy' ? 1 : -1) * slippageBasisPoints) / 10_000
  const seen = price / worse
  const isExit = id.includes(':exit')
  const isRight = isExit
    ? seen >= bar.low * (1 - 1e-12) && seen <= bar.high * (1 + 1e-12)
    : Math.abs(seen / bar.open - 1) < 1e-12
  if (!isRight) return `${id}: ${side} at ${price}, and the day opened at ${bar.open}`
  const quantity = BigInt(fill.quantity)
  const exact = quantity * nano(price)
  const value = side === 'buy' ? (exact + SCALE - 1n) / SCALE : exact / SCALE
  const fee = (value * BigInt(feeBasisPoints) + 9_999n) / 10_000n
  if (BigInt(fill.fee) !== fee) return `${id}: a fee of ${fill.fee} micro-USD, and should be ${fee}`
  const cash = side === 'buy' ? -(value + fee) : value - fee
  if (BigInt(fill.cash) !== cash) return `${id}: ${fill.cash} micro-USD of cash, and should be ${cash}`
  pool.cash += cash
  // A stop's price is in the unit price of the close.
  pool.reserve += isExit ? 0n : gainOf(fill, bar)
  const owned = (pool.quantity.get(asset) ?? 0n) + (side === 'buy' ? quantity : -quantity)
  pool.quantity.set(asset, owned)
  return owned < 0n ? `${id}: sold more than it held` : null
}

function worthOf(quantity: bigint, price: number): bigint {
  return (quantity * nano(price)) / SCALE
}

/** A price in 10⁻⁹ USD. */
function nano(price: number): bigint {
  return BigInt(Math.round(price * 1e9))
}

function weightsOf({ weights }: Valuation): Record<string, number> {
  const millionths: Record<string, number> = JSON.parse(weights)
  return Object.fromEntries(Object.entries(millionths).map(([asset, share]) => [asset, share / 1e6]))
}

function emptyPool(definition: Definition): PoolBook {
  return {
    definition,
    cash: 0n,
    units: 0n,
    quantity: new Map(),
    holdings: new Map(),
    reserve: 0n,
    lastDay: 0,
    lastClose: null,
  }
}

function firstOf<T>(all: readonly T[], problemOf: (each: T) => string | null): string | null {
  for (const each of all) {
    const problem = problemOf(each)
    if (problem !== null) return problem
  }
  return null
}

function push<T>(into: Map<string, T[]>, key: string, row: T): void {
  const rows = into.get(key) ?? []
  rows.push(row)
  into.set(key, rows)
}

function readMovements({ database }: World, after: number): Promise<Movement[]> {
  return database.rows(
    `SELECT m.seq, m.ref, m.investor, m.strategy, m.code, m.units, m.price, m.cents, m.cost, m.high_water AS highWater, m.day,
       m.at, o.cents AS asked
     FROM unit_movements m LEFT JOIN unit_orders o ON o.id = m.ref WHERE m.seq > ?1 ORDER BY m.seq`,
    after,
  )
}

function readFills({ database }: World, after: number): Promise<Fill[]> {
  return database.rows(
    `SELECT f.seq, f.id, o.strategy, o.day, o.asset, o.side, f.quantity, f.price, f.fee, f.cash
     FROM pool_fills f JOIN pool_orders o ON o.id = f.pool_order WHERE f.seq > ?1 ORDER BY f.seq`,
    after,
  )
}

/** Opens and closes of the days that are over, after a day. */
async function readDays(
  { database }: World,
  strategy: string,
  after: number,
): Promise<[Valuation, Valuation][]> {
  const rows = await database.rows<Valuation>(
    `SELECT strategy, day, kind, unit_price AS unitPrice, issue_price AS issuePrice, redeem_price AS redeemPrice,
       net_value AS netValue, units, weights, follows, trades, recorded_at AS recordedAt, fees
     FROM valuations WHERE strategy = ?1 AND day > ?2 ORDER BY day, kind DESC`,
    strategy,
    after,
  )
  const days: [Valuation, Valuation][] = []
  for (const [place, open] of rows.entries()) {
    const close = rows[place + 1]
    if (open.kind === 'open' && close?.kind === 'close') days.push([open, close])
  }
  return days
}
