import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import { DAY_MS } from '../../../src/time.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { fileOrder, startPool } from '../../../test/support/trading/pools.ts'
import { simulatedPrices } from '../../dev/seed/simulatedPrices.ts'
import { openDatabase } from '../../lib/database.ts'
import { PaperBroker } from './broker.ts'
import { type Model, replayModel } from './model.ts'
import type { Pool } from './state.ts'
import { followDays } from './step.ts'

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 7, 4)
const at = (days: number) => FIRST + days * DAY_MS + 5 * 60_000

const holdOnly = (asset: string): Definition => ({
  kind: 'buy-and-hold',
  values: {},
  assets: [asset],
  costs: DEFAULT_COSTS,
  risk: {},
})

async function follow(slug: string, day: number): Promise<void> {
  const broker = ({ definition }: Pool) => new PaperBroker(definition.costs)
  for await (const _ of followDays({ db, prices: simulatedPrices, nowMs: at(day), broker }, slug));
}

/** An order filed in time for a day's open. */
function order(
  strategy: string,
  investor: string,
  day: number,
  cents: number | null,
  isOut = cents === null,
) {
  const kind = isOut ? 'redeem' : 'allocate'
  return fileOrder(db, { investor, strategy, kind, cents, atMs: FIRST + day * DAY_MS - 1 })
}

async function rich(): Promise<string> {
  return (await newInvestor({ availableCents: 1_000_000_00 })).id
}

const one = async <Row>(query: string, ...values: unknown[]) =>
  (await env.DB.prepare(query)
    .bind(...values)
    .first<Row>()) as Row

const poolOf = (slug: string) =>
  one<{ cash: number; units: number; steps: number; price: number }>(
    `SELECT cash, units, (SELECT max(day) FROM pool_steps WHERE strategy = p.strategy) AS steps,
            (SELECT unit_price FROM valuations WHERE strategy = p.strategy ORDER BY day DESC, kind LIMIT 1) AS price
     FROM pools p WHERE strategy = ?`,
    slug,
  )

async function modelSince(asset: string, day: number): Promise<Model> {
  const market = await simulatedPrices.days('simulated', [asset], at(day))
  return replayModel(holdOnly(asset), market, market.time.indexOf(FIRST))
}

afterEach(() => setSetting('fees', { performanceBasisPoints: 0, subscriptionMonthly: 0 }))

describe('flows into and out of a strategy', () => {
  test.each(['sim-flint', 'sim-dogwood', 'sim-index'])(
    'rounding never stops a pool: any part of one that is all in %s is paid, and then the rest',
    async (asset) => {
      const slug = `paid-${asset}`
      await startPool(db, slug, holdOnly(asset), FIRST - DAY_MS)
      const ana = await rich()
      await order(slug, ana, 0, 1234_56)
      for (let day = 0; day < 12; day++) {
        await follow(slug, day)
        await order(slug, ana, day + 1, 100 + 37 * day, true)
      }
      await follow(slug, 12)
      await order(slug, ana, 13, null)
      await follow(slug, 13)
      const { cash, units, steps } = await poolOf(slug)
      expect(steps).toBe(FIRST + 13 * DAY_MS)
      expect(units).toBe(0)
      expect(cash).toBeGreaterThanOrEqual(0)
    },
  )

  test('flows in and out on one day do not move the price, whatever is left in the pool', async () => {
    await startPool(db, 'pumped', holdOnly('sim-index'), FIRST - DAY_MS)
    const [ana, ben, cia] = [await rich(), await rich(), await rich()]
    await order('pumped', ana, 0, 500_000_00)
    await order('pumped', cia, 0, 100_00)
    await follow('pumped', 1)
    // Half a million leaves and as much arrives, and then the opposite.
    await order('pumped', ana, 2, null)
    await order('pumped', ben, 2, 480_000_00)
    await follow('pumped', 2)
    await order('pumped', ben, 3, null)
    await order('pumped', ana, 3, 500_000_00)
    await follow('pumped', 3)
    await order('pumped', ana, 4, null)
    await follow('pumped', 5)
    const { price } = await poolOf('pumped')
    const model = await modelSince('sim-index', 5)
    const bar = model.market.time.indexOf(FIRST + 5 * DAY_MS)
    const followed = model.opening(bar).after.equity / 100
    expect(Math.abs(price / 100_000_000 / followed - 1)).toBeLessThan(1e-6)
  })

  test('with less than a cent left in a pool, its price follows the model', async () => {
    await startPool(db, 'dust', holdOnly('sim-index'), FIRST - DAY_MS)
    const ana = await rich()
    await order('dust', ana, 0, 1000_00)
    await follow('dust', 0)
    const units = (await poolOf('dust')).units
    // All except the last units, worth less than a cent.
    const redeem = await one<{ price: number }>(
      "SELECT redeem_price AS price FROM valuations WHERE strategy = 'dust' AND kind = 'open'",
    )
    await order('dust', ana, 1, Math.floor((units * redeem.price) / 1e10) - 60_00, true)
    await follow('dust', 1)
    for (let day = 2; day < 9; day++) {
      const { units: left, price } = await poolOf('dust')
      const worth = Math.floor((left * price) / 1e10)
      if (worth > 2) await order('dust', ana, day, Math.floor(worth * 0.9), true)
      await follow('dust', day)
    }
    await follow('dust', 30)
    const pool = await poolOf('dust')
    expect(pool.units).toBeGreaterThan(0)
    expect(pool.units).toBeLessThan(100_000)
    const model = await modelSince('sim-index', 30)
    const bar = model.market.time.indexOf(FIRST + 30 * DAY_MS)
    const grown = model.opening(bar).before.equity / model.opening(bar - 30).after.equity
    expect(pool.price / 100_000_000 / grown).toBeCloseTo(1, 2)
    // New investors then get units at that price.
    const ben = await rich()
    await order('dust', ben, 31, 1000_00)
    await follow('dust', 31)
    await order('dust', ben, 32, null)
    await follow('dust', 33)
    expect((await poolOf('dust')).steps).toBe(FIRST + 33 * DAY_MS)
  })
})

test('a cent left in one strategy does not pay the subscription fee', async () => {
  const ana = await rich()
  for (const slug of ['fee-first', 'fee-second', 'fee-third']) {
    await startPool(db, slug, holdOnly('sim-index'), FIRST - DAY_MS)
    await order(slug, ana, 0, 500_00)
    await follow(slug, 20)
  }
  const worth = async (slug: string) => {
    const { units, price } = await poolOf(slug)
    return Math.floor((units * price) / 1e10)
  }
  await order('fee-first', ana, 21, (await worth('fee-first')) - 4_00, true)
  await setSetting('fees', { performanceBasisPoints: 0, subscriptionMonthly: 1500 })
  for (const slug of ['fee-first', 'fee-second', 'fee-third', 'fee-second']) await follow(slug, 40)
  const { results } = await env.DB.prepare(
    "SELECT strategy, cents FROM unit_movements WHERE investor = ? AND code = 'fee' ORDER BY seq",
  )
    .bind(ana)
    .all<{ strategy: string; cents: number }>()
  expect(results.map(({ strategy }) => strategy)).toEqual(['fee-first', 'fee-second'])
  expect(results.reduce((sum, { cents }) => sum + cents, 0)).toBe(1500)
})
