import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OperatorHealth } from '../../../src/contract/console/health.ts'
import { site } from '../../../src/site.ts'
import type { AnyBody } from '../../../test/support/http.ts'
import { booksOf } from '../../../test/support/money.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { dayOf, newStrategy, settleDay } from '../../../test/support/pooled.ts'
import { createApp } from '../../app.ts'
import { runDueWork } from '../../cron.ts'
import { simulatedPrices } from '../../dev/seed/simulatedPrices.ts'
import { openDatabase } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { routes } from '../../routes.ts'
import { storedPrices } from './prices.ts'
import { pricesToTrade } from './realMoney.ts'
import { followAll, runStrategies } from './run.ts'
import { startStrategies } from './start.ts'

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
const NO_BROKER = 'Live mode has no broker for real orders'
const { mode } = site

beforeEach(() => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network in this test'))
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  site.mode = mode
  vi.restoreAllMocks()
})

async function ask<T = AnyBody>(
  deployment: Env,
  person: Person,
  method: string,
  path: string,
  json?: object,
): Promise<{ status: number; body: T }> {
  const context = createExecutionContext()
  const request = new Request(`${deployment.PUBLIC_ORIGIN}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${person.token}`,
      'CF-Connecting-IP': '203.0.113.1',
      'Content-Type': 'application/json',
    },
    ...(json && { body: JSON.stringify(json) }),
  })
  const response = await createApp(routes).fetch(request, deployment, context)
  const answer = { status: response.status, body: (await response.json()) as T }
  await waitOnExecutionContext(context)
  return answer
}

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

test('in live mode a strategy on real coins takes no order and does not trade: the only broker is a paper one', async () => {
  const strategy = await newStrategy('hold-the-index', 'kraken')
  const ana = await newInvestor({ availableCents: 500_00 })
  const db = openDatabase(env.DB)
  const prices = pricesToTrade({ ...live, CANDLES_PROVIDER: 'kraken' }, storedPrices(db))
  const before = await counted()
  site.mode = 'live'
  expect(await ask(live, ana, 'POST', '/allocations', { strategy, amount: '100' })).toMatchObject({
    status: 409,
    body: { code: 'paper_trading', msg: expect.stringContaining('without a broker') },
  })
  await expect(prices.days('kraken', ['bitcoin'], dayOf(5))).rejects.toThrow(NO_BROKER)
  await expect(prices.now('kraken', ['bitcoin'], dayOf(5))).rejects.toThrow(NO_BROKER)
  await expect(followAll(db, prices, dayOf(5))).rejects.toThrow()
  await expect(startStrategies(db, prices, dayOf(5), { realMarket: 'kraken' })).rejects.toThrow()
  expect(await counted()).toEqual(before)
  expect(await booksOf(ana.id)).toMatchObject({ available: 500_00 })
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
  site.mode = 'live'
  await expect(followAll(db, pricesToTrade(live, simulatedPrices), dayOf(3))).rejects.toThrow(REFUSED)
  expect(await days()).toBe(0)
  site.mode = 'simulated'
  await followAll(db, pricesToTrade(live, simulatedPrices), dayOf(3)).catch(() => undefined)
  expect(await days()).toBeGreaterThan(2)
})
