import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import type { RecordEntry } from '../../../src/contract/investing/strategies.ts'
import { findFirstBrokenIndex } from '../../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../../src/time.ts'
import { booksOf, dyingAt, followAs, newCreditor, newPeople } from '../../../test/support/days.ts'
import { call } from '../../../test/support/http.ts'
import { fileOrder, startPool } from '../../../test/support/trading/pools.ts'
import { simulatedPrices } from '../../dev/seed/simulatedPrices.ts'
import { type Database, openDatabase } from '../../lib/database.ts'
import { replayModel } from './model.ts'
import { followAll } from './run.ts'
import { findDuePhase } from './step.ts'

const db = openDatabase(env.DB)
const STARTED = Date.UTC(2026, 7, 3, 14)
const FIRST = Date.UTC(2026, 7, 4)
const at = (days: number) => FIRST + days * DAY_MS + 5 * 60_000
const follow = (using: Database, slug: string, nowMs: number) => followAs({ db: using, nowMs }, slug)

const BASKET: Definition = {
  kind: 'rebalanced-basket',
  values: { invested: 80, band: 5 },
  assets: ['sim-alder', 'sim-flint'],
  costs: DEFAULT_COSTS,
  risk: {},
}

/** Two investors join. Later one redeems in part and then completely, and the other adds more. */
async function someDays(slug: string): Promise<readonly string[]> {
  await startPool(db, slug, BASKET, STARTED)
  const [ana = '', ben = ''] = await newPeople(`ana-of-${slug}`, `ben-of-${slug}`)
  const file = (
    n: number,
    day: number,
    investor: string,
    kind: 'allocate' | 'redeem',
    cents: number | null,
  ) =>
    fileOrder(db, {
      id: `${slug}/${n}`,
      investor,
      strategy: slug,
      kind,
      cents,
      atMs: FIRST + day * DAY_MS - n,
    })
  await file(1, 0, ana, 'allocate', 250_000)
  await file(2, 0, ben, 'allocate', 100_033)
  return [ana, ben]
}

async function laterOrders(slug: string, [ana = '', ben = '']: readonly string[]): Promise<void> {
  const file = (n: number, investor: string, kind: 'allocate' | 'redeem', cents: number | null) =>
    fileOrder(db, { id: `${slug}/${n}`, investor, strategy: slug, kind, cents, atMs: FIRST + 2 * DAY_MS + n })
  await file(3, ana, 'redeem', 70_001)
  await file(4, ben, 'allocate', 5000)
  await file(5, ana, 'redeem', null)
  await file(6, ana, 'redeem', 100)
}

/** Runs all days, in two parts so that the later orders find units. */
async function followDaysOf(slug: string, people: readonly string[], isFirst = true) {
  await follow(db, slug, at(1))
  if (isFirst) await laterOrders(slug, people)
  await follow(db, slug, at(3))
}

let undisturbed = ''

beforeAll(newCreditor)

test('the first open is due at 00:00 UTC after the start, and not before', () => {
  const progress = { slug: 'new', latest: null, startedAt: STARTED }
  expect(findDuePhase(progress, FIRST - 1)).toBeNull()
  expect(findDuePhase(progress, FIRST)).toEqual({ phase: 'open', day: FIRST })
})

test('days are settled to the last cent, and their record is one chain', async () => {
  const people = await someDays('undisturbed')
  await followDaysOf('undisturbed', people)
  undisturbed = await booksOf('undisturbed', people)
  const orders = await env.DB.prepare(
    "SELECT status FROM unit_orders WHERE strategy = 'undisturbed' ORDER BY id",
  ).all()
  expect(orders.results.map(({ status }) => status)).toEqual([
    'settled',
    'settled',
    'settled',
    'settled',
    'settled',
    'cancelled',
  ])
  const steps = await env.DB.prepare(
    "SELECT count(*) AS n FROM pool_steps WHERE strategy = 'undisturbed'",
  ).first('n')
  expect(steps).toBe(4)
  const { body } = await call<RecordEntry[]>('GET', '/strategies/undisturbed/record')
  const record = body.reverse()
  expect(record).toHaveLength(7)
  expect(await findFirstBrokenIndex(BASKET, record)).toBeNull()
})

test('the unit price equals the value of the engine’s run', async () => {
  const market = await simulatedPrices.days('simulated', BASKET.assets, at(3))
  const first = market.time.indexOf(FIRST)
  const model = replayModel(BASKET, market, first)
  const { results } = await env.DB.prepare(
    "SELECT day, unit_price AS price FROM valuations WHERE strategy = 'undisturbed' AND kind = 'close' ORDER BY day",
  ).all<{ day: number; price: number }>()
  expect(results).toHaveLength(3)
  const apart = results.map(({ price }, n) => price / 1e6 / model.closing(first + n).equity - 1)
  // With flows: fractions of a cent and unused trading costs are not in the price.
  for (const share of apart) expect(Math.abs(share)).toBeLessThan(1e-7)
})

test('two parallel runs end with the same books', async () => {
  const people = await someDays('raced')
  await Promise.all([followAll(db, simulatedPrices, at(1)), followAll(db, simulatedPrices, at(1))])
  await laterOrders('raced', people)
  await Promise.all([1, 2, 3].map(() => followAll(db, simulatedPrices, at(3))))
  await followAll(db, simulatedPrices, at(3))
  expect(await booksOf('raced', people)).toBe(undisturbed)
})

test('a run that is killed at any write and started again ends with the same books', async () => {
  let survived = false
  for (let n = 1; !survived; n++) {
    const slug = `killed-${n}`
    const people = await someDays(slug)
    const dying = dyingAt(n)
    let isFirst = true
    survived = true
    try {
      await follow(dying, slug, at(1))
      await laterOrders(slug, people)
      isFirst = false
      await follow(dying, slug, at(3))
    } catch (error) {
      expect(String(error)).toContain('killed')
      survived = false
    }
    await followDaysOf(slug, people, isFirst)
    expect(await booksOf(slug, people)).toBe(undisturbed)
  }
}, 120_000)
