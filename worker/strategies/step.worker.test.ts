import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { DEFAULT_COSTS } from '../../engine/costs.ts'
import type { Definition } from '../../engine/definition.ts'
import { brokenAt, type Recorded } from '../../src/contract/strategyRecord.ts'
import { simulatedPrices } from '../dev/seed/simulatedPrices.ts'
import { newInvestor } from '../dev/testing/people.ts'
import { type Database, openDatabase } from '../lib/database.ts'
import { PaperBroker } from './broker.ts'
import { modelOf } from './model.ts'
import { followAll } from './run.ts'
import type { Pool } from './state.ts'
import { followDays } from './step.ts'
import { DAY_MS, fileOrder, startPool } from './testing/pools.ts'

const db = openDatabase(env.DB)
const STARTED = Date.UTC(2026, 7, 3, 14)
const FIRST = Date.UTC(2026, 7, 4)
const at = (days: number) => FIRST + days * DAY_MS + 5 * 60_000

const BASKET: Definition = {
  kind: 'rebalanced-basket',
  values: { invested: 80, band: 5 },
  assets: ['sim-alder', 'sim-flint'],
  costs: DEFAULT_COSTS,
  risk: {},
}

/** Two investors come; later one goes in part and then altogether, and the other comes again. */
async function someDays(slug: string): Promise<readonly string[]> {
  await startPool(db, slug, BASKET, STARTED)
  const ana = await newInvestor({ availableCents: 500_000 })
  const ben = await newInvestor({ availableCents: 500_000 })
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
  await file(1, 0, ana.id, 'allocate', 250_000)
  await file(2, 0, ben.id, 'allocate', 100_033)
  return [ana.id, ben.id]
}

async function laterOrders(slug: string, [ana = '', ben = '']: readonly string[]): Promise<void> {
  const file = (n: number, investor: string, kind: 'allocate' | 'redeem', cents: number | null) =>
    fileOrder(db, { id: `${slug}/${n}`, investor, strategy: slug, kind, cents, atMs: FIRST + 2 * DAY_MS + n })
  await file(3, ana, 'redeem', 70_001)
  await file(4, ben, 'allocate', 5000)
  await file(5, ana, 'redeem', null)
  await file(6, ana, 'redeem', 100)
}

/** Follows the days to their end, in two looks so that the second orders find units. */
async function followDaysOf(slug: string, people: readonly string[], isFirst = true) {
  await follow(db, slug, at(1))
  if (isFirst) await laterOrders(slug, people)
  await follow(db, slug, at(3))
}

/** As a run does, but that an error ends it. */
async function follow(using: Database, slug: string, nowMs: number): Promise<void> {
  const broker = ({ definition }: Pool) => new PaperBroker(definition.costs)
  for await (const _ of followDays({ db: using, prices: simulatedPrices, nowMs, broker }, slug));
}

const TABLES: Readonly<Record<string, string>> = {
  strategies: 'slug, definition, market, status, started_at',
  strategy_events: 'strategy, at, kind, reason, actor',
  valuations:
    'strategy, day, kind, unit_price, issue_price, redeem_price, net_value, units, weights, recorded_at',
  pool_steps: 'strategy, day, at',
  pool_orders: 'id, strategy, day, asset, side, quantity, at',
  pool_fills: 'id, pool_order, quantity, price, fee, slippage, cash, at',
  pool_entries: 'id, strategy, code, cash, units, asset, quantity, ref, at',
  pools: 'strategy, cash, units',
  pool_holdings: 'strategy, asset, quantity',
  unit_orders: 'id, investor, strategy, kind, cents, status, created_at, decided_at, day',
  unit_movements: 'id, investor, strategy, code, units, price, cents, cost, high_water, day, ref, at',
  positions: 'investor, strategy, units, cost, high_water',
  transfers: 'id, from_account, to_account, amount, code, ref, actor, at',
  accounts: 'id, balance',
}

/** All that the books have of a strategy and its people, in which its name and theirs are told by numbers. */
async function booksOf(slug: string, people: readonly string[]): Promise<string> {
  const lines: string[] = []
  for (const [table, columns] of Object.entries(TABLES)) {
    const { results } = await env.DB.prepare(`SELECT ${columns} FROM ${table}`).all<Record<string, unknown>>()
    lines.push(
      ...results
        .map((row) => `${table} ${JSON.stringify(row)}`)
        .filter((line) => line.includes(`"${slug}`) || line.includes(`:${slug}"`))
        .map((line) => people.reduce((text, id, n) => text.replaceAll(id, `person ${n}`), line))
        .map((line) => line.replaceAll(slug, 'slug'))
        .sort(),
    )
  }
  return lines.join('\n')
}

/** A database that dies before its n-th write: after the one before it, which is the same to who comes later. */
function dyingAt(n: number): Database {
  let writes = 0
  const changes = new WeakSet<D1PreparedStatement>()
  const prepare = (query: string) => {
    const statement = env.DB.prepare(query)
    if (!/^\s*(?:insert|update|delete)/i.test(query)) return statement
    changes.add(statement)
    return new Proxy(statement, {
      get(target, name) {
        if (name !== 'bind') return Reflect.get(target, name)
        return (...values: unknown[]) => {
          const bound = target.bind(...values)
          changes.add(bound)
          return bound
        }
      },
    })
  }
  const batch = async (statements: D1PreparedStatement[]) => {
    if (!statements.some((statement) => changes.has(statement))) return env.DB.batch(statements)
    writes++
    if (writes === n) throw new Error('killed')
    return env.DB.batch(statements)
  }
  return openDatabase(
    new Proxy(env.DB, {
      get: (target, name) =>
        name === 'prepare' ? prepare : name === 'batch' ? batch : Reflect.get(target, name),
    }),
  )
}

let undisturbed = ''

test('undisturbed days are settled to the last cent, and their record is one chain', async () => {
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
  const { results } = await env.DB.prepare("SELECT * FROM valuations WHERE strategy = 'undisturbed'").all<{
    day: number
    kind: 'open' | 'close'
    unit_price: number
    issue_price: number | null
    redeem_price: number | null
    weights: string
    recorded_at: number
    previous: string
    hash: string
  }>()
  const record = results
    .sort((a, b) => a.day - b.day || (a.kind === 'open' ? -1 : 1))
    .map(
      (row): Recorded => ({
        strategy: 'undisturbed',
        day: new Date(row.day).toISOString().slice(0, 10),
        kind: row.kind,
        unitPrice: row.unit_price,
        issuePrice: row.issue_price,
        redeemPrice: row.redeem_price,
        weights: JSON.parse(row.weights),
        recordedAt: row.recorded_at,
        previous: row.previous,
        hash: row.hash,
      }),
    )
  expect(record).toHaveLength(7)
  expect(await brokenAt(BASKET, record)).toBeNull()
})

test('their unit price is what the engine’s run is worth', async () => {
  const market = await simulatedPrices.days('simulated', BASKET.assets, at(3))
  const first = market.time.indexOf(FIRST)
  const model = modelOf(BASKET, market, first)
  const { results } = await env.DB.prepare(
    "SELECT day, unit_price AS price FROM valuations WHERE strategy = 'undisturbed' AND kind = 'close' ORDER BY day",
  ).all<{ day: number; price: number }>()
  expect(results).toHaveLength(3)
  const apart = results.map(({ price }, n) => price / 1e6 / model.closing(first + n).equity - 1)
  for (const share of apart.slice(0, 2)) expect(Math.abs(share)).toBeLessThan(1e-6)
  // What is less than a cent of those who went altogether stays with the others.
  for (const share of apart.slice(2)) {
    expect(share).toBeGreaterThan(-1e-6)
    expect(share).toBeLessThan(1e-5)
  }
})

test('two runs at the same time end with the very same books', async () => {
  const people = await someDays('raced')
  await Promise.all([followAll(db, simulatedPrices, at(1)), followAll(db, simulatedPrices, at(1))])
  await laterOrders('raced', people)
  await Promise.all([1, 2, 3].map(() => followAll(db, simulatedPrices, at(3))))
  await followAll(db, simulatedPrices, at(3))
  expect(await booksOf('raced', people)).toBe(undisturbed)
})

test('a run that is killed at any of its writes and run again ends with the very same books', async () => {
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
