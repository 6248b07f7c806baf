import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../engine/definition.ts'
import { DAY_MS } from '../../src/time.ts'
import { isLong, randomRuns } from '../../test/random.ts'
import { followAs } from '../../test/support/days.ts'
import { BANK_WITHDRAWAL, mailedCode } from '../../test/support/filing.ts'
import { letHoldPass } from '../../test/support/hold.ts'
import { txid } from '../../test/support/ledger/txid.ts'
import { booksOf } from '../../test/support/money.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../test/support/people.ts'
import { startPool } from '../../test/support/trading/pools.ts'
import { post, type Reply, send } from '../../test/support/unlimited.ts'
import { checkAll } from '../console/selfCheck/all.ts'
import { openDatabase } from '../lib/database.ts'
import type { Figures } from './balances.ts'

// Random lives of two investors over HTTP, on days with real trading: allocate, redeem, cancel, withdraw, be paid. The effect of
// each call is known beforehand. After each, both ways to the total, the books and the pools agree.

const RUNS = 3
const MOST_STEPS = 45
const SEED = 20_261_205
const FIRST = Date.UTC(2026, 7, 4)

const db = openDatabase(env.DB)
const held = (kind: Definition['kind'], values: Definition['values'], assets: string[]): Definition => ({
  ...{ kind, values, assets, costs: DEFAULT_COSTS, risk: {} },
})
const DEFINITIONS = [
  held('buy-and-hold', {}, ['sim-index']),
  held('rebalanced-basket', { invested: 70, band: 2 }, ['sim-alder', 'sim-flint']),
]

const KINDS = { allocate: 6, redeem: 5, cancel: 2, withdraw: 2, pay: 2, day: 5 } as const
type Kind = keyof typeof KINDS

const step = fc.record({
  kind: fc.oneof(
    ...Object.entries(KINDS).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as Kind) })),
  ),
  who: fc.nat(1),
  which: fc.nat(1),
  amount: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1000, max: 90_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 900_000 }) },
  ),
  isAll: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Life {
  readonly people: [Person, Person]
  operators: readonly [Person, Person]
  readonly slugs: readonly string[]
  /** The last day that was opened, counted from the first. */
  day: number
  readonly orders: { readonly id: string; readonly who: number; readonly cents: number | null }[]
  readonly withdrawals: { readonly id: string; readonly cents: number; readonly who: number }[]
}

afterAll(() => {
  vi.useRealTimers()
})

const answers = new Map<string, number>()
let lives = 0

test('books, units and pools agree after every call and every day of two investors’ lives', async () => {
  vi.useFakeTimers({ now: noonOf(-1), toFake: ['Date'] })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: MOST_STEPS, size: 'max' }), async (steps) => {
      const life = await begin()
      for (const each of steps) {
        await MOVES[each.kind](life, each)
        await assertInOrder(life)
      }
      await leave(life)
    }),
    { ...randomRuns(RUNS, SEED), ...(!isLong && { interruptAfterTimeLimit: 150_000 }), endOnFailure: true },
  )
  for (let checkpoint: string | null = null; checkpoint !== ''; ) {
    const checked: { findings: readonly string[]; checkpoint: string } = await checkAll(db, checkpoint)
    expect(checked.findings).toEqual([])
    checkpoint = checked.checkpoint
  }
  for (const answer of EVERY_ANSWER)
    expect([answer, answers.get(answer) ?? 0]).toEqual([answer, expect.toSatisfy(isSome)])
}, 900_000)

const isSome = (times: number) => times > 0
const EVERY_ANSWER = ['allocate', 'redeem', 'withdraw'].flatMap((kind) => [
  `${kind} done`,
  `${kind} insufficient_funds`,
])

async function begin(): Promise<Life> {
  vi.setSystemTime(noonOf(-1))
  const n = lives++
  const slugs = DEFINITIONS.map(({ kind }) => `${kind}-${n}`)
  for (const [place, slug] of slugs.entries())
    await startPool(db, slug, DEFINITIONS[place] ?? held('buy-and-hold', {}, []), FIRST - DAY_MS)
  const people: [Person, Person] = [
    await newInvestor({ availableCents: 400_000 }),
    await newInvestor({ availableCents: 1_000_000 }),
  ]
  const operators = [await newOperator(), await newOperator()] as const
  return { people, operators, slugs, day: -1, orders: [], withdrawals: [] }
}

const MOVES: Record<Kind, (life: Life, step: Step) => Promise<void>> = {
  async allocate(life, { who, which, amount }) {
    const { person, before } = await look(life, who)
    const reply = await post('/allocations', person, { strategy: life.slugs[which], amount: usd(amount) })
    const isDone = told('allocate', reply)
    if (isDone) life.orders.push({ id: reply.body._id ?? '', who, cents: amount })
    // At least 10 USD, or 1 for existing investors.
    if (amount >= 1000) expect(isDone).toBe(amount <= before.available)
    await expectMoved(person, before, isDone ? { available: -amount, allocating: amount } : {})
  },

  async redeem(life, { who, which, amount, isAll }) {
    const { person, before } = await look(life, who)
    const positions = (await send('GET', '/allocations', person)).body as unknown as {
      _id: string
      strategy: string
    }[]
    const position = positions.find(({ strategy }) => strategy === life.slugs[which])
    if (position === undefined) return
    const reply = await post(`/allocations/${position._id}/redeem`, person, {
      amount: isAll ? 'all' : usd(amount),
    })
    if (told('redeem', reply)) life.orders.push({ id: reply.body._id ?? '', who, cents: null })
    await expectMoved(person, before, {})
  },

  async cancel(life, { who, amount }) {
    const own = life.orders.filter((order) => order.who === who)
    const order = own[amount % Math.max(1, own.length)]
    if (order === undefined) return
    const { person, before } = await look(life, who)
    expect((await post(`/allocations/${order.id}/cancel`, person, {})).status).toBe(200)
    life.orders.splice(life.orders.indexOf(order), 1)
    const cents = order.cents ?? 0
    await expectMoved(person, before, { available: cents, allocating: -cents })
  },

  async withdraw(life, { who, amount }) {
    const { person, before } = await look(life, who)
    const asked = { ...BANK_WITHDRAWAL, amount: usd(amount) }
    let reply = await post('/withdrawals/online-service', person, asked)
    if (reply.body.code === 'step_up_required')
      reply = await post('/withdrawals/online-service', person, {
        ...asked,
        code: await mailedCode(person.email),
      })
    const isDone = told('withdraw', reply)
    if (isDone) life.withdrawals.push({ id: reply.body._id ?? '', cents: amount, who })
    expect(isDone).toBe(amount <= before.available)
    await expectMoved(
      person,
      before,
      isDone ? { available: -amount, held: amount, pendingWithdrawals: amount } : {},
    )
  },

  async pay(life) {
    const withdrawal = life.withdrawals.shift()
    if (withdrawal === undefined) return
    const { person, before } = await look(life, withdrawal.who)
    const [first, second] = life.operators
    const path = `/operator/withdrawals/${withdrawal.id}`
    await letHoldPass(withdrawal.id)
    expect(
      (await post(`${path}/approve`, first, { riskReason: 'Called back, all is in order' })).status,
    ).toBe(200)
    expect(
      (
        await post(`${path}/complete`, second, {
          ...{ reference: txid(withdrawal.id), riskReason: 'Called back, all is in order' },
        })
      ).status,
    ).toBe(200)
    const { cents } = withdrawal
    const paid = { held: -cents, pendingWithdrawals: -cents, withdrawals: cents, totalBalance: -cents }
    await expectMoved(person, before, paid)
  },

  async day(life) {
    await nextDay(life)
  },
}

/** Opens, trades and settles the next day after closing the previous one. Sessions end meanwhile. */
async function nextDay(life: Life): Promise<void> {
  life.day++
  const nowMs = FIRST + life.day * DAY_MS + 5 * 60_000
  vi.setSystemTime(nowMs)
  for (const slug of life.slugs) await followAs({ nowMs }, slug)
  vi.setSystemTime(noonOf(life.day))
  life.orders.length = 0
  for (const who of [0, 1] as const) {
    const person = life.people[who]
    life.people[who] = { ...person, token: await anotherSession(person) }
    expect((await booksOf(person.id)).allocating).toBe(0)
  }
  const [first, second] = life.operators
  life.operators = [
    { ...first, token: await anotherSession(first) },
    { ...second, token: await anotherSession(second) },
  ]
  const { results } = await env.DB.prepare(
    `SELECT p.cash, (SELECT max(day) FROM pool_steps s WHERE s.strategy = p.strategy) AS day FROM pools p
     WHERE p.strategy IN (SELECT value FROM json_each(?))`,
  )
    .bind(JSON.stringify(life.slugs))
    .all<{ cash: number; day: number }>()
  for (const { cash, day } of results) {
    expect(cash).toBeGreaterThanOrEqual(0)
    expect(day).toBe(FIRST + life.day * DAY_MS)
  }
}

/**
 * Everybody redeems everything. Then gains and losses equal the trading result and the pools' remainders, to the last
 * micro-dollar.
 */
async function leave(life: Life): Promise<void> {
  await nextDay(life)
  for (const who of [0, 1]) {
    for (const which of [0, 1])
      await MOVES.redeem(life, { kind: 'redeem', who, which, amount: 1, isAll: true })
  }
  await nextDay(life)
  await assertInOrder(life)
  const pools = await env.DB.prepare(
    `SELECT sum(cash) AS cash, sum(units) AS units, (
       SELECT coalesce(sum(f.cash), 0) FROM pool_fills f JOIN pool_orders o ON o.id = f.pool_order
       WHERE o.strategy IN (SELECT value FROM json_each(?1))) AS traded
     FROM pools WHERE strategy IN (SELECT value FROM json_each(?1))`,
  )
    .bind(JSON.stringify(life.slugs))
    .first<{ cash: number; units: number; traded: number }>()
  const books = await Promise.all(life.people.map(({ id }) => booksOf(id)))
  expect(books.map(({ positions }) => positions)).toEqual([0, 0])
  const profits = books.reduce((sum, book) => sum + book.profits, 0)
  expect(pools?.units).toBe(0)
  expect(profits * 10_000 + (pools?.cash ?? 0)).toBe(pools?.traded)
}

/** Invariants: the books sum to zero, both ways to the total agree, here and over HTTP, and pools have all units. */
async function assertInOrder({ people, slugs }: Life): Promise<void> {
  for (const person of people) {
    const figures = await booksOf(person.id)
    const {
      available,
      held: waiting,
      allocating,
      positions,
      owed,
      profits,
      deposits,
      bonus,
      withdrawals,
    } = figures
    expect(figures.totalBalance).toBe(profits + deposits + bonus - withdrawals)
    expect(figures.totalBalance).toBe(available + waiting + allocating + positions - owed)
    for (const cents of [available, waiting, allocating, positions, owed])
      expect(cents).toBeGreaterThanOrEqual(0)
    const { body } = await send('GET', '/users/user-info', person)
    expect(body).toMatchObject({
      available: available / 100,
      profits: profits / 100,
      totalBalance: figures.totalBalance / 100,
    })
  }
  const { results } = await env.DB.prepare(
    `SELECT p.units, (SELECT coalesce(sum(units), 0) FROM positions WHERE strategy = p.strategy) AS held,
       (SELECT coalesce(sum(balance), 0) FROM accounts WHERE owner IN (?2, ?3)) AS trial,
       (SELECT net_value - units / 1000000 * unit_price FROM valuations v WHERE v.strategy = p.strategy
        ORDER BY day DESC, kind LIMIT 1) AS uncovered
     FROM pools p WHERE p.strategy IN (SELECT value FROM json_each(?1))`,
  )
    .bind(JSON.stringify(slugs), people[0].id, people[1].id)
    .all<{ units: number; held: number; trial: number; uncovered: number | null }>()
  for (const pool of results) {
    expect(pool.held).toBe(pool.units)
    expect(pool.trial).toBe(0)
    expect(pool.uncovered ?? 0).toBeGreaterThanOrEqual(0)
  }
}

async function look({ people }: Life, who: number) {
  const person = people[who === 0 ? 0 : 1]
  return { person, before: await booksOf(person.id) }
}

/** Expects exactly these figures to change by these cents. */
async function expectMoved(person: Person, before: Figures, moved: Partial<Figures>): Promise<void> {
  const expected = Object.entries(before).map(([name, cents]) => [
    name,
    cents + (moved[name as keyof Figures] ?? 0),
  ])
  expect(await booksOf(person.id)).toEqual(Object.fromEntries(expected))
}

/** Whether a call took effect. Counts the answers. */
function told(kind: Kind, { status, body }: Reply): boolean {
  const answer = `${kind} ${status < 300 ? 'done' : body.code}`
  answers.set(answer, (answers.get(answer) ?? 0) + 1)
  expect([
    `${kind} done`,
    `${kind} insufficient_funds`,
    'allocate validation_failed',
    'redeem too_many_open',
    'withdraw too_many_open',
  ]).toContain(answer)
  return status < 300
}

function noonOf(day: number): number {
  return FIRST + day * DAY_MS + DAY_MS / 2
}

function usd(cents: number): string {
  return (cents / 100).toFixed(2)
}
