import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { booksOf, creditInvestor } from '../../../test/support/money.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import type { ActorCall, Effect } from '../../http/call.ts'
import { storeAnswer } from '../../http/idempotency.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { requests } from '../../lib/tables/requests.ts'
import { cancelDeposit } from '../requests/cancel.ts'

const cancel = (person: { token: string }, id: string, idempotencyKey?: string) =>
  call('POST', `/deposits/${id}/cancel`, {
    token: person.token,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })

test('a pending deposit is cancelled by its owner, once', async () => {
  const ana = await newInvestor()
  const { body } = await fileDeposit(ana)
  const reply = await cancel(ana, body._id)
  expect(reply).toMatchObject({ status: 200, body: { msg: expect.stringContaining(body.ref) } })
  expect(await booksOf(ana.id)).toMatchObject({ pendingDeposits: 0, totalBalance: 0 })
  expect(await cancel(ana, body._id)).toMatchObject({ status: 409, body: { code: 'not_pending' } })
  const entry = await env.DB.prepare(
    "SELECT actor FROM audit_log WHERE subject = ? AND action = 'deposit.cancelled'",
  )
    .bind(body._id)
    .first()
  expect(entry).toEqual({ actor: ana.id })
})

test('a deposit that was decided a moment earlier is not pending', async () => {
  const ana = await newInvestor()
  const { body } = await fileDeposit(ana)
  const db = openDatabase(env.DB)
  const [read] = await db.select().from(requests).where(eq(requests.id, body._id))
  if (read === undefined) throw new Error('It was filed.')
  await cancel(ana, body._id)
  const commit = ({ statements = [] }: Effect) => runBatch(db, statements)
  const late = { db, actor: { id: ana.id }, nowMs: Date.now(), commit } as unknown as ActorCall
  await expect(cancelDeposit(late, read)).rejects.toMatchObject({ code: 'not_pending' })
})

test('nobody else finds it, not even an operator', async () => {
  const ana = await newInvestor()
  const { body } = await fileDeposit(ana)
  for (const other of [await newInvestor(), await newOperator()]) {
    expect(await cancel(other, body._id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  expect(await call('POST', `/deposits/${body._id}/cancel`)).toMatchObject({ status: 401 })
  expect(await cancel(ana, 'nothing')).toMatchObject({ status: 404 })
  expect(await call('POST', `/withdrawals/${body._id}/cancel`, { token: ana.token })).toMatchObject({
    status: 404,
  })
})

test('a credited deposit cannot be cancelled', async () => {
  const ana = await newInvestor()
  const id = await creditInvestor(ana.id, 500_00)
  expect(await cancel(ana, id)).toMatchObject({ status: 409, body: { code: 'not_pending' } })
  expect(await booksOf(ana.id)).toMatchObject({ available: 500_00 })
})

test('a frozen investor can still cancel a deposit', async () => {
  const ana = await newInvestor()
  const { body } = await fileDeposit(ana)
  await env.DB.prepare("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?")
    .bind(ana.id)
    .run()
  expect(await cancel(ana, body._id)).toMatchObject({ status: 200 })
})

test('of many parallel cancellations one takes effect, and a repeated key repeats its answer', async () => {
  const ana = await newInvestor()
  const { body } = await fileDeposit(ana)
  const replies = await Promise.all(Array.from({ length: 10 }, () => cancel(ana, body._id)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(replies.filter(({ body: { code } }) => code === 'not_pending')).toHaveLength(9)

  const second = await fileDeposit(ana)
  const first = await cancel(ana, second.body._id, 'cancel-1')
  const again = await cancel(ana, second.body._id, 'cancel-1')
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(again.headers.get('Idempotency-Replayed')).toBe('true')
  const third = await fileDeposit(ana)
  expect(await cancel(ana, third.body._id, 'cancel-1')).toMatchObject({
    body: { code: 'idempotency_key_reused' },
  })
  expect(await cancel(ana, third.body._id, 'a key with blanks')).toMatchObject({
    body: { code: 'invalid_idempotency_key' },
  })
})

test.each([
  ['a crashed request loses its key after a minute', 'running', 'idempotency_in_progress', 59_000, 61_000],
  ['an answer is kept for a day', 'done', 'idempotency_key_reused', 23 * 3_600_000, DAY_MS + 1000],
])('%s', async (_, state, code, keptMs, expiredMs) => {
  const ana = await newInvestor()
  const { body } = await fileDeposit(ana)
  const cancelAfter = async (ms: number) => {
    const [key, at] = [`used-${ms}`, Date.now() - ms]
    await env.DB.prepare(
      "INSERT INTO idempotency (user_id, key, state, claim, at) VALUES (?, ?, 'running', 'x', ?)",
    )
      .bind(ana.id, key, at)
      .run()
    const db = openDatabase(env.DB)
    const answer = { fingerprint: 'another', status: 200, body: '{}' }
    if (state === 'done')
      await runBatch(db, [storeAnswer(db, { userId: ana.id, key, token: 'x' }, answer, at)])
    return cancel(ana, body._id, `used-${ms}`)
  }
  expect(await cancelAfter(keptMs)).toMatchObject({ body: { code } })
  expect(await cancelAfter(expiredMs)).toMatchObject({ status: 200 })
})

test('a run that lost its key has no effect, also after the run that took it failed', async () => {
  const ana = await newInvestor()
  const { body } = await fileDeposit(ana)
  await cancel(ana, body._id)
  const other = await fileDeposit(ana)
  const lost = { userId: ana.id, key: 'slow', token: 'slow run' }
  await env.DB.prepare(
    "INSERT INTO idempotency (user_id, key, state, claim, at) VALUES (?, ?, 'running', ?, ?)",
  )
    .bind(lost.userId, lost.key, lost.token, Date.now() - 61_000)
    .run()
  expect(await cancel(ana, body._id, lost.key)).toMatchObject({ body: { code: 'not_pending' } })
  const db = openDatabase(env.DB)
  const answer = { fingerprint: 'x', status: 200, body: '{}' }
  const late = () => runBatch(db, [storeAnswer(db, lost, answer, Date.now())])
  await expect(late()).rejects.toThrow('idempotency_in_progress')
  expect(await cancel(ana, other.body._id, lost.key)).toMatchObject({ status: 200 })
  await expect(late()).rejects.toThrow('idempotency_in_progress')
})
