import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Definition } from '../../engine/definition.ts'
import type { OperatorOverview } from '../../src/contract/console/overview.ts'
import type { Proposal } from '../../src/contract/console/proposals.ts'
import type { OperatorWithdrawal } from '../../src/contract/console/withdrawals.ts'
import type { Transaction } from '../../src/contract/money/transactions.ts'
import { DAY_MS } from '../../src/time.ts'
import { withdraw } from '../../test/support/filing.ts'
import { call } from '../../test/support/http.ts'
import { booksOf, creditInvestor } from '../../test/support/money.ts'
import {
  approveProposal,
  approveWithdrawal,
  as,
  completeWithdrawal,
  propose,
  withdrawal,
} from '../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../test/support/people.ts'
import { newStrategy } from '../../test/support/pooled.ts'
import { setSetting } from '../../test/support/settings.ts'
import { fileOrder, startPool } from '../../test/support/trading/pools.ts'
import { checkAll } from '../console/selfCheck/all.ts'
import { simulatedPrices } from '../dev/seed/simulatedPrices.ts'
import { PaperBroker } from '../investing/trading/broker.ts'
import { followDays } from '../investing/trading/step.ts'
import { openDatabase } from '../lib/database.ts'

// These withdrawals are smaller than the network's minimum.
beforeAll(() => setSetting('minimums', { btc: 0 }))

// The attack: a credit is spent and then reversed, and the spent money comes back another way.

const operators = [await newOperator(), await newOperator()] as const

/**
 * Reverses an approved credit or a completed payout: one operator proposes, the other approves. What the second operator saw before
 * is what then happens.
 */
async function reverse(request: string): Promise<void> {
  const { body } = await propose(operators[0], { kind: 'reversal', request, reason: 'Called back' })
  const path = `/operator/proposals/${body._id}`
  const shown = await as<Proposal>(operators[1], 'GET', path)
  const [effect] = shown.body.effects ?? []
  if (effect === undefined) throw new Error('A pending reversal says what it changes.')
  expect(effect).toMatchObject({ investor: shown.body.request?.investor, amount: shown.body.request?.amount })
  const { available } = await booksOf(effect.investor._id)
  expect((await approveProposal(operators[1], body._id)).status).toBe(200)
  const change = Math.round(effect.balance * 100) * (effect.kind === 'payout' ? 1 : -1)
  expect(await booksOf(effect.investor._id)).toMatchObject({
    available: available + change,
    owed: Math.round(effect.debt * 100),
  })
  const filed = await env.DB.prepare(
    'SELECT strategy, cents FROM unit_orders WHERE recovers = ? ORDER BY strategy',
  )
    .bind(request)
    .all<{ strategy: string; cents: number | null }>()
  expect(
    effect.redemptions.map(({ strategy, amount, isWhole }) => ({
      strategy: strategy._id,
      cents: isWhole ? null : Math.round(amount * 100),
    })),
  ).toEqual(filed.results)
  expect((await as<Proposal>(operators[1], 'GET', path)).body.effects).toBeUndefined()
}

/** An investor who withdrew (held) 4,000 of a credit that was then reversed: 4,000 are owed. */
async function debtor(): Promise<{ ana: Person; held: string; credit: string }> {
  const ana = await newInvestor()
  const credit = await creditInvestor(ana.id, 4_000_00)
  const held = await withdrawal(ana, '4000')
  await reverse(credit)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, held: 4_000_00, owed: 4_000_00 })
  return { ana, held, credit }
}

const cancel = (person: Person, id: string) => as(person, 'POST', `/withdrawals/${id}/cancel`)

test('a cancelled withdrawal of a reversed credit repays the debt: nothing is left to pay out', async () => {
  const { ana, held } = await debtor()
  expect((await cancel(ana, held)).status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, held: 0, owed: 0, totalBalance: 0 })
  expect(await withdraw(ana, { amount: '1' })).toMatchObject({
    status: 422,
    body: { code: 'insufficient_funds' },
  })
})

test('a rejected withdrawal repays the debt, and what is left of it is available', async () => {
  const { ana, held } = await debtor()
  await creditInvestor(ana.id, 1_500_00)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, owed: 2_500_00 })
  const rejected = await as(operators[0], 'POST', `/operator/withdrawals/${held}/reject`, { reason: 'Owed' })
  expect(rejected.status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({
    available: 1_500_00,
    held: 0,
    owed: 0,
    totalBalance: 1_500_00,
  })
  const { body } = await as<Transaction[]>(ana, 'GET', '/statements?from=2020-01-01&to=2100-01-01')
  expect(JSON.stringify(body)).toContain('repay')
})

test('a bonus repays the debt first', async () => {
  const { ana } = await debtor()
  const bonus = { kind: 'bonus', investor: ana.id, amount: 100, reason: 'Welcome' }
  const { body } = await propose(operators[0], bonus)
  expect((await approveProposal(operators[1], body._id)).status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, bonus: 100_00, owed: 3_900_00 })
})

test('a reversed payout repays the debt first', async () => {
  const ana = await newInvestor({ availableCents: 300_00 })
  const paid = await withdrawal(ana, '300')
  await approveWithdrawal(operators[0], paid)
  await completeWithdrawal(operators[1], paid)
  const credit = await creditInvestor(ana.id, 1_000_00)
  await withdrawal(ana, '1000')
  await reverse(credit)
  await reverse(paid)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, held: 1_000_00, owed: 700_00 })
})

test('while money is owed, nothing is approved, paid, held or allocated', async () => {
  const { ana, held } = await debtor()
  const owing = { status: 409, body: { code: 'debt_outstanding' } }
  const unapproved = await approveWithdrawal(operators[0], held)
  expect(unapproved).toMatchObject(owing)
  expect(unapproved.body.msg).toContain('This investor owes $4,000.00')
  expect(await withdraw(ana, { amount: '1' })).toMatchObject(owing)
  const strategy = await newStrategy()
  expect(await as(ana, 'POST', '/allocations', { strategy, amount: '10' })).toMatchObject(owing)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, held: 4_000_00, owed: 4_000_00 })
})

test('a withdrawal approved before the debt is not paid', async () => {
  const ana = await newInvestor()
  const credit = await creditInvestor(ana.id, 4_000_00)
  const held = await withdrawal(ana, '4000')
  await approveWithdrawal(operators[0], held)
  await reverse(credit)
  expect(await completeWithdrawal(operators[1], held)).toMatchObject({
    status: 409,
    body: { code: 'debt_outstanding', msg: expect.stringContaining('$4,000.00') },
  })
  await creditInvestor(ana.id, 4_000_00)
  expect((await completeWithdrawal(operators[1], held)).status).toBe(200)
})

test('the database also refuses this by hand-written SQL', async () => {
  const { ana, held } = await debtor()
  const at = Date.now()
  const run = (sql: string) => env.DB.prepare(sql).run()
  const event = (status: string) =>
    run(`INSERT INTO request_events (request, status, at, actor, investor)
         VALUES ('${held}', '${status}', ${at}, '${operators[0].id}', '${ana.id}')`)
  const refused = /debt_outstanding/
  await expect(event('approved')).rejects.toThrow(refused)
  for (const [code, from, to] of [
    ['hold', 'available', 'held'],
    ['complete', 'held', 'paid_out'],
    ['allocate', 'available', 'allocating'],
    ['invest', 'allocating', 'invested'],
  ])
    await expect(
      run(`INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
           VALUES ('x', '${ana.id}:${from}', '${ana.id}:${to}', 1, '${code}', '${held}', '${ana.id}', ${at})`),
    ).rejects.toThrow(code === 'invest' ? /transfers: no matching cause/ : refused)
})

test('a debt is a high risk signal, and has its own line beside the liabilities', async () => {
  const look = async () => (await as<OperatorOverview>(operators[0], 'GET', '/operator/overview')).body
  const before = await look()
  const ben = await newInvestor({ availableCents: 4_000_00 })
  const { held } = await debtor()
  const after = await look()
  // Ben's cash and Ana's hold: her debt lowers neither.
  expect(after.liabilities - before.liabilities).toBe(8_000)
  expect(after.debts).toEqual({
    amount: before.debts.amount + 4_000,
    investors: before.debts.investors + 1,
  })
  const { body } = await as<OperatorWithdrawal>(operators[0], 'GET', `/operator/withdrawals/${held}`)
  expect(body.risk?.signals[0]).toMatchObject({ rule: 'debt', amount: 4_000 })
  expect(await booksOf(ben.id)).toMatchObject({ available: 4_000_00 })
})

const HELD: Definition = {
  kind: 'buy-and-hold',
  values: {},
  assets: ['sim-index'],
  costs: DEFAULT_COSTS,
  risk: {},
}
const db = openDatabase(env.DB)
const FIRST = Date.UTC(2026, 7, 4)

/** Continues a strategy's days, optionally for a number of batches. */
async function follow(slug: string, nowMs: number, batches = Number.POSITIVE_INFINITY): Promise<void> {
  const broker = () => new PaperBroker(DEFAULT_COSTS)
  let done = 0
  for await (const _ of followDays({ db, prices: simulatedPrices, nowMs, broker }, slug))
    if (++done === batches) return
}

test.each([
  ['before its day is opened', 0],
  ['after its price was fixed', 1],
])('an allocation of an investor who comes to owe money is given back, %s', async (when, batches) => {
  const slug = `owes-${batches}`
  await startPool(db, slug, HELD, FIRST - DAY_MS, null)
  const [ana, ben] = [await newInvestor(), await newInvestor({ availableCents: 500_00 })]
  const credit = await creditInvestor(ana.id, 1_000_00)
  for (const [{ id: investor }, cents] of [
    [ana, 1_000_00],
    [ben, 500_00],
  ] as const)
    await fileOrder(db, { investor, strategy: slug, kind: 'allocate', cents, atMs: FIRST - 1 })
  const nowMs = FIRST + 5 * 60_000
  if (batches > 0) await follow(slug, nowMs, batches)
  await reverse(credit)
  expect(await booksOf(ana.id), when).toMatchObject({ available: 0, allocating: 1_000_00, owed: 1_000_00 })
  await follow(slug, nowMs)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, allocating: 0, owed: 0, positions: 0 })
  expect((await booksOf(ben.id)).positions).toBeGreaterThan(450_00)
  const { results } = await env.DB.prepare('SELECT cash >= 0 AS isPaid FROM pools WHERE strategy = ?')
    .bind(slug)
    .all()
  expect(results).toEqual([{ isPaid: 1 }])
})

test('the proceeds of a redemption repay the debt, and only the rest can be withdrawn', async () => {
  const slug = 'redeems-owing'
  await startPool(db, slug, HELD, FIRST - DAY_MS, null)
  const ana = await newInvestor()
  const credit = await creditInvestor(ana.id, 1_000_00)
  await fileOrder(db, {
    investor: ana.id,
    strategy: slug,
    kind: 'allocate',
    cents: 1_000_00,
    atMs: FIRST - 1,
  })
  await follow(slug, FIRST + 5 * 60_000)
  await reverse(credit)
  await creditInvestor(ana.id, 400_00)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, owed: 600_00 })
  await fileOrder(db, {
    investor: ana.id,
    strategy: slug,
    kind: 'redeem',
    cents: null,
    atMs: FIRST + 10 * 60_000,
  })
  await follow(slug, FIRST + DAY_MS + 5 * 60_000)
  const books = await booksOf(ana.id)
  expect(books).toMatchObject({ owed: 0, positions: 0 })
  expect(books.available).toBeGreaterThan(300_00)
  expect(books.available).toBe(books.totalBalance)
  const { body } = await call<{ totalBalance: number }>('GET', '/users/user-info?fields=totalBalance', {
    token: ana.token,
  })
  expect(body.totalBalance).toBe(books.totalBalance / 100)
})

test('reversing an invested credit files the redemption in the same batch, even of a frozen account, and no gain on it stays', async () => {
  const slug = 'recovers'
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  await startPool(db, slug, HELD, today - 30 * DAY_MS, null)
  const [ana, ben] = [await newInvestor(), await newInvestor()]
  const credits = [await creditInvestor(ana.id, 1_000_00), await creditInvestor(ben.id, 1_000_00)]
  // Half of Ben's money is honest.
  await creditInvestor(ben.id, 1_000_00)
  for (const [{ id: investor }, cents] of [
    [ana, 1_000_00],
    [ben, 2_000_00],
  ] as const)
    await fileOrder(db, {
      investor,
      strategy: slug,
      kind: 'allocate',
      cents,
      atMs: today - 29 * DAY_MS - 1,
    })
  await follow(slug, today + 5 * 60_000)
  await env.DB.prepare('UPDATE users SET frozen_at = 1 WHERE id IN (?, ?)').bind(ana.id, ben.id).run()
  for (const credit of credits) await reverse(credit)

  const orders = async (investor: Person) =>
    (
      await env.DB.prepare(
        'SELECT id, kind, cents, status, recovers FROM unit_orders WHERE recovers IS NOT NULL AND investor = ?',
      )
        .bind(investor.id)
        .all<{ id: string; cents: number | null }>()
    ).results
  expect(await orders(ana)).toMatchObject([{ kind: 'redeem', status: 'pending', recovers: credits[0] }])
  const [filed] = await orders(ben)
  // The part of the units that the reversed half bought, or if they fell, so many that the debt is repaid.
  const before = await booksOf(ben.id)
  expect((filed?.cents ?? 0) / Math.max(1_000_00, before.positions / 2)).toBeCloseTo(1, 2)
  const path = `/allocations/${filed?.id}/cancel`
  await env.DB.prepare('UPDATE users SET frozen_at = NULL WHERE id = ?').bind(ben.id).run()
  expect(await as(ben, 'POST', path)).toMatchObject({ status: 409, body: { code: 'already_decided' } })

  await follow(slug, today + DAY_MS + 5 * 60_000)
  const proceedsOf = async ({ id }: Person) =>
    env.DB.prepare("SELECT cents, cost FROM unit_movements WHERE investor = ? AND code = 'redeem'")
      .bind(id)
      .first<{ cents: number; cost: number }>()
  const all = await proceedsOf(ana)
  expect(all).not.toBeNull()
  expect(await booksOf(ana.id)).toMatchObject({
    available: 0,
    positions: 0,
    owed: Math.max(0, 1_000_00 - (all?.cents ?? 0)),
  })
  const part = await proceedsOf(ben)
  const after = await booksOf(ben.id)
  expect(after.owed).toBe(0)
  // What was sold beyond the debt: rounding, and the movement of a day.
  const rest = (part?.cents ?? 0) - 1_000_00
  const gain = Math.max(0, (part?.cents ?? 0) - (part?.cost ?? 0))
  expect(after.available).toBe(
    rest - Math.max(0, Math.min(rest, Math.trunc((gain * 1_000_00) / (part?.cost ?? 1)))),
  )
  expect((await checkAll(db, null)).findings).toEqual([])
})
