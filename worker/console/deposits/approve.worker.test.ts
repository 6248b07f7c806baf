import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import { callWith } from '../../../test/support/app.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { call, send } from '../../../test/support/http.ts'
import { newTxid, txid } from '../../../test/support/ledger/txid.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { setPrice } from '../../../test/support/market.ts'
import { booksOf } from '../../../test/support/money.ts'
import { approveDeposit, as, deposit, statuses } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { newWallet } from '../../../test/support/wallets.ts'
import { withTriggerDropped } from '../../../test/support/withTriggerDropped.ts'

test('an arrived deposit is credited under its transaction id, recorded in custody, mailed and audited', async () => {
  const ana = await newInvestor()
  const operator = await newOperator({ name: 'Olu Bello' })
  const id = await deposit(ana, '642.00')
  const reply = await approveDeposit(operator, id, {
    reference: ` 0x${txid('arrived').toUpperCase()} `,
    note: 'Arrived in full',
  })
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    _id: id,
    investor: { _id: ana.id, name: ana.name, email: ana.email },
    status: 'approved',
    amount: 642,
    asked: 642,
    type: 'bitcoin',
    network: 'btc',
    quantity: '0.01',
    rate: 64200,
    reference: txid('arrived'),
    reason: null,
    steps: [
      { step: 'filed', by: { _id: ana.id } },
      { step: 'credited', by: { name: 'Olu Bello' }, note: 'Arrived in full' },
    ],
  })
  expect(reply.body).not.toHaveProperty('awaiting')
  expect((await as(operator, 'GET', `/operator/deposits/${id}`)).body).toEqual({
    ...reply.body,
    risk: expect.any(Object),
    payment: null,
  })
  expect(await booksOf(ana.id)).toMatchObject({ available: 642_00, deposits: 642_00, pendingDeposits: 0 })
  const custody = await env.DB.prepare('SELECT asset, quantity, code FROM custody_entries WHERE ref = ?')
    .bind(id)
    .all()
  expect(custody.results).toEqual([{ asset: 'bitcoin', quantity: 1_000_000, code: 'in' }])
  expect((await mailTo(ana.email, /credited/)).text).toContain('$642.00')
  const line = await env.DB.prepare(
    "SELECT * FROM audit_log WHERE subject = ? AND action = 'deposit.credited'",
  )
    .bind(id)
    .first()
  expect(line).toMatchObject({ actor: operator.id })
})

test('if less arrived than requested, that amount and quantity are credited', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const id = await deposit(ana, '500')
  const reply = await approveDeposit(operator, id, { amount: '480.25', quantity: '0.00750001' })
  expect(reply.body).toMatchObject({ amount: 480.25, asked: 500, quantity: '0.00750001' })
  expect(await booksOf(ana.id)).toMatchObject({ available: 480_25, deposits: 480_25 })
})

test('a decided deposit cannot be decided again', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const other = await newOperator()
  const id = await deposit(ana, '100')
  await approveDeposit(operator, id)
  for (const by of [operator, other]) {
    expect(await approveDeposit(by, id)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    const rejected = await as(by, 'POST', `/operator/deposits/${id}/reject`, { reason: 'No' })
    expect(rejected).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  }
  expect(await booksOf(ana.id)).toMatchObject({ available: 100_00 })
})

test('a reference credits once, in any spelling and for any deposit', async () => {
  const [ana, ben] = [await newInvestor(), await newInvestor()]
  const operator = await newOperator()
  const id = txid('once')
  const wallet = await newWallet({ network: 'eth' })
  const ether = { type: 'ethereum', paymentTo: wallet.address }
  const first = await approveDeposit(operator, await deposit(ana, '100'), {
    reference: `0x${id.toUpperCase()}`,
  })
  expect(first).toMatchObject({ status: 200, body: { reference: id } })
  const [large, other, elsewhere] = [
    await deposit(ben, '9000'),
    await deposit(ben, '100'),
    await deposit(ben, '100', ether),
  ]
  const wide = id.replaceAll(/[0-9a]/g, (c) => String.fromCodePoint((c.codePointAt(0) ?? 0) + 0xfee0))
  const alike = [id, id.toUpperCase(), ` 0X${id} `, wide, `${id.slice(0, 9)}\u200b${id.slice(9)}\ufeff`]
  for (const reference of [...alike, `\u202e${id}\u00a0`, `${id.slice(0, 30)} ${id.slice(30)}`]) {
    // Above the limit it would only be the first of two approvals, and is refused as well.
    for (const to of [other, large, elsewhere]) {
      const reply = await approveDeposit(operator, to, { reference })
      expect([reference, reply]).toMatchObject([reference, { status: 409, body: { code: 'reference_used' } }])
    }
  }
  const link = `https://mempool.space/tx/${id}`
  const wrong = [
    `${id}.`,
    link,
    id.replace(/\d/, '٣'),
    id.replace('a', 'а'),
    `${id}0`,
    id.slice(1),
    'tx-1',
    `0x0x${id}`,
  ]
  for (const reference of [...wrong, `${id}:x`, `${id}:-1`, `${id}:4294967296`]) {
    const reply = await approveDeposit(operator, other, { reference })
    expect([reference, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([
      reference,
      422,
      ['reference'],
    ])
  }
  expect((await approveDeposit(operator, elsewhere, { reference: `${txid('other')}:0` })).status).toBe(422)
  expect(await booksOf(ben.id)).toMatchObject({ available: 0 })
})

test('the outputs of a Bitcoin transaction are credited once each, and never beside the whole transaction', async () => {
  const [ana, ben] = [await newInvestor(), await newInvestor()]
  const [first, second] = [await newOperator(), await newOperator()]
  const [split, whole] = [txid('split'), txid('whole')]
  const credit = async (reference: string) => approveDeposit(first, await deposit(ben, '10'), { reference })
  const used = { status: 409, body: { code: 'reference_used' } }
  const one = await approveDeposit(first, await deposit(ana, '10'), {
    reference: `0x${split.toUpperCase()}:00`,
  })
  expect(one).toMatchObject({ status: 200, body: { reference: `${split}:0` } })
  expect(await credit(`${split}:1`)).toMatchObject({ status: 200 })
  for (const again of [split, `${split}:0`, `${split}: 01`, `${split.toUpperCase()}：1`])
    expect([again, await credit(again)]).toMatchObject([again, used])
  expect(await credit(whole)).toMatchObject({ status: 200, body: { reference: whole } })
  for (const again of [`${whole}:0`, `${whole}:7`, `0x${whole}`])
    expect([again, await credit(again)]).toMatchObject([again, used])
  const large = await deposit(ben, '9000')
  expect(await approveDeposit(first, large, { reference: `${whole}:2` })).toMatchObject(used)
  // The second operator must name the same payment.
  expect((await approveDeposit(first, large, { reference: `${split}:2` })).status).toBe(202)
  expect(await approveDeposit(second, large, { reference: `${split}:3` })).toMatchObject({
    body: { code: 'approval_mismatch' },
  })
  expect(await approveDeposit(second, large, { reference: split })).toMatchObject(used)
  expect((await approveDeposit(second, large, { reference: `${split}:02` })).status).toBe(200)
  // In parallel, either outputs or the whole transaction are credited.
  for (let round = 0; round < 4; round++) {
    const id = txid(`race ${round}`)
    const requests = [await deposit(ana, '10'), await deposit(ben, '10'), await deposit(ben, '10')]
    const replies = await Promise.all(
      [id, `${id}:0`, `${id}:1`].map((reference, i) =>
        approveDeposit(first, requests[i] ?? '', { reference }),
      ),
    )
    const [all, ...outputs] = replies.map(({ status }) => status)
    expect(all === 200 ? outputs : [all]).not.toContain(200)
  }
})

test('a transaction id is credited on one chain, and the case shows what else its transaction paid', async () => {
  const [ana, ben] = [await newInvestor(), await newInvestor()]
  const [first, second] = [await newOperator(), await newOperator()]
  const id = txid('two chains')
  const wallet = await newWallet({ network: 'usdt-erc20' })
  const tether = { type: 'usdt', paymentTo: wallet.address, network: 'usdt-erc20' }
  const used = { status: 409, body: { code: 'reference_used' } }
  const bitcoin = await deposit(ana, '10')
  expect((await approveDeposit(first, bitcoin, { reference: `${id}:0` })).status).toBe(200)
  expect(
    await approveDeposit(first, await deposit(ben, '10', tether), { reference: `${id}:7` }),
  ).toMatchObject(used)
  // Nor as the first of two approvals.
  expect(
    await approveDeposit(first, await deposit(ben, '9000', tether), { reference: `${id}:7` }),
  ).toMatchObject(used)
  const [one, other] = [await deposit(ben, '10', tether), await deposit(ben, '20', tether)]
  const log = txid('two logs')
  for (const [at, request] of [one, other].entries())
    expect((await approveDeposit(first, request, { reference: `${log}:${at}` })).status).toBe(200)
  const { body } = await as<OperatorDeposit>(second, 'GET', `/operator/deposits/${one}`)
  expect(body.siblings).toEqual([
    {
      reference: `${log}:1`,
      network: 'usdt-erc20',
      request: { _id: other, ref: expect.stringMatching(/^DEP-/), status: 'approved' },
      investor: { _id: ben.id, name: expect.any(String) },
      amount: 20,
    },
  ])
  expect((await as(second, 'GET', `/operator/deposits/${bitcoin}`)).body).not.toHaveProperty('siblings')
})

test('wrong fields are named', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const id = await deposit(ana, '100')
  const path = `/operator/deposits/${id}/approve`
  const wrong: [unknown, string][] = [
    [{}, 'reference'],
    [{ reference: ' ' }, 'reference'],
    [{ reference: '0x' }, 'reference'],
    [{ reference: 7 }, 'reference'],
    [{ reference: txid('a'), amount: 0 }, 'amount'],
    [{ reference: txid('a'), amount: '1.001' }, 'amount'],
    [{ reference: txid('a'), amount: '-5' }, 'amount'],
    [{ reference: txid('a'), quantity: '0' }, 'quantity'],
    [{ reference: txid('a'), quantity: '1e3' }, 'quantity'],
    [{ reference: txid('a'), quantity: '0.000000001' }, 'quantity'],
    [{ reference: txid('a'), quantity: '999999999999999' }, 'quantity'],
    [{ reference: txid('a'), note: 'x'.repeat(501) }, 'note'],
  ]
  for (const [json, field] of wrong) {
    const reply = await as(operator, 'POST', path, json)
    expect([json, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([json, 422, [field]])
  }
  expect((await as(operator, 'GET', `/operator/deposits/${id}`)).body).toMatchObject({ status: 'pending' })
})

test('without a quantity, what was announced counts at its own price, and is worth the lower of the prices', async () => {
  const [ana, operator, other] = [await newInvestor(), await newOperator(), await newOperator()]
  const approve = (by: Operator, id: string, amount?: string) =>
    as(by, 'POST', `/operator/deposits/${id}/approve`, {
      ...{ reference: txid(id), amount },
      riskReason: 'Called back, all is in order',
    })
  await setPrice(60_000)
  const [same, fallen, typed] = [
    await deposit(ana, '600'),
    await deposit(ana, '600'),
    await deposit(ana, '600'),
  ]
  const credited = (amount: number) => ({
    status: 200,
    body: { status: 'approved', amount, quantity: '0.01' },
  })
  expect(await approve(operator, same)).toMatchObject(credited(600))
  await setPrice(54_000)
  expect(await approve(operator, fallen)).toMatchObject(credited(540))
  // The announced amount is more than the quantity is worth now.
  expect((await approve(operator, typed, '600')).status).toBe(202)
  expect(await approve(other, typed, '600')).toMatchObject(credited(600))
  await setPrice(60_000, Date.now() - 2 * 3_600_000)
  const unpriced = await approve(operator, await deposit(ana, '600'))
  expect([unpriced.status, Object.keys(unpriced.body.fields ?? {})]).toEqual([422, ['quantity']])
  await env.DB.exec('DELETE FROM market_snapshots')
})

test('above the limit one operator approves first, and only another one credits', async () => {
  const ana = await newInvestor()
  const first = await newOperator({ name: 'First Eyes' })
  const second = await newOperator({ name: 'Second Eyes' })
  // The same receipt again makes the risk high.
  const image = newPicture()
  await fileDeposit(ana, { image })
  const { _id: id } = (await fileDeposit(ana, { image, amount: '5000.01' })).body
  const reference = newTxid()
  const waiting = await approveDeposit(first, id, { reference, quantity: '0.078', note: 'Seen' })
  expect(waiting.status).toBe(202)
  expect(waiting.body).toMatchObject({
    _id: id,
    status: 'pending',
    amount: 5000.01,
    awaiting: 'second_operator',
    firstApproval: { by: 'First Eyes', reference, amount: 5000.01, hasQuantity: true },
  })
  expect((await as(second, 'GET', `/operator/deposits/${id}`)).body).toEqual({
    ...waiting.body,
    // The second approval is due sooner.
    dueAt: expect.any(String),
    risk: expect.any(Object),
    payment: null,
    alone: expect.objectContaining({ limit: 5000, used: 0, needsTwo: true, reasons: ['risk', 'limit'] }),
    creditPrice: 64_200,
  })
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, pendingDeposits: 5250_01 })

  const again = await approveDeposit(first, id, { reference })
  expect(again).toMatchObject({ status: 403, body: { code: 'second_operator_required' } })
  const wrong = (name: string) => `The first operator approved a different ${name}.`
  for (const [different, fields] of [
    [{ quantity: '0.078' }, { reference: wrong('transaction id') }],
    [{ reference, amount: '5000', quantity: '0.078' }, { amount: wrong('amount') }],
    [{ reference, quantity: '0.0781' }, { quantity: wrong('quantity') }],
  ] as const) {
    const { status, body } = await approveDeposit(second, id, different)
    expect([status, body]).toEqual([
      409,
      { code: 'approval_mismatch', msg: Object.values(fields)[0], fields },
    ])
  }
  expect(
    await env.DB.prepare(
      "SELECT count(*) AS n FROM audit_log WHERE action = 'deposit.approval_mismatched' AND subject = ? AND actor = ?",
    )
      .bind(id, second.id)
      .first<number>('n'),
  ).toBe(3)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0 })

  const credited = await approveDeposit(second, id, {
    quantity: '0.078',
    reference: ` 0x${reference.toUpperCase()}`,
  })
  expect(credited.status).toBe(200)
  expect(credited.body).toMatchObject({ status: 'approved', quantity: '0.078' })
  expect((await as(second, 'GET', `/operator/deposits/${id}`)).body).toMatchObject({
    steps: [
      { step: 'filed' },
      { step: 'accepted', by: { _id: first.id } },
      { step: 'proposed', by: { _id: first.id, name: first.name } },
      { step: 'accepted', by: { _id: second.id } },
      { step: 'credited', by: { _id: second.id, name: 'Second Eyes' } },
    ],
  })
  const file = await (await send('GET', '/operator/deposits?format=csv', { token: second.token })).text()
  expect(file).toMatch(
    new RegExp(
      `Proposed by ${first.name} [-\\d]+T[^;]+Z; High risk accepted by Second Eyes [^;]+; Credited by Second Eyes [-\\d]+T`,
    ),
  )
  expect(credited.body).not.toHaveProperty('firstApproval')
  expect(await booksOf(ana.id)).toMatchObject({ available: 5000_01 })
})

test('two approvals at the same moment are a first and a second one', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  for (let round = 1; round <= 4; round++) {
    const [id, fields] = [await deposit(ana, '6000'), { reference: newTxid() }]
    const replies = await Promise.all([first, second].map((by) => approveDeposit(by, id, fields)))
    expect(statuses(replies)).toEqual({ 200: 1, 202: 1 })
    expect(await booksOf(ana.id)).toMatchObject({ available: round * 6000_00 })
  }
})

test('a decision that another one overtakes is decided again: as a second approval, or as a first one', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  // More than requested takes two.
  const [id, fields] = [
    await deposit(ana, '100'),
    { reference: newTxid(), amount: '100.01', quantity: '0.00155779' },
  ]
  const credited = await approveOvertaken(second, id, fields, async () => {
    expect((await approveDeposit(first, id, fields)).status).toBe(202)
  })
  expect(credited).toBe(200)
  const [one, two] = [await deposit(ana, '3000'), await deposit(ana, '3000')]
  const waiting = await approveOvertaken(
    first,
    one,
    { reference: newTxid(), quantity: '0.04672897' },
    async () => {
      expect((await approveDeposit(first, two)).status).toBe(200)
    },
  )
  expect(waiting).toBe(202)
})

/** Approves a deposit, with something else between reading and writing. Returns the status. */
async function approveOvertaken(
  { token }: Operator,
  id: string,
  json: object,
  meanwhile: () => Promise<void>,
): Promise<number> {
  let batches = 0
  const DB = {
    prepare: (statement: string) => env.DB.prepare(statement),
    batch: async (statements: D1PreparedStatement[]) => {
      if (++batches === 2) await meanwhile()
      return env.DB.batch(statements)
    },
    withSession: () => DB,
  } as unknown as D1Database
  return (
    await callWith({ DB }, 'POST', `/operator/deposits/${id}/approve`, {
      token,
      json: { riskReason: 'Called back, all is in order', ...json },
    })
  ).status
}

test('crediting more than requested takes two operators, for any amount', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await deposit(ana, '100')
  const fields = { reference: newTxid(), amount: '100.01' }
  expect((await approveDeposit(first, id, fields)).status).toBe(202)
  expect((await approveDeposit(second, id, fields)).status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({ available: 100_01 })
})

test('splitting does not avoid the limit: one operator’s credits to one investor add up over a day', async () => {
  const ana = await newInvestor()
  const ben = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  expect((await approveDeposit(first, await deposit(ana, '3000'))).status).toBe(200)
  expect((await approveDeposit(first, await deposit(ana, '2000'))).status).toBe(200)
  const third = await deposit(ana, '0.01')
  expect((await approveDeposit(first, third)).status).toBe(202)
  // Another investor's and another operator's credits count separately.
  expect((await approveDeposit(first, await deposit(ben, '5000'))).status).toBe(200)
  expect((await approveDeposit(second, await deposit(ana, '5000'))).status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({ available: 10_000_00 })
})

test('credits by two operators do not count against either’s own limit', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await deposit(ana, '20000')
  const fields = { reference: newTxid() }
  await approveDeposit(first, id, fields)
  expect((await approveDeposit(second, id, fields)).status).toBe(200)
  expect((await approveDeposit(second, await deposit(ana, '5000'))).status).toBe(200)
  expect((await approveDeposit(first, await deposit(ana, '5000'))).status).toBe(200)
})

test('a first approval can still be rejected, and a reference it named is free again', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await deposit(ana, '6000')
  const reference = newTxid()
  await approveDeposit(first, id, { reference })
  const rejected = await as(second, 'POST', `/operator/deposits/${id}/reject`, {
    reason: 'The payment has not arrived.',
  })
  expect(rejected).toMatchObject({
    status: 200,
    body: { status: 'rejected', reason: 'The payment has not arrived.' },
  })
  expect(rejected.body).not.toHaveProperty('awaiting')
  expect((await approveDeposit(second, id, { reference })).status).toBe(409)
  expect((await approveDeposit(first, await deposit(ana, '100'), { reference })).status).toBe(200)
})

test('a coin of another kind is counted in its own units', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const wallet = await newWallet({ network: 'eth' })
  const id = await deposit(ana, '315', { type: 'ethereum', paymentTo: wallet.address })
  expect((await approveDeposit(operator, id)).body).toMatchObject({
    type: 'ethereum',
    quantity: '0.1',
    rate: 3150,
  })
  const entry = await env.DB.prepare('SELECT asset, quantity FROM custody_entries WHERE ref = ?')
    .bind(id)
    .first()
  expect(entry).toEqual({ asset: 'ethereum', quantity: 100_000_000 })
})

test('the same key credits once and answers the same', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const id = await deposit(ana, '100')
  const path = `/operator/deposits/${id}/approve`
  const json = { riskReason: 'Called back, all is in order', reference: newTxid(), quantity: '0.00155763' }
  const options = { token: operator.token, json, idempotencyKey: 'credit-once' }
  const first = await call('POST', path, options)
  const second = await call('POST', path, options)
  expect(second.headers.get('Idempotency-Replayed')).toBe('true')
  expect(second.body).toEqual(first.body)
  expect(await booksOf(ana.id)).toMatchObject({ available: 100_00 })
})

test('a quantity is refused if custody of the coin could no longer be counted exactly', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const wallet = await newWallet({ network: 'eth' })
  const id = await deposit(ana, '315', { type: 'ethereum', paymentTo: wallet.address })
  const setCustody = (units: string) =>
    withTriggerDropped(env.DB, 'custody_balances_follow', () =>
      env.DB.prepare(`UPDATE custody_balances SET balance = ${units} WHERE asset = 'ethereum'`).run(),
    )
  const balance = await env.DB.prepare("SELECT balance FROM custody_balances WHERE asset = 'ethereum'").first(
    'balance',
  )
  // A deposit of 0.1 ether is 100,000,000 units.
  await setCustody(String(2n ** 62n - 100_000_000n + 1n))
  expect(await approveDeposit(operator, id)).toMatchObject({
    status: 422,
    body: { fields: { quantity: expect.any(String) } },
  })
  await setCustody(String(balance))
  expect(await approveDeposit(operator, id)).toMatchObject({ status: 200 })
})

test('a message reaches the investor, and an internal note reaches only operators', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  const id = await deposit(ana, '100')
  const reference = txid('with notes')
  const credited = await approveDeposit(operator, id, {
    reference,
    note: 'It arrived in full',
    internalNote: 'Checked with the exchange',
  })
  expect(credited.status).toBe(200)
  const seen = await as(ana, 'GET', `/transaction-history/${id}`)
  expect(JSON.stringify(seen.body)).toContain('It arrived in full')
  for (const path of [`/transaction-history/${id}`, '/users/user-info', '/users/activity'])
    expect(JSON.stringify((await as(ana, 'GET', path)).body)).not.toContain('Checked with the exchange')
  for (const mail of await mailsTo(ana.email)) expect(mail.text).not.toContain('Checked with the exchange')
  const notes = await as(operator, 'GET', `/operator/investors/${ana.id}/notes`)
  expect(JSON.stringify(notes.body)).toContain('Checked with the exchange')
})

describe('neither side chooses the price by choosing the time', () => {
  test.each([
    ['after the price rose, the price at the announcement counts', 60_000, 80_000],
    ['after it fell, the price now counts', 80_000, 60_000],
  ])('%s', async (_name, announced, now) => {
    const ana = await newInvestor()
    const [first, second] = [await newOperator(), await newOperator()]
    await setPrice(announced)
    const [id, other] = [await deposit(ana, '1000'), await deposit(ana, '1000')]
    await setPrice(now)
    const { body } = await as<OperatorDeposit>(first, 'GET', `/operator/deposits/${id}`)
    expect(body.creditPrice).toBe(60_000)
    // 0.0125 BTC are 750 USD at the lower price and 1,000 USD at the higher one.
    const fields = { reference: newTxid(), quantity: '0.0125', amount: '750.02' }
    expect((await approveDeposit(first, id, fields)).status).toBe(202)
    expect((await approveDeposit(second, id, fields)).status).toBe(200)
    const alone = await approveDeposit(first, other, { quantity: '0.0125', amount: undefined })
    expect(alone).toMatchObject({ status: 200, body: { amount: 750, quantity: '0.0125', rate: 60_000 } })
    // Nor with SQL.
    await setPrice(announced)
    const third = await deposit(ana, '1000')
    await setPrice(now)
    const rate = announced === 60_000 ? 80_000 : 60_000
    const atRate = Math.floor(1000e8 / rate)
    const credit = env.DB.prepare(
      `INSERT INTO request_events (request, status, at, actor, investor, amount, reference, reference_key, units, units_at_rate)
       VALUES (?1, 'approved', ?2, ?3, ?4, 100000, ?5, ?5, 1250000, ?6)`,
    ).bind(third, Date.now(), first.id, ana.id, newTxid(), atRate)
    await expect(credit.run()).rejects.toThrow(
      announced === 60_000 ? 'credit above the lower price' : 'second_operator_required',
    )
    await env.DB.exec('DELETE FROM market_snapshots')
  })

  test('a deposit announced without a price takes two operators', async () => {
    const ana = await newInvestor()
    const [first, second] = [await newOperator(), await newOperator()]
    await setPrice(60_000, Date.now() - 2 * 3_600_000)
    const id = await deposit(ana, '600')
    await setPrice(60_000)
    const fields = { reference: newTxid(), quantity: '0.01', amount: '600' }
    expect((await approveDeposit(first, id, fields)).status).toBe(202)
    expect((await approveDeposit(second, id, fields)).status).toBe(200)
    await env.DB.exec('DELETE FROM market_snapshots')
  })
})
