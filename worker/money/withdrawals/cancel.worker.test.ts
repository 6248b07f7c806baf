import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { withdraw } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { booksOf } from '../../../test/support/money.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { recordEvent } from '../../ledger/requestEvents.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'

const cancel = (person: { token: string }, id: string) =>
  call('POST', `/withdrawals/${id}/cancel`, { token: person.token })

test('the owner cancels a pending withdrawal, and the money is available again', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  for (const path of ['/withdrawals', '/withdrawals/online-service'] as const) {
    const { body } = await withdraw(ana, {}, path)
    expect(await booksOf(ana.id)).toMatchObject({ available: 900_00, held: 100_00 })
    expect(await cancel(ana, body._id)).toMatchObject({
      status: 200,
      body: { msg: expect.stringContaining(body.ref) },
    })
    expect(await booksOf(ana.id)).toMatchObject({ available: 1000_00, held: 0, totalBalance: 1000_00 })
    expect(await cancel(ana, body._id)).toMatchObject({ status: 409, body: { code: 'not_pending' } })
  }
})

test('nobody else finds it, not even an operator', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const { body } = await withdraw(ana)
  for (const other of [await newInvestor(), await newOperator()]) {
    expect(await cancel(other, body._id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  expect(await call('POST', `/deposits/${body._id}/cancel`, { token: ana.token })).toMatchObject({
    status: 404,
  })
  expect(await booksOf(ana.id)).toMatchObject({ held: 100_00 })
})

test('an approved withdrawal cannot be cancelled', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const { body } = await withdraw(ana)
  const operator = await newOperator()
  const db = openDatabase(env.DB)
  const at = { request: body._id, investor: ana.id, actor: operator.id, atMs: Date.now() }
  await runBatch(db, [recordEvent(db, { ...at, status: 'approved' })])
  expect(await cancel(ana, body._id)).toMatchObject({ status: 409, body: { code: 'not_pending' } })
  expect(await booksOf(ana.id)).toMatchObject({ held: 100_00 })
})

test('a frozen investor can still cancel, and of many parallel calls one takes effect', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const { body } = await withdraw(ana)
  await env.DB.prepare("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?")
    .bind(ana.id)
    .run()
  const replies = await Promise.all(Array.from({ length: 10 }, () => cancel(ana, body._id)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ body: { code } }) => code === 'not_pending')).toHaveLength(9)
  expect(await booksOf(ana.id)).toMatchObject({ available: 1000_00, held: 0 })
})
