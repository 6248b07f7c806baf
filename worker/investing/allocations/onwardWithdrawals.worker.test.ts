import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Position, UnitOrder } from '../../../src/contract/investing/allocations.ts'
import type { Transaction } from '../../../src/contract/money/transactions.ts'
import { turnOnApp } from '../../../test/support/factors.ts'
import { BANK_WITHDRAWAL, GOOD_ADDRESS, mailedCode, withdraw } from '../../../test/support/filing.ts'
import { type AnyBody, call, type Reply } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { booksOf, creditInvestor } from '../../../test/support/money.ts'
import { approveProposal, propose } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newStrategy, onDay, settleDay, withOthers } from '../../../test/support/pooled.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { openDatabase } from '../../lib/database.ts'
import { requestOnwardWithdrawals } from './onwardWithdrawals.ts'

const TO_WALLET = { type: 'bitcoin', network: 'btc', address: GOOD_ADDRESS }
const { amount: _amount, ...TO_BANK } = BANK_WITHDRAWAL

let strategy: string
let investor: Person
let ana: Person
let id: string

// 100 USD in, at 100 for a unit, on the second day.
beforeEach(async () => {
  strategy = await newStrategy()
  investor = await newInvestor({ availableCents: 150_00 })
  await withOthers(strategy)
  ana = await onDay(1, investor)
  await call('POST', '/allocations', { token: ana.token, json: { strategy, amount: 100 } })
  await settleDay(strategy, 2, 100, 0)
  ana = await onDay(3, investor)
  const [position] = (await call<Position[]>('GET', '/allocations', { token: ana.token })).body
  id = position?._id ?? ''
})
afterEach(() => {
  vi.useRealTimers()
})

const redeem = (json: unknown, key?: string) =>
  call('POST', `/allocations/${id}/redeem`, {
    token: ana.token,
    json,
    ...(key !== undefined && { idempotencyKey: key }),
  })
/** Redeems, with the code from the mail. */
async function confirmed(json: Readonly<Record<string, unknown>>): Promise<Reply<AnyBody>> {
  const asked = await redeem(json)
  expect(asked).toMatchObject({ status: 403, body: { code: 'step_up_required', methods: ['email'] } })
  return redeem({ ...json, code: await mailedCode(ana.email) })
}
const goOn = (nowMs = Date.now()) => requestOnwardWithdrawals(env, openDatabase(env.DB), nowMs)
/** Withdrawals of either kind. */
const history = async () =>
  (await call<Transaction[]>('GET', '/transaction-history', { token: ana.token })).body.filter(
    ({ trxType }) => trxType !== 'deposit',
  )
/** The stored destinations of an investor's proceeds. */
const keptOf = async (person: string) =>
  (
    await env.DB.prepare("SELECT onward FROM unit_orders WHERE investor = ? AND kind = 'redeem'")
      .bind(person)
      .all<{ onward: string | null }>()
  ).results.map(({ onward }) => onward)
const orders = async () => (await call<UnitOrder[]>('GET', '/allocations/orders', { token: ana.token })).body

describe('redeeming and withdrawing in one', () => {
  test('asks for the proof of a withdrawal, and files that once the units are sold, once', async () => {
    const { status, body } = await confirmed({ amount: 'all', thenWithdraw: TO_WALLET })
    expect(status).toBe(201)
    expect((await orders())[0]?.thenWithdraw).toContain(GOOD_ADDRESS)
    // The new destination was confirmed by e-mail, so its owner gets a mail about the delay.
    expect((await mailTo(ana.email, /is delayed until/)).subject).toContain(body.ref)
    await goOn()
    expect(await history()).toEqual([])

    await settleDay(strategy, 4, 120, 0)
    ana = await onDay(4, investor)
    // The destination is still delayed then.
    const early = Date.now() - 3_600_000
    await Promise.all([goOn(early), goOn(early), goOn(early)])
    await goOn()
    expect(await history()).toMatchObject([{ amount: 120, status: 'pending', address: GOOD_ADDRESS }])
    expect(await booksOf(ana.id)).toMatchObject({ available: 50_00, held: 120_00, totalBalance: 170_00 })
    const [order] = await orders()
    expect(order).toMatchObject({ thenWithdraw: null, withdrawal: expect.stringMatching(/^WDR-/) })
    const { text } = await mailTo(ana.email, /^Your redemption/)
    expect(text).toContain(String(order?.withdrawal))
    expect(text).toMatch(/delayed until .+ UTC/)
  })

  test('takes a bank as well, and the proof beside the destination as among the fields', async () => {
    const asked = await redeem({ amount: '40', thenWithdraw: TO_BANK })
    expect(asked.body.code).toBe('step_up_required')
    const code = await mailedCode(ana.email)
    const once = { amount: '40', thenWithdraw: { ...TO_BANK, code } }
    expect(await redeem(once, 'a-key')).toMatchObject({ status: 201 })
    // The proof is not part of the request, so repeating it without proof is the same request.
    expect(
      (await redeem({ amount: '40', thenWithdraw: TO_BANK }, 'a-key')).headers.get('Idempotency-Replayed'),
    ).toBe('true')
    expect((await orders())[0]?.thenWithdraw).toContain('First Harbour Bank')
    expect((await orders())[0]?.thenWithdraw).not.toContain('00112233445566')

    await settleDay(strategy, 4, 120, 0)
    ana = await onDay(4, investor)
    await goOn()
    expect(await history()).toMatchObject([
      {
        amount: 40,
        trxType: 'online-service-withdrawal',
        bankName: 'First Harbour Bank',
        accountNumber: '••••5566',
      },
    ])
    expect(await booksOf(ana.id)).toMatchObject({ available: 50_00, held: 40_00 })
    expect(await keptOf(ana.id)).toEqual([null])
    const mail = await mailTo(ana.email, /^Your redemption/)
    expect(mail.text).toContain('••••5566 at “First Harbour Bank”')
    expect(mail.text).not.toContain('00112233445566')
  })

  test('requires the same bank fields as a withdrawal, in the same order', async () => {
    const alone = await call('POST', '/withdrawals/online-service', { token: ana.token, json: { amount: 5 } })
    const within = await redeem({ amount: '5000', thenWithdraw: { withdrawalMethod: 'bank' } })
    expect(within.body).toMatchObject({ msg: alone.body.msg, code: alone.body.code })
    expect(within.body.fields).toEqual(
      Object.fromEntries(
        Object.entries(alone.body.fields ?? {}).map(([field, msg]) => [`thenWithdraw.${field}`, msg]),
      ),
    )
    // Fields are checked before balances.
    expect(
      await redeem({ amount: '5000', thenWithdraw: { ...TO_WALLET, address: 'nowhere' } }),
    ).toMatchObject({ body: { code: 'validation_failed' } })
  })

  test('cancelling the order deletes its destination', async () => {
    const { body } = await confirmed({ amount: 'all', thenWithdraw: TO_BANK })
    expect((await keptOf(ana.id))[0]).toContain('00112233445566')
    expect(await call('POST', `/allocations/${body._id}/cancel`, { token: ana.token })).toMatchObject({
      status: 200,
    })
    expect(await keptOf(ana.id)).toEqual([null])
    expect((await orders())[0]).toMatchObject({ status: 'cancelled', thenWithdraw: null, stayed: false })
  })

  test('refuses an invalid destination by its field, a wrong code, and an unidentified investor', async () => {
    expect(await redeem({ amount: 'all', thenWithdraw: { ...TO_WALLET, address: 'nowhere' } })).toMatchObject(
      {
        status: 422,
        body: { fields: { 'thenWithdraw.address': expect.any(String) } },
      },
    )
    expect(await redeem({ amount: 'all', thenWithdraw: {} })).toMatchObject({
      status: 422,
      body: { fields: { 'thenWithdraw.address': 'Please provide withdrawal address' } },
    })
    for (const thenWithdraw of ['wallet', 7, [], true, { withdrawalMethod: 'bank' }, { network: { a: 1 } }])
      expect(await redeem({ amount: 'all', thenWithdraw })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed' },
      })
    await redeem({ amount: 'all', thenWithdraw: TO_WALLET })
    expect(await redeem({ amount: 'all', thenWithdraw: TO_WALLET, code: '000000' })).toMatchObject({
      status: 403,
      body: { code: 'invalid_code' },
    })
    await env.DB.prepare("UPDATE users SET kyc_status = 'none' WHERE id = ?").bind(ana.id).run()
    expect(await redeem({ amount: 'all', thenWithdraw: TO_WALLET })).toMatchObject({
      status: 403,
      body: { code: 'kyc_required' },
    })
    expect(await redeem({ amount: 'all' })).toMatchObject({ status: 201 })
  })

  test('is refused while twenty withdrawals are open, and the redemption alone is not', async () => {
    for (let n = 0; n < 20; n++)
      expect(await withdraw(ana, { amount: '1' }, '/withdrawals/online-service')).toMatchObject({
        status: 201,
      })
    expect(await redeem({ amount: 'all', thenWithdraw: TO_WALLET })).toMatchObject({
      status: 409,
      body: { code: 'too_many_open' },
    })
    expect(await redeem({ amount: 'all' })).toMatchObject({ status: 201 })
  })

  test('allows ten wrong codes to an account with a second factor', async () => {
    await turnOnApp(ana)
    await env.DB.exec('DELETE FROM rate_counters')
    const guess = { amount: 'all', thenWithdraw: TO_WALLET, code: 'abcdef' }
    const replies = await Promise.all(Array.from({ length: 11 }, () => redeem(guess)))
    expect(replies.map(({ body }) => body.code).sort()).toEqual([
      ...Array.from({ length: 10 }, () => 'invalid_code'),
      'too_many_requests',
    ])
  })

  test('a code for a small amount never withdraws a large one: everything on the way is confirmed', async () => {
    await call('POST', '/allocations', { token: ana.token, json: { strategy, amount: 50 } })
    const [position] = (await call<Position[]>('GET', '/allocations', { token: ana.token })).body
    expect(position).toMatchObject({ value: 100, pendingIn: 50, valued: 150 })
    expect(await confirmed({ amount: 'all', thenWithdraw: TO_WALLET })).toMatchObject({ status: 201 })
    expect((await mailTo(ana.email, /^Confirm your withdrawal$/)).text).toContain('$150.00')
    await settleDay(strategy, 4, 100, 0)
    ana = await onDay(4, investor)
    await goOn()
    expect(await history()).toMatchObject([{ amount: 150 }])
  })

  test('withdraws what is left if some of the proceeds were spent first', async () => {
    expect(await confirmed({ amount: '60', thenWithdraw: TO_WALLET })).toMatchObject({ status: 201 })
    await settleDay(strategy, 4, 100, 0)
    ana = await onDay(4, investor)
    await call('POST', '/allocations', { token: ana.token, json: { strategy, amount: 80 } })
    await goOn()
    expect(await history()).toMatchObject([{ amount: 30, status: 'pending' }])
    expect(await booksOf(ana.id)).toMatchObject({ available: 0, held: 30_00 })
  })

  test('withdraws only what a debt left of the proceeds, not money that came later', async () => {
    const poor = await newInvestor()
    const credit = await creditInvestor(poor.id, 100_00)
    investor = poor
    ana = await onDay(4, poor)
    await call('POST', '/allocations', { token: ana.token, json: { strategy, amount: 100 } })
    await settleDay(strategy, 5, 100, 0)
    ana = await onDay(5, poor)
    id = (await call<Position[]>('GET', '/allocations', { token: ana.token })).body[0]?._id ?? ''
    await creditInvestor(ana.id, 30_00)
    expect(await confirmed({ amount: 'all', thenWithdraw: TO_WALLET })).toMatchObject({ status: 201 })
    const reversal = { kind: 'reversal', request: credit, reason: 'Called back' }
    const { body } = await propose(await newOperator(), reversal)
    expect(await approveProposal(await newOperator(), body._id)).toMatchObject({ status: 200 })
    expect(await booksOf(ana.id)).toMatchObject({ available: 0, owed: 70_00 })
    await settleDay(strategy, 6, 100, 0)
    await creditInvestor(ana.id, 50_00)
    ana = await onDay(6, poor)
    await goOn()
    expect(await history()).toMatchObject([{ amount: 30, status: 'pending' }])
    expect(await booksOf(ana.id)).toMatchObject({ available: 50_00, held: 30_00, owed: 0 })
  })

  test('leaves the money in the account if the owner is no longer identified', async () => {
    expect(await confirmed({ amount: '60', thenWithdraw: TO_WALLET })).toMatchObject({ status: 201 })
    await settleDay(strategy, 4, 100, 0)
    await env.DB.prepare("UPDATE users SET kyc_status = 'rejected' WHERE id = ?").bind(ana.id).run()
    await goOn()
    expect(await booksOf(ana.id)).toMatchObject({ available: 110_00, held: 0 })
    expect((await orders())[0]).toMatchObject({ withdrawal: null, stayed: true })
  })

  test('leaves the money in the account if it is below the minimum by then', async () => {
    expect(await confirmed({ amount: '60', thenWithdraw: TO_WALLET })).toMatchObject({ status: 201 })
    await settleDay(strategy, 4, 100, 0)
    ana = await onDay(4, investor)
    await setSetting('minimums', { deposit: 0, withdrawal: 60_01 })
    await goOn()
    await setSetting('minimums', { deposit: 0, withdrawal: 0 })
    expect(await booksOf(ana.id)).toMatchObject({ available: 110_00, held: 0 })
    expect((await orders())[0]).toMatchObject({ withdrawal: null, stayed: true })
  })

  test.each([
    ['a wallet', TO_WALLET],
    ['a bank', TO_BANK],
  ])('leaves the money in the account where it can’t be withdrawn to %s, and says so', async (_, to) => {
    expect(await confirmed({ amount: '60', thenWithdraw: to })).toMatchObject({ status: 201 })
    await settleDay(strategy, 4, 100, 0)
    await env.DB.prepare("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?")
      .bind(ana.id)
      .run()
    await goOn()
    await goOn()
    ana = await onDay(4, investor)
    expect(await history()).toEqual([])
    expect(await booksOf(ana.id)).toMatchObject({ available: 110_00, held: 0 })
    expect((await orders())[0]).toMatchObject({
      status: 'settled',
      thenWithdraw: null,
      withdrawal: null,
      stayed: true,
    })
    expect(await keptOf(ana.id)).toEqual([null])
    expect((await mailTo(ana.email, /was not withdrawn$/)).text).toContain('available')
  })
})
