import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WaitingCounts } from '../../../src/contract/console/overview.ts'
import type { OperatorPayment } from '../../../src/contract/console/watchWallets.ts'
import type { WorkItem } from '../../../src/contract/console/work.ts'
import { as } from '../../../test/support/operating.ts'
import { newOperator, type Operator } from '../../../test/support/people.ts'
import { newReceipt, newWatchWallet, retireWatchWallet } from '../../../test/support/watchWallets.ts'

beforeAll(() => newWatchWallet('ethereum'))
afterAll(() => retireWatchWallet('ethereum'))

const listed = async (by: Operator, query = '') =>
  (await as<OperatorPayment[]>(by, 'GET', `/operator/payments${query}`)).body
const waiting = async (by: Operator) =>
  (await as<WaitingCounts>(by, 'GET', '/operator/waiting')).body.payments
const work = async (by: Operator, id: string) =>
  (await as<{ items: WorkItem[] }>(by, 'GET', '/operator/work')).body.items.find(({ _id }) => _id === id)

test('what nobody can credit waits for a treasurer, who closes it with what was done', async () => {
  const operator = await newOperator()
  const before = await waiting(operator)
  const id = await newReceipt()
  expect(await waiting(operator)).toBe(before + 1)
  expect(await work(operator, id)).toMatchObject({ kind: 'payment', waitsFor: 'you' })
  expect((await listed(operator))[0]).toMatchObject({ _id: id, network: null, reason: 'token', closed: null })

  const close = (by: Operator, note: string) => as(by, 'POST', `/operator/payments/${id}/close`, { note })
  const reviewer = await newOperator({ roles: ['reviewer'] })
  expect(await work(reviewer, id)).toMatchObject({ waitsFor: 'others' })
  expect(await close(reviewer, 'Returned')).toMatchObject({ status: 403 })
  expect(await close(operator, ' ')).toMatchObject({
    status: 422,
    body: { fields: { note: 'Please write what was done' } },
  })
  expect(await close(operator, 'Returned')).toMatchObject({
    status: 200,
    body: { _id: id, closed: { by: { _id: operator.id }, note: 'Returned' } },
  })
  expect(await close(operator, 'Again')).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  expect(await waiting(operator)).toBe(before)
  expect(await work(operator, id)).toBeUndefined()
  expect((await listed(operator)).map(({ _id }) => _id)).not.toContain(id)
  expect((await listed(operator, '?state=unknown'))[0]).toMatchObject({
    _id: id,
    closed: { note: 'Returned' },
  })
  expect(await as(operator, 'POST', '/operator/payments/nothing/close', { note: 'x' })).toMatchObject({
    status: 404,
  })
})

test('pages neither skip nor repeat what arrived at the same moment', async () => {
  const operator = await newOperator()
  const ids = [await newReceipt(), await newReceipt(), await newReceipt()]
  const seen: string[] = []
  let next: string | null = '/operator/payments?state=unknown&limit=1'
  while (next !== null && seen.length < 10) {
    const reply: Awaited<ReturnType<typeof as<OperatorPayment[]>>> = await as<OperatorPayment[]>(
      operator,
      'GET',
      next,
    )
    seen.push(...reply.body.map(({ _id }) => _id))
    next = /<[^>]*(\/operator\/payments[^>]*)>/.exec(reply.headers.get('Link') ?? '')?.[1] ?? null
  }
  expect(seen.slice(0, 3)).toEqual(ids.toReversed())
  expect(new Set(seen).size).toBe(seen.length)
})
