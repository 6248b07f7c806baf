import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import type { OperatorPayment } from '../../../src/contract/console/watchWallets.ts'
import type { Payment } from '../../../src/contract/money/payments.ts'
import type { TransactionDetail } from '../../../src/contract/money/transactions.ts'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { withdraw } from '../../../test/support/filing.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { approveDeposit, approveProposal, as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { callObserved, newWatchWallet, WITH_SERVERS } from '../../../test/support/watchWallets.ts'
import { openDatabase } from '../../lib/database.ts'
import { proposeReversals } from '../follow/undone.ts'
import { creditPayments } from './credit.ts'

const db = openDatabase(env.DB)
const observed = { ...env, ...WITH_SERVERS }
beforeAll(() => newWatchWallet('bitcoin'))

let ana: Person
let address = ''
beforeEach(async () => {
  ana = await newInvestor()
  const { body } = await callObserved<Wallet[]>('GET', '/admin-wallets', { token: ana.token })
  address = body.find(({ network }) => network === 'btc')?.address ?? ''
})
afterEach(async () => {
  await env.DB.prepare("UPDATE payments SET state = 'queued', reason = 'dust' WHERE state = 'final'").run()
})

/** A payment that is final, worth this at $60,000 for one bitcoin. */
async function finalPayment(amountCents: number): Promise<string> {
  const id = crypto.randomUUID()
  const units = Math.ceil((amountCents * 1_000_000) / 60_000)
  const reference = `${id.replaceAll('-', '').repeat(2)}:0`
  const nowMs = Date.now()
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO payments (id, network, reference, address, investor, quantity, units, state, seen_at, needed, checked_at)
       VALUES (?1, 'btc', ?2, ?3, ?4, ?5, CAST(?5 AS INTEGER), 'confirming', ?6, 3, ?6)`,
    ).bind(id, reference, address, ana.id, String(units), nowMs),
    env.DB.prepare(
      `UPDATE payments SET state = 'final', height = 7, block_hash = 'hash', proof = '{}', confirmations = 3, final_at = ?2,
         rate = '60000', amount = ?3, rule = 'price' WHERE id = ?1`,
    ).bind(id, nowMs, amountCents),
  ])
  return id
}

const payment = async (id: string) => {
  const { body } = await callObserved<Payment[]>('GET', '/payments', { token: ana.token })
  return body.find(({ _id }) => _id === id)
}
const available = async () => (await booksOf(ana.id)).available
const credit = () => creditPayments(observed, db, Date.now())
const setState = (id: string, change: string) =>
  env.DB.prepare(`UPDATE payments SET ${change} WHERE id = ?`).bind(id).run()

describe('a final payment', () => {
  test('that nobody announced is credited by the system, with its own deposit, custody and mail', async () => {
    const id = await finalPayment(250_00)
    await credit()
    expect(await available()).toBe(250_00)
    const paid = await payment(id)
    expect(paid).toMatchObject({ state: 'credited', amount: 250, words: 'Credited.' })
    const { body } = await callObserved<TransactionDetail>(
      'GET',
      `/transaction-history/${paid?.deposit?._id}`,
      { token: ana.token },
    )
    expect(body).toMatchObject({
      status: 'approved',
      amount: 250,
      paymentTo: address,
      reference: paid?.reference,
      payment: { _id: id, proof: '{}', rule: 'price', rate: '60000' },
      entries: [{ amount: 250 }],
    })
    const [event] = (
      await env.DB.prepare(
        'SELECT actor, reference, units FROM request_events WHERE request = ? AND status = ?',
      )
        .bind(paid?.deposit?._id, 'approved')
        .all()
    ).results
    expect(event).toEqual({ actor: 'system', reference: paid?.reference, units: 416_667 })
    expect((await mailTo(ana.email, /was credited/)).text).toContain('0.00416667 BTC')
  })

  test('pays the oldest announced deposit to its address', async () => {
    const announce = () =>
      callObserved('POST', '/deposits', {
        token: ana.token,
        form: { type: 'bitcoin', amount: '250.00', paymentTo: address },
      })
    const first = (await announce()).body._id
    const second = (await announce()).body._id
    const [one, other, third] = [
      await finalPayment(250_00),
      await finalPayment(240_00),
      await finalPayment(30_00),
    ]
    await credit()
    expect((await payment(one))?.deposit?._id).toBe(first)
    expect((await payment(other))?.deposit?._id).toBe(second)
    expect([first, second]).not.toContain((await payment(third))?.deposit?._id)
    expect(await available()).toBe(520_00)
  })

  test('is credited once, also by two runs at the same moment', async () => {
    await finalPayment(100_00)
    await Promise.all([credit(), credit(), credit()])
    await credit()
    expect(await available()).toBe(100_00)
  })

  test('to a frozen account waits', async () => {
    const id = await finalPayment(100_00)
    await env.DB.prepare("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?")
      .bind(ana.id)
      .run()
    await credit()
    expect(await payment(id)).toMatchObject({
      state: 'final',
      words: expect.stringContaining('no longer frozen'),
    })
    await env.DB.prepare('UPDATE users SET frozen_at = NULL, frozen_reason = NULL WHERE id = ?')
      .bind(ana.id)
      .run()
    await credit()
    expect(await payment(id)).toMatchObject({ state: 'credited' })
  })
})

describe('a payment above the automatic limit', () => {
  test('waits in one deposit, also after two runs at the same moment', async () => {
    await finalPayment(7_000_00)
    await Promise.all([credit(), credit(), credit()])
    const { results } = await env.DB.prepare(
      "SELECT id FROM requests WHERE investor = ? AND status = 'pending'",
    )
      .bind(ana.id)
      .all()
    expect(results).toHaveLength(1)
  })

  const DAY = 5_000_00

  test('is credited by two operators, whose amount and reference are those of the payment', async () => {
    const id = await finalPayment(DAY + 1)
    await credit()
    expect(await payment(id)).toMatchObject({ state: 'final', words: expect.stringContaining('Two people') })
    expect(await available()).toBe(0)
    const deposit = (await payment(id))?.deposit?._id ?? ''
    const [first, second] = [await newOperator(), await newOperator()]
    const { body } = await as<OperatorDeposit>(first, 'GET', `/operator/deposits/${deposit}`)
    expect(body).toMatchObject({
      isProved: true,
      hasReceipt: false,
      payment: { _id: id, amount: 5000.01 },
      alone: { needsTwo: true },
    })
    expect(await as(first, 'GET', `/operator/deposits/${deposit}/receipt`)).toMatchObject({ status: 404 })
    const typed = { reference: 'f'.repeat(64), amount: '9.00', quantity: '1' }
    expect(await approveDeposit(first, deposit, typed)).toMatchObject({
      status: 202,
      body: { awaiting: 'second_operator' },
    })
    expect(await approveDeposit(first, deposit)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    expect(await approveDeposit(second, deposit, { reference: undefined })).toMatchObject({
      status: 200,
      body: { status: 'approved', amount: 5000.01, reference: (await payment(id))?.reference, rate: 60_000 },
    })
    expect(await payment(id)).toMatchObject({ state: 'credited' })
    expect(await available()).toBe(DAY + 1)
  })

  test('counts what the system credited the same investor in 24 hours', async () => {
    const [one, other] = [await finalPayment(DAY - 100), await finalPayment(200)]
    await credit()
    expect([(await payment(one))?.state, (await payment(other))?.state]).toEqual(['credited', 'final'])
  })

  test('that an operator rejects waits for a person', async () => {
    const id = await finalPayment(DAY + 1)
    await credit()
    const by = await newOperator()
    const deposit = (await payment(id))?.deposit?._id ?? ''
    expect(
      await as(by, 'POST', `/operator/deposits/${deposit}/reject`, { reason: 'Not ours' }),
    ).toMatchObject({ status: 200 })
    expect(await payment(id)).toMatchObject({ state: 'queued', words: expect.stringContaining('rejected') })
    const { body } = await as<OperatorPayment[]>(by, 'GET', '/operator/payments')
    expect(body.find(({ _id }) => _id === id)).toMatchObject({
      reason: 'rejected',
      words: expect.stringContaining('Return'),
    })
  })

  test('cannot be cancelled once it arrived', async () => {
    const id = await finalPayment(DAY + 1)
    await credit()
    const deposit = (await payment(id))?.deposit?._id
    expect(await callObserved('POST', `/deposits/${deposit}/cancel`, { token: ana.token })).toMatchObject({
      status: 409,
      body: { code: 'not_pending' },
    })
  })
})

test('an operator cannot credit an announced deposit whose payment is not proved', async () => {
  const { body } = await callObserved('POST', '/deposits', {
    token: ana.token,
    form: { type: 'bitcoin', amount: '250.00', paymentTo: address },
  })
  expect(await approveDeposit(await newOperator(), body._id)).toMatchObject({
    status: 409,
    body: { code: 'payment_not_proved' },
  })
})

test('money that arrives after a deposit was cancelled is credited all the same', async () => {
  const { body } = await callObserved('POST', '/deposits', {
    token: ana.token,
    form: { type: 'bitcoin', amount: '250.00', paymentTo: address },
  })
  await callObserved('POST', `/deposits/${body._id}/cancel`, { token: ana.token })
  const id = await finalPayment(250_00)
  await credit()
  expect(await payment(id)).toMatchObject({ state: 'credited' })
  expect((await payment(id))?.deposit?._id).not.toBe(body._id)
})

describe('a credited payment that is gone', () => {
  test('freezes its amount until it is back, and its reversal takes one more person', async () => {
    const [one, other] = [await finalPayment(300_00), await finalPayment(100_00)]
    await credit()
    await setState(one, `state = 'undone', undone_at = ${Date.now()}`)
    await proposeReversals(db, Date.now())
    // A hundred is left.
    const get = async <T>(path: string) => (await callObserved<T>('GET', path, { token: ana.token })).body
    expect(await get('/users/user-info?fields=available+undone+totalBalance')).toEqual({
      available: 100,
      undone: 300,
      totalBalance: 400,
    })
    expect(await get('/limits')).toMatchObject({ available: 100 })
    expect(await withdraw(ana, { amount: '150.00' })).toMatchObject({
      status: 409,
      body: { code: 'payment_undone' },
    })
    expect((await withdraw(ana, { amount: '60.00' })).status).toBe(201)
    expect(await payment(one)).toMatchObject({
      state: 'undone',
      words: expect.stringContaining('No longer on its chain'),
    })
    expect((await payment(other))?.state).toBe('credited')
    const [proposal] = (
      await env.DB.prepare(
        "SELECT id, proposed_by FROM proposals WHERE kind = 'reversal' AND status = 'pending' AND request = ?",
      )
        .bind((await payment(one))?.deposit?._id)
        .all<{ id: string; proposed_by: string }>()
    ).results
    expect(proposal?.proposed_by).toBe('system')
    // Prepared once.
    await proposeReversals(db, Date.now())
    const by = await newOperator()
    expect(
      (await as<OperatorPayment[]>(by, 'GET', '/operator/payments')).body.map(({ _id }) => _id),
    ).toContain(one)
    expect(await approveProposal(by, proposal?.id ?? '')).toMatchObject({
      status: 200,
      body: { status: 'approved' },
    })
    expect(await available()).toBe(100_00 - 60_00)
    expect((await withdraw(ana, { amount: '40.00' })).status).toBe(201)
  })

  test('leaves the rest to be withdrawn as a whole, also below the minimum', async () => {
    const [one] = [await finalPayment(300_00), await finalPayment(5_00)]
    await credit()
    await setState(one, `state = 'undone', undone_at = ${Date.now()}`)
    await setSetting('minimums', { withdrawal: 10_00 })
    onTestFinished(() => setSetting('minimums', { withdrawal: 0 }))
    expect(await withdraw(ana, { amount: '4.00' })).toMatchObject({ status: 422 })
    expect((await withdraw(ana, { amount: '5.00' })).status).toBe(201)
  })

  test('counts again once it is back, and its prepared reversal is refused', async () => {
    const id = await finalPayment(300_00)
    await credit()
    await setState(id, `state = 'undone', undone_at = ${Date.now()}`)
    await proposeReversals(db, Date.now())
    await setState(id, "state = 'credited', undone_at = NULL")
    const [proposal] = (
      await env.DB.prepare("SELECT id FROM proposals WHERE status = 'pending' AND request = ?")
        .bind((await payment(id))?.deposit?._id)
        .all<{ id: string }>()
    ).results
    expect(await approveProposal(await newOperator(), proposal?.id ?? '')).toMatchObject({
      status: 409,
      body: { msg: expect.stringContaining('back on its chain') },
    })
    expect((await withdraw(ana, { amount: '300.00' })).status).toBe(201)
  })
})
