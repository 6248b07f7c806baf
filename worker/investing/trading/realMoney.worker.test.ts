import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OperatorHealth } from '../../../src/contract/console/health.ts'
import { site } from '../../../src/site.ts'
import { callWith } from '../../../test/support/app.ts'
import type { AnyBody } from '../../../test/support/http.ts'
import { booksOf } from '../../../test/support/money.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { dayOf, newStrategy, settleDay } from '../../../test/support/pooled.ts'
import { runDueWork } from '../../cron.ts'
import { simulatedPrices } from '../../dev/seed/simulatedPrices.ts'
import { submitAllocation } from '../../ledger/strategies.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { SIMULATED } from '../candles/markets.ts'
import { PaperBroker, VenueBroker } from './broker.ts'
import type { Prices } from './prices.ts'
import { assertMayOrder, createBrokerFactory, createTradePrices } from './realMoney.ts'
import { runStrategies } from './run.ts'
import { readPool } from './state.ts'
import { followDays } from './step.ts'

const ORIGIN = 'https://evenkeel.example'
const live: Env = {
  ...env,
  APP_ENV: 'production',
  PUBLIC_ORIGIN: ORIGIN,
  RESEND_API_KEY: 'a key',
  MAIL_FROM: 'no-reply@evenkeel.example',
  MARKET_BASE_URL: 'https://market.example',
}
const REFUSED = 'Live mode does not trade the simulated market'
const NO_PAPER = 'Live mode does not trade investors’ money on paper'
const { mode } = site

beforeEach(() => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network in this test'))
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  site.mode = mode
  vi.restoreAllMocks()
})

const ask = <T = AnyBody>(deployment: Env, { token }: Person, method: string, path: string, json?: object) =>
  callWith<T>(deployment, method, path, { token, ...(json && { json }) })

/** How many rows the strategies' work has written, of every kind. */
function counted(): Promise<unknown> {
  const tables = ['strategies', 'valuations', 'pool_orders', 'pool_steps', 'unit_movements', 'displays']
  return env.DB.prepare(
    `SELECT ${tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(', ')}`,
  ).first()
}

test('in live mode an order on the simulated market is refused, in and out, with the reason, and no money moves', async () => {
  const strategy = await newStrategy()
  const ana = await newInvestor({ availableCents: 500_00 })
  const order = { strategy, amount: '100' }
  const first = await ask(env, ana, 'POST', '/allocations', order)
  expect(first.status).toBe(201)
  await settleDay(strategy, 2, 1)
  const [position] = (await ask<{ _id: string }[]>(env, ana, 'GET', '/allocations')).body
  const before = await booksOf(ana.id)

  site.mode = 'live'
  const refused = {
    status: 409,
    body: { code: 'simulated_market', msg: expect.stringContaining('simulated') },
  }
  expect(await ask(live, ana, 'POST', '/allocations', order)).toMatchObject(refused)
  const redeem = `/allocations/${position?._id}/redeem`
  expect(await ask(live, ana, 'POST', redeem, { amount: 'all' })).toMatchObject(refused)
  expect(await booksOf(ana.id)).toEqual(before)

  // A development server of a live site, and a deployed simulated site, continue.
  expect((await ask({ ...live, APP_ENV: 'development' }, ana, 'POST', '/allocations', order)).status).toBe(
    201,
  )
  site.mode = 'simulated'
  expect((await ask(live, ana, 'POST', '/allocations', order)).status).toBe(201)
})

/** The simulated market's prices under the name of a real one. */
const realPrices: Prices = {
  days: (_, assets, nowMs) => simulatedPrices.days(SIMULATED, assets, nowMs),
  now: (_, assets, nowMs) => simulatedPrices.now(SIMULATED, assets, nowMs),
}

test('in live mode a strategy on real coins without an exchange takes no order, and runs on paper as a shadow', async () => {
  const strategy = await newStrategy('hold-the-index', 'kraken')
  const ana = await newInvestor({ availableCents: 500_00 })
  const db = openDatabase(env.DB)
  site.mode = 'live'
  expect(await ask(live, ana, 'POST', '/allocations', { strategy, amount: '100' })).toMatchObject({
    status: 409,
    body: { code: 'paper_trading', msg: expect.stringContaining('without a broker') },
  })
  expect(await booksOf(ana.id)).toMatchObject({ available: 500_00 })
  const brokerOf = createBrokerFactory(live, db)
  const around = { db, prices: createTradePrices(live, realPrices), nowMs: dayOf(3), broker: brokerOf }
  for await (const _ of followDays(around, strategy));
  const pool = await readPool(db, strategy)
  expect(pool.latest?.day).toBe(dayOf(3))
  expect(brokerOf(pool)).toBeInstanceOf(PaperBroker)
  expect(brokerOf({ ...pool, units: 1, venue: 'kraken' })).toBeInstanceOf(VenueBroker)
})

test('in live mode the money of investors who came before is not traded on paper', async () => {
  const db = openDatabase(env.DB)
  const strategy = await newStrategy('hold-the-index', 'kraken')
  const ana = await newInvestor({ availableCents: 500_00 })
  await runBatch(db, [
    submitAllocation(db, {
      ...{ id: newId(), ref: newRef('ALC'), investor: ana.id, strategy, cents: 100_00 },
      atMs: dayOf(1),
    }),
  ])
  const follow = async (day: number) => {
    const around = { db, prices: realPrices, nowMs: dayOf(day), broker: createBrokerFactory(live, db) }
    for await (const _ of followDays(around, strategy));
  }
  const fills = () =>
    env.DB.prepare(
      'SELECT count(*) AS n FROM pool_fills f JOIN pool_orders o ON o.id = f.pool_order WHERE o.strategy = ?',
    )
      .bind(strategy)
      .first<number>('n')
  site.mode = 'live'
  await expect(follow(2)).rejects.toThrow(NO_PAPER)
  expect(await fills()).toBe(0)
  site.mode = 'simulated'
  await follow(2)
  expect(await fills()).toBeGreaterThan(0)
  const pool = await readPool(db, strategy)
  expect(pool.units).toBeGreaterThan(0)
  site.mode = 'live'
  expect(() => createBrokerFactory(live, db)(pool)).toThrow(NO_PAPER)
  expect(() => assertMayOrder(live, { market: 'kraken', venue: null })).toThrow()
  expect(() => assertMayOrder(live, { market: 'kraken', venue: 'kraken' })).not.toThrow()
})

test('an order from before live mode can be cancelled', async () => {
  const strategy = await newStrategy()
  const ana = await newInvestor({ availableCents: 500_00 })
  const { body } = await ask(env, ana, 'POST', '/allocations', { strategy, amount: '100' })
  site.mode = 'live'
  expect((await ask(live, ana, 'POST', `/allocations/${body._id}/cancel`)).status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({ available: 500_00 })
})

test('in live mode the cron starts, trades and values nothing on the simulated market; log and health say so', async () => {
  await newStrategy()
  const due = dayOf(5)
  const before = await counted()
  site.mode = 'live'
  await expect(runStrategies(live, openDatabase(env.DB), due)).rejects.toThrow(REFUSED)
  expect(await counted()).toEqual(before)

  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await runDueWork(live, Date.now())
  expect(await counted()).toEqual(before)
  expect(logged.mock.calls.map(([text]) => JSON.parse(String(text)))).toContainEqual({
    level: 'error',
    cron: 'strategies',
    error: REFUSED,
  })
  const operator = await newOperator({ roles: ['auditor'] })
  const { body } = await ask<OperatorHealth>(live, operator, 'GET', '/operator/health')
  expect(body.cron.work).toContainEqual(
    expect.objectContaining({ name: 'strategies', error: REFUSED, failedSince: expect.any(String) }),
  )
})

test('no strategy’s day runs in live mode, and all run as soon as the mode is simulated', async () => {
  const strategy = await newStrategy()
  const db = openDatabase(env.DB)
  const days = () =>
    env.DB.prepare('SELECT count(*) AS n FROM valuations WHERE strategy = ?')
      .bind(strategy)
      .first<number>('n')
  const follow = async () => {
    const prices = createTradePrices(live, simulatedPrices)
    for await (const _ of followDays(
      { db, prices, nowMs: dayOf(3), broker: createBrokerFactory(live, db) },
      strategy,
    ));
  }
  site.mode = 'live'
  await expect(follow()).rejects.toThrow(REFUSED)
  expect(await days()).toBe(0)
  site.mode = 'simulated'
  await follow()
  expect(await days()).toBeGreaterThan(2)
})
