import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Band } from '../../../engine/backtest/backtestResult.ts'
import { CATALOGUE } from '../../../engine/catalogue.ts'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import { hashDefinition } from '../../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../../src/time.ts'
import { call } from '../../../test/support/http.ts'
import { mailsTo } from '../../../test/support/mailbox.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { type Filed, fileOrder, startPool } from '../../../test/support/trading/pools.ts'
import { simulatedPrices } from '../../dev/seed/simulatedPrices.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { PaperBroker } from './broker.ts'
import { updateDisplays } from './displays.ts'
import { REASONS } from './judge.ts'
import { notifyInvestors } from './notices.ts'
import type { Prices } from './prices.ts'
import { followAll } from './run.ts'
import { startStrategies } from './start.ts'
import type { Pool } from './state.ts'
import { followDays } from './step.ts'

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 7, 4)
const at = (days: number) => FIRST + days * DAY_MS + 5 * 60_000

const HELD: Definition = {
  kind: 'buy-and-hold',
  values: {},
  assets: ['sim-index'],
  costs: DEFAULT_COSTS,
  risk: {},
}

async function follow(slug: string, nowMs: number, prices = simulatedPrices): Promise<void> {
  const broker = ({ definition }: Pool) => new PaperBroker(definition.costs)
  for await (const _ of followDays({ db, prices, nowMs, broker }, slug));
}

/** A strategy with one investor of 1,000 USD in it, from its first day on. */
async function pooled(slug: string, definition = HELD, band: object | null = null): Promise<Person> {
  await startPool(db, slug, definition, FIRST - DAY_MS, band)
  const ana = await newInvestor({ availableCents: 100_000 })
  await fileOrder(db, { ...ordered(slug, ana), cents: 100_000, atMs: FIRST - 1 })
  return ana
}

const ordered = (strategy: string, { id }: Person): Omit<Filed, 'cents' | 'atMs'> => ({
  investor: id,
  strategy,
  kind: 'allocate',
})

const one = <Row>(query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .first<Row>()

const figures = async (person: Person) =>
  (
    await call<{ available: number; profits: number; totalBalance: number }>(
      'GET',
      '/users/user-info?fields=available profits totalBalance',
      { token: person.token },
    )
  ).body

test('each strategy of the catalogue starts once, with its definition frozen, hashed and audited', async () => {
  for (let minute = 0; minute < 9; minute++)
    await startStrategies(db, simulatedPrices, at(0) + minute * 60_000)
  await startStrategies(db, simulatedPrices, at(1), { most: 9 })
  const { results } = await env.DB.prepare(
    'SELECT slug, definition, hash, band, status FROM strategies ORDER BY slug',
  ).all<{
    slug: string
    definition: string
    hash: string
    band: string
    status: string
  }>()
  expect(results.map(({ slug }) => slug)).toEqual(CATALOGUE.map(({ slug }) => slug).sort())
  for (const { slug, definition, hash, band } of results) {
    expect(JSON.parse(definition)).toEqual(CATALOGUE.find((offered) => offered.slug === slug)?.definition)
    expect(hash).toBe(await hashDefinition(JSON.parse(definition)))
    expect((JSON.parse(band) as Band).days[0]).toBe(1)
  }
  expect(await one("SELECT count(*) AS n FROM audit_log WHERE action = 'strategy.started'")).toEqual({ n: 8 })
})

test('without any units, the record still follows the model', async () => {
  await follow('hold-the-index', at(3))
  const { results } = await env.DB.prepare(
    "SELECT kind, unit_price AS price, units, net_value AS net FROM valuations WHERE strategy = 'hold-the-index' ORDER BY day, kind DESC",
  ).all<{ kind: string; price: number; units: number; net: number }>()
  expect(results).toMatchObject([
    { kind: 'open', price: 100_000_000, units: 0, net: 0 },
    ...Array(4).fill({ units: 0 }),
  ])
  expect(new Set(results.map(({ price }) => price)).size).toBe(results.length)
})

test('a strategy whose bars are missing waits and says so, and the others go on', async () => {
  await startPool(db, 'lacking', { ...HELD, assets: ['sim-alder'] }, FIRST - DAY_MS)
  const lacking: Prices = {
    ...simulatedPrices,
    days: async (market, assets, nowMs) => {
      if (assets[0] === 'sim-alder' && assets.length === 1) throw new Error('E_CANDLES_MISSING')
      return simulatedPrices.days(market, assets, nowMs)
    },
  }
  await expect(followAll(db, lacking, at(2))).rejects.toThrow('E_CANDLES_MISSING')
  expect(await one("SELECT count(*) AS n FROM valuations WHERE strategy = 'lacking'")).toEqual({ n: 0 })
  expect(
    await one('SELECT count(DISTINCT strategy) AS n FROM valuations WHERE day = ?', FIRST + DAY_MS),
  ).toEqual({
    n: 8,
  })
  await follow('lacking', at(2))
  expect(await one("SELECT count(*) AS n FROM valuations WHERE strategy = 'lacking'")).toEqual({ n: 5 })
})

test('a strategy that leaves its band is suspended, sold at the next open, announced, and can be redeemed', async () => {
  // A band that no strategy can stay in.
  const band = { days: [1, 730], lines: [Array(5).fill(2), Array(5).fill(3)] }
  const ana = await pooled('leaves-its-band', HELD, band)
  await follow('leaves-its-band', at(1))
  expect(
    await one(
      "SELECT kind, reason, actor FROM strategy_events WHERE strategy = 'leaves-its-band' ORDER BY seq DESC",
    ),
  ).toEqual({
    kind: 'suspended',
    reason: REASONS.band,
    actor: 'system',
  })
  expect(await one("SELECT quantity FROM pool_holdings WHERE strategy = 'leaves-its-band'")).toEqual({
    quantity: 0,
  })
  await notifyInvestors(env, db, at(1))
  await notifyInvestors(env, db, at(1))
  expect((await mailsTo(ana.email)).filter(({ subject }) => subject.includes('was suspended'))).toHaveLength(
    1,
  )
  const { body } = await call<{ notification: { title: string } }>(
    'GET',
    '/users/user-info?fields=notification',
    {
      token: ana.token,
    },
  )
  expect(body.notification.title).toBe('leaves-its-band was suspended')
  // No new money; redemptions are paid.
  await expect(
    fileOrder(db, { ...ordered('leaves-its-band', ana), cents: 1000, atMs: at(1) }),
  ).rejects.toThrow()
  await fileOrder(db, { ...ordered('leaves-its-band', ana), kind: 'redeem', cents: null, atMs: at(1) })
  await follow('leaves-its-band', at(2))
  const { available, profits, totalBalance } = await figures(ana)
  expect(profits).toBeLessThan(0)
  expect(available).toBe(totalBalance)
  expect(available).toBeCloseTo(1000 + profits, 6)
})

test('pending allocations to a suspended strategy are returned before the next open', async () => {
  const ana = await pooled('gives-back')
  await follow('gives-back', at(0))
  const ben = await newInvestor({ availableCents: 50_000 })
  await fileOrder(db, { ...ordered('gives-back', ben), cents: 50_000, atMs: at(0) })
  await runBatch(db, [
    db.run(
      sql`INSERT INTO strategy_events (strategy, at, kind, reason, actor) VALUES ('gives-back', ${at(0)}, 'suspended', 'A look at it.', 'system')`,
    ),
  ])
  await follow('gives-back', at(1))
  expect((await figures(ben)).available).toBe(500)
  expect(await one('SELECT status, decided_by AS actor FROM unit_orders WHERE investor = ?', ben.id)).toEqual(
    {
      status: 'cancelled',
      actor: 'system',
    },
  )
  expect((await figures(ana)).available).toBe(0)
})

test('a drawdown rule suspends a strategy at the close that breaks it', async () => {
  await pooled('falls', { ...HELD, assets: ['sim-alder'], risk: { maximumDrawdown: 0.01 } })
  await follow('falls', at(30))
  const event = await one<{ kind: string; reason: string }>(
    "SELECT kind, reason FROM strategy_events WHERE strategy = 'falls' ORDER BY seq DESC",
  )
  expect(event).toEqual({ kind: 'suspended', reason: REASONS.drawdown })
  expect(await one("SELECT quantity FROM pool_holdings WHERE strategy = 'falls'")).toEqual({ quantity: 0 })
})

test('after its drawdown limit a strategy waits as long as its rules say, tells its investors, and buys again', async () => {
  const risk = { maximumDrawdown: 0.3, pauseDays: 5 }
  const ana = await pooled('waits', { ...HELD, assets: ['sim-alder'], risk })
  // All prices fall by half on day 3 and stay there.
  const halved = between(FIRST + 3 * DAY_MS, FIRST + 400 * DAY_MS, 0.5)
  const events = async () =>
    (
      await env.DB.prepare(
        "SELECT kind, reason, actor, at FROM strategy_events WHERE strategy = 'waits' ORDER BY seq",
      ).all<{ kind: string; reason: string; actor: string; at: number }>()
    ).results
  const held = () => one<{ quantity: number }>("SELECT quantity FROM pool_holdings WHERE strategy = 'waits'")
  for (let day = 1; day <= 8; day++) await follow('waits', at(day), halved)
  expect(await events()).toMatchObject([
    { kind: 'started' },
    { kind: 'suspended', reason: REASONS.pause, actor: 'system', at: at(4) },
  ])
  expect(await held()).toEqual({ quantity: 0 })
  await follow('waits', at(9), halved)
  expect((await events()).at(-1)).toMatchObject({ kind: 'resumed', actor: 'system', at: FIRST + 9 * DAY_MS })
  expect((await held())?.quantity).toBeGreaterThan(0)
  await notifyInvestors(env, db, at(9))
  expect((await mailsTo(ana.email)).map(({ subject }) => subject)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('was suspended'),
      expect.stringContaining('was resumed'),
    ]),
  )
  // The drawdown is measured from there: the former peak does not suspend it again.
  await follow('waits', at(12), halved)
  expect(await events()).toHaveLength(3)
})

test('fees are taken at a month’s first step, by units, once, and stand in the books', async () => {
  const ana = await pooled('charges', { ...HELD, assets: ['sim-index'] })
  await follow('charges', at(20))
  const before = await one<{ units: number; hw: number }>(
    "SELECT units, high_water AS hw FROM positions WHERE strategy = 'charges'",
  )
  await setSetting('fees', { performanceBasisPoints: 0, subscriptionMonthly: 1500 })
  await follow('charges', at(29))
  await follow('charges', at(29))
  const { results } = await env.DB.prepare(
    "SELECT ref, cents, units FROM unit_movements WHERE strategy = 'charges' AND code = 'fee'",
  ).all<{ ref: string; cents: number; units: number }>()
  expect(results).toMatchObject([{ ref: `${ana.id}:2026-09:subscription`, cents: 1500 }])
  const after = await one<{ units: number; hw: number }>(
    "SELECT units, high_water AS hw FROM positions WHERE strategy = 'charges'",
  )
  expect(after).toEqual({ units: (before?.units ?? 0) + (results[0]?.units ?? 0), hw: before?.hw })
  expect(await one('SELECT balance FROM accounts WHERE id = ?', `${ana.id}:fees`)).toEqual({ balance: 1500 })
  expect((await figures(ana)).available).toBe(0)
  await setSetting('fees', { performanceBasisPoints: 0, subscriptionMonthly: 0 })
})

test('a share of profit is taken only above the high-water mark, once', async () => {
  await setSetting('fees', { performanceBasisPoints: 2000, subscriptionMonthly: 0 })
  const ana = await pooled('shares-profit')
  // All prices double on 20 August and return on 10 September.
  const doubled = between(Date.UTC(2026, 7, 20), Date.UTC(2026, 8, 10), 2)
  const days = (ms: number) => (ms - FIRST) / DAY_MS
  await follow('shares-profit', at(days(Date.UTC(2026, 8, 1))), doubled)
  const fees = async () =>
    (
      await env.DB.prepare(
        "SELECT m.cents, m.price, m.high_water AS mark, v.unit_price AS unit FROM unit_movements m JOIN valuations v ON v.strategy = m.strategy AND v.day = m.day AND v.kind = 'open' WHERE m.strategy = 'shares-profit' AND m.code = 'fee' ORDER BY m.seq",
      ).all<{ cents: number; price: number; mark: number; unit: number }>()
    ).results
  const [first, ...none] = await fees()
  expect(none).toEqual([])
  const issued = await one<{ units: number; price: number }>(
    "SELECT units, price FROM unit_movements WHERE strategy = 'shares-profit' AND code = 'issue'",
  )
  const profit = Math.floor(((issued?.units ?? 0) * ((first?.price ?? 0) - (issued?.price ?? 0))) / 1e10)
  expect(first?.cents).toBe(Math.floor(profit / 5))
  expect(first?.mark).toBe(first?.unit)
  // Half of it is lost again: no fee in October, and none on the redemption.
  await fileOrder(db, {
    ...ordered('shares-profit', ana),
    kind: 'redeem',
    cents: 10_000,
    atMs: Date.UTC(2026, 9, 1, 1),
  })
  await follow('shares-profit', at(days(Date.UTC(2026, 9, 2))), doubled)
  expect(await fees()).toHaveLength(1)
  expect(
    await one("SELECT status FROM unit_orders WHERE strategy = 'shares-profit' AND kind = 'redeem'"),
  ).toEqual({ status: 'settled' })
  await setSetting('fees', { performanceBasisPoints: 0, subscriptionMonthly: 0 })
})

test('the displayed unit price is updated each hour', async () => {
  await pooled('shown')
  await follow('shown', at(0))
  const shown = () =>
    one<{ at: number; price: number }>(
      "SELECT at, unit_price AS price FROM displays WHERE strategy = 'shown'",
    )
  await updateDisplays(db, simulatedPrices, at(0))
  const first = await shown()
  await updateDisplays(db, simulatedPrices, at(0) + 60_000)
  expect(await shown()).toEqual(first)
  await updateDisplays(db, simulatedPrices, at(0) + 3_600_000)
  expect((await shown())?.at).toBe(at(0) + 3_600_000)
})

/** The simulated market with prices multiplied between two days. */
function between(from: number, before: number, times: number): Prices {
  return {
    ...simulatedPrices,
    days: async (market, assets, nowMs) => {
      const days = await simulatedPrices.days(market, assets, nowMs)
      const raised = (column: Float64Array) =>
        column.map((price, bar) => {
          const day = days.time[bar] ?? 0
          return day >= from && day < before ? price * times : price
        })
      const candles = days.candles.map((columns) => ({
        ...columns,
        open: raised(columns.open),
        high: raised(columns.high),
        low: raised(columns.low),
        close: raised(columns.close),
      }))
      return { ...days, candles }
    },
  }
}
