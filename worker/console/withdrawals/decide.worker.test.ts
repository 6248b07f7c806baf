import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/contract/console/audit.ts'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { BANK_WITHDRAWAL, GOOD_ADDRESS } from '../../../test/support/filing.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { setPrice } from '../../../test/support/market.ts'
import { booksOf } from '../../../test/support/money.ts'
import {
  approveDeposit,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { acceptEveryRisk, setSetting } from '../../../test/support/settings.ts'

// These withdrawals are smaller than the network's minimum.
beforeAll(async () => {
  await setSetting('minimums', { btc: 0 })
  await acceptEveryRisk()
})

const DECIDED = { status: 409, body: { code: 'already_decided' } }

test('the payment of a withdrawal shows the books of the place that pays, and whether they suffice', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const operator = await newOperator()
  const [coins, bank] = [
    await withdrawal(ana, '600'),
    await withdrawal(ana, '50', '/withdrawals/online-service'),
  ]
  const readPaidFrom = async (id: string) =>
    (await as<OperatorWithdrawal>(operator, 'GET', `/operator/withdrawals/${id}`)).body.paidFrom
  for (const id of [coins, bank]) await approveWithdrawal(operator, id)
  expect(await readPaidFrom(bank)).toMatchObject({ place: 'Bank account', isShort: true })
  const before = await readPaidFrom(coins)
  expect(before).toMatchObject({ place: 'Other wallets on Bitcoin', isShort: true })
  await approveDeposit(operator, await deposit(ana, '4000'), { quantity: '0.0624' })
  const after = await readPaidFrom(coins)
  expect(Number(after?.quantity) - Number(before?.quantity)).toBeCloseTo(0.0624, 8)
  expect(after).toMatchObject({ isShort: false })
  expect((await completeWithdrawal(await newOperator(), coins)).status).toBe(200)
  expect(await readPaidFrom(coins)).toBeUndefined()
})

test('a withdrawal is approved, then paid: its hold becomes a payout and its coins leave custody', async () => {
  const ana = await newInvestor({ availableCents: 2000_00 })
  const operator = await newOperator({ name: 'Olu Bello' })
  const id = await withdrawal(ana, '642')
  const approved = await approveWithdrawal(operator, id)
  expect(approved.status).toBe(200)
  expect(approved.body).toMatchObject({
    _id: id,
    investor: { _id: ana.id, name: ana.name, email: ana.email },
    status: 'approved',
    amount: 642,
    trxType: 'withdrawal',
    type: 'bitcoin',
    network: 'btc',
    address: GOOD_ADDRESS,
    bank: null,
    proof: 'email',
    steps: [{ step: 'filed' }, { step: 'approved', by: { name: 'Olu Bello' } }],
    reference: null,
  })
  expect(approved.body.reasons.length).toBeGreaterThan(0)
  expect(await booksOf(ana.id)).toMatchObject({ available: 1358_00, held: 642_00, withdrawals: 0 })
  expect((await mailTo(ana.email, /was approved/)).text).toContain('$642.00')

  const paid = await completeWithdrawal(operator, id, { reference: `0x${txid('paid')}` })
  expect(paid.status).toBe(200)
  expect(paid.body).toMatchObject({
    status: 'completed',
    reference: txid('paid'),
    steps: [{ step: 'filed' }, { step: 'approved' }, { step: 'paid', by: { name: 'Olu Bello' } }],
  })
  expect((await as(operator, 'GET', `/operator/withdrawals/${id}`)).body).toEqual({
    ...paid.body,
    documentName: null,
    risk: expect.any(Object),
    paidByChain: false,
    payout: null,
  })
  expect(await booksOf(ana.id)).toMatchObject({ available: 1358_00, held: 0, withdrawals: 642_00 })
  expect((await mailTo(ana.email, /was paid/)).text).toContain(txid('paid'))
  const entry = await env.DB.prepare('SELECT asset, quantity, code FROM custody_entries WHERE ref = ?')
    .bind(id)
    .first()
  expect(entry).toEqual({ asset: 'bitcoin', quantity: -1_000_000, code: 'out' })
  const details = await env.DB.prepare('SELECT quantity, rate FROM withdrawal_details WHERE request = ?')
    .bind(id)
    .first()
  expect(details).toEqual({ quantity: '0.01', rate: '64200' })
})

test('a bank withdrawal shows the bank’s details, and leaves custody in dollars', async () => {
  const ana = await newInvestor({ availableCents: 2000_00 })
  const operator = await newOperator()
  const id = await withdrawal(ana, '150.25', '/withdrawals/online-service')
  const { amount: _amount, withdrawalMethod: _method, ...bank } = BANK_WITHDRAWAL
  const row = (await as<OperatorWithdrawal>(operator, 'GET', `/operator/withdrawals/${id}`)).body
  expect(row).toMatchObject({ trxType: 'online-service-withdrawal', type: null, address: null })
  expect(row.bank).toEqual(bank)
  await approveWithdrawal(operator, id)
  expect((await completeWithdrawal(operator, id)).status).toBe(200)
  const entry = await env.DB.prepare('SELECT asset, quantity FROM custody_entries WHERE ref = ?')
    .bind(id)
    .first()
  expect(entry).toEqual({ asset: 'usd', quantity: -150_25 })
})

test('a withdrawal is rejected while it is pending or approved, and its hold returns', async () => {
  const operator = await newOperator()
  for (const approveFirst of [false, true]) {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const id = await withdrawal(ana, '300')
    if (approveFirst) await approveWithdrawal(operator, id)
    const path = `/operator/withdrawals/${id}/reject`
    expect((await as(operator, 'POST', path, {})).body.fields).toEqual({ reason: 'Please give a reason' })
    const reply = await as<OperatorWithdrawal>(operator, 'POST', path, {
      reason: 'We cannot pay to this destination. Please check it and try again.',
    })
    expect(reply).toMatchObject({
      status: 200,
      body: {
        status: 'rejected',
        reason: 'We cannot pay to this destination. Please check it and try again.',
      },
    })
    expect(await booksOf(ana.id)).toMatchObject({ available: 1000_00, held: 0, withdrawals: 0 })
    const logged = (await as<AuditEntry[]>(operator, 'GET', `/operator/audit-log?subject=${id}&limit=1`)).body
    expect(logged).toMatchObject([{ actor: operator.id, action: 'withdrawal.rejected', subject: id }])
    expect((await mailTo(ana.email, /rejected/)).text).toContain(
      'We cannot pay to this destination. Please check it and try again.',
    )
    expect(await as(operator, 'POST', path, { reason: 'Again' })).toMatchObject(DECIDED)
    expect(await approveWithdrawal(operator, id)).toMatchObject(DECIDED)
    expect(await completeWithdrawal(operator, id)).toMatchObject(DECIDED)
  }
})

test('only approved withdrawals are completed, and once', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const operator = await newOperator()
  const id = await withdrawal(ana, '300')
  const early = await completeWithdrawal(operator, id)
  expect(early).toMatchObject(DECIDED)
  expect(early.body.msg).toContain('Approve it')
  await approveWithdrawal(operator, id)
  expect((await approveWithdrawal(operator, id)).status).toBe(409)
  for (const json of [{}, { reference: '' }, { reference: ' 0x ' }]) {
    const reply = await as(operator, 'POST', `/operator/withdrawals/${id}/complete`, json)
    expect([json, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([json, 422, ['reference']])
  }
  expect((await completeWithdrawal(operator, id)).status).toBe(200)
  expect(await completeWithdrawal(operator, id)).toMatchObject(DECIDED)
  expect(await as(operator, 'POST', `/operator/withdrawals/${id}/reject`, { reason: 'No' })).toMatchObject(
    DECIDED,
  )
  expect(await booksOf(ana.id)).toMatchObject({ withdrawals: 300_00, available: 700_00 })
})

test('a reference is used for one payout, and never if it credited a deposit', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const operator = await newOperator()
  await approveDeposit(operator, await deposit(ana, '10'), { reference: txid('coffee').toUpperCase() })
  const path = '/withdrawals/online-service'
  const [coin, ...banks] = [
    await withdrawal(ana, '10'),
    await withdrawal(ana, '10', path),
    await withdrawal(ana, '10', path),
  ]
  for (const id of [coin, ...banks]) await approveWithdrawal(operator, id)
  const [one = '', two = ''] = banks
  const used = { status: 409, body: { code: 'reference_used' } }
  for (const reference of [txid('coffee'), `0X${txid('coffee')}`, `${txid('coffee')}:0`])
    expect([reference, await completeWithdrawal(operator, coin, { reference })]).toMatchObject([
      reference,
      used,
    ])
  expect(await completeWithdrawal(operator, one, { reference: txid('coffee') })).toMatchObject(used)
  // The operator who credited the investor does not pay alone.
  const other = await newOperator()
  const paid = await completeWithdrawal(other, one, { reference: ' Bank\u200b  1 ' })
  expect(paid).toMatchObject({ status: 200, body: { reference: 'BANK 1' } })
  for (const reference of ['bank1', 'BANK-1.', 'ｂａｎｋ １', 'ba\u00adnk\u00a01'])
    expect([reference, await completeWithdrawal(other, two, { reference })]).toMatchObject([reference, used])
  for (const reference of ['BANK ١', 'ВANK 1', 'bank;1', 'https://bank.example/1', '…', 'x'.repeat(141)]) {
    const wrong = await completeWithdrawal(other, two, { reference })
    expect([reference, wrong.status, Object.keys(wrong.body.fields ?? {})]).toEqual([
      reference,
      422,
      ['reference'],
    ])
  }
})

test('above the limit, another operator must complete', async () => {
  const ana = await newInvestor({ availableCents: 20_000_00 })
  const [first, second] = [await newOperator({ name: 'First' }), await newOperator({ name: 'Second' })]
  const id = await withdrawal(ana, '5000.01')
  await approveWithdrawal(first, id)
  const alone = await completeWithdrawal(first, id)
  expect(alone).toMatchObject({ status: 403, body: { code: 'second_operator_required' } })
  expect(await booksOf(ana.id)).toMatchObject({ held: 5000_01, withdrawals: 0 })
  const paid = await completeWithdrawal(second, id)
  expect(paid).toMatchObject({
    status: 200,
    body: {
      steps: [
        { step: 'filed' },
        { step: 'approved', by: { name: 'First' } },
        { step: 'paid', by: { name: 'Second' } },
      ],
    },
  })
})

test('a used reference is said before a second operator is asked for', async () => {
  const ana = await newInvestor({ availableCents: 20_000_00 })
  const operator = await newOperator()
  await approveDeposit(operator, await deposit(ana, '10'), { reference: txid('taken') })
  const id = await withdrawal(ana, '6000')
  await approveWithdrawal(operator, id)
  const reply = await completeWithdrawal(operator, id, { reference: `0x${txid('taken')}` })
  expect(reply).toMatchObject({ status: 409, body: { code: 'reference_used' } })
})

test('splitting does not avoid the limit: one operator’s payouts add up over a day', async () => {
  const ana = await newInvestor({ availableCents: 20_000_00 })
  const [first, second] = [await newOperator(), await newOperator()]
  const [one, two, three] = [
    await withdrawal(ana, '3000'),
    await withdrawal(ana, '2000'),
    await withdrawal(ana, '0.01'),
  ]
  for (const id of [one, two, three]) await approveWithdrawal(first, id)
  expect((await completeWithdrawal(first, one)).status).toBe(200)
  expect((await completeWithdrawal(first, two)).status).toBe(200)
  expect((await completeWithdrawal(first, three)).status).toBe(403)
  expect((await completeWithdrawal(second, three)).status).toBe(200)
})

test('if the amount is less than the smallest unit of its coin, two operators say what was sent', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const [operator, other] = [await newOperator(), await newOperator()]
  const id = await withdrawal(ana, '0.01')
  // A cent is half a satoshi.
  await setPrice(2_000_000)
  await approveWithdrawal(operator, id)
  await env.DB.exec('DELETE FROM market_snapshots')
  const { body } = await as<OperatorWithdrawal>(operator, 'GET', `/operator/withdrawals/${id}`)
  expect(body).toMatchObject({ toSend: null, alone: { needsTwo: true, reasons: ['no_price'] } })
  const sent = { quantity: '0.00000001' }
  expect(await completeWithdrawal(operator, id, sent)).toMatchObject({ status: 403 })
  expect((await completeWithdrawal(other, id, sent)).status).toBe(200)
})

test('the approval fixes the price of a payout by hand, whatever the market says later', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const operator = await newOperator()
  const id = await withdrawal(ana, '600')
  await setPrice(60_000)
  expect((await approveWithdrawal(operator, id)).status).toBe(200)
  await setPrice(30_000)
  const path = `/operator/withdrawals/${id}`
  const toSend = { quantity: '0.01', rate: '60000' }
  expect((await as(operator, 'GET', path)).body).toMatchObject({ toSend, sent: null })
  // What the amount buys at the lower price is twice as much.
  expect(await completeWithdrawal(operator, id, { quantity: '0.02' })).toMatchObject({
    status: 403,
    body: { code: 'second_operator_required' },
  })
  const paid = await completeWithdrawal(operator, id, { quantity: '0.0102', fee: '0.00002' })
  await env.DB.exec('DELETE FROM market_snapshots')
  expect(paid).toMatchObject({ status: 200, body: { sent: { quantity: '0.0102', fee: '0.00002' } } })
  expect((await as(operator, 'GET', path)).body).toMatchObject({ sent: paid.body.sent })
  const details = await env.DB.prepare('SELECT quantity, rate FROM withdrawal_details WHERE request = ?')
    .bind(id)
    .first()
  expect(details).toEqual({ quantity: '0.0102', rate: '60000' })
  const { results } = await env.DB.prepare(
    'SELECT asset, quantity, code FROM custody_entries WHERE ref = ? ORDER BY seq',
  )
    .bind(id)
    .all()
  expect(results).toEqual([
    { asset: 'bitcoin', quantity: -1_020_000, code: 'out' },
    { asset: 'bitcoin', quantity: -2_000, code: 'network_fee' },
  ])
  const csv = await as<string>(operator, 'GET', `/operator/withdrawals?format=csv&query=${paid.body.ref}`)
  expect(String(csv.body)).toContain(`"${paid.body.reference}",0.0102,0.00002,`)
})

test('a payout of another quantity takes a second operator and a reason, and is marked afterwards', async () => {
  await setPrice(60_000)
  const ana = await newInvestor({ availableCents: 1000_00 })
  const [operator, other] = [await newOperator(), await newOperator()]
  const id = await withdrawal(ana, '600')
  await approveWithdrawal(operator, id)
  const quantity = '0.001'
  expect(await completeWithdrawal(other, id, { quantity, riskReason: undefined })).toMatchObject({
    body: { code: 'reason_required', fields: { riskReason: expect.stringContaining('another quantity') } },
  })
  expect(await completeWithdrawal(operator, id, { quantity })).toMatchObject({
    body: { code: 'second_operator_required' },
  })
  const { body } = await completeWithdrawal(other, id, { quantity })
  const sent = { quantity, fee: null, expected: '0.01' }
  expect(body.sent).toEqual(sent)
  expect((await as<OperatorWithdrawal>(other, 'GET', `/operator/withdrawals/${id}`)).body.sent).toEqual(sent)
  const notes = await as<{ text: string }[]>(other, 'GET', `/operator/investors/${ana.id}/notes`)
  expect(notes.body[0]?.text).toContain(`${body.ref}, another quantity: `)
  const log = await as<AuditEntry[]>(other, 'GET', `/operator/audit-log?subject=${id}&limit=1`)
  expect(JSON.stringify(log.body[0])).toContain('0.01 BTC')
})

test('a payout by hand names a quantity and a fee that can be booked', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const [operator, other] = [await newOperator(), await newOperator()]
  const [coins, bank] = [
    await withdrawal(ana, '600'),
    await withdrawal(ana, '50', '/withdrawals/online-service'),
  ]
  for (const id of [coins, bank]) await approveWithdrawal(operator, id)
  for (const [fields, wrong] of [
    [{ quantity: '0' }, 'quantity'],
    [{ quantity: '0.000000001' }, 'quantity'],
    [{ fee: '-1' }, 'fee'],
    [{ fee: '1e3' }, 'fee'],
    [{ fee: '0.000000001' }, 'fee'],
  ] as const) {
    const reply = await completeWithdrawal(operator, coins, fields)
    expect([fields, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([fields, 422, [wrong]])
  }
  expect(await completeWithdrawal(operator, bank, { fee: '1' })).toMatchObject({ status: 422 })
  expect((await completeWithdrawal(operator, bank, { fee: '0' })).status).toBe(200)
  // A fee of more than 0.001 BTC takes two operators.
  expect(await completeWithdrawal(operator, coins, { fee: '0.00100001' })).toMatchObject({ status: 403 })
  expect((await completeWithdrawal(other, coins, { fee: '0.00100001' })).status).toBe(200)
})

test('without a quantity, the one that the approval fixed is booked', async () => {
  await setPrice(60_000)
  const ana = await newInvestor({ availableCents: 2000_00 })
  const operator = await newOperator()
  const [priced, unpriced] = [await withdrawal(ana, '600'), await withdrawal(ana, '0.01')]
  await approveWithdrawal(operator, priced)
  await setPrice(50_000)
  expect(await completeWithdrawal(operator, priced, { quantity: undefined })).toMatchObject({
    status: 200,
    body: { sent: { quantity: '0.01' } },
  })
  // A cent is half a satoshi.
  await setPrice(2_000_000)
  await approveWithdrawal(operator, unpriced)
  await env.DB.exec('DELETE FROM market_snapshots')
  const reply = await completeWithdrawal(operator, unpriced, { quantity: undefined })
  expect([reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([422, ['quantity']])
})

test('the list holds both kinds, newest first', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const operator = await newOperator()
  const crypto = await withdrawal(ana, '10')
  const bank = await withdrawal(ana, '20', '/withdrawals/online-service')
  const { body } = await as<OperatorWithdrawal[]>(
    operator,
    'GET',
    '/operator/withdrawals?status=pending&limit=2',
  )
  expect(body.map(({ _id, trxType }) => [_id, trxType])).toEqual([
    [bank, 'online-service-withdrawal'],
    [crypto, 'withdrawal'],
  ])
  expect(body[0]).not.toHaveProperty('timeline')
})
