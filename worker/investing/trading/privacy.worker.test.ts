import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../../engine/definition.ts'
import type { OperatorRecordEntry } from '../../../src/contract/console/strategies.ts'
import type { Fill, RecordEntry, StrategyDetail } from '../../../src/contract/investing/strategies.ts'
import { type CommittedFacts, computeCommitment } from '../../../src/contract/investing/strategyRecord.ts'
import { DAY_MS } from '../../../src/time.ts'
import { randomRuns } from '../../../test/random.ts'
import { followAs, newCreditor, newPeople } from '../../../test/support/days.ts'
import { call, send } from '../../../test/support/http.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { fileOrder, recordEvent, startPool } from '../../../test/support/trading/pools.ts'
import { simulatedPrices } from '../../dev/seed/simulatedPrices.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { strategyEvents } from '../../lib/tables/strategies.ts'
import { updateDisplays } from './displays.ts'
import { replayModel } from './model.ts'

// What one participant can compute about another's flows. Each history runs in several worlds: the attacker does the same in all
// of them, the others do something else in each. From equal answers the attacker computes equal figures. So if flows differ by
// more than a factor of 5/3, no figure is within 25 % of all of them.

const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 7, 4)
const DAYS = 7
const at = (day: number) => FIRST + day * DAY_MS + 5 * 60_000
const WEALTH = 9_000_00

beforeAll(newCreditor)

interface Order {
  readonly who: number
  readonly day: number
  readonly kind: 'allocate' | 'redeem'
  /** Null: all of it. */
  readonly cents: number | null
}

interface World {
  readonly slug: string
  readonly attacker: Person
  /** What the others paid in and took out on each day, in cents. */
  readonly others: readonly { readonly came: number; readonly left: number }[]
}

const DEFINITIONS: readonly Definition[] = [
  { kind: 'buy-and-hold', values: {}, assets: ['sim-index'], costs: DEFAULT_COSTS, risk: {} },
  {
    ...{ kind: 'rebalanced-basket', values: { invested: 80, band: 5 }, costs: DEFAULT_COSTS, risk: {} },
    assets: ['sim-alder', 'sim-flint'],
  },
  // Trades on most days, so that flows and the rules' trades share an open.
  {
    ...{ kind: 'rebalanced-basket', values: { invested: 50, band: 1 }, costs: DEFAULT_COSTS, risk: {} },
    assets: ['sim-alder', 'sim-flint', 'sim-dogwood'],
  },
]

const anOrder = (who: fc.Arbitrary<number>): fc.Arbitrary<Order> =>
  fc.record({
    who,
    day: fc.integer({ min: 0, max: DAYS - 1 }),
    kind: fc.constantFrom('allocate', 'allocate', 'redeem'),
    cents: fc.option(fc.integer({ min: 10_00, max: 3_000_00 }), { freq: 3 }),
  })

let worlds = 0

/** Runs a history of a strategy, optionally suspended before the last day. */
async function live(
  definition: Definition,
  own: readonly Order[],
  others: readonly Order[],
  isSuspended: boolean,
): Promise<World> {
  const slug = `world-${String(worlds++).padStart(4, '0')}`
  await startPool(db, slug, definition, FIRST - DAY_MS / 2)
  const attacker = await newInvestor({ availableCents: WEALTH })
  const people = await newPeople(...[1, 2, 3, 4].map((n) => `${slug}-other-${n}`))
  const spent = new Map<string, number>()
  const days = Array.from({ length: DAYS }, () => ({ came: 0, left: 0 }))
  for (let day = 0; day < DAYS; day++) {
    let n = 0
    for (const { who, kind, cents, day: on } of [...own, ...others]) {
      if (on !== day) continue
      const investor = who === 0 ? attacker.id : (people[who - 1] ?? '')
      const paid = (spent.get(investor) ?? 0) + (cents ?? 100_00)
      if (kind === 'allocate' && paid > WEALTH) continue
      const atMs = FIRST + day * DAY_MS - 60_000 + n++
      const order = { investor, strategy: slug, kind, cents: kind === 'allocate' ? (cents ?? 100_00) : cents }
      // Nobody redeems without units, or twice at a time.
      const isFiled = await fileOrder(db, { ...order, atMs }).then(
        () => true,
        () => false,
      )
      if (isFiled && kind === 'allocate') spent.set(investor, paid)
    }
    if (isSuspended && day === DAYS - 1) {
      const event = { kind: 'suspended', reason: 'A look at it', actor: 'system' } as const
      await runBatch(db, [
        db.insert(strategyEvents).values({ strategy: slug, at: at(day) - 600_000, ...event }),
      ])
    }
    await followAs({ nowMs: at(day) }, slug)
  }
  const { results } = await env.DB.prepare(
    'SELECT day, code, cents FROM unit_movements WHERE strategy = ? AND investor <> ?',
  )
    .bind(slug, attacker.id)
    .all<{ day: number; code: string; cents: number }>()
  for (const { day, code, cents } of results) {
    const flow = days[(day - FIRST) / DAY_MS]
    if (flow) flow[code === 'issue' ? 'came' : 'left'] += cents
  }
  return { slug, attacker, others: days }
}

/**
 * Everything that the attacker can read over HTTP about the strategy and their own account, except names, times of filing and
 * random hashes.
 */
async function viewOf({ slug, attacker }: World): Promise<string> {
  const { token } = attacker
  const answers: unknown[] = []
  const ask = async (path: string, as?: string) => {
    const { status, body, headers } = await call<unknown>('GET', path, as === undefined ? {} : { token: as })
    expect(status, path).toBe(200)
    answers.push(path, body)
    return { body, next: /<\/api\/v1([^>]+)>/.exec(headers.get('Link') ?? '')?.[1] ?? null }
  }
  await ask(`/strategies/${slug}`)
  for (const list of ['record', 'fills', 'gaps'])
    for (let path: string | null = `/strategies/${slug}/${list}?limit=100`; path !== null; )
      path = (await ask(path)).next
  const { body } = await ask('/allocations', token)
  for (const { _id } of body as { _id: string }[]) await ask(`/allocations/${encodeURIComponent(_id)}`, token)
  for (const path of [
    '/users/user-info?fields=available pendingDeposits profits totalBalance deposits withdrawals pendingWithdrawals',
    '/allocations/orders',
    '/transaction-history',
    '/statements?from=2026-08-01&to=2026-08-31',
    '/users/value-history?days=365',
  ])
    await ask(path, token)
  const csv = await send('GET', '/statements?from=2026-08-01&to=2026-08-31&format=csv', { token })
  answers.push(await csv.text())
  const { body: all } = await call<{ slug: string }[]>('GET', '/strategies')
  answers.push(all.find((each) => each.slug === slug))
  return (
    JSON.stringify(answers, null, 1)
      .replaceAll(slug, 'SLUG')
      .replaceAll(attacker.id, 'ATTACKER')
      .replaceAll(attacker.email, 'MAIL')
      .replaceAll(attacker.name, 'NAME')
      .replace(/"(?:hash|previous|commitment)": "[0-9a-f]{64}"/g, '"RANDOM"')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'ID')
      .replace(/\b(?:ALC|RDM|DEP)-[0-9A-Z]{8}\b/g, 'REF')
      // Entries are numbered across all accounts. This reveals their number, not their amounts.
      .replace(/"_id": "\d+"/g, '"ENTRY"')
      .replace(/SLUG\.[0-9a-zA-Z_-]+/g, 'POSITION')
      .replace(/"20\d\d-(?!08)\d\d-\d\dT[^"]+"/g, '"TODAY"')
  )
}

/** Whether some figure is within 25 % of all of these. */
function isEstimable(flows: readonly number[]): boolean {
  return Math.max(...flows) * 0.75 <= Math.min(...flows) * 1.25
}

test('a participant gets the same answers whatever two to five participants pay in and take out', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...DEFINITIONS),
      fc.array(anOrder(fc.constant(0)), { maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(anOrder(fc.nat({ max: 3 }).map((n) => n + 1))),
      fc.boolean(),
      async (definition, own, count, stream, isSuspended) => {
        // Own orders on the same day: large, small and none. And being first in the pool.
        const orders = (many: number) =>
          [...stream.take(many)].map((order) => ({ ...order, who: ((order.who - 1) % count) + 1 }))
        const lived = [
          await live(definition, own, [], isSuspended),
          await live(definition, own, orders(10), isSuspended),
          await live(definition, own, orders(20), isSuspended),
        ]
        const [first = '', ...further] = await Promise.all(lived.map(viewOf))
        for (const view of further) expect(view).toBe(first)
      },
    ),
    randomRuns(6, 20_261_122),
  )
})

test('when the other of two participants redeems, no estimate of the amount is within 25 %', {
  timeout: 120_000,
}, async () => {
  const definition = DEFINITIONS[0] as Definition
  // The attacker has an order on that very day, in the other direction, and others on the days around it to try out the pool's size.
  const own: Order[] = [
    { who: 0, day: 0, kind: 'allocate', cents: 1_000_00 },
    { who: 0, day: 2, kind: 'allocate', cents: 500_00 },
    { who: 0, day: 3, kind: 'allocate', cents: 2_000_00 },
    { who: 0, day: 4, kind: 'redeem', cents: 700_00 },
  ]
  const redeemed = [537_21, 1_074_42, 3_500_00, 20_00]
  const lived: World[] = []
  for (const cents of redeemed)
    lived.push(
      await live(
        definition,
        own,
        [
          { who: 1, day: 1, kind: 'allocate', cents: 4_000_00 },
          { who: 1, day: 3, kind: 'redeem', cents },
        ],
        false,
      ),
    )
  const flows = lived.map(({ others }) => others[3]?.left ?? 0)
  for (const [n, cents] of redeemed.entries())
    expect(Math.abs((flows[n] ?? 0) - cents)).toBeLessThanOrEqual(1)
  expect(isEstimable(flows)).toBe(false)

  const estimates = await Promise.all(lived.map(estimatesOf))
  for (const estimate of estimates) expect(estimate).toEqual(estimates[0])
  for (const figure of Object.values(estimates[0] ?? {}))
    expect(flows.every((flow) => Math.abs(figure - flow) <= 0.25 * flow)).toBe(false)
  const [view, ...further] = await Promise.all(lived.map(viewOf))
  for (const other of further) expect(other).toBe(view)
})

/**
 * Attacks that worked before, or would work if flows moved the price: each estimates the other's redemption on the fourth day, in
 * cents.
 */
async function estimatesOf({ slug, attacker }: World): Promise<Record<string, number>> {
  const { body: detail } = await call<StrategyDetail>('GET', `/strategies/${slug}`)
  const { body: record } = await call<RecordEntry[]>('GET', `/strategies/${slug}/record?limit=100`)
  const { body: fills } = await call<Fill[]>('GET', `/strategies/${slug}/fills?limit=100`)
  const [{ price = 0 } = {}] = (
    await env.DB.prepare("SELECT price FROM unit_movements WHERE investor = ? AND code = 'issue' AND day = ?")
      .bind(attacker.id, FIRST + 3 * DAY_MS)
      .all<{ price: number }>()
  ).results
  const day = new Date(FIRST + 3 * DAY_MS).toISOString().slice(0, 10)
  const open = record.find((entry) => entry.day === day && entry.kind === 'open')
  const close = record.find((entry) => entry.day === day && entry.kind === 'close')
  if (open?.format !== 2 || close === undefined) throw new Error('The day was recorded.')
  const own = 2_000_00
  const side = (1 + 0.001) * (1 + 0.0025) - 1
  const full = open.unitPrice * (1 + side * ((open.weights['sim-index'] ?? 0) / 1e6))
  // The part of one's own trading costs that an opposite order saved.
  const netted = own * Math.max(0, (full - price) / (full - open.unitPrice))
  // The difference between the price and the model's, which anybody can compute.
  const market = await simulatedPrices.days('simulated', ['sim-index'], at(DAYS))
  const model = replayModel(detail.definition as unknown as Definition, market, market.time.indexOf(FIRST))
  const bar = market.time.indexOf(FIRST + 3 * DAY_MS)
  const apart =
    close.unitPrice / open.unitPrice / (model.closing(bar).equity / model.opening(bar).before.equity)
  const leaked = Math.abs(Math.round((apart - 1) * 1e6)) * own
  // Trades on a day without trades of the rules, and their side.
  const traded = fills.filter((fill) => fill.day === day).length * own
  return { netted: Math.round(netted / 100) * 100, leaked, traded }
}

test('the price shown between two valuations follows the rules alone, in an empty pool too', async () => {
  const definition = DEFINITIONS[1] as Definition
  const lived = [
    await live(definition, [], [], false),
    await live(definition, [], [{ who: 1, day: 2, kind: 'allocate', cents: 77_77 }], false),
    await live(definition, [], [{ who: 1, day: 2, kind: 'allocate', cents: 2_900_00 }], false),
  ]
  await updateDisplays(db, simulatedPrices, at(DAYS - 1))
  const shown = await Promise.all(
    lived.map(({ slug }) =>
      env.DB.prepare('SELECT at, unit_price AS price FROM displays WHERE strategy = ?').bind(slug).first(),
    ),
  )
  expect(shown[0]).toMatchObject({ at: at(DAYS - 1) })
  expect(shown[1]).toEqual(shown[0])
  expect(shown[2]).toEqual(shown[0])
})

test('a suspension and a resumption cost a unit the same in every pool, and what its pool spent', {
  timeout: 60_000,
}, async () => {
  const definition = DEFINITIONS[2] as Definition
  const prices: unknown[] = []
  for (const cents of [0, 50_00, 2_900_00]) {
    const slug = `resumed-${cents}`
    await startPool(db, slug, definition, FIRST - DAY_MS / 2)
    const [person = ''] = await newPeople(`one-of-${slug}`)
    const order = { investor: person, strategy: slug, kind: 'allocate' as const, cents }
    if (cents > 0) await fileOrder(db, { ...order, atMs: FIRST + DAY_MS - 1 })
    for (let day = 0; day < 8; day++) {
      const kind = day === 3 ? 'suspended' : day === 5 ? 'resumed' : null
      if (kind !== null) await recordEvent(db, slug, kind, at(day) - 600_000)
      await followAs({ nowMs: at(day) }, slug)
    }
    const { results } = await env.DB.prepare(
      `SELECT day, kind, unit_price AS price, weights, trades, units, net_value AS net FROM valuations
       WHERE strategy = ? ORDER BY day, kind DESC`,
    )
      .bind(slug)
      .all<{ day: number; kind: string; price: number; weights: string; units: number; net: number }>()
    prices.push(results.map(({ units: _, net: __, ...told }) => told))
    expect(results.filter(({ weights }) => weights === '{}')).toHaveLength(1 + 4)
    // The price matches the pool's value, up to a cent and rounding.
    for (const { units, net, price } of results)
      expect(Math.abs(net - (units / 1e6) * price)).toBeLessThan(20_000)
  }
  expect(prices[1]).toEqual(prices[0])
  expect(prices[2]).toEqual(prices[0])
})

test('public data does not reveal how much a pool holds, and the salt lets somebody check what it held', async () => {
  const { slug, attacker } = await live(
    DEFINITIONS[1] as Definition,
    [{ who: 0, day: 0, kind: 'allocate', cents: 1_234_56 }],
    [{ who: 1, day: 2, kind: 'allocate', cents: 777_77 }],
    false,
  )
  const told = await Promise.all(
    ['', '/record?limit=100', '/fills?limit=100', '/gaps?limit=100'].map(async (path) =>
      JSON.stringify((await call('GET', `/strategies/${slug}${path}`)).body),
    ),
  )
  for (const name of [
    'units',
    'netValue',
    'cash',
    'holdings',
    'flows',
    'issuePrice',
    'redeemPrice',
    'salt',
    'details',
    'pool',
    'carried',
  ])
    for (const text of told) expect(text).not.toContain(`"${name}"`)
  // Only operators get salts and fields.
  const path = `/operator/strategies/${slug}/record?limit=100`
  expect((await call('GET', path)).status).toBe(401)
  expect((await call('GET', path, { token: attacker.token })).status).toBe(403)
  const auditor = await newOperator({ roles: ['auditor'] })
  const { status, body } = await call<OperatorRecordEntry[]>('GET', path, { token: auditor.token })
  expect(status).toBe(200)
  const entries = body.reverse()
  expect(entries).toHaveLength(2 * DAYS - 1)
  expect(new Set(entries.map(({ salt }) => salt)).size).toBe(entries.length)
  for (const { salt, commitment, hash, committed } of entries) {
    expect(await computeCommitment(salt ?? '', committed as unknown as CommittedFacts)).toBe(commitment)
    expect(told[1]).toContain(commitment)
    expect(told[1]).toContain(hash)
  }
  const close = entries[5]?.committed as unknown as CommittedFacts
  expect(close.flows).toEqual([{ code: 'issue', count: 1, units: expect.any(Number), cents: 777_77 }])
  expect(close.orders.length).toBeGreaterThan(0)
  const missing = await call('GET', '/operator/strategies/none/record', { token: auditor.token })
  expect(missing).toMatchObject({ status: 404, body: { code: 'not_found' } })
})
