import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { booksOf } from '../dev/testing/money.ts'
import { newInvestor } from '../dev/testing/people.ts'

const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run()

// In one place what the attacks beside this file try in every way.
test('the database refuses to write a balance, to change an entry, to delete one and to make one up', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const before = await booksOf(ana.id)
  const account = `${ana.id}:available`
  await expect(run('UPDATE accounts SET balance = 999999 WHERE id = ?', account)).rejects.toThrow(
    'only a transfer changes a balance',
  )
  await expect(run('UPDATE transfers SET amount = 999999 WHERE to_account = ?', account)).rejects.toThrow(
    'never change',
  )
  await expect(run('DELETE FROM transfers WHERE to_account = ?', account)).rejects.toThrow('never deleted')
  const madeUp = run(
    `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
     VALUES ('made-up', ?1 || ':paid_in', ?1 || ':available', 5000, 'credit', 'no-request', 'nobody', 0)`,
    ana.id,
  )
  await expect(madeUp).rejects.toThrow('record of what caused it')
  expect(await booksOf(ana.id)).toEqual(before)
})
