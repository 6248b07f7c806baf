import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { OperatorDeposit } from '../../src/contract/console/deposits.ts'
import type { OperatorWithdrawal } from '../../src/contract/console/withdrawals.ts'
import { newTxid, txid } from '../../test/support/ledger/txid.ts'
import { booksOf } from '../../test/support/money.ts'
import {
  approveDeposit,
  approveIdentity,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  statuses,
  withdrawal,
} from '../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../test/support/people.ts'
import { acceptEveryRisk } from '../../test/support/settings.ts'

// Attempts of one dishonest operator, over HTTP and with hand-written SQL: credit and pay accomplices, split, race.

const SECOND = { status: 403, body: { code: 'second_operator_required' } }
const HOUR_MS = 3_600_000

beforeAll(acceptEveryRisk)

test('one operator who credits three accomplices pays none of them alone, and another operator can', async () => {
  const thief = await newOperator()
  const colleague = await newOperator()
  const payouts: { ana: Person; id: string }[] = []
  for (let n = 0; n < 3; n++) {
    const ana = await newInvestor()
    expect((await approveDeposit(thief, await deposit(ana, '5000'))).status).toBe(200)
    payouts.push({ ana, id: await withdrawal(ana, '5000') })
  }
  for (const { ana, id } of payouts) {
    expect((await approveWithdrawal(thief, id)).status).toBe(200)
    const shown = await as<OperatorWithdrawal>(thief, 'GET', `/operator/withdrawals/${id}`)
    expect(shown.body.alone).toMatchObject({ needsTwo: true, reasons: ['credited'] })
    expect(shown.body.steps.at(-1)).toMatchObject({ step: 'approved', by: { _id: thief.id } })
    expect(await completeWithdrawal(thief, id)).toMatchObject(SECOND)
    await expect(payBySql(id, ana, thief, 500_000)).rejects.toThrow('second_operator_required')
    expect(await booksOf(ana.id)).toMatchObject({ held: 500_000, withdrawals: 0 })
  }
  for (const { id } of payouts) expect((await completeWithdrawal(colleague, id)).status).toBe(200)
})

test('one of two operators who credited an investor does not pay that investor alone', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const ana = await newInvestor()
  const credited = await deposit(ana, '8000')
  const fields = { reference: newTxid() }
  expect((await approveDeposit(first, credited, fields)).status).toBe(202)
  expect((await approveDeposit(second, credited, fields)).status).toBe(200)
  for (const by of [first, second]) {
    const id = await withdrawal(ana, '100')
    await approveWithdrawal(by, id)
    expect(await completeWithdrawal(by, id)).toMatchObject(SECOND)
  }
})

test('the operator who approved the identity does not pay that investor alone', async () => {
  const reviewer = await newOperator()
  const ana = await newInvestor({ kyc: 'pending', availableCents: 1000_00 })
  await identify(reviewer, ana)
  const id = await withdrawal(ana, '100')
  await approveWithdrawal(reviewer, id)
  const { body } = await as<OperatorWithdrawal>(reviewer, 'GET', `/operator/withdrawals/${id}`)
  expect(body.alone).toMatchObject({ needsTwo: true, reasons: ['identified'] })
  expect(await completeWithdrawal(reviewer, id)).toMatchObject(SECOND)
  await expect(payBySql(id, ana, reviewer, 100_00)).rejects.toThrow('second_operator_required')
  expect((await completeWithdrawal(await newOperator(), id)).status).toBe(200)
})

test('if one operator credited and the other identified an investor, they pay together', async () => {
  const [creditor, reviewer] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ kyc: 'pending' })
  await identify(reviewer, ana)
  await approveDeposit(creditor, await deposit(ana, '1000'))
  for (const [approver, payer] of [
    [creditor, reviewer],
    [reviewer, creditor],
  ] as const) {
    const id = await withdrawal(ana, '100')
    await approveWithdrawal(approver, id)
    expect(await completeWithdrawal(approver, id)).toMatchObject(SECOND)
    expect((await completeWithdrawal(payer, id)).status).toBe(200)
  }
})

test('one operator credits five accomplices 5,000 each, and the sixth only with a colleague', async () => {
  const thief = await newOperator()
  for (let n = 0; n < 5; n++)
    expect((await approveDeposit(thief, await deposit(await newInvestor(), '5000'))).status).toBe(200)
  const sixth = await newInvestor()
  const id = await deposit(sixth, '5000')
  const shown = await as<OperatorDeposit>(thief, 'GET', `/operator/deposits/${id}`)
  expect(shown.body.alone).toMatchObject({
    day: { limit: 25_000, used: 25_000 },
    needsTwo: true,
    reasons: ['daily_ceiling'],
  })
  await expect(creditBySql(id, sixth, thief, { amount: 500_000 })).rejects.toThrow('second_operator_required')
  // Dated ahead it counts now, and dated back not before it was filed.
  for (const hours of [-100, -26, 26, 1000]) {
    const at = Date.now() + hours * HOUR_MS
    const forged = creditBySql(id, sixth, thief, { amount: 500_000, at })
    await expect(forged).rejects.toThrow('second_operator_required')
  }
  const fields = { reference: newTxid() }
  expect((await approveDeposit(thief, id, fields)).status).toBe(202)
  // Not even a cent for a seventh.
  expect((await approveDeposit(thief, await deposit(await newInvestor(), '0.01'))).status).toBe(202)
  expect(await booksOf(sixth.id)).toMatchObject({ available: 0 })
  expect((await approveDeposit(await newOperator(), id, fields)).status).toBe(200)
  expect(await booksOf(sixth.id)).toMatchObject({ available: 500_000 })
})

test('credits of more than a day ago do not count against the limit for one investor', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  const [yesterday, today] = [await deposit(ana, '5000'), await deposit(ana, '5000')]
  await creditBySql(yesterday, ana, operator, { amount: 500_000, at: Date.now() - 24 * HOUR_MS - 1000 })
  expect((await approveDeposit(operator, today)).status).toBe(200)
})

test('parallel credits do not pass an operator’s ceiling: the excess waits for a colleague', async () => {
  const thief = await newOperator()
  const ids = await Promise.all(Array.from({ length: 9 }, async () => deposit(await newInvestor(), '4000')))
  const replies = await Promise.all(ids.map((id) => approveDeposit(thief, id)))
  expect(statuses(replies)).toEqual({ 200: 6, 202: 3 })
})

test('parallel payouts do not pass an operator’s ceiling, and another operator records the rest', async () => {
  const [thief, colleague] = [await newOperator(), await newOperator()]
  const ids: string[] = []
  for (let n = 0; n < 7; n++) {
    const ana = await newInvestor({ availableCents: 5000_00 })
    const id = await withdrawal(ana, '5000')
    await approveWithdrawal(thief, id)
    ids.push(id)
  }
  const replies = await Promise.all(ids.map((id) => completeWithdrawal(thief, id)))
  expect(statuses(replies)).toEqual({ 200: 5, 403: 2 })
  const left = ids.filter((_, n) => replies[n]?.status === 403)
  for (const id of left) {
    const { body } = await as<OperatorWithdrawal>(thief, 'GET', `/operator/withdrawals/${id}`)
    expect(body.alone?.reasons).toEqual(['daily_ceiling'])
    expect((await completeWithdrawal(colleague, id)).status).toBe(200)
  }
})

test('decisions by two operators do not count against the ceiling of either', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  for (let n = 0; n < 3; n++) {
    const id = await deposit(await newInvestor(), '20000')
    const fields = { reference: newTxid() }
    await approveDeposit(first, id, fields)
    expect((await approveDeposit(second, id, fields)).status).toBe(200)
  }
  for (const by of [first, second])
    expect((await approveDeposit(by, await deposit(await newInvestor(), '5000'))).status).toBe(200)
})

test('the totals behind the ceilings are never lowered, deleted or replaced', async () => {
  const operator = await newOperator()
  await approveDeposit(operator, await deposit(await newInvestor(), '100'))
  const run = (sql: string) => env.DB.prepare(sql).bind(operator.id).run()
  await expect(run('UPDATE decision_totals SET amount = 0 WHERE operator = ?')).rejects.toThrow(
    'total only increases',
  )
  await expect(run('UPDATE decision_totals SET hour = 0 WHERE operator = ?')).rejects.toThrow(
    'total only increases',
  )
  await expect(run('DELETE FROM decision_totals WHERE operator = ?')).rejects.toThrow('never deleted')
  for (const verb of ['INSERT OR REPLACE', 'REPLACE'])
    await expect(
      run(
        `${verb} INTO decision_totals SELECT queue, operator, hour, 0 FROM decision_totals WHERE operator = ?`,
      ),
    ).rejects.toThrow('hour already open')
})

// Bitcoin is at 64,200 USD: 642 USD are 0.01 BTC.
test('a quantity within 2 % of the amount at the market price is credited by one operator, as stated', async () => {
  const operator = await newOperator()
  for (const quantity of ['0.0102', '0.0098']) {
    const id = await deposit(await newInvestor(), '642')
    expect((await approveDeposit(operator, id, { quantity })).body).toMatchObject({
      status: 'approved',
      quantity,
    })
  }
})

test.each(['0.1', '0.001', '0.01020001', '0.00979999'])(
  '642 USD as %s BTC, worth less or more than 2 percent more, take two operators, each of whom states the quantity',
  async (quantity) => {
    const [first, second] = [await newOperator(), await newOperator()]
    const ana = await newInvestor()
    const id = await deposit(ana, '642')
    const reference = newTxid()
    const units = BigInt(Math.round(Number(quantity) * 1e8))
    await expect(creditBySql(id, ana, first, { amount: 642_00, units })).rejects.toThrow(
      'second_operator_required',
    )
    const fields = { reference, quantity, amount: '642' }
    const waiting = await approveDeposit(first, id, fields)
    expect(waiting).toMatchObject({
      status: 202,
      body: { awaiting: 'second_operator', firstApproval: { hasQuantity: true } },
    })
    expect(await approveDeposit(first, id, fields)).toMatchObject(SECOND)
    const silent = await approveDeposit(second, id, { reference, quantity: undefined })
    expect(silent).toMatchObject({ status: 422, body: { fields: { quantity: expect.any(String) } } })
    for (const other of ['0.01', '0.10000001', '0.00100001']) {
      const differs = await approveDeposit(second, id, { reference, quantity: other })
      expect(differs).toMatchObject({ status: 409, body: { code: 'approval_mismatch' } })
    }
    expect(await booksOf(ana.id)).toMatchObject({ available: 0 })
    expect((await approveDeposit(second, id, { reference, quantity: `${quantity}0` })).status).toBe(200)
    expect(await custodyOf(id)).toBe(Number(units))
    expect(await booksOf(ana.id)).toMatchObject({ available: 642_00 })
  },
)

test('a payout by hand says how much to send, books what was sent, and takes two operators beyond 2 percent', async () => {
  const [operator, colleague] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 2000_00 })
  const id = await withdrawal(ana, '642')
  await approveWithdrawal(operator, id)
  const { body } = await as<OperatorWithdrawal>(operator, 'GET', `/operator/withdrawals/${id}`)
  const quantity = Number(body.toSend?.quantity)
  expect(quantity * Number(body.toSend?.rate)).toBeCloseTo(642, 0)
  for (const wrong of ['0', '-1', 'x'])
    expect((await completeWithdrawal(operator, id, { quantity: wrong })).body.fields).toHaveProperty(
      'quantity',
    )
  for (const factor of [0.5, 0.97, 1.03, 10])
    expect(
      await completeWithdrawal(operator, id, { quantity: (quantity * factor).toFixed(6) }),
    ).toMatchObject(SECOND)
  expect(await custodyOf(id)).toBeNull()
  const sent = (quantity * 1.01).toFixed(6)
  expect((await completeWithdrawal(operator, id, { quantity: sent })).status).toBe(200)
  const { results } = await env.DB.prepare('SELECT quantity FROM withdrawal_details WHERE request = ?')
    .bind(id)
    .all<{ quantity: string }>()
  expect(Number(results[0]?.quantity)).toBe(Number(sent))
  expect(Number(await custodyOf(id))).toBeLessThan(0)

  const other = await withdrawal(ana, '642')
  await approveWithdrawal(operator, other)
  const much = { quantity: (quantity * 1.03).toFixed(6) }
  expect((await completeWithdrawal(colleague, other, much)).status).toBe(200)
})

test('SQL cannot credit an unusual quantity by omitting it, stating another, or recording another in custody', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const ana = await newInvestor()
  const id = await deposit(ana, '642')
  const credit = (fields: Partial<SqlCredit>, by = second) =>
    creditBySql(id, ana, by, { amount: 642_00, reference: txid('unusual'), other: first.id, ...fields })
  await approveDeposit(first, id, { reference: txid('unusual'), quantity: '0.1' })
  await expect(credit({ units: null })).rejects.toThrow('credit without quantity')
  await expect(credit({ units: 0n })).rejects.toThrow('credit without quantity')
  await expect(credit({ units: 1_000_000n })).rejects.toThrow('approval_mismatch')
  await expect(credit({ units: 10_000_001n })).rejects.toThrow('approval_mismatch')
  await expect(credit({ units: 10_000_000n, other: null })).rejects.toThrow('second_operator_required')
  await credit({ units: 10_000_000n })
  const entry = env.DB.prepare(
    "INSERT INTO custody_entries (id, asset, quantity, code, ref, at) VALUES (?1, 'bitcoin', 1, 'in', ?2, 1)",
  )
  await expect(entry.bind(`${id}:in`, id).run()).rejects.toThrow('differs from the quantity approved')
})

async function identify(by: Operator, investor: Person): Promise<void> {
  const id = await env.DB.prepare('SELECT id FROM kyc_submissions WHERE user_id = ?')
    .bind(investor.id)
    .first<string>('id')
  expect((await approveIdentity(by, id)).status).toBe(200)
}

async function custodyOf(request: string): Promise<unknown> {
  return env.DB.prepare('SELECT quantity FROM custody_entries WHERE ref = ?').bind(request).first('quantity')
}

function payBySql(id: string, investor: Person, by: Operator, amount: number) {
  return env.DB.prepare(
    `INSERT INTO request_events (request, status, at, actor, investor, amount, reference, reference_key)
     VALUES (?1, 'completed', ?2, ?3, ?4, ?5, ?6, ?6)`,
  )
    .bind(id, Date.now(), by.id, investor.id, amount, txid(id))
    .run()
}

interface SqlCredit {
  readonly amount: number
  readonly at: number
  readonly reference: string
  readonly units: bigint | null
  readonly other: string | null
}

// By the price: of bitcoin, whose smallest unit is 10⁻⁸.
function creditBySql(id: string, investor: Person, by: Operator, fields: Partial<SqlCredit>) {
  const { amount = 1, at = Date.now(), reference = txid(`sql-${id}`), other = null } = fields
  const atRate = Math.floor((amount * 1e8) / 64_200_00)
  const units = fields.units === undefined ? BigInt(atRate) : fields.units
  return env.DB.prepare(
    `INSERT INTO request_events
       (request, status, at, actor, investor, amount, reference, reference_key, second_operator, units, units_at_rate)
     VALUES (?1, 'approved', ?2, ?3, ?4, ?5, ?6, ?6, ?7, CAST(?8 AS INTEGER), ?9)`,
  )
    .bind(id, at, by.id, investor.id, amount, reference, other, units === null ? null : String(units), atRate)
    .run()
}
