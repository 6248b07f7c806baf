import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Position, PositionDetail, UnitOrder } from '../../../src/contract/investing/allocations.ts'
import { cost } from '../../../test/support/cost.ts'
import { type AnyBody, call, type Reply } from '../../../test/support/http.ts'
import { booksOf } from '../../../test/support/money.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import {
  closeDay,
  dayOf,
  newStrategy,
  onDay,
  settleDay,
  suspend,
  withOthers,
} from '../../../test/support/pooled.ts'

type Filed = AnyBody & { readonly pricedAt: string }

let strategy: string
beforeAll(async () => {
  strategy = await newStrategy()
})
afterEach(() => {
  vi.useRealTimers()
})

const allocate = (person: Person, amount: unknown, to = strategy, idempotencyKey?: string) =>
  call<Filed>('POST', '/allocations', {
    token: person.token,
    json: { strategy: to, amount },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
const redeem = (person: Person, id: string, amount: unknown) =>
  call<Filed>('POST', `/allocations/${id}/redeem`, { token: person.token, json: { amount } })
const cancel = (person: Person, id: string) =>
  call('POST', `/allocations/${id}/cancel`, { token: person.token })
const dayName = (number: number) => new Date(dayOf(number)).toISOString().slice(0, 10)
const positions = async (person: Person) =>
  (await call<Position[]>('GET', '/allocations', { token: person.token })).body
const codes = (replies: readonly Reply<AnyBody>[]): (string | number)[] =>
  replies.map(({ status, body }) => body.code ?? status)

describe('allocating', () => {
  test('an allocation reserves its amount at once, says when it is priced, and is shown as pending', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const { status, body } = await allocate(ana, '250.50')
    expect(status).toBe(201)
    expect(body.ref).toMatch(/^ALC-/)
    expect(body.msg).toContain('$250.50')
    expect(body.pricedAt).toBe(new Date(dayOf(61)).toISOString())
    expect(await booksOf(ana.id)).toMatchObject({ available: 749_50, totalBalance: 1000_00 })
    const [position, ...others] = await positions(ana)
    expect(others).toEqual([])
    expect(position).toMatchObject({
      strategy,
      units: 0,
      cost: 0,
      value: 0,
      profit: 0,
      pendingIn: 250.5,
      pendingOut: 0,
      twr: null,
      xirr: null,
    })
    const orders = await call<UnitOrder[]>('GET', '/allocations/orders', { token: ana.token })
    expect(orders.body).toMatchObject([
      { _id: body._id, ref: body.ref, kind: 'allocate', status: 'pending', amount: 250.5, cancellable: true },
    ])
  })

  test('an allocation is refused with the reason, in the contract’s order', async () => {
    const ana = await newInvestor({ availableCents: 20_00 })
    const frozen = await newInvestor({ availableCents: 20_00, frozen: true })
    expect(await allocate(frozen, '10')).toMatchObject({ status: 403, body: { code: 'account_frozen' } })
    expect(await allocate(ana, '10', 'no-such-strategy')).toMatchObject({
      status: 422,
      body: { fields: { strategy: 'There is no such strategy' } },
    })
    expect(await allocate(ana, '9.99')).toMatchObject({
      status: 422,
      body: { fields: { amount: 'The smallest investment is $10.00' } },
    })
    expect(await allocate(ana, '20.01')).toMatchObject({ status: 422, body: { code: 'insufficient_funds' } })
    const suspended = await newStrategy()
    await suspend(suspended)
    expect(await allocate(ana, '10', suspended)).toMatchObject({
      status: 409,
      body: { code: 'strategy_suspended' },
    })
    const operator = await newOperator()
    expect(await allocate(operator, '10')).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await call('POST', '/allocations', { json: { strategy, amount: 10 } })).toMatchObject({
      status: 401,
    })
    expect(await booksOf(ana.id)).toMatchObject({ available: 20_00 })
    expect(await allocate(ana, '20')).toMatchObject({ status: 201 })
    expect(await booksOf(ana.id)).toMatchObject({ available: 0 })
  })

  test('invalid amounts and names are refused', async () => {
    const ana = await newInvestor({ availableCents: 20_00 })
    for (const amount of ['', 'all', '-10', '1e3', '10.001', 0, null, [], {}, 1e12, '10,00', ' 10'])
      expect(await allocate(ana, amount)).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    for (const name of ['', null, 7, {}, 'x'.repeat(10_000), "'; DROP TABLE strategies --", '\u0000'])
      expect((await allocate(ana, 10, name as string)).status).toBe(422)
    expect(await positions(ana)).toEqual([])
  })

  test('at most twenty orders are open, also in parallel, and never more than the available money', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const replies = await Promise.all(Array.from({ length: 30 }, () => allocate(ana, 10)))
    expect(codes(replies).filter((code) => code === 201)).toHaveLength(20)
    expect(codes(replies).filter((code) => code === 'too_many_open')).toHaveLength(10)
    const ben = await newInvestor({ availableCents: 30_00 })
    expect(codes(await Promise.all(Array.from({ length: 8 }, () => allocate(ben, 10)))).sort()).toEqual([
      201,
      201,
      201,
      ...Array.from({ length: 5 }, () => 'insufficient_funds'),
    ])
    expect(await booksOf(ben.id)).toMatchObject({ available: 0, totalBalance: 30_00 })
  })

  test('under one idempotency key happens once', async () => {
    const ana = await newInvestor({ availableCents: 100_00 })
    const first = await allocate(ana, 10, strategy, 'once')
    const again = await allocate(ana, 10, strategy, 'once')
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect(await allocate(ana, 11, strategy, 'once')).toMatchObject({
      body: { code: 'idempotency_key_reused' },
    })
    expect(await booksOf(ana.id)).toMatchObject({ available: 90_00 })
  })
})

describe('taking back', () => {
  test('gives the amount back, once, by the order’s id or all by the position’s', async () => {
    const ana = await newInvestor({ availableCents: 100_00 })
    const { body } = await allocate(ana, 10)
    expect(await cancel(ana, body._id)).toMatchObject({
      status: 200,
      body: { msg: `${body.ref} is cancelled.` },
    })
    expect(await cancel(ana, body._id)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    await Promise.all([allocate(ana, 20), allocate(ana, 30)])
    const [position] = await positions(ana)
    expect(position?.pendingIn).toBe(50)
    const replies = await Promise.all([1, 2, 3].map(() => cancel(ana, position?._id ?? '')))
    expect(codes(replies).sort()).toEqual([200, 'already_decided', 'already_decided'])
    expect(await booksOf(ana.id)).toMatchObject({ available: 100_00, totalBalance: 100_00 })
    expect(await positions(ana)).toEqual([])
  })

  test('is for its owner alone, frozen or not', async () => {
    const ana = await newInvestor({ availableCents: 100_00 })
    const ben = await newInvestor({ availableCents: 100_00 })
    const { body } = await allocate(ana, 10)
    await allocate(ben, 10)
    const [own] = await positions(ana)
    for (const id of [body._id, own?._id ?? '']) {
      expect(await cancel(ben, id)).toMatchObject({ status: 404 })
      expect(await redeem(ben, id, 'all')).toMatchObject({ status: 404 })
      expect(await call('GET', `/allocations/${id}`, { token: ben.token })).toMatchObject({ status: 404 })
    }
    await env.DB.prepare("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?")
      .bind(ana.id)
      .run()
    expect(await cancel(ana, body._id)).toMatchObject({ status: 200 })
  })

  test('is refused once the price is fixed, also in parallel', async () => {
    const of = await newStrategy()
    const rich = await newInvestor({ availableCents: 100_00 })
    const ana = await onDay(1, rich)
    const { body } = await allocate(ana, 50, of)
    const [reply] = await Promise.all([cancel(ana, body._id), settleDay(of, 2, 100).catch(() => null)])
    expect([200, 409]).toContain(reply.status)
    expect((await positions(ana))[0]?.cost ?? 0).toBe(reply.status === 200 ? 0 : 50)
    expect(await cancel(ana, body._id)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  })

  test('an order cannot be cancelled from 00:00 UTC, however late the price is stored, unless its money is returned anyway', async () => {
    const of = await newStrategy()
    const rich = await newInvestor({ availableCents: 100_00 })
    let ana = await onDay(1, rich)
    const { body } = await allocate(ana, 50, of)
    // The market does not answer for half a day, while the price at midnight is known elsewhere.
    ana = await onDay(2, rich)
    const ordersOf = async () =>
      (await call<UnitOrder[]>('GET', '/allocations/orders', { token: ana.token })).body
    expect(await ordersOf()).toMatchObject([{ status: 'pending', cancellable: false }])
    const id = (await positions(ana))[0]?._id ?? ''
    for (const late of [body._id, id])
      expect(await cancel(ana, late)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    const { body: next } = await allocate(ana, 20, of)
    expect(await cancel(ana, id)).toMatchObject({ status: 200, body: { msg: `${next.ref} is cancelled.` } })
    await suspend(of)
    expect(await ordersOf()).toMatchObject([{ status: 'cancelled' }, { cancellable: true }])
    expect(await cancel(ana, body._id)).toMatchObject({ status: 200 })
    expect(await booksOf(ana.id)).toMatchObject({ available: 100_00 })
  })

  test('a redemption of the whole value is taken, and cannot be cancelled from 00:00 UTC, even if the strategy is suspended', async () => {
    const of = await newStrategy()
    const investor = await newInvestor({ availableCents: 101_00 })
    await withOthers(of)
    await allocate(await onDay(1, investor), 101, of)
    await settleDay(of, 2, 100)
    let ana = await onDay(3, investor)
    const { status, body } = await redeem(ana, (await positions(ana))[0]?._id ?? '', '100')
    expect(status).toBe(201)
    vi.setSystemTime(dayOf(4))
    ana = { ...ana, token: await anotherSession(ana) }
    const isOffered = async () =>
      (await call<UnitOrder[]>('GET', '/allocations/orders', { token: ana.token })).body[0]?.cancellable
    expect(await isOffered()).toBe(false)
    await suspend(of)
    expect(await isOffered()).toBe(false)
    expect(await cancel(ana, body._id)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  })

  test('an order filed at 00:00 UTC is priced at the next open, and can be cancelled until then', async () => {
    const of = await newStrategy()
    const ana = await onDay(1, await newInvestor({ availableCents: 100_00 }))
    vi.setSystemTime(dayOf(2))
    const midnight = { ...ana, token: await anotherSession(ana) }
    const { body } = await allocate(midnight, 50, of)
    expect(body.pricedAt).toBe(new Date(dayOf(3)).toISOString())
    expect(await cancel(midnight, body._id)).toMatchObject({ status: 200 })
  })

  test('orders and cancellations count from the end of the request, however early it began', async () => {
    const of = await newStrategy()
    const noon = await onDay(1, await newInvestor({ availableCents: 100_00 }))
    vi.setSystemTime(dayOf(2) - 1000)
    const token = await anotherSession(noon)
    const words = [`{"strategy":"${of}",`, '"amount":"50"}']
    const slowly = new ReadableStream({
      pull(controller) {
        const word = words.shift()
        if (word === undefined) return controller.close()
        if (words.length === 0) vi.setSystemTime(dayOf(2) + 30_000)
        controller.enqueue(new TextEncoder().encode(word))
      },
    })
    const headers = { 'Content-Type': 'application/json' }
    const { status, body } = await call<Filed>('POST', '/allocations', {
      token,
      raw: slowly,
      headers,
    })
    expect([status, body.pricedAt]).toEqual([201, new Date(dayOf(3)).toISOString()])
  })
})

describe('a position', () => {
  test('a position has units, cost, value and return, until the last unit is redeemed', async () => {
    const of = await newStrategy()
    const investor = await newInvestor({ availableCents: 1000_00 })
    await withOthers(of)
    let ana = await onDay(1, investor)
    const { body } = await allocate(ana, 101, of)
    expect(body.pricedAt).toBe(new Date(dayOf(2)).toISOString())
    await settleDay(of, 2, 100)
    ana = await onDay(2, investor)
    const [bought] = await positions(ana)
    expect(bought).toMatchObject({
      units: 1,
      cost: 101,
      value: 100,
      profit: -1,
      pendingIn: 0,
      unitPrice: 100,
    })
    const id = bought?._id ?? ''
    expect(await cancel(ana, id)).toMatchObject({ status: 409, body: { code: 'already_decided' } })

    await closeDay(of, 2, 110)
    ana = await onDay(3, investor)
    // Existing investors may add less than the minimum.
    expect((await allocate(ana, 1.1, of)).status).toBe(201)
    expect(await redeem(ana, id, '60')).toMatchObject({ status: 201 })
    expect(await redeem(ana, id, '50.01')).toMatchObject({
      status: 422,
      body: { code: 'insufficient_funds', msg: expect.stringContaining('$50.00') },
    })
    expect(await positions(ana)).toMatchObject([{ value: 110, profit: 9, pendingIn: 1.1, pendingOut: 60 }])

    await settleDay(of, 4, 110, 0)
    ana = await onDay(4, investor)
    const detail = await call<PositionDetail>('GET', `/allocations/${body._id}`, { token: ana.token })
    expect(detail.body).toMatchObject({
      _id: id,
      strategy: of,
      pendingIn: 0,
      pendingOut: 0,
      value: 51.09,
      fees: 0,
    })
    expect(detail.body.history).toEqual([
      { day: dayName(2), unitPrice: 110, units: 1, value: 110, putIn: 101 },
    ])
    expect(detail.body).toMatchObject({ putIn: 102.1, takenOut: 60, from: dayName(2), to: null })
    expect(detail.body.twr).toBeCloseTo(110 / 101 - 1, 5)
    expect(detail.body.xirr).toBeNull()
    expect(
      detail.body.orders.map(({ kind, settled }) => [kind, settled?.amount, settled?.unitPrice]),
    ).toEqual([
      ['redeem', 60, 110],
      ['allocate', 1.1, 110],
      ['allocate', 101, 101],
    ])

    await suspend(of)
    expect(await redeem(ana, id, 'all')).toMatchObject({
      status: 201,
      body: { ref: expect.stringMatching(/^RDM-/) },
    })
    expect(await redeem(ana, id, 'all')).toMatchObject({ status: 422, body: { code: 'insufficient_funds' } })
    expect(await positions(ana)).toMatchObject([{ pendingOut: 51.09 }])
    await settleDay(of, 5, 50, 0)
    ana = await onDay(5, investor)
    const { body: left } = await call<PositionDetail>('GET', `/allocations/${id}`, { token: ana.token })
    expect(left).toMatchObject({ units: 0, value: 0, cost: 0, highWater: null })
    expect(left).toMatchObject({ from: dayName(2), to: dayName(5) })
    expect(left.realised).toBeLessThan(0)
    expect(left.realised).toBeCloseTo((left.takenOut ?? 0) - (left.putIn ?? 0), 6)
    // It stays listed, so that the gains and losses of the list add up to the profit.
    const { orders: _, history, ...row } = left
    expect(await positions(ana)).toEqual([row])
    expect(history.map(({ day }) => day)).toEqual([dayName(2)])
    const books = await booksOf(ana.id)
    expect(books.available).toBe(1000_00 + Math.round(left.realised * 100))
  })

  test('a redemption needs units and a valid amount', async () => {
    const ana = await newInvestor({ availableCents: 200_00 })
    const { body } = await allocate(ana, 101)
    expect(await redeem(ana, body._id, 'all')).toMatchObject({
      status: 422,
      body: { code: 'insufficient_funds' },
    })
    for (const amount of ['', 'ALL', -1, 0, null, '1.001', ['all'], {}])
      expect(await redeem(ana, body._id, amount)).toMatchObject({ body: { code: 'validation_failed' } })
    for (const id of ['x', "' OR 1=1", `${strategy}.00000000000000000000`, 'é'])
      expect((await redeem(ana, encodeURIComponent(id), 'all')).status).toBe(404)
  })

  test('lists its orders by kind, status and time', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    await cancel(ana, (await allocate(ana, 10)).body._id)
    await allocate(ana, 20)
    const amountsOf = async (query: string) =>
      (await call<UnitOrder[]>('GET', `/allocations/orders?${query}`, { token: ana.token })).body.map(
        ({ amount }) => amount,
      )
    expect(await amountsOf('kind=allocate')).toEqual([20, 10])
    expect(await amountsOf('kind=redeem')).toEqual([])
    expect(await amountsOf('status=cancelled')).toEqual([10])
    expect(await amountsOf('kind=&status=pending&from=2020-01-01')).toEqual([20])
    expect(await amountsOf('to=2020-01-01')).toEqual([])
    expect((await call('GET', '/allocations/orders?kind=deposit', { token: ana.token })).status).toBe(422)
  })

  test('is read in one round trip, with as many rows after many orders as after few', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const { body } = await allocate(ana, 10)
    const paths = [
      '/allocations',
      '/allocations/orders?limit=2',
      `/allocations/${body._id}`,
      '/strategies',
      `/strategies/${strategy}`,
    ]
    const few = await Promise.all(paths.map((path) => cost('GET', path, { token: ana.token })))
    for (let n = 0; n < 12; n++) await cancel(ana, (await allocate(ana, 10)).body._id)
    for (const [n, path] of paths.entries()) {
      const { counted } = await cost('GET', path, { token: ana.token })
      expect([path, counted.trips <= 2]).toEqual([path, true])
      // A position's page has at most twenty orders.
      expect(counted.rowsRead).toBeLessThanOrEqual((few[n]?.counted.rowsRead ?? 0) + 60)
    }
  })
})
