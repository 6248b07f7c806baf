import { env } from 'cloudflare:workers'
import { beforeAll, expect, inject, test, vi } from 'vitest'
import type { Band } from '../../../engine/backtest/backtestResult.ts'
import { REAL_TESTS } from '../../../engine/backtest/realTests.ts'
import { CATALOGUE } from '../../../engine/catalogue.ts'
import { REAL_PAIRS } from '../../../engine/market/realPairs.ts'
import type { Position, UnitOrder } from '../../../src/contract/investing/allocations.ts'
import type { Strategy, StrategyDetail } from '../../../src/contract/investing/strategies.ts'
import { DAY_MS } from '../../../src/time.ts'
import { call } from '../../../test/support/http.ts'
import { booksOf } from '../../../test/support/money.ts'
import { anotherSession, newInvestor, type Person } from '../../../test/support/people.ts'
import { openDatabase } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { updateCandles } from '../candles/keep.ts'
import { runStrategies } from './run.ts'

// One deployment over some days. Each test continues where the previous one ended. The fake exchange's price of each coin is the
// number of days since 1970: test/setup/candlesProvider.ts.

const db = openDatabase(env.DB)
const MINUTE_MS = 60_000
/** A minute into today, so that no later minute is of another day. */
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS + MINUTE_MS
const KRAKEN = { id: 'kraken', name: 'Kraken', real: true }
const SIMULATED = { id: 'simulated', name: 'Practice market', real: false }
const SLUG = 'hold-the-index-bitcoin'
let ana: Person

beforeAll(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  ana = await newInvestor({ availableCents: 2_000_00 })
})

/** The deployment with a provider at a time. */
function withKraken(nowMs: number): Env {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  return {
    ...env,
    CANDLES_PROVIDER: 'kraken',
    CANDLES_BASE_URL: `${inject('candles')}/good/real-coins-${nowMs}/${today}`,
  }
}

/** Runs cron at a time. */
async function cron(deployment: Env, nowMs: number): Promise<void> {
  await updateCandles(deployment, db, nowMs)
  await runStrategies(deployment, db, nowMs)
}

/** A few minutes into a day, counted from the start. */
const day = (number: number) => (Math.floor(START / DAY_MS) + number) * DAY_MS + 5 * MINUTE_MS

async function marketsStarted(): Promise<Record<string, string>> {
  const { results } = await env.DB.prepare('SELECT slug, market FROM strategies').all<{
    slug: string
    market: string
  }>()
  return Object.fromEntries(results.map(({ slug, market }) => [slug, market]))
}

const valued = (market: string) =>
  env.DB.prepare(
    'SELECT count(*) AS n FROM valuations v JOIN strategies s ON s.slug = v.strategy WHERE s.market = ?',
  )
    .bind(market)
    .first<number>('n')

const slugs = (all: readonly { slug: string }[], market: string) =>
  Object.fromEntries(all.map(({ slug }) => [slug, market]))

test('without a provider no strategy on real coins starts, and the simulated ones do', async () => {
  for (let minute = 0; minute <= CATALOGUE.length; minute++) await cron(env, START + minute * MINUTE_MS)
  expect(await marketsStarted()).toEqual(slugs(CATALOGUE, 'simulated'))
  const { body } = await call<Strategy[]>('GET', '/strategies')
  for (const strategy of body) {
    expect(strategy).toMatchObject({ market: SIMULATED, simulated: true, backtest: { market: SIMULATED } })
    expect(strategy.assets.every(({ simulated }) => simulated)).toBe(true)
  }
})

test('a strategy on real coins waits quietly while its bars are missing', async () => {
  const deployment = { ...withKraken(START), CANDLES_BASE_URL: `${inject('candles')}/down/waits/0` }
  await cron(deployment, START + 20 * MINUTE_MS)
  expect(await marketsStarted()).toEqual(slugs(CATALOGUE, 'simulated'))
})

test('with a provider each starts once, with the band of its published test', async () => {
  for (let minute = 60; minute <= 60 + REAL_TESTS.length; minute++)
    await cron(withKraken(START), START + minute * MINUTE_MS)
  expect(await marketsStarted()).toEqual({
    ...slugs(CATALOGUE, 'simulated'),
    ...slugs(REAL_TESTS, 'kraken'),
  })
  for (const { slug, name, definition } of REAL_TESTS) {
    const { body } = await call<StrategyDetail>('GET', `/strategies/${slug}`)
    expect(body).toMatchObject({ name, definition, market: KRAKEN, simulated: false })
    expect(body.assets.map((asset) => [asset._id, asset.simulated])).toEqual(
      definition.assets.map((asset) => [asset, false]),
    )
    expect((body.band as Band).lines[0]).toHaveLength(5)
    expect(body.backtest).toMatchObject({ market: KRAKEN, to: expect.stringMatching(/^20\d\d-/) })
    const data = body.backtest?.data ?? []
    expect(data.map(({ asset, venue, quote, to }) => [asset, venue, quote, to])).toEqual(
      definition.assets.flatMap((asset) => [
        [asset, 'Kraken', 'USD', asset === 'bitcoin' ? '2023-12-31' : '2024-03-31'],
        [asset, 'Binance', 'USDT', '2026-07-20'],
      ]),
    )
    for (const { sha256 } of data) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(body.backtest?.forward).toMatchObject({
      from: '2024-01-01',
      verdict: { level: expect.stringMatching(/^(luck|uncertain|held-up)$/) },
    })
  }
})

test('a strategy on real coins takes an allocation on paper, trades at the live open, is valued, and pays out a redemption', async () => {
  const filed = await call<{ msg: string }>('POST', '/allocations', {
    token: ana.token,
    json: { strategy: SLUG, amount: '1000' },
  })
  expect([filed.status, filed.body.msg]).toEqual([201, expect.stringContaining('Buy and Hold on bitcoin')])
  await cron(withKraken(day(1)), day(1))
  const [position] = (await call<Position[]>('GET', '/allocations', { token: ana.token })).body
  expect(position).toMatchObject({ strategy: SLUG, market: KRAKEN, cost: 1000 })
  const [order] = (await call<UnitOrder[]>('GET', '/allocations/orders', { token: ana.token })).body
  expect(order).toMatchObject({ strategy: SLUG, market: KRAKEN, status: 'settled' })
  const { results } = await env.DB.prepare(
    `SELECT o.asset, f.price FROM pool_fills f JOIN pool_orders o ON o.id = f.pool_order WHERE o.strategy = ?`,
  )
    .bind(SLUG)
    .all<{ asset: string; price: number }>()
  // The stand-in's price of that day with ten basis points of slippage.
  const open = Math.floor(day(1) / DAY_MS)
  expect(results).toEqual([{ asset: 'bitcoin', price: expect.closeTo(open * 1.001, 6) }])

  const redeem = `/allocations/${position?._id}/redeem`
  vi.useFakeTimers({ now: day(1) + MINUTE_MS, toFake: ['Date'] })
  const token = await anotherSession(ana)
  expect((await call('POST', redeem, { token, json: { amount: 'all' } })).status).toBe(201)
  vi.useRealTimers()
  await cron(withKraken(day(2)), day(2))
  const back = (await booksOf(ana.id)).available
  expect(back).toBeGreaterThan(1_985_00)
  expect(back).toBeLessThan(2_000_00)
  // Each was opened, closed and opened again.
  expect(await valued('kraken')).toBe(3 * REAL_TESTS.length)
  expect(await valued('simulated')).toBe(3 * CATALOGUE.length)
})

test('no pool holds or trades an asset of the other market', async () => {
  const { results } = await env.DB.prepare(
    `SELECT DISTINCT s.market, o.asset FROM pool_orders o JOIN strategies s ON s.slug = o.strategy
     UNION SELECT s.market, h.asset FROM pool_holdings h JOIN strategies s ON s.slug = h.strategy`,
  ).all<{ market: string; asset: string }>()
  const real = new Set(REAL_PAIRS.map(({ asset }) => asset))
  expect(results.length).toBeGreaterThan(0)
  for (const { market, asset } of results) expect(real.has(asset)).toBe(market === 'kraken')
})

test('when the provider is removed the strategies on real coins wait and say so, and the simulated ones go on', async () => {
  const before = await valued('kraken')
  await updateCandles(env, db, day(3))
  await expect(runStrategies(env, db, day(3))).rejects.toThrow(/E_CANDLES_MISSING kraken/)
  expect(await valued('kraken')).toBe(before)
  expect(await valued('simulated')).toBe(5 * CATALOGUE.length)
  // The provider's days are processed once it is back.
  await cron(withKraken(day(3)), day(3))
  expect(await valued('kraken')).toBe(5 * REAL_TESTS.length)
})
