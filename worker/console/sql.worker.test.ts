import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { txid } from '../../test/support/ledger/txid.ts'
import { booksOf } from '../../test/support/money.ts'
import {
  approveDeposit,
  approveWithdrawal,
  deposit,
  propose,
  withdrawal,
} from '../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../test/support/people.ts'

const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run()

const CREDIT = `INSERT INTO request_events (request, status, at, actor, investor, amount, reference, reference_key, second_operator)
  VALUES (?, 'approved', ?, ?, ?, ?, ?, ?, ?)`
const PAYOUT = CREDIT.replace("'approved'", "'completed'")

test('one operator cannot credit above the limit with SQL, nor by naming a second who did not approve', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await deposit(ana, '9000')
  const credit = (by: string, other: string | null) =>
    run(CREDIT, id, Date.now(), by, ana.id, 900_000, 'sql', 'sql', other)
  await expect(credit(first.id, null)).rejects.toThrow('second_operator_required')
  await expect(credit(first.id, second.id)).rejects.toThrow('second operator differs from the first approval')
  await approveDeposit(first, id, { reference: txid('sql') })
  await expect(credit(first.id, null)).rejects.toThrow('second_operator_required')
  await expect(credit(first.id, first.id)).rejects.toThrow('second operator differs from the first approval')
  expect(await booksOf(ana.id)).toMatchObject({ available: 0 })
})

test('an earlier credit written with SQL counts against the limit like any other', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const [one, two] = [await deposit(ana, '3000'), await deposit(ana, '3000')]
  await approveDeposit(operator, one)
  const credit = run(CREDIT, two, Date.now(), operator.id, ana.id, 300_000, 'again', 'again', null)
  await expect(credit).rejects.toThrow('second_operator_required')
})

test('one operator cannot pay above the limit with SQL', async () => {
  const ana = await newInvestor({ availableCents: 20_000_00 })
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await withdrawal(ana, '9000')
  await approveWithdrawal(first, id)
  const pay = (by: string, other: string | null) =>
    run(PAYOUT, id, Date.now(), by, ana.id, 900_000, 'paid-sql', 'paid-sql', other)
  await expect(pay(first.id, null)).rejects.toThrow('second_operator_required')
  await expect(pay(first.id, second.id)).rejects.toThrow('second operator differs from the approval')
  await expect(pay(ana.id, first.id)).rejects.toThrow(/forbidden/)
})

test('one operator cannot approve their own proposal, nor change or delete it, with SQL', async () => {
  const ana = await newInvestor()
  const [first, second] = [await newOperator(), await newOperator()]
  const { body } = await propose(first, { kind: 'bonus', investor: ana.id, amount: 50, reason: 'Thanks' })
  const approve = "UPDATE proposals SET status = 'approved', decided_by = ?, decided_at = 1 WHERE id = ?"
  await expect(run(approve, first.id, body._id)).rejects.toThrow('second_operator_required')
  await expect(run(approve, ana.id, body._id)).rejects.toThrow('decider must be an operator')
  await expect(
    run(
      "UPDATE proposals SET proposed_by = ?, status = 'approved', decided_by = ?, decided_at = 1 WHERE id = ?",
      second.id,
      first.id,
      body._id,
    ),
  ).rejects.toThrow('immutable')
  await expect(run('DELETE FROM proposals WHERE id = ?', body._id)).rejects.toThrow('never deleted')
  const grant = run(
    `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
     VALUES ('own-bonus', ?1 || ':granted', ?1 || ':available', 5000, 'bonus', ?2, ?3, 0)`,
    ana.id,
    body._id,
    first.id,
  )
  await expect(grant).rejects.toThrow('transfers: no matching cause')
})

test('a wallet needs a proposal that two operators decided, with the same address', async () => {
  const operator = await newOperator()
  const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  const { body } = await propose(operator, { kind: 'wallet', walletName: 'bitcoin', network: 'btc', address })
  const insert = `INSERT INTO wallets (id, coin, network, address, simulated, proposal, created_at)
    VALUES ('own', 'bitcoin', 'btc', ?, 0, ?, 0)`
  await expect(run(insert, address, body._id)).rejects.toThrow('second_operator_required')
  await expect(run(insert, address, 'none')).rejects.toThrow('second_operator_required')
})
