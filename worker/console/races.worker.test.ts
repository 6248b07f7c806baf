import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OperatorDeposit } from '../../src/contract/console/deposits.ts'
import { newTxid, txid } from '../../test/support/ledger/txid.ts'
import { mailsTo } from '../../test/support/mailbox.ts'
import { booksOf } from '../../test/support/money.ts'
import {
  approveDeposit,
  approveIdentity,
  approveProposal,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  propose,
  statuses,
  withdrawal,
} from '../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../test/support/people.ts'

test('twenty parallel approvals by two operators credit once', async () => {
  const ana = await newInvestor()
  const operators = [await newOperator(), await newOperator()]
  const id = await deposit(ana, '1000')
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => approveDeposit(operators[n % 2] ?? fail(), id)),
  )
  expect(statuses(replies)).toEqual({ 200: 1, 409: 19 })
  expect(await booksOf(ana.id)).toMatchObject({ available: 1000_00, deposits: 1000_00 })
  expect((await mailsTo(ana.email)).length).toBe(1)
})

test('of parallel approvals and rejections one wins', async () => {
  const ana = await newInvestor()
  const operators = [await newOperator(), await newOperator()]
  const id = await deposit(ana, '1000')
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const by = operators[n % 2] ?? fail()
      return n % 4 < 2
        ? approveDeposit(by, id)
        : as(by, 'POST', `/operator/deposits/${id}/reject`, { reason: 'No' })
    }),
  )
  expect(statuses(replies)).toEqual({ 200: 1, 409: 19 })
  const { body } = await as<OperatorDeposit>(operators[0] ?? fail(), 'GET', `/operator/deposits/${id}`)
  const credited = body.status === 'approved'
  expect(await booksOf(ana.id)).toMatchObject({ available: credited ? 1000_00 : 0 })
})

test('a large credit by two operators in parallel is approved by one and credited by the other, once', async () => {
  const ana = await newInvestor()
  const operators = [await newOperator(), await newOperator()]
  const id = await deposit(ana, '8000')
  const fields = { reference: newTxid() }
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => approveDeposit(operators[n % 2] ?? fail(), id, fields)),
  )
  const { 200: credited, 202: first, ...refused } = statuses(replies)
  expect([credited, first]).toEqual([1, 1])
  for (const status of Object.keys(refused)) expect(['403', '409']).toContain(status)
  expect(await booksOf(ana.id)).toMatchObject({ available: 8000_00 })
})

test('one reference used for many deposits in parallel credits one of them', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => newInvestor()))
  const operator = await newOperator()
  const ids = await Promise.all(people.map((person) => deposit(person, '100')))
  const replies = await Promise.all(
    ids.map((id) => approveDeposit(operator, id, { reference: txid('feed') })),
  )
  expect(statuses(replies)).toEqual({ 200: 1, 409: 7 })
  const books = await Promise.all(people.map(({ id }) => booksOf(id)))
  expect(books.reduce((sum, { available }) => sum + available, 0)).toBe(100_00)
})

test('splitting in parallel does not avoid the limit: the excess waits for a second operator', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const ids = await Promise.all(Array.from({ length: 10 }, () => deposit(ana, '1000')))
  const replies = await Promise.all(ids.map((id) => approveDeposit(operator, id)))
  expect(statuses(replies)).toEqual({ 200: 5, 202: 5 })
  expect(await booksOf(ana.id)).toMatchObject({ available: 5000_00 })
})

test('a withdrawal approved, completed and rejected in parallel ends in one way, and so does its hold', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const operators = [await newOperator(), await newOperator()]
  const id = await withdrawal(ana, '400')
  const approvals = await Promise.all(operators.map((by) => approveWithdrawal(by, id)))
  expect(statuses(approvals)).toEqual({ 200: 1, 409: 1 })
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const by = operators[n % 2] ?? fail()
      return n % 4 < 2
        ? completeWithdrawal(by, id)
        : as(by, 'POST', `/operator/withdrawals/${id}/reject`, { reason: 'No' })
    }),
  )
  expect(statuses(replies)).toEqual({ 200: 1, 409: 19 })
  const { available, held, withdrawals } = await booksOf(ana.id)
  expect(held).toBe(0)
  expect(available + withdrawals).toBe(1000_00)
  expect([0, 400_00]).toContain(withdrawals)
})

test('a withdrawal cancelled and approved in parallel ends in one way', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const operator = await newOperator()
  const id = await withdrawal(ana, '400')
  const replies = await Promise.all([
    ...Array.from({ length: 5 }, () => approveWithdrawal(operator, id)),
    ...Array.from({ length: 5 }, () => as(ana, 'POST', `/withdrawals/${id}/cancel`)),
  ])
  expect(statuses(replies)).toEqual({ 200: 1, 409: 9 })
})

test('a bonus approved by many in parallel is granted once', async () => {
  const ana = await newInvestor()
  const [first, second, third] = [await newOperator(), await newOperator(), await newOperator()]
  const { body } = await propose(first, { kind: 'bonus', investor: ana.id, amount: 25, reason: 'Thanks' })
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => approveProposal(n % 2 ? second : third, body._id)),
  )
  expect(statuses(replies)).toEqual({ 200: 1, 409: 19 })
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 25_00, available: 25_00 })
})

test('an identity decided by two in parallel is decided once', async () => {
  const ana = await newInvestor({ kyc: 'pending' })
  const operators = [await newOperator(), await newOperator()]
  const id = await env.DB.prepare('SELECT id FROM kyc_submissions WHERE user_id = ?')
    .bind(ana.id)
    .first<string>('id')
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) => {
      const by = operators[n % 2] ?? fail()
      return n < 5
        ? approveIdentity(by, id)
        : as(by, 'POST', `/operator/kyc/${id}/reject`, { reason: 'Blurred' })
    }),
  )
  expect(statuses(replies)).toEqual({ 200: 1, 409: 9 })
})

function fail(): never {
  throw new Error('There are two operators.')
}
