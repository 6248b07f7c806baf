import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_COSTS } from '../../../engine/definition.ts'
import type { Gains } from '../../../src/contract/money/gains.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { call, send } from '../../../test/support/http.ts'
import { withoutTriggers } from '../../../test/support/longHistory.ts'
import {
  approveDeposit,
  approveWithdrawal,
  completeWithdrawal,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { startPool } from '../../../test/support/trading/pools.ts'
import { openDatabase } from '../../lib/database.ts'

const DEFINITION = {
  kind: 'buy-and-hold' as const,
  values: {},
  assets: ['sim-index'],
  costs: DEFAULT_COSTS,
  risk: {},
}

beforeAll(() => startPool(openDatabase(env.DB), 'test', DEFINITION, Date.now()))

const read = (person: Person, query = '') => call<Gains>('GET', `/gains${query}`, { token: person.token })
const fix = (person: Person, json: Record<string, unknown>) =>
  call<Gains>('POST', '/gains', { token: person.token, json: { holdingDays: 365, ...json } })
const file = async (person: Person, query: string) =>
  (await (await send('GET', `/gains${query}`, { token: person.token })).text()).trimEnd().split('\r\n')

test('a year has a report once its method is fixed, and keeps it', async () => {
  const person = await newInvestor()
  await move(person, [
    ['a', '2024-03-01', 10, 1_000],
    ['b', '2025-06-01', 10, 1_200],
    ['c', '2025-07-01', -12, 1_800],
  ])
  const before = await read(person, '?year=2025')
  expect(before.body).toMatchObject({
    years: [new Date().getUTCFullYear(), 2025, 2024],
    rules: null,
    report: null,
    open: {
      sales: [{ units: 12, proceeds: 1_800, isFee: false }],
      lots: [{ units: 10, cost: 1_000 }, { units: 10 }],
    },
  })
  expect(await call('GET', '/gains?year=2025&format=csv', { token: person.token })).toMatchObject({
    status: 409,
    body: { msg: 'Fix the method of 2025 first.' },
  })
  const { status, body } = await fix(person, { year: 2025, method: 'fifo' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    rules: { method: 'fifo', holdingDays: 365 },
    open: null,
    report: {
      disposals: [
        { units: 10, proceeds: 1_500, cost: 1_000, gain: 500, isLong: true },
        { units: 2, proceeds: 300, cost: 240, gain: 60, isLong: false },
      ],
      long: { proceeds: 1_500, cost: 1_000, gain: 500 },
      short: { gain: 60 },
      lots: [{ units: 8, cost: 960 }],
    },
  })
  expect((await read(person, '?year=2025')).body).toEqual(body)
  expect(await fix(person, { year: 2025, method: 'average' })).toMatchObject({ status: 409 })
  expect(await fix(person, { year: 2024, method: 'average' })).toMatchObject({ status: 409 })
  expect((await fix(person, { year: 2026, method: 'average' })).body.report?.lots).toMatchObject([
    { cost: 960 },
  ])
})

test('the owner chooses the lots of a sale; what does not fit is refused and nothing is fixed', async () => {
  const person = await newInvestor()
  await move(person, [
    ['a', '2025-01-02', 10, 1_000],
    ['b', '2025-02-02', 10, 1_500],
    ['c', '2025-03-02', -10, 1_600],
  ])
  const id = (name: string) => `${person.id}-${name}`
  const choose = (choices: Record<string, unknown>) => fix(person, { year: 2025, method: 'chosen', choices })
  for (const choices of [
    { [id('c')]: [{ lot: id('b'), units: 11 }] },
    { [id('c')]: [{ lot: 'another', units: 1 }] },
    { [id('a')]: [{ lot: id('b'), units: 1 }] },
  ])
    expect(await choose(choices)).toMatchObject({
      status: 422,
      body: { fields: { choices: expect.any(String) } },
    })
  expect(await fix(person, { year: 2098, method: 'fifo' })).toMatchObject({
    status: 422,
    body: { fields: { year: 'This year has not begun' } },
  })
  const { body } = await choose({ [id('c')]: [{ lot: id('b'), units: 9.5 }] })
  expect(body.report?.disposals).toMatchObject([
    { lot: { _id: id('b') }, units: 9.5, cost: 1_425 },
    { lot: { _id: id('a') }, units: 0.5, cost: 50 },
  ])
})

test('a report is saved in our columns and in those that tax software imports', async () => {
  const person = await newInvestor()
  await move(person, [
    ['a', '2025-01-02', 10, 1_000],
    ['c', '2025-03-02', -4, 300],
    ['f', '2025-04-01', -1, 90, 'fee'],
  ])
  await fix(person, { year: 2025, method: 'average' })
  expect((await file(person, '?year=2025&format=csv'))[1]?.replaceAll('"', '')).toBe(
    'test,4,2025-01-02T00:00:00.000Z,,2025-03-02T00:00:00.000Z,,300.00,400.00,-100.00,Short',
  )
  expect(await file(person, '?year=2025&format=form8949')).toHaveLength(3)
  expect(
    (await file(person, '?year=2025&format=koinly')).map((line) =>
      line.replaceAll('"', '').split(',').slice(0, 5),
    ),
  ).toEqual([
    ['Date', 'Sent Amount', 'Sent Currency', 'Received Amount', 'Received Currency'],
    ['2025-01-02 00:00 UTC', '1000.00', 'USD', '10', 'NULL1'],
    ['2025-03-02 00:00 UTC', '4', 'NULL1', '300.00', 'USD'],
    ['2025-04-01 00:00 UTC', '1', 'NULL1', '90.00', 'USD'],
  ])
})

test('coins paid in and out stand in the report and its file, and add up to the ledger’s figures', async () => {
  const [person, operator] = [await newInvestor(), await newOperator()]
  const { body: deposit } = await fileDeposit(person)
  await approveDeposit(operator, deposit._id)
  const payer = await newOperator()
  const paid = await withdrawal(person, '100.00')
  await approveWithdrawal(payer, paid)
  const { body: payout } = await completeWithdrawal(payer, paid)
  const year = new Date().getUTCFullYear()
  const { body } = await fix(person, { year, method: 'fifo' })
  expect(body.report).toMatchObject({
    disposals: [],
    paidIn: [{ ref: deposit.ref, coin: 'bitcoin', value: 250, quantity: expect.stringMatching(/^0\.\d+$/) }],
    paidOut: [{ ref: payout?.ref, coin: 'bitcoin', value: 100, quantity: expect.stringMatching(/^0\.\d+$/) }],
  })
  const { body: figures } = await call('GET', '/users/user-info', { token: person.token })
  expect(figures).toMatchObject({ deposits: 250, withdrawals: 100 })
  const [, paidIn, paidOut] = await file(person, `?year=${year}&format=csv`)
  expect([paidIn, paidOut].map((line) => line?.replaceAll('"', ''))).toEqual([
    expect.stringMatching(`^bitcoin,0\\.\\d+,,,.+,${deposit.ref},250.00,,,$`),
    expect.stringMatching(`^bitcoin,0\\.\\d+,.+,${payout?.ref},,,,100.00,,$`),
  ])
})

test('bad years, formats and strangers are refused', async () => {
  const person = await newInvestor()
  for (const query of ['?year=1999', '?year=x', '?format=pdf'])
    expect((await read(person, query)).status).toBe(422)
  for (const json of [
    { year: 2025 },
    { year: 2025.5, method: 'fifo' },
    { year: 2025, method: 'fifo', holdingDays: -1 },
  ])
    expect(await fix(person, json)).toMatchObject({ status: 422 })
  expect(await call('GET', '/gains')).toMatchObject({ status: 401 })
})

type Move = readonly [name: string, day: string, units: number, usd: number, code?: 'fee']

/** Units bought and sold, as the ledger would have recorded them. Nothing else of the books follows. */
async function move(person: Person, moves: readonly Move[]): Promise<void> {
  const statements = moves.map(([name, day, units, usd, code = units > 0 ? 'issue' : 'redeem']) =>
    env.DB.prepare(
      `INSERT INTO unit_movements (id, investor, strategy, code, units, price, cents, cost, high_water, day, ref, at)
       VALUES (?1, ?2, 'test', ?3, ?4, 1, ?5, 0, 1, ?6, ?1, ?6)`,
    ).bind(`${person.id}-${name}`, person.id, code, units * 1_000_000, usd * 100, Date.parse(day)),
  )
  await withoutTriggers(env.DB, () =>
    env.DB.batch([
      env.DB.prepare("INSERT OR IGNORE INTO positions (investor, strategy) VALUES (?, 'test')").bind(
        person.id,
      ),
      ...statements,
    ]),
  )
}
