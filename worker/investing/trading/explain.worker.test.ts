import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import type { OperatorGap } from '../../../src/contract/console/strategies.ts'
import { GAP_PARTS, type GapParts } from '../../../src/contract/investing/gapParts.ts'
import type { StrategyGap } from '../../../src/contract/investing/gaps.ts'
import type { Strategy } from '../../../src/contract/investing/strategies.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { DAY_MS } from '../../../src/time.ts'
import { cost } from '../../../test/support/cost.ts'
import { followAs, newCreditor, newPeople } from '../../../test/support/days.ts'
import { call } from '../../../test/support/http.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { fileOrder, recordEvent, startPool } from '../../../test/support/trading/pools.ts'
import { openDatabase } from '../../lib/database.ts'
import { formatIsoDay } from '../../lib/days.ts'

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 7, 4)
const at = (day: number) => FIRST + day * DAY_MS + 5 * 60_000
/** 0.01 basis points. */
const EXACT = 0.01

beforeAll(newCreditor)

const BASKET: Definition = {
  ...{ kind: 'rebalanced-basket', values: { invested: 60, band: 1 }, costs: DEFAULT_COSTS, risk: {} },
  assets: ['sim-alder', 'sim-flint', 'sim-dogwood'],
}
/** Buys and is stopped often. */
const DIPS: Definition = {
  kind: 'mean-reversion',
  values: { bands: 5, loss: 1, oversold: 60, rsi: 3, width: 1 },
  assets: ['sim-flint', 'sim-granite', 'sim-slate'],
  ...{ costs: DEFAULT_COSTS, risk: {} },
}

function sumOf(parts: GapParts): number {
  return GAP_PARTS.reduce((sum, part) => sum + parts[part], 0)
}

/** Runs a strategy for some days, with investors who join and leave, suspended on day 5 and resumed on day 8. */
async function live(slug: string, definition: Definition, days: number): Promise<void> {
  await startPool(db, slug, definition, FIRST - DAY_MS / 2)
  const [ana = '', bo = ''] = await newPeople(`${slug}-ana`, `${slug}-bo`)
  const orders = [
    { investor: ana, day: 1, kind: 'allocate', cents: 1_234_56 },
    { investor: bo, day: 2, kind: 'allocate', cents: 5_000_00 },
    { investor: ana, day: 4, kind: 'redeem', cents: 333_33 },
    { investor: bo, day: 10, kind: 'redeem', cents: null },
    { investor: ana, day: 10, kind: 'allocate', cents: 2_000_01 },
  ] as const
  for (let day = 0; day < days; day++) {
    for (const { day: on, ...order } of orders)
      if (on === day) await fileOrder(db, { ...order, strategy: slug, atMs: FIRST + day * DAY_MS - 60_000 })
    const kind = day === 5 ? 'suspended' : day === 8 ? 'resumed' : null
    if (kind !== null) await recordEvent(db, slug, kind, at(day) - 600_000)
    // The Worker slept on day 12. Its day is done a day later, at its own open.
    if (day !== 12) await followAs({ nowMs: at(day) }, slug)
  }
}

const gapsOf = async (slug: string) =>
  (await call<StrategyGap[]>('GET', `/strategies/${slug}/gaps?limit=100`)).body.reverse()

test.each([
  ['basket', BASKET],
  ['dips', DIPS],
])(
  'each closed day on paper is explained to the hundredth of a basis point, for a unit and for its pool: %s',
  { timeout: 60_000 },
  async (name, definition) => {
    const slug = `explained-${name}`
    await live(slug, definition, 16)
    const gaps = await gapsOf(slug)
    expect(gaps).toHaveLength(15)
    const { results: closes } = await env.DB.prepare(
      "SELECT unit_price AS price FROM valuations WHERE strategy = ? AND kind = 'close' ORDER BY day",
    )
      .bind(slug)
      .all<{ price: number }>()
    const isSuspended = (n: number) => n >= 5 && n <= 8
    for (const [n, { _id, live: lived, test: tested, difference, parts }] of gaps.entries()) {
      if (lived === null || tested === null || difference === null || parts === null) throw new Error(_id)
      expect(_id).toBe(formatIsoDay(FIRST + n * DAY_MS))
      const before = closes[n - 1]?.price ?? 100_000_000
      expect(lived).toBeCloseTo(((closes[n]?.price ?? 0) / before - 1) * 10_000, 5)
      expect(difference).toBeCloseTo(lived - tested, 5)
      expect(Math.abs(sumOf(parts) - difference), _id).toBeLessThan(EXACT)
      expect(parts).toMatchObject({ price: 0, cashDrag: 0, unexplained: 0 })
      expect(Math.abs(parts.rounding), _id).toBeLessThan(EXACT)
      // A pool on paper trades at its test's prices, so a unit differs only while the strategy is suspended.
      if (!isSuspended(n)) expect(Math.abs(difference), _id).toBeLessThan(EXACT)
      if (n === 6) expect(parts).toMatchObject({ missed: expect.closeTo(-tested, 3), fees: 0, slippage: 0 })
    }
    const [left, back] = [gaps[5]?.parts, gaps[8]?.parts]
    if (name === 'basket') {
      expect(left?.fees).toBeLessThan(-5)
      expect(left?.slippage).toBeLessThan(-2)
      expect(back?.fees).toBeLessThan(-5)
    }

    const { live: record } = (await call<Strategy>('GET', `/strategies/${slug}`)).body
    const compound = (returns: number[]) =>
      returns.reduce((growth, gain) => growth * (1 + gain / 10_000), 1) - 1
    expect(record.totalReturn).toBeCloseTo(compound(gaps.map((gap) => gap.live)), 6)
    expect(record.testReturn).toBeCloseTo(compound(gaps.map(({ test }) => test)), 6)
    // Added up, the differences are those of the whole record, but for compounding.
    const added = sum(gaps.map(({ difference }) => difference)) / 10_000
    expect((record.totalReturn ?? 0) - (record.testReturn ?? 0)).toBeCloseTo(added, 3)

    const auditor = await newOperator({ roles: ['auditor'] })
    const path = `/operator/strategies/${slug}/gaps?limit=100`
    const { body } = await call<OperatorGap[]>('GET', path, { token: auditor.token })
    const own = body.reverse()
    expect(own.map(({ pool: _, ...shown }) => shown)).toEqual(gaps)
    // Nobody was invested on the first day.
    expect(own[0]?.pool).toBeNull()
    for (const { _id, pool } of own.slice(1)) {
      if (pool === null) throw new Error(_id)
      expect(Math.abs(sumOf(pool.parts) - pool.difference), _id).toBeLessThan(EXACT)
      expect(pool.parts.unexplained, _id).toBe(0)
      expect(pool.parts.price, _id).toBe(0)
      // A cent of each order, of a pool of 1,000 USD or more.
      expect(Math.abs(pool.parts.rounding), _id).toBeLessThan(0.3)
    }
  },
)

test('the causes are paged, cost two round trips and few rows, and an unknown strategy has none', async () => {
  const slug = 'paged-gaps'
  await startPool(db, slug, BASKET, FIRST - DAY_MS / 2)
  for (let day = 0; day < 9; day++) await followAs({ nowMs: at(day) }, slug)
  const all = (await gapsOf(slug)).reverse()
  const found: StrategyGap[] = []
  for (let path = `/strategies/${slug}/gaps?limit=3`; path !== ''; ) {
    const { body, headers } = await call<StrategyGap[]>('GET', path)
    found.push(...body)
    path = /<\/api\/v1([^>]+)>/.exec(headers.get('Link') ?? '')?.[1] ?? ''
  }
  expect(found).toEqual(all)
  const { counted } = await cost('GET', `/strategies/${slug}/gaps?limit=3`, { token: 'nobody' })
  expect(counted.trips).toBeLessThanOrEqual(2)
  expect(counted.rowsRead).toBeLessThanOrEqual(2 * 4 + 4)
  // Its figures read each close and its explanation.
  const figures = await cost('GET', `/strategies/${slug}`, { token: 'nobody' })
  expect(figures.counted.trips).toBe(1)
  expect(figures.counted.rowsRead).toBeLessThan(2 * all.length + 20)
  expect(await call('GET', '/strategies/none/gaps')).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  })
  expect(await call('GET', `/strategies/${slug}/gaps?limit=0`)).toMatchObject({ status: 422 })
  expect(await call('GET', `/strategies/${slug}/gaps?cursor=odd`)).toMatchObject({ status: 422 })

  const path = `/operator/strategies/${slug}/gaps`
  expect((await call('GET', path)).status).toBe(401)
  const ana = await newInvestor()
  expect((await call('GET', path, { token: ana.token })).status).toBe(403)
  const auditor = await newOperator({ roles: ['auditor'] })
  const missing = await call('GET', '/operator/strategies/none/gaps', { token: auditor.token })
  expect(missing).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('the database takes an explanation once, with its close, and only if its parts add up', async () => {
  const slug = 'once-explained'
  await startPool(db, slug, BASKET, FIRST - DAY_MS / 2)
  for (let day = 0; day < 3; day++) await followAs({ nowMs: at(day) }, slug)
  const insert = (day: number, fees: number) =>
    env.DB.prepare(
      `INSERT OR REPLACE INTO gaps (strategy, day, live, test, price, slippage, fees, cash_drag, missed, rounding, unexplained, carried)
       VALUES (?, ?, 0, 0, 0, 0, ?, 0, 0, 0, 0, '{}')`,
    )
      .bind(slug, day, fees)
      .run()
  await expect(insert(FIRST, 0)).rejects.toThrow('gaps: already explained')
  await expect(insert(FIRST + 2 * DAY_MS, 0)).rejects.toThrow('gaps: already explained')
  await expect(
    env.DB.prepare('UPDATE gaps SET fees = 1 WHERE strategy = ?').bind(slug).run(),
  ).rejects.toThrow('immutable')
  await expect(env.DB.prepare('DELETE FROM gaps WHERE strategy = ?').bind(slug).run()).rejects.toThrow(
    'gaps: never deleted',
  )
})
