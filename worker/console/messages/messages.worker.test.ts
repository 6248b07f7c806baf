import { expect, test } from 'vitest'
import type { ContactMessage } from '../../../src/contract/console/messages.ts'
import { call } from '../../../test/support/http.ts'
import { as } from '../../../test/support/operating.ts'
import { newOperator } from '../../../test/support/people.ts'

test('a contact message waits until an operator closes it, once', async () => {
  const operator = await newOperator({ name: 'Olu Bello' })
  for (const message of ['First', 'Second']) {
    const json = { name: 'Ana', email: 'ana@example.com', message }
    expect((await call('POST', '/contact-us', { json })).status).toBe(201)
  }
  const open = await as<ContactMessage[]>(operator, 'GET', '/operator/messages?status=open&limit=1')
  const [second] = open.body
  expect(second).toMatchObject({
    message: 'Second',
    email: 'ana@example.com',
    status: 'open',
    closedBy: null,
  })
  const [, next = ''] = /<\/api\/v1(.+)>/.exec(open.headers.get('Link') ?? '') ?? []
  const [first] = (await as<ContactMessage[]>(operator, 'GET', next)).body
  expect(first).toMatchObject({ message: 'First' })

  const path = `/operator/messages/${first?._id}/close`
  const closed = await as<ContactMessage>(operator, 'POST', path)
  expect(closed).toMatchObject({ status: 200, body: { ...first, status: 'closed', closedBy: 'Olu Bello' } })
  expect(await as(operator, 'POST', path)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  const list = await as<ContactMessage[]>(operator, 'GET', '/operator/messages?status=closed')
  expect(list.body).toEqual([closed.body])
})
