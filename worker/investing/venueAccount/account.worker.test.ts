import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import { GAP_PARTS } from '../../../src/contract/investing/gapParts.ts'
import { DAY_MS } from '../../../src/time.ts'
import { newCreditor, newPeople, rememberedPrices } from '../../../test/support/days.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { fileOrder, startPool } from '../../../test/support/trading/pools.ts'
import { findInGaps } from '../../console/selfCheck/gaps.ts'
import { openDatabase, runBatch, type Statement } from '../../lib/database.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { venueStrategies, venueTransfers } from '../../lib/tables/venues.ts'
import { SIMULATED } from '../candles/markets.ts'
import { VenueBroker } from '../trading/broker.ts'
import type { PoolGap } from '../trading/gap.ts'
import type { Prices } from '../trading/prices.ts'
import { followDays } from '../trading/step.ts'
import { VenueFailure } from '../venues/client.ts'
import { computeValue } from '../venues/units.ts'
import type {
  NewOrder,
  SubmissionResult,
  Venue,
  VenueFill,
  VenueOrder,
  VenueStatus,
} from '../venues/venue.ts'
import { processAccount } from './account.ts'

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 7, 4)
const ASSET = 'sim-index'
const MINUTE_MS = 60_000
/** An exchange may show an order so much later than it took it. */
const VISIBLE_AFTER_MS = 30 * MINUTE_MS
/** 10⁻⁸. */
const COIN = 100_000_000
const NANO = 1e9
/** Invests 1,000 USD on its first day. */
const HELD: Definition = {
  ...{ kind: 'buy-and-hold', values: {}, assets: [ASSET] },
  ...{ costs: DEFAULT_COSTS, risk: {} },
}

beforeAll(newCreditor)
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

/** An exchange in memory. It fills at the best price of the other side. */
class Exchange implements Venue {
  readonly name: string
  readonly #now: () => number
  readonly sent: NewOrder[] = []
  readonly listed: VenueOrder[] = []
  readonly trades: VenueFill[] = []
  readonly funds = new Map([['usd', 10_000 * COIN]])
  /** In nano-USD. */
  bid = 0
  ask: number | null = 0
  status_: VenueStatus = 'online'
  canWithdraw = false
  /** What becomes of an order: taken, taken without an answer, or lost on its way. */
  answers: 'taken' | 'unheard' | 'lost' = 'taken'
  /** The part of an order that is filled at once. */
  share = 1
  fee: 'usd' | 'base' = 'usd'
  #deadlines = new Map<string, number>()

  constructor(name: string, now: () => number) {
    this.name = name
    this.#now = now
  }

  permissions = async () => ({ missing: [], withdraw: this.canWithdraw })
  time = async () => this.#now()
  status = async () => this.status_
  markets = async () => [
    { asset: ASSET, leastQuantity: 1000, leastValue: 10 * COIN, quantityStep: 1, priceStep: 1 },
  ]
  takerMillionths = 2500
  takerFee = async () => this.takerMillionths
  book = async () => ({ bid: this.bid, ask: this.ask })
  balances = async () => new Map(this.funds)
  cancel = async () => undefined
  order = async (venueId: string) => (await this.orders()).find((each) => each.venueId === venueId) ?? null
  orders = async () =>
    this.listed.map((order) => ({
      ...order,
      isOpen: order.isOpen && (this.#deadlines.get(order.venueId) ?? 0) > this.#now(),
    }))
  fills = async () => this.trades

  async submit(order: NewOrder): Promise<SubmissionResult> {
    this.sent.push(order)
    if (this.answers !== 'lost') this.#take(order)
    return this.answers === 'taken'
      ? { state: 'accepted', venueId: `v${this.listed.length}` }
      : { state: 'unknown', message: 'did not answer' }
  }

  #take({ clientId, asset, side, quantity, expiresAt }: NewOrder): void {
    const venueId = `v${this.listed.length + 1}`
    const filled = Math.floor(quantity * this.share)
    this.listed.push({ venueId, clientId, asset, side, filled, isOpen: filled < quantity })
    this.#deadlines.set(venueId, expiresAt)
    if (filled === 0) return
    const price = side === 'buy' ? (this.ask ?? 0) : this.bid
    const value = computeValue(filled, price)
    const charged = (this.fee === 'usd' ? value : filled) * (this.takerMillionths / 1e6)
    const fee = { asset: this.fee, amount: Math.ceil(charged) }
    this.trades.push({
      ...{ tradeId: `t${this.trades.length + 1}`, venueId, asset, side, atMs: this.#now(), quantity: filled },
      ...{ price, value, fee },
    })
    const sign = side === 'buy' ? 1 : -1
    this.add(asset, sign * filled)
    this.add('usd', -sign * value)
    this.add(fee.asset === 'usd' ? 'usd' : asset, -fee.amount)
  }

  add(asset: string, quantity: number): void {
    this.funds.set(asset, (this.funds.get(asset) ?? 0) + quantity)
  }
}

let scenes = 0

/** A strategy that trades at an exchange. Its one investor put 1,000 USD in, and its first day's purchase is planned. */
async function scene() {
  const n = ++scenes
  const [slug, name, investor] = [`pool-${n}`, `exchange-${n}`, `ana-${n}`]
  let nowMs = FIRST - DAY_MS
  const now = () => nowMs
  const venue = new Exchange(name, now)
  await startPool(db, slug, HELD, nowMs, null, name)
  const funds = { venue: name, asset: 'usd', quantity: 10_000 * COIN }
  await runBatch(db, [
    ...decided(`trade-${n}`, { action: 'trade', strategy: slug, venue: name }, nowMs),
    db.insert(venueStrategies).values({ strategy: slug, venue: name, since: nowMs, proposal: `trade-${n}` }),
    ...decided(`funds-${n}`, { action: 'transfer', ...funds }, nowMs),
    db.insert(venueTransfers).values({ ...funds, at: nowMs, proposal: `funds-${n}` }),
  ])
  await newPeople(investor)
  await fileOrder(db, { investor, strategy: slug, kind: 'allocate', cents: 1000_00, atMs: FIRST - 1 })
  const prices: Prices = {
    days: (_, assets, at) => rememberedPrices.days(SIMULATED, assets, at),
    now: async () => null,
  }
  const follow = async () => {
    for await (const _ of followDays({ db, prices, nowMs, broker: () => new VenueBroker(db) }, slug));
  }
  const work = () => processAccount({ db, venue, now })
  /** Passes time, with a new price at its end. */
  const pass = async (minutes: number) => {
    nowMs += minutes * MINUTE_MS
    const market = await prices.days(name, [ASSET], nowMs)
    const open = market.candles[0]?.open.at(-1) ?? 0
    const day = Math.floor(nowMs / DAY_MS) * DAY_MS
    await runBatch(db, [
      sql`INSERT INTO current_candles (market, asset, day, open, last, at)
          VALUES (${name}, ${ASSET}, ${day}, ${open}, ${open}, ${nowMs})
          ON CONFLICT DO UPDATE SET day = excluded.day, open = excluded.open, last = excluded.last, at = excluded.at`,
    ])
    const price = Math.round(open * NANO)
    venue.bid = price - 1
    venue.ask = price
  }
  /** Moves the market this share above its open, and the best prices 0.2 % around it. */
  const move = async (share: number) => {
    await runBatch(db, [
      sql`UPDATE current_candles SET last = open * ${1 + share}, at = ${nowMs} WHERE market = ${name}`,
    ])
    const { open } = await one<{ open: number }>('SELECT open FROM current_candles WHERE market = ?', name)
    venue.bid = Math.round(open * (1 + share - 0.002) * NANO)
    venue.ask = Math.round(open * (1 + share + 0.002) * NANO)
  }
  await pass(24 * 60 + 1)
  await follow()
  const of = (id: string) => one<OrderRow>('SELECT * FROM venue_orders WHERE id = ?', id)
  const planned = await one<{ id: string; quantity: number; day: number }>(
    'SELECT id, quantity, day FROM pool_orders WHERE strategy = ?',
    slug,
  )
  return { n, slug, name, investor, venue, now, prices, pass, move, follow, work, of, planned }
}

interface OrderRow {
  readonly state: string
  readonly quantity: number
  readonly most_paid: number
  readonly expires_at: number
}

function decided(id: string, payload: object, atMs: number): Statement[] {
  const row = { id, kind: 'venue', proposedBy: 'olu', createdAt: atMs } as const
  return [
    db.insert(proposals).values({ ...row, reason: 'A test', payload: JSON.stringify(payload) }),
    sql`UPDATE proposals SET status = 'approved', decided_by = 'pia', decided_at = ${atMs} WHERE id = ${id}`,
  ]
}

const one = async <Row>(query: string, ...values: unknown[]) =>
  (await env.DB.prepare(query)
    .bind(...values)
    .first<Row>()) as Row

const checkOf = async (name: string) => {
  const row = await one<{ state: string; differing: number; finding: string }>(
    'SELECT state, differing, finding FROM venue_checks WHERE venue = ?',
    name,
  )
  return { ...row, finding: JSON.parse(row.finding) as { waits: string[]; differences: object[] } }
}

const endOf = (poolOrder: string) =>
  one<{ unfilled: number } | null>('SELECT unfilled FROM pool_order_ends WHERE pool_order = ?', poolOrder)

const bookedOf = (poolOrder: string) =>
  one<{ n: number; quantity: number }>(
    'SELECT count(*) AS n, coalesce(sum(quantity), 0) AS quantity FROM pool_fills WHERE pool_order = ?',
    poolOrder,
  )

/** Expects the pool, the books of the venue and the venue to hold the same. */
async function expectEqual({ slug, name, venue }: Awaited<ReturnType<typeof scene>>): Promise<void> {
  expect(await checkOf(name)).toMatchObject({ state: 'equal', differing: 0 })
  const held = venue.funds.get(ASSET) ?? 0
  expect(await one('SELECT quantity FROM pool_holdings WHERE strategy = ?', slug)).toEqual({ quantity: held })
  expect(await one('SELECT quantity FROM venue_balances WHERE venue = ? AND asset = ?', name, ASSET)).toEqual(
    { quantity: held },
  )
  expect(await one("SELECT quantity FROM venue_balances WHERE venue = ? AND asset = 'usd'", name)).toEqual({
    quantity: venue.funds.get('usd'),
  })
}

test('what a pool planned is bought at the exchange, booked once, and then its day is done', async () => {
  const at = await scene()
  for (let minute = 0; minute < 4; minute++) {
    await at.work()
    await at.pass(1)
  }
  expect(await endOf(at.planned.id)).not.toBeNull()
  expect((await bookedOf(at.planned.id)).quantity).toBe(at.venue.funds.get(ASSET))
  await expectEqual(at)
  await at.follow()
  expect(await one('SELECT max(day) AS day FROM pool_steps WHERE strategy = ?', at.slug)).toEqual({
    day: FIRST,
  })
  const { cash } = await one<{ cash: number }>('SELECT cash FROM pools WHERE strategy = ?', at.slug)
  expect(cash).toBeGreaterThanOrEqual(0)
})

test.each([2_500, 8_000, 12_000])(
  'an order is planned with the fee that the account pays, %i millionths, and never costs more than the cash of the pool',
  async (fee) => {
    const at = await scene()
    at.venue.takerMillionths = fee
    await at.work()
    const [sent] = at.venue.sent
    const worst = (((sent?.quantity ?? 0) / COIN) * (sent?.limitPrice ?? 0) * (1 + fee / 1e6)) / NANO
    expect(worst).toBeLessThan(1000)
    expect(worst).toBeGreaterThan(990)
    expect(await one('SELECT taker_millionths, asked_at FROM venue_fees WHERE venue = ?', at.name)).toEqual({
      taker_millionths: fee,
      asked_at: at.now(),
    })
  },
)

test('the fee is asked for once an hour, and nothing is sent while it is not known', async () => {
  const at = await scene()
  const asked = vi.spyOn(at.venue, 'takerFee')
  asked.mockRejectedValueOnce(new VenueFailure('unreadable', 'does not say what trading costs'))
  await expect(at.work()).rejects.toThrow('what trading costs')
  expect(at.venue.sent).toEqual([])
  for (let minute = 0; minute <= 61; minute++) {
    await at.work()
    await at.pass(1)
  }
  expect(asked).toHaveBeenCalledTimes(3)
})

test('a key that may withdraw is refused before anything is sent', async () => {
  const at = await scene()
  at.venue.canWithdraw = true
  await expect(at.work()).rejects.toThrow('may withdraw')
  expect(at.venue.sent).toEqual([])
  expect(await one('SELECT count(*) AS n FROM venue_orders WHERE venue = ?', at.name)).toEqual({ n: 0 })
  expect(await checkOf(at.name)).toMatchObject({
    state: 'unreachable',
    finding: { found: [`The key for ${at.name} may withdraw. Only use one that cannot.`] },
  })
})

test('an exchange that cannot be asked is recorded, and a difference before it still counts', async () => {
  const at = await scene()
  await at.work()
  await at.pass(1)
  await at.work()
  at.venue.add(ASSET, -1)
  await at.work()
  at.venue.canWithdraw = true
  await at.pass(11)
  await expect(at.work()).rejects.toThrow('may withdraw')
  expect(await checkOf(at.name)).toMatchObject({ state: 'unreachable', differing: 1 })
  at.venue.canWithdraw = false
  await at.work()
  expect(await checkOf(at.name)).toMatchObject({ state: 'different', differing: 2 })
  expect(await one('SELECT status FROM strategies WHERE slug = ?', at.slug)).toEqual({ status: 'suspended' })
})

test('an order that arrived although its answer was lost is found by its client id, and not sent again', async () => {
  const at = await scene()
  at.venue.answers = 'unheard'
  await at.work()
  const [sent] = at.venue.sent
  expect(await at.of(sent?.clientId ?? '')).toMatchObject({ state: 'sending', quantity: sent?.quantity })
  await at.pass(1)
  at.venue.status_ = 'maintenance'
  await at.work()
  expect(await at.of(sent?.clientId ?? '')).toMatchObject({ state: 'closed', filled: sent?.quantity })
  expect(at.venue.sent).toHaveLength(1)
  await expectEqual(at)
})

test('an order that may have arrived is never sent again before the exchange cannot have it any more', async () => {
  const at = await scene()
  at.venue.answers = 'lost'
  await at.work()
  const [first] = at.venue.sent
  const until = (first?.expiresAt ?? 0) + VISIBLE_AFTER_MS
  while (at.now() + MINUTE_MS < until) {
    await at.pass(1)
    await at.work()
  }
  expect(at.venue.sent).toEqual([first])
  expect(await at.of(first?.clientId ?? '')).toMatchObject({ state: 'sending' })
  at.venue.answers = 'taken'
  await at.pass(1)
  await at.work()
  expect(await at.of(first?.clientId ?? '')).toMatchObject({ state: 'absent' })
  expect(at.venue.sent).toHaveLength(2)
  expect(at.venue.sent[1]?.clientId).not.toBe(first?.clientId)
})

test('after a partial fill the rest is sent under another id, once nothing more of the first can be filled', async () => {
  const at = await scene()
  at.venue.share = 0.4
  await at.work()
  at.venue.share = 1
  await at.work()
  expect(at.venue.sent).toHaveLength(1)
  await at.pass(2)
  await at.work()
  const [first, second] = at.venue.sent
  const filled = Math.floor((first?.quantity ?? 0) * 0.4)
  expect(await at.of(first?.clientId ?? '')).toMatchObject({ state: 'closed', filled })
  expect(second?.clientId).not.toBe(first?.clientId)
  expect(second?.quantity).toBeGreaterThan(first?.quantity ? first.quantity * 0.59 : 0)
  expect(second?.quantity).toBeLessThanOrEqual(at.planned.quantity - filled)
  await at.pass(1)
  await at.work()
  await expectEqual(at)
})

test('a fee that is taken in coins makes the coins fewer, in the pool as at the exchange', async () => {
  const at = await scene()
  at.venue.fee = 'base'
  await at.work()
  await at.pass(1)
  at.venue.status_ = 'maintenance'
  await at.work()
  const [trade] = at.venue.trades
  const [sent] = at.venue.sent
  expect(await one('SELECT quantity, fee FROM pool_fills WHERE venue_order = ?', sent?.clientId)).toEqual({
    quantity: (trade?.quantity ?? 0) - (trade?.fee.amount ?? 0),
    fee: 0,
  })
  await expectEqual(at)
  // The exchange's fees may have more than eight decimals, which are booked rounded up.
  at.venue.add(ASSET, 1)
  await at.work()
  expect(await checkOf(at.name)).toMatchObject({ state: 'equal' })
  at.venue.add(ASSET, -2)
  await at.work()
  expect(await checkOf(at.name)).toMatchObject({ state: 'different' })
})

test('a fee that is taken in coins from a sale is paid by the pool, and explained', async () => {
  const at = await scene()
  // The company's own coins, from which the exchange takes the fee.
  const own = { venue: at.name, asset: ASSET, quantity: COIN }
  await runBatch(db, [
    ...decided(`coins-${at.n}`, { action: 'transfer', ...own }, at.now()),
    db.insert(venueTransfers).values({ ...own, at: at.now(), proposal: `coins-${at.n}` }),
  ])
  at.venue.add(ASSET, COIN)
  const untilDone = async () => {
    for (let minute = 0; minute < 4; minute++) {
      await at.work()
      await at.pass(1)
    }
    await at.follow()
  }
  await untilDone()
  await fileOrder(db, {
    ...{ investor: at.investor, strategy: at.slug, kind: 'redeem', cents: 400_00 },
    atMs: FIRST + DAY_MS - 1,
  })
  await at.pass(24 * 60)
  await at.follow()
  at.venue.fee = 'base'
  await untilDone()
  const sale = at.venue.trades.at(-1)
  if (sale === undefined || sale.side !== 'sell') return expect.fail('Nothing was sold')
  const worth = computeValue(sale.fee.amount, sale.price)
  expect(
    await one(
      'SELECT quantity, fee, cash, venue_cash, venue_fee FROM pool_fills WHERE trade = ?',
      [at.name, sale.tradeId].join(':'),
    ),
  ).toEqual({
    quantity: sale.quantity,
    fee: Math.ceil(worth / 100),
    cash: Math.floor((sale.value - worth) / 100),
    venue_cash: sale.value,
    venue_fee: sale.fee.amount,
  })
  expect(await checkOf(at.name)).toMatchObject({ state: 'equal', differing: 0 })
  expect(
    await one('SELECT quantity FROM venue_balances WHERE venue = ? AND asset = ?', at.name, ASSET),
  ).toEqual({ quantity: at.venue.funds.get(ASSET) })
  expect(await one('SELECT status FROM strategies WHERE slug = ?', at.slug)).toEqual({ status: 'active' })
  expect(await findInGaps(db, at.prices, at.slug, at.now())).toEqual([])
  const { pool } = await one<{ pool: string }>(
    'SELECT pool FROM gaps WHERE strategy = ? ORDER BY day DESC LIMIT 1',
    at.slug,
  )
  expect((JSON.parse(pool) as PoolGap).parts.unexplained).toBe(0)
})

test('an order that cannot be read is neither absent nor in the way of another one', async () => {
  const at = await scene()
  at.venue.answers = 'unheard'
  await at.work()
  const [first] = at.venue.sent
  const listed = at.venue.listed.splice(0)
  const order = at.venue.order
  at.venue.order = async () => {
    throw new VenueFailure('unreadable', 'answered in an unknown form')
  }
  await at.pass(60)
  await at.work()
  expect(await at.of(first?.clientId ?? '')).toMatchObject({ state: 'sending' })
  expect(await checkOf(at.name)).toMatchObject({
    state: 'equal',
    finding: { waits: [`The order ${first?.clientId} of ${ASSET} cannot be read`] },
  })
  at.venue.order = order
  at.venue.listed.push(...listed)
  await at.pass(1)
  await at.work()
  expect(await at.of(first?.clientId ?? '')).toMatchObject({ state: 'closed' })
  await expectEqual(at)
})

test('a trade is booked once, however often and in which order the exchange lists it', async () => {
  const at = await scene()
  at.venue.share = 0.4
  await at.work()
  const [trade] = at.venue.trades
  if (trade !== undefined) at.venue.trades.unshift(trade)
  for (let run = 0; run < 3; run++) {
    await at.work()
    expect(await bookedOf(at.planned.id)).toEqual({ n: 1, quantity: trade?.quantity })
  }
  await at.pass(2)
  at.venue.status_ = 'maintenance'
  await at.work()
  expect(await at.of(at.venue.sent[0]?.clientId ?? '')).toMatchObject({ state: 'closed' })
  await expectEqual(at)
})

test.each<[string, Partial<VenueFill>]>([
  ['another asset', { asset: 'another' }],
  ['the other side', { side: 'sell' }],
  ['a price beyond the limit', { price: 1e18 }],
])('a trade of %s is not booked for its order, and counts as a difference', async (_, change) => {
  const at = await scene()
  await at.work()
  const [trade] = at.venue.trades.splice(0)
  if (trade !== undefined) at.venue.trades.push({ ...trade, ...change })
  await at.pass(1)
  await at.work()
  expect(await bookedOf(at.planned.id)).toMatchObject({ n: 0 })
  expect(await checkOf(at.name)).toMatchObject({ state: 'different', differing: 1 })
  if (trade !== undefined) at.venue.trades.splice(0, 1, trade)
  at.venue.status_ = 'maintenance'
  await at.work()
  expect(await bookedOf(at.planned.id)).toMatchObject({ n: 1 })
  await expectEqual(at)
})

test('an order of another asset under our id is not followed', async () => {
  const at = await scene()
  await at.work()
  const [order] = at.venue.listed.splice(0)
  if (order !== undefined) at.venue.listed.push({ ...order, asset: 'another' })
  await at.work()
  expect(await checkOf(at.name)).toMatchObject({
    state: 'different',
    finding: { found: [`The exchange shows another asset or side for the order ${order?.clientId}`] },
  })
})

test('two runs at once send one order', async () => {
  const at = await scene()
  await Promise.allSettled([at.work(), at.work(), at.work()])
  expect(at.venue.sent).toHaveLength(1)
  await at.pass(1)
  await Promise.allSettled([at.work(), at.work()])
  expect(at.venue.sent.filter(({ clientId }) => clientId === at.venue.sent[0]?.clientId)).toHaveLength(1)
  await at.work()
  await expectEqual(at)
})

test.each(['all', 'this exchange'])(
  'a stop of %s sends nothing until two operators lift it',
  async (scope) => {
    const at = await scene()
    const stopped = scope === 'all' ? 'all' : at.name
    await runBatch(db, [
      sql`INSERT INTO trading_stops (scope, at, actor, reason) VALUES (${stopped}, ${at.now()}, 'olu', 'A test')`,
    ])
    await at.work()
    expect(at.venue.sent).toEqual([])
    const lift = sql`UPDATE trading_stops SET lifted_by = ${`resume-${at.n}`}, lifted_at = ${at.now()} WHERE scope = ${stopped}`
    await expect(runBatch(db, [lift])).rejects.toThrow('second_operator_required')
    await runBatch(db, [...decided(`resume-${at.n}`, { action: 'resume', scope: stopped }, at.now()), lift])
    await at.work()
    expect(at.venue.sent).toHaveLength(1)
  },
)

test('nothing is sent on prices that are stale, have one side only or are beyond the collar', async () => {
  const at = await scene()
  const { ask } = at.venue
  at.venue.ask = null
  await at.work()
  expect((await checkOf(at.name)).finding.waits).toEqual([`The book of ${ASSET} has one side only`])
  at.venue.ask = Math.ceil((ask ?? 0) * 1.0101)
  await at.work()
  expect((await checkOf(at.name)).finding.waits[0]).toContain('than we believe')
  at.venue.ask = ask
  const last = 'UPDATE current_candles SET at = ? WHERE market = ?'
  await env.DB.prepare(last)
    .bind(at.now() - 5 * MINUTE_MS - 1, at.name)
    .run()
  await at.work()
  expect(at.venue.sent).toEqual([])
  await env.DB.prepare(last)
    .bind(at.now() - 5 * MINUTE_MS, at.name)
    .run()
  await at.work()
  expect(at.venue.sent).toHaveLength(1)
})

test.each(['maintenance', 'cancel_only', 'post_only'] as const)(
  'an order waits while the exchange is in %s',
  async (status) => {
    const at = await scene()
    at.venue.status_ = status
    await at.work()
    expect(at.venue.sent).toEqual([])
    at.venue.status_ = 'limit_only'
    await at.work()
    expect(at.venue.sent).toHaveLength(1)
  },
)

test('no order and no day of a pool costs more than the settings allow, and what waited until the day ended is a missed day', async () => {
  await setSetting('orderMost', 300_00)
  await setSetting('orderDayMost', 500_00)
  try {
    const at = await scene()
    for (let minute = 0; minute < 4; minute++) {
      await at.work()
      await at.pass(1)
    }
    const { results } = await env.DB.prepare(
      'SELECT most_paid AS paid FROM venue_orders WHERE venue = ? ORDER BY seq',
    )
      .bind(at.name)
      .all<{ paid: number }>()
    const paid = results.map((row) => row.paid)
    expect(Math.max(...paid)).toBeLessThanOrEqual(300_000_000)
    expect(paid.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(500_000_000)
    expect(paid.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(490_000_000)
    await expectEqual(at)
    expect((await checkOf(at.name)).finding.waits).toEqual([
      `The orders of ${at.slug} in the last 24 hours reached the largest amount allowed, so the rest of ${ASSET} waits`,
    ])
    await at.pass(24 * 60)
    await at.work()
    const { unfilled = 0 } = (await endOf(at.planned.id)) ?? {}
    expect(unfilled).toBeGreaterThan(at.planned.quantity / 3)
    const { unit, own, open, close } = await explanationOf(at)
    expectWhole(unit, own)
    const gained = (unfilled / COIN) * (close - open) * 1e6
    expect(own.parts.missed / own.base).toBeCloseTo(-gained / own.base, 6)
    expect(Math.abs(gained / own.base)).toBeGreaterThan(1e-5)
  } finally {
    await setSetting('orderMost', 10_000_00)
    await setSetting('orderDayMost', 50_000_00)
  }
})

test('a difference in two comparisons suspends the strategy, and nothing is booked to repair it', async () => {
  const at = await scene()
  await at.work()
  await at.pass(1)
  await at.work()
  const before = await bookedOf(at.planned.id)
  at.venue.add(ASSET, -1)
  const status = () => one('SELECT status FROM strategies WHERE slug = ?', at.slug)
  await at.work()
  expect(await checkOf(at.name)).toMatchObject({ state: 'different', differing: 1 })
  expect(await status()).toEqual({ status: 'active' })
  await at.work()
  expect(await status()).toEqual({ status: 'suspended' })
  await at.work()
  const held = at.venue.funds.get(ASSET) ?? 0
  expect(await checkOf(at.name)).toMatchObject({
    state: 'different',
    differing: 3,
    finding: { differences: [{ asset: ASSET, expected: held + 1, actual: held }] },
  })
  expect(await bookedOf(at.planned.id)).toEqual(before)
  expect(
    await one("SELECT count(*) AS n FROM strategy_events WHERE strategy = ? AND kind = 'suspended'", at.slug),
  ).toEqual({ n: 1 })
})

test('an order that is not filled ends after five attempts, and its day is done with the difference', async () => {
  const at = await scene()
  at.venue.share = 0
  for (let attempt = 0; attempt < 6; attempt++) {
    await at.work()
    await at.pass(2)
  }
  expect(at.venue.sent).toHaveLength(5)
  expect(await endOf(at.planned.id)).toEqual({ unfilled: at.planned.quantity })
  await at.follow()
  expect(await one('SELECT max(day) AS day FROM pool_steps WHERE strategy = ?', at.slug)).toEqual({
    day: FIRST,
  })
  expect(await checkOf(at.name)).toMatchObject({ state: 'equal' })
})

test('the database refuses what no run would write', async () => {
  const at = await scene()
  const rich = await scene()
  const { id } = at.planned
  const write = (statement: Statement) => runBatch(db, [statement])
  /** An order for a pool's order at the prices of now. */
  const order = (by: typeof at, poolOrder: string, side: string, paid: number) => {
    const price = by.venue.bid
    return sql`
      INSERT INTO venue_orders (id, pool_order, venue, side, quantity, limit_price, most_paid, believed_price, bid, ask,
        priced_at, sent_at, expires_at)
      VALUES (${`${poolOrder} by hand`}, ${poolOrder}, ${by.name}, ${side}, 1000, ${price}, ${paid}, ${price},
        ${price}, ${price + 1}, ${by.now()}, ${by.now()}, ${by.now() + MINUTE_MS})`
  }
  const owned = 1000_000_000
  await expect(write(order(rich, rich.planned.id, 'buy', owned + 1))).rejects.toThrow(
    'more than the cash of the pool',
  )
  await write(sql`
    INSERT INTO pool_orders (id, strategy, day, asset, side, quantity, at, seen_price)
    VALUES ('a sale', ${rich.slug}, ${FIRST}, ${ASSET}, 'sell', 1000, ${rich.now()}, 1)`)
  await expect(write(order(rich, 'a sale', 'sell', owned))).rejects.toThrow(
    'venue_orders: more sold than held',
  )

  at.venue.share = 0
  await at.work()
  const [sent] = at.venue.sent
  await expect(write(order(at, id, 'buy', 1_000_000))).rejects.toThrow('earlier order still open')
  await expect(
    write(sql`
      INSERT INTO pool_fills (id, pool_order, quantity, price, fee, slippage, cash, at)
      VALUES ('invented', ${id}, 1000, 1, 0, 0, -10, ${at.now()})`),
  ).rejects.toThrow('pool_fills: fill of another venue')
  await expect(
    write(sql`
      INSERT INTO pool_fills (id, pool_order, quantity, price, fee, slippage, cash, at, venue_order, trade, venue_cash)
      VALUES ('invented', ${id}, 1000, 1, 0, 0, -10, ${at.now()}, ${sent?.clientId}, 'another:1', -1000)`),
  ).rejects.toThrow('pool_fills: no sent order or more than ordered')

  const lost = await scene()
  lost.venue.answers = 'lost'
  await lost.work()
  const [unheard] = lost.venue.sent
  const seen = (unheard?.expiresAt ?? 0) + VISIBLE_AFTER_MS - 1
  await expect(
    write(sql`UPDATE venue_orders SET state = 'absent', seen_at = ${seen} WHERE id = ${unheard?.clientId}`),
  ).rejects.toThrow('venue_orders: absent too early')
})

interface Explained extends Record<(typeof GAP_PARTS)[number] | 'live' | 'test', number> {
  readonly pool: PoolGap
}

/** Closes the first day, and returns its explanation: in 10⁻⁶ of a basis point for a unit, and in micro-USD for the pool. */
async function explanationOf({ slug, now, pass, work, follow, prices }: Awaited<ReturnType<typeof scene>>) {
  await follow()
  await pass(24 * 60)
  // Ends what is left of an order.
  await work()
  await follow()
  expect(await findInGaps(db, prices, slug, now())).toEqual([])
  const row = await one<Record<string, number> & { pool: string }>(
    'SELECT *, cash_drag AS cashDrag FROM gaps WHERE strategy = ? AND day = ?',
    slug,
    FIRST,
  )
  const market = await prices.days(slug, [ASSET], FIRST + DAY_MS)
  const bar = market.time.indexOf(FIRST)
  return {
    unit: row as unknown as Explained,
    own: JSON.parse(row.pool) as PoolGap,
    open: market.candles[0]?.open[bar] ?? 0,
    close: market.candles[0]?.close[bar] ?? 0,
  }
}

/** Expects the parts to add up within 0.01 basis points and to leave nothing unexplained, for a unit and for the pool. */
function expectWhole(unit: Explained, { base, difference, parts }: PoolGap): void {
  const sum = (of: Readonly<Record<(typeof GAP_PARTS)[number], number>>) =>
    GAP_PARTS.reduce((total, part) => total + of[part], 0)
  expect(Math.abs(sum(unit) - (unit.live - unit.test))).toBeLessThan(10_000)
  expect(Math.abs(sum(parts) - difference) / base).toBeLessThan(1e-6)
  expect([unit.unexplained, parts.unexplained]).toEqual([0, 0])
}

test.each(['usd', 'base'] as const)(
  'a day at an exchange is explained by the market’s move, slippage, fees in %s and what was not filled',
  async (fee) => {
    const at = await scene()
    at.venue.fee = fee
    at.venue.share = 0.4
    await at.move(0.005)
    await at.work()
    at.venue.share = 0
    for (let minute = 0; minute < 20; minute += 2) {
      await at.pass(2)
      await at.work()
    }
    const end = await endOf(at.planned.id)
    expect(end?.unfilled).toBeGreaterThan(at.planned.quantity / 2)
    const { unit, own, open, close } = await explanationOf(at)
    expectWhole(unit, own)
    const [trade] = at.venue.trades
    const bought = (trade?.quantity ?? 0) / COIN
    const [spent, paid] = [bought * open * 1e6, (trade?.value ?? 0) / 100 / 400]
    const share = (part: number) => part / own.base
    expect(share(own.parts.price)).toBeCloseTo(share(-0.005 * spent), 5)
    // The test pays fees and slippage for all of it.
    expect(share(own.parts.slippage)).toBeCloseTo(share(-0.002 * spent) + 0.001, 5)
    expect(share(own.parts.fees)).toBeCloseTo(share(-paid) + 0.0025 / 1.0025, 5)
    const wanted = 1 / (1.001 * 1.0025)
    const drag = (share(spent) - wanted) * (close / open - 1)
    expect(share(own.parts.cashDrag)).toBeCloseTo(drag, 4)
    expect(own.parts.missed).toBeCloseTo(0, 6)
    // Less than a cent, and what the exchange rounds.
    expect(Math.abs(own.parts.rounding)).toBeLessThan(10_100)
  },
)

test('what the market moved until a late order is part of the missed and late days', async () => {
  const at = await scene()
  await at.pass(180)
  await at.move(0.004)
  await at.work()
  await at.pass(1)
  await at.work()
  const { unit, own, open, close } = await explanationOf(at)
  expectWhole(unit, own)
  const spent = ((at.venue.trades[0]?.quantity ?? 0) / COIN) * open * 1e6
  // At the higher price, the pool's cash bought less than was planned.
  const rest = (((await endOf(at.planned.id))?.unfilled ?? 0) / COIN) * (close - open) * 1e6
  expect(own.parts.missed / own.base).toBeCloseTo((-0.004 * spent - rest) / own.base, 5)
  expect(own.parts.price / own.base).toBeCloseTo(0, 5)
  // Nobody had paid for trading before, so the loss is in the price at once, in whole basis points.
  const capped = Math.round((unit.live - unit.test) / 1e6)
  expect(capped).toBeLessThan(-30)
  expect(Math.round(unit.missed / 1e6)).toBeLessThan(-20)
})
