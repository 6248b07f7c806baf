import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Position, PositionStop, UnitOrder } from '../../../src/contract/investing/allocations.ts'
import type { ReceivedNotification } from '../../../src/contract/outreach/notifications.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { dayOf, newStrategy, onDay, settleDay, suspend, withOthers } from '../../../test/support/pooled.ts'
import { openDatabase } from '../../lib/database.ts'
import { runStops } from './run.ts'

const HOUR_MS = 3_600_000

let strategy: string
let bo: Person
let ann: Person
// Bo owns 100 units at $101 each at noon of day 2, and Ann one.
beforeEach(async () => {
  strategy = await newStrategy()
  await withOthers(strategy)
  ann = await onDay(1, await newInvestor({ availableCents: 101_00 }))
  bo = ann
  await invest(101)
  bo = await onDay(1, await newInvestor({ availableCents: 11_100_00 }))
  await invest(10_100)
  await settleDay(strategy, 2, 100)
  bo = await onDay(2, bo)
})
afterEach(() => void vi.useRealTimers())

async function invest(amount: number): Promise<void> {
  const reply = await call('POST', '/allocations', { token: bo.token, json: { strategy, amount } })
  expect(reply.status).toBe(201)
}
async function loadPosition(): Promise<Position> {
  const { body } = await call<Position[]>('GET', '/allocations', { token: bo.token })
  const position = body.find((row) => row.strategy === strategy)
  if (position === undefined) throw new Error('There is no position')
  return position
}
type PositionAnswer = AnyBody & { readonly stop: PositionStop }
const setStop = async (percent: unknown, { token } = bo, id?: string) =>
  call<PositionAnswer>('PUT', `/allocations/${id ?? (await loadPosition())._id}/stop`, {
    token,
    json: { percent },
  })
const endStop = async ({ token } = bo, id?: string) =>
  call('DELETE', `/allocations/${id ?? (await loadPosition())._id}/stop`, { token })
const runAt = (nowMs: number) => runStops(env, openDatabase(env.DB), nowMs)
const listRedemptions = async () =>
  (
    await call<UnitOrder[]>('GET', `/allocations/orders?kind=redeem&strategy=${strategy}`, {
      token: bo.token,
    })
  ).body
const listSubjects = async () =>
  (await mailsTo(bo.email)).map(({ subject }) => subject).filter((subject) => subject.startsWith('Your stop'))
const freeze = (at: number | null) =>
  env.DB.prepare('UPDATE users SET frozen_at = ?, frozen_reason = ? WHERE id = ?')
    .bind(at, at === null ? null : 'A test', bo.id)
    .run()

describe('a stop', () => {
  test('is set below the average cost, changed and ended by its owner, all without a proof', async () => {
    expect((await loadPosition()).stop).toBeNull()
    const { status, body } = await setStop(20)
    expect(status).toBe(200)
    expect(body.stop).toEqual({
      percent: 20,
      price: 80.8,
      setAt: new Date(dayOf(2) + 12 * HOUR_MS).toISOString(),
      refused: null,
    })
    expect((await setStop('35')).body.msg).toContain('35% below the average cost of your units, now $65.65')
    expect(await loadPosition()).toMatchObject({ stop: { percent: 35 } })
    expect((await endStop()).status).toBe(200)
    expect(await loadPosition()).toMatchObject({ stop: null })
    expect(await endStop()).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    const activity = await call<{ event: string }[]>('GET', '/users/activity', { token: bo.token })
    expect(activity.body.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['stop.set', 'stop.ended']),
    )
  })

  test('is refused for other percentages, without units, while frozen, and for anybody else', async () => {
    for (const percent of [0, 96, 2.5, -5, '', null, '20%', true, 1e9, {}, '1e1'])
      expect(await setStop(percent)).toMatchObject({
        status: 422,
        body: { fields: { percent: 'Please give a whole number of percent from 1 to 95' } },
      })
    const id = (await loadPosition())._id
    const ben = await newInvestor({ availableCents: 100_00 })
    const operator = await newOperator()
    for (const person of [ben, operator]) {
      const statuses = [(await setStop(20, person, id)).status, (await endStop(person, id)).status]
      expect(statuses).toEqual([404, 404])
    }
    expect((await call('PUT', `/allocations/${id}/stop`, { json: { percent: 20 } })).status).toBe(401)
    const { body: filed } = await call<AnyBody>('POST', '/allocations', {
      token: ben.token,
      json: { strategy, amount: 50 },
    })
    expect(await setStop(20, ben, filed._id)).toMatchObject({
      status: 422,
      body: { code: 'insufficient_funds' },
    })
    await freeze(1)
    expect(await setStop(20, bo, id)).toMatchObject({ status: 403, body: { code: 'account_frozen' } })
    expect((await loadPosition()).stop).toBeNull()
  })

  test('sells at the next valuation, not at the price that reached it, once, through overlapping and repeated crons', async () => {
    await setStop(20)
    await settleDay(strategy, 3, 80.81)
    await runAt(dayOf(3) + HOUR_MS)
    expect(await listRedemptions()).toEqual([])
    await settleDay(strategy, 4, 80.8)
    const at = dayOf(4) + HOUR_MS
    await Promise.all([1, 2, 3].map(() => runAt(at)))
    for (const again of [at, at + HOUR_MS, at - 2 * HOUR_MS]) await runAt(again)
    const [order, ...others] = await listRedemptions()
    expect(others).toEqual([])
    expect(order).toMatchObject({
      amount: null,
      status: 'pending',
      pricedAt: new Date(dayOf(5)).toISOString(),
    })
    expect(await loadPosition()).toMatchObject({ units: 100, stop: null })
    expect(await listSubjects()).toHaveLength(1)
    const { text } = await mailTo(bo.email, /^Your stop in .* was reached$/)
    expect(text).toContain('a unit was worth $80.80. Your stop is at $80.80: 20% below $101.00')
    expect(text).toContain('may be lower or higher than your stop')
    const bell = await call<ReceivedNotification[]>('GET', '/users/notifications', { token: bo.token })
    expect(bell.body.map(({ title }) => title)).toContainEqual(expect.stringMatching(/was reached$/))

    await settleDay(strategy, 5, 70, 0)
    await runAt(dayOf(5) + HOUR_MS)
    expect(await listRedemptions()).toMatchObject([
      { settled: { unitPrice: 70, amount: 7000, profit: -3100 }, isOfStop: true },
    ])
    expect((await booksOf(bo.id)).available).toBe(8000_00)
  })

  test('counts the valuations after it was set or changed, and the average cost after a purchase', async () => {
    await settleDay(strategy, 3, 80)
    bo = await onDay(3, bo)
    await setStop(20)
    await runAt(dayOf(3) + 13 * HOUR_MS)
    expect(await listRedemptions()).toEqual([])
    await settleDay(strategy, 4, 100)
    await runAt(dayOf(4) + HOUR_MS)
    bo = await onDay(4, bo)
    // A redemption of a part keeps the average cost.
    const { _id } = await loadPosition()
    await call('POST', `/allocations/${_id}/redeem`, { token: bo.token, json: { amount: 5000 } })
    await settleDay(strategy, 5, 100, 0)
    bo = await onDay(5, bo)
    expect(await loadPosition()).toMatchObject({ units: 50, stop: { price: 80.8 } })
    // Twice as many at half the price.
    await invest(5000)
    await settleDay(strategy, 6, 50, 0)
    bo = await onDay(6, bo)
    expect(await loadPosition()).toMatchObject({ units: 150, stop: { percent: 20, price: 53.6 } })
    // Day 5 does not reach it. Day 6 does, by the new average cost.
    await runAt(dayOf(6) + 13 * HOUR_MS)
    expect(await listRedemptions()).toMatchObject([{ status: 'settled' }])
    await runAt(dayOf(6) + 13 * HOUR_MS)
    expect(await listRedemptions()).toMatchObject([
      { status: 'pending', amount: null, isOfStop: true },
      { status: 'settled', isOfStop: false },
    ])
  })

  test('a missed day is compared later, by its own price and average cost, and once', async () => {
    await setStop(20)
    await settleDay(strategy, 3, 75)
    bo = await onDay(3, bo)
    await invest(1000)
    await settleDay(strategy, 4, 130)
    const late = dayOf(4) + 2 * HOUR_MS
    await runAt(late)
    expect(await listRedemptions()).toMatchObject([
      { amount: null, pricedAt: new Date(dayOf(5)).toISOString() },
    ])
    expect((await mailTo(bo.email, /^Your stop/)).text).toContain(
      'a unit was worth $75.00. Your stop is at $80.80: 20% below $101.00',
    )
    // Cancelled by its owner: the stop is used up.
    const [order] = await listRedemptions()
    bo = await onDay(4, bo)
    expect((await call('POST', `/allocations/${order?._id}/cancel`, { token: bo.token })).status).toBe(200)
    await settleDay(strategy, 5, 60)
    for (let minute = 0; minute < 3; minute++) await runAt(dayOf(5) + HOUR_MS)
    expect(await listRedemptions()).toMatchObject([{ status: 'cancelled' }])
  })

  test('ends with its position, and sells nothing twice while all of it is being redeemed', async () => {
    await setStop(20)
    const { _id } = await loadPosition()
    await call('POST', `/allocations/${_id}/redeem`, { token: bo.token, json: { amount: 'all' } })
    await settleDay(strategy, 3, 50, 0)
    await runAt(dayOf(3) + HOUR_MS)
    expect(await listRedemptions()).toHaveLength(1)
    bo = await onDay(3, bo)
    expect(await loadPosition()).toMatchObject({ units: 0, stop: null })
    await invest(1000)
    await settleDay(strategy, 4, 50)
    await settleDay(strategy, 5, 10)
    for (let minute = 0; minute < 3; minute++) await runAt(dayOf(5) + HOUR_MS)
    expect(await listRedemptions()).toHaveLength(1)
    expect(await listSubjects()).toEqual([])
  })

  test('sells from a suspended strategy, as its owner could', async () => {
    await setStop(20)
    await suspend(strategy)
    await settleDay(strategy, 3, 50)
    await runAt(dayOf(3) + HOUR_MS)
    expect(await listRedemptions()).toMatchObject([{ amount: null, status: 'pending' }])
  })

  test('of a frozen account says once that it could not sell, stays, and sells at the next valuation that reaches it', async () => {
    await setStop(20)
    const { token } = await onDay(2, ann)
    const [own] = (await call<Position[]>('GET', '/allocations', { token })).body
    await setStop(20, { ...ann, token }, own?._id)
    await freeze(1)
    await settleDay(strategy, 3, 50)
    for (let minute = 0; minute < 3; minute++) await runAt(dayOf(3) + HOUR_MS)
    await settleDay(strategy, 4, 50)
    await runAt(dayOf(4) + HOUR_MS)
    expect(await listRedemptions()).toEqual([])
    expect(await listSubjects()).toEqual([expect.stringMatching(/could not sell$/)])
    // It keeps no other stop from selling.
    expect((await mailsTo(ann.email)).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/was reached$/),
    )
    expect((await mailTo(bo.email, /^Your stop/)).text).toContain('Your account is frozen')
    expect((await loadPosition()).stop?.refused).toMatchObject({
      at: new Date(dayOf(4) + HOUR_MS).toISOString(),
      reason: expect.stringContaining('frozen'),
    })
    // Its owner can still end it.
    await freeze(null)
    await settleDay(strategy, 5, 90)
    await runAt(dayOf(5) + HOUR_MS)
    expect(await listRedemptions()).toEqual([])
    await settleDay(strategy, 6, 50)
    await runAt(dayOf(6) + HOUR_MS)
    expect(await listRedemptions()).toMatchObject([{ amount: null, status: 'pending' }])
  })

  test('that was changed or ended while the cron ran does not sell', async () => {
    await setStop(20)
    await settleDay(strategy, 3, 75)
    bo = await onDay(3, bo)
    await Promise.all([1, 2, 3].map((n) => (n === 2 ? setStop(50) : runAt(dayOf(3) + 12 * HOUR_MS))))
    const [order] = await listRedemptions()
    // Either the sale or the change was first.
    const { stop } = await loadPosition()
    expect(stop?.percent).toBe(50)
    expect(order === undefined || order.status === 'pending').toBe(true)
  })
})

describe('the database', () => {
  test('refuses a second active stop, a stop that fires above its price, and one with another order', async () => {
    await setStop(20)
    await settleDay(strategy, 3, 85)
    const execute = (sql: string, ...values: unknown[]) =>
      env.DB.prepare(sql)
        .bind(...values)
        .run()
    await expect(
      execute(
        "INSERT INTO position_stops (id, investor, strategy, percent, created_at, changed_at) VALUES ('second', ?, ?, 10, 1, 1)",
        bo.id,
        strategy,
      ),
    ).rejects.toThrow(/UNIQUE constraint failed: position_stops/)
    const fire = (order: string) =>
      execute(
        "UPDATE position_stops SET status = 'fired', day = ?, unit_order = ?, ended_at = ? WHERE investor = ?",
        dayOf(3),
        order,
        dayOf(3) + HOUR_MS,
        bo.id,
      )
    await expect(fire('none')).rejects.toThrow('position_stops: price above the stop')
    await setStop(15)
    await settleDay(strategy, 4, 85.85)
    await execute('UPDATE position_stops SET changed_at = 1 WHERE investor = ?', bo.id)
    await expect(fire('none')).rejects.toThrow('position_stops: order does not fit the stop')
  })
})
