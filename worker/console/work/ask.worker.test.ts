import { expect, test } from 'vitest'
import type { Hold } from '../../../src/contract/console/cases.ts'
import type { WaitingCounts } from '../../../src/contract/console/overview.ts'
import type { WorkItem } from '../../../src/contract/console/workItems.ts'
import type { OwnThread } from '../../../src/contract/outreach/threads.ts'
import { call } from '../../../test/support/http.ts'
import { approveDeposit, as, deposit } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import { filedRecovery } from '../../../test/support/recovery.ts'

const ask = (by: Operator, id: string, text = 'Which bank did you pay from?') =>
  as<{ hold: Hold }>(by, 'POST', `/operator/cases/${id}/ask`, { text })
const ids = async (by: Operator, path: string) =>
  (await as<{ _id: string }[]>(by, 'GET', `/operator/${path}`)).body.map(({ _id }) => _id)
const work = async (by: Operator) => (await as<{ items: WorkItem[] }>(by, 'GET', '/operator/work')).body.items
const counts = async (by: Operator) => (await as<WaitingCounts>(by, 'GET', '/operator/waiting')).body

test('a question puts a case on hold, and the answer brings it back without a second task', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  const id = await deposit(ana, '10')
  const before = await counts(operator)
  expect((await ask(operator, id)).status).toBe(200)
  expect((await ask(operator, id)).body.code).toBe('conflict')
  expect(await counts(operator)).toEqual({ ...before, deposit: before.deposit - 1 })
  expect((await work(operator)).some((item) => item._id === id)).toBe(false)
  expect(await ids(operator, 'deposits?status=pending&waits=investor')).toContain(id)
  expect(await ids(operator, 'deposits?status=pending&waits=operator')).not.toContain(id)
  const shown = await as<{ hold: Hold; dueAt: string | null }>(operator, 'GET', `/operator/deposits/${id}`)
  expect(shown.body).toMatchObject({ hold: { answeredAt: null }, dueAt: null })

  const [thread] = (await call<OwnThread[]>('GET', '/users/messages', { token: ana.token })).body
  expect(thread).toMatchObject({ status: 'answered', entries: [{ from: 'support' }] })
  const news = (await call<{ title: string }[]>('GET', '/users/notifications', { token: ana.token })).body
  expect(JSON.stringify(news)).toContain('We have a question about your deposit')
  await call('POST', `/users/messages/${thread?._id}`, { token: ana.token, json: { message: 'Savings' } })
  expect(await counts(operator)).toEqual(before)
  expect(await ids(operator, 'deposits?status=pending&waits=operator')).toContain(id)
})

test('a case on hold can be decided, and only by whoever may decide it is it put on hold', async () => {
  const operator = await newOperator()
  const reviewer = await newOperator({ roles: ['reviewer'] })
  const id = await deposit(await newInvestor(), '10')
  expect((await ask(reviewer, id)).status).toBe(403)
  await ask(operator, id)
  expect((await approveDeposit(operator, id)).status).toBe(200)
  expect((await ask(operator, id)).body.code).toBe('already_decided')
  const recovery = await filedRecovery()
  expect((await ask(operator, recovery, 'See http://evil.example')).status).toBe(422)
  expect((await ask(operator, recovery)).status).toBe(200)
  expect(await ids(operator, 'factor-recoveries?status=open&waits=investor')).toContain(recovery)
})
