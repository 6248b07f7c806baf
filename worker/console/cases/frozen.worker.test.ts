import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { txid } from '../../../test/support/ledger/txid.ts'
import { booksOf } from '../../../test/support/money.ts'
import {
  approveDeposit,
  approveProposal,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'

const freeze = (by: Person, { id }: Person) =>
  as(by, 'POST', `/operator/investors/${id}/freeze`, { reason: 'A complaint' })
const unfreeze = (by: Person, { id }: Person) =>
  as(by, 'POST', `/operator/investors/${id}/unfreeze`, { reason: 'A test' })
const frozen = { status: 403, body: { code: 'account_frozen' } }

test('a deposit of a frozen account is not credited, by one operator or two, until the freeze is lifted', async () => {
  const [ana, operator, second] = [await newInvestor(), await newOperator(), await newOperator()]
  const [small, large] = [await deposit(ana, '250'), await deposit(ana, '9000')]
  await freeze(operator, ana)
  const refused = await approveDeposit(operator, small)
  expect(refused).toMatchObject(frozen)
  expect(refused.body.msg).toBe(
    'This investor’s account is frozen, so no money moves. Lift the freeze first, or reject this.',
  )
  expect(await approveDeposit(operator, large)).toMatchObject(frozen)
  expect(await booksOf(ana.id)).toMatchObject({ available: 0 })

  await unfreeze(operator, ana)
  expect(await approveDeposit(operator, large, { reference: txid('one') })).toMatchObject({ status: 202 })
  await freeze(second, ana)
  expect(await approveDeposit(second, large, { reference: txid('one') })).toMatchObject(frozen)
  await unfreeze(second, ana)
  expect(await approveDeposit(second, large, { reference: txid('one') })).toMatchObject({ status: 200 })
  expect(await approveDeposit(operator, small)).toMatchObject({ status: 200 })
  expect(await booksOf(ana.id)).toMatchObject({ available: 9250_00 })
})

test('a withdrawal of a frozen account is neither approved nor paid, until the freeze is lifted', async () => {
  const [ana, operator] = [await newInvestor({ availableCents: 1000_00 }), await newOperator()]
  const id = await withdrawal(ana, '100', '/withdrawals/online-service')
  await freeze(operator, ana)
  expect(await approveWithdrawal(operator, id)).toMatchObject(frozen)
  await unfreeze(operator, ana)
  expect(await approveWithdrawal(operator, id)).toMatchObject({ status: 200 })
  await freeze(operator, ana)
  expect(await completeWithdrawal(operator, id)).toMatchObject(frozen)
  // Like every refusal for the account, before the fields are checked.
  expect(await completeWithdrawal(operator, id, { reference: '' })).toMatchObject(frozen)
  expect(await booksOf(ana.id)).toMatchObject({ available: 900_00, held: 100_00 })
  await unfreeze(operator, ana)
  expect(await completeWithdrawal(await newOperator(), id)).toMatchObject({ status: 200 })
})

test('requests of a frozen account can be rejected, which releases the hold', async () => {
  const [ana, operator] = [await newInvestor({ availableCents: 1000_00 }), await newOperator()]
  const [paidIn, pending, approved] = [
    await deposit(ana, '50'),
    await withdrawal(ana, '100', '/withdrawals/online-service'),
    await withdrawal(ana, '200', '/withdrawals/online-service'),
  ]
  await approveWithdrawal(operator, approved)
  await freeze(operator, ana)
  const paths = [`deposits/${paidIn}`, `withdrawals/${pending}`, `withdrawals/${approved}`]
  for (const path of paths) {
    const reply = await as(operator, 'POST', `/operator/${path}/reject`, { reason: 'The account is frozen' })
    expect(reply).toMatchObject({ status: 200, body: { status: 'rejected' } })
  }
  expect(await booksOf(ana.id)).toMatchObject({ available: 1000_00, held: 0 })
})

test('a mistake with a frozen account can be taken back by two operators, and no bonus granted to it', async () => {
  const [ana, first, second] = [await newInvestor(), await newOperator(), await newOperator()]
  const id = await deposit(ana, '250')
  await approveDeposit(first, id)
  await freeze(first, ana)
  const bonus = await propose(first, { kind: 'bonus', investor: ana.id, amount: '10', reason: 'A gift' })
  const refused = await approveProposal(second, bonus.body._id)
  expect(refused).toMatchObject(frozen)
  expect(refused.body.msg).toContain('This investor’s account is frozen')
  const reversal = await propose(first, { kind: 'reversal', request: id, reason: 'Credited by mistake' })
  expect(await approveProposal(second, reversal.body._id)).toMatchObject({ status: 200 })
  expect(await booksOf(ana.id)).toMatchObject({ available: 0 })
  await unfreeze(first, ana)
  expect(await approveProposal(second, bonus.body._id)).toMatchObject({ status: 200 })
})

test('the database moves no money of a frozen account, even by hand-written SQL', async () => {
  const [ana, operator] = [await newInvestor({ availableCents: 1000_00 }), await newOperator()]
  const [paidIn, pending, approved] = [
    await deposit(ana, '50'),
    await withdrawal(ana, '100', '/withdrawals/online-service'),
    await withdrawal(ana, '200', '/withdrawals/online-service'),
  ]
  await approveWithdrawal(operator, approved)
  await freeze(operator, ana)
  const step = (request: string, status: string, amount: number | null, reference: string | null) =>
    env.DB.prepare(
      `INSERT INTO request_events (request, status, at, actor, investor, amount, reference, reference_key)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
      .bind(request, status, Date.now(), operator.id, ana.id, amount, reference, reference)
      .run()
  await expect(step(paidIn, 'approved', 5000, 'f1')).rejects.toThrow('account_frozen')
  await expect(step(pending, 'approved', null, null)).rejects.toThrow('account_frozen')
  await expect(step(approved, 'completed', 20_000, 'f2')).rejects.toThrow('account_frozen')
  await step(pending, 'rejected', null, null)
})

test('with a freeze and an approval at the same moment, money moves before the freeze or not at all', async () => {
  const operator = await newOperator()
  for (let i = 0; i < 8; i++) {
    const ana = await newInvestor()
    const id = await deposit(ana, '10')
    const [, approval] = await Promise.all([freeze(operator, ana), approveDeposit(operator, id)])
    expect([200, 403]).toContain(approval.status)
    expect((await booksOf(ana.id)).available).toBe(approval.status === 200 ? 10_00 : 0)
    const order = await env.DB.prepare(
      "SELECT action FROM audit_log WHERE subject IN (?, ?) AND action <> 'deposit.requested' ORDER BY seq",
    )
      .bind(ana.id, id)
      .all<{ action: string }>()
    const actions = order.results.map(({ action }) => action)
    expect(actions.at(-1)).toBe('investor.frozen')
  }
})
