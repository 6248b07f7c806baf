import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { booksOf } from '../../test/support/money.ts'
import { newInvestor } from '../../test/support/people.ts'
import { dayOf, newStrategy, settleDay } from '../../test/support/pooled.ts'
import { newId, newRef } from '../lib/crypto/tokens.ts'
import { openDatabase, runBatch } from '../lib/database.ts'
import { submitAllocation } from './strategies.ts'

const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run()

// A summary. The folder `attacks` tries every variant.
test('the database refuses to write a balance, and to change, delete or invent an entry', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const before = await booksOf(ana.id)
  const account = `${ana.id}:available`
  await expect(run('UPDATE accounts SET balance = 999999 WHERE id = ?', account)).rejects.toThrow(
    'accounts: changed without a transfer',
  )
  await expect(run('UPDATE transfers SET amount = 999999 WHERE to_account = ?', account)).rejects.toThrow(
    'immutable',
  )
  await expect(run('DELETE FROM transfers WHERE to_account = ?', account)).rejects.toThrow('never deleted')
  const madeUp = run(
    `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
     VALUES ('made-up', ?1 || ':paid_in', ?1 || ':available', 5000, 'credit', 'no-request', 'nobody', 0)`,
    ana.id,
  )
  await expect(madeUp).rejects.toThrow('transfers: no matching cause')
  expect(await booksOf(ana.id)).toEqual(before)
})

test('the database refuses to write units, a pool’s holdings and a unit’s recorded price', async () => {
  const bob = await newInvestor({ availableCents: 1000_00 })
  const strategy = await newStrategy()
  const db = openDatabase(env.DB)
  const order = { id: newId(), ref: newRef('ALC'), investor: bob.id, strategy, cents: 500_00 }
  await runBatch(db, [submitAllocation(db, { ...order, atMs: dayOf(1) })])
  await settleDay(strategy, 2, 100)
  const before = await booksOf(bob.id)
  for (const [attack, refusal] of [
    ['UPDATE positions SET units = 999999999 WHERE strategy = ?', 'positions: changed without a movement'],
    ['UPDATE unit_movements SET units = 999999999 WHERE strategy = ?', 'immutable'],
    ['DELETE FROM unit_movements WHERE strategy = ?', 'never deleted'],
    ['UPDATE pools SET cash = cash + 1 WHERE strategy = ?', 'pools: changed without an entry'],
    [
      'UPDATE pool_holdings SET quantity = 999999999 WHERE strategy = ?',
      'pool_holdings: changed without an entry',
    ],
    ['UPDATE valuations SET unit_price = 999999999 WHERE strategy = ?', 'immutable'],
    ['DELETE FROM valuations WHERE strategy = ?', 'never deleted'],
  ] as const)
    await expect(run(attack, strategy), attack).rejects.toThrow(refusal)
  expect(await booksOf(bob.id)).toEqual(before)
})
