import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import type { Fill } from '../../../src/contract/investing/strategies.ts'
import { DAY_MS } from '../../../src/time.ts'
import { call } from '../../../test/support/http.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { fileOrder, startPool } from '../../../test/support/trading/pools.ts'
import { simulatedPrices } from '../../dev/seed/simulatedPrices.ts'
import { openDatabase } from '../../lib/database.ts'
import { PaperBroker } from '../trading/broker.ts'
import type { Pool } from '../trading/state.ts'
import { followDays } from '../trading/step.ts'

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 7, 4)
const BASKET: Definition = {
  kind: 'rebalanced-basket',
  values: { invested: 80, band: 5 },
  assets: ['sim-alder', 'sim-flint'],
  costs: DEFAULT_COSTS,
  risk: {},
}

/** A pool into which one investor pays this much and redeems half on the second day. It trades until the third. */
async function traded(strategy: string, cents: number): Promise<void> {
  await startPool(db, strategy, BASKET, FIRST - DAY_MS / 2)
  const { id: investor } = await newInvestor({ availableCents: cents })
  const order = { investor, strategy }
  await fileOrder(db, { ...order, id: `${strategy}/1`, kind: 'allocate', cents, atMs: FIRST - 2 })
  await follow(strategy, 1)
  await fileOrder(db, {
    ...order,
    id: `${strategy}/2`,
    kind: 'redeem',
    cents: Math.floor(cents / 2),
    atMs: FIRST + DAY_MS + DAY_MS / 2,
  })
  await follow(strategy, 3)
}

async function follow(strategy: string, days: number): Promise<void> {
  const nowMs = FIRST + days * DAY_MS + 5 * 60_000
  const broker = ({ definition }: Pool) => new PaperBroker(definition.costs)
  for await (const _ of followDays({ db, prices: simulatedPrices, nowMs, broker }, strategy));
}

// The first one computes the simulated market's days.
test('a strategy’s trades are listed newest first, in pages without a gap', { timeout: 90_000 }, async () => {
  await traded('fills-paged', 100_000)
  const all = await call<Fill[]>('GET', '/strategies/fills-paged/fills')
  expect(all.status).toBe(200)
  const found: Fill[] = []
  for (let path = '/strategies/fills-paged/fills?limit=1'; path !== ''; ) {
    const { body, headers } = await call<Fill[]>('GET', path)
    found.push(...body)
    path = /<\/api\/v1([^>]+)>/.exec(headers.get('Link') ?? '')?.[1] ?? ''
  }
  expect(found).toEqual(all.body)
  const told = found.map(({ day, side, asset }) => `${day} ${side} ${asset.name}`)
  expect(told).toEqual(['2026-08-04 buy Flint', '2026-08-04 buy Alder'])
  for (const { side, before, after, ...fill } of found) {
    expect(fill).toMatchObject({ feeBasisPoints: 25, slippageBasisPoints: 10, stopped: false })
    // The pool's sales for redemptions are not public, because they do not follow from the rules.
    expect([side, before]).toEqual(['buy', 0])
    expect(after).toBeCloseTo(0.4, 1)
  }
})

test('the public trades are the same for a large and a small pool', async () => {
  await traded('fills-small', 40_000)
  await traded('fills-large', 4_000_000)
  const toldOf = async (slug: string) => {
    const { body } = await call<Fill[]>('GET', `/strategies/${slug}/fills`)
    return body.map(({ _id, ...told }) => told)
  }
  expect(await toldOf('fills-small')).toEqual(await toldOf('fills-large'))
})

test('a strategy without trades has an empty list, and an unknown one is 404', async () => {
  await startPool(db, 'fills-none', BASKET, FIRST)
  expect(await call('GET', '/strategies/fills-none/fills')).toMatchObject({ status: 200, body: [] })
  expect(await call('GET', '/strategies/none/fills')).toMatchObject({ status: 404 })
  expect(await call('GET', '/strategies/fills-none/fills?cursor=1-1-1')).toMatchObject({ status: 422 })
})
