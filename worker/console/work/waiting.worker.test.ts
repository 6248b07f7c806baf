import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { WaitingCounts } from '../../../src/contract/console/overview.ts'
import { cost } from '../../../test/support/cost.ts'
import { call, send } from '../../../test/support/http.ts'
import { addHistory } from '../../../test/support/longHistory.ts'
import {
  approveDeposit,
  approveWithdrawal,
  as,
  deposit,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'

const waiting = async (by: Person) => (await as<WaitingCounts>(by, 'GET', '/operator/waiting')).body

test('waiting cases are counted by queue, and decided ones are not', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 100_00 })
  const before = await waiting(operator)
  const filed = await deposit(ana, '10')
  const paid = await withdrawal(ana, '10')
  const ida = await newInvestor({ kyc: 'none' })
  await call('POST', '/kyc', { token: ida.token, form: { document: 'Passport', image: newPicture() } })
  await call('POST', '/contact-us', { json: { name: 'Ana', email: 'a@example.com', message: 'Hello' } })
  await propose(operator, { kind: 'settings', settings: { referralBonus: 1 } })
  expect(await waiting(operator)).toEqual({
    ...before,
    deposit: before.deposit + 1,
    withdrawal: before.withdrawal + 1,
    kyc: before.kyc + 1,
    message: before.message + 1,
    proposal: before.proposal + 1,
  })
  await approveDeposit(operator, filed)
  await approveWithdrawal(operator, paid)
  expect(await waiting(operator)).toMatchObject({
    deposit: before.deposit,
    withdrawal: before.withdrawal,
    payout: before.payout + 1,
  })
})

test('an unchanged answer is 304', async () => {
  const operator = await newOperator()
  const ask = (tag = '') =>
    send('GET', '/operator/waiting', { token: operator.token, headers: { 'If-None-Match': tag } })
  const first = await ask()
  const tag = first.headers.get('ETag') ?? ''
  expect([first.status, tag, first.headers.get('Cache-Control')]).toEqual([
    200,
    expect.stringMatching(/^"[0-9a-f]{32}"$/),
    'no-store',
  ])
  const again = await ask(tag)
  expect([again.status, await again.text()]).toEqual([304, ''])
  await deposit(await newInvestor(), '10')
  expect((await ask(tag)).status).toBe(200)
})

test('polling the counts does not keep a session alive', async () => {
  const operator = await newOperator()
  const seen = () =>
    env.DB.prepare('SELECT max(last_seen_at) AS at FROM sessions WHERE user_id = ?')
      .bind(operator.id)
      .first<{ at: number }>()
  await env.DB.prepare('UPDATE sessions SET last_seen_at = last_seen_at - 3600000 WHERE user_id = ?')
    .bind(operator.id)
    .run()
  const before = await seen()
  await waiting(operator)
  expect(await seen()).toEqual(before)
  await as(operator, 'GET', '/operator/overview')
  await expect.poll(async () => (await seen())?.at ?? 0).toBeGreaterThan(before?.at ?? 0)
})

test('the cost of counting depends on waiting cases, not on decided ones', async () => {
  const operator = await newOperator()
  const counts = await waiting(operator)
  const open = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const ana = await newInvestor({ availableCents: 100 })
  await addHistory(env.DB, ana.id, 5_000)
  const { counted } = await cost('GET', '/operator/waiting', { token: operator.token })
  expect(counted.trips).toBe(2)
  expect(counted.rowsRead).toBeLessThanOrEqual(4 * open + 20)
})
