import { expect, test } from 'vitest'
import { call, type Reply } from '../../../test/support/http.ts'
import { as, deposit } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { routes } from '../../routes.ts'

const lists = routes.filter(({ endpoint }) => endpoint.findsPeopleBy !== undefined)

test('each list that finds people by name is one that also takes the name in a body', () => {
  expect(lists.map(({ endpoint }) => `${endpoint.path} ${endpoint.findsPeopleBy}`).sort()).toEqual([
    '/operator/audit-log subject',
    '/operator/deposits query',
    '/operator/factor-recoveries query',
    '/operator/investors query',
    '/operator/kyc query',
    '/operator/messages query',
    '/operator/payments query',
    '/operator/proposals query',
    '/operator/withdrawals query',
  ])
})

test('a search by POST finds what the search by GET finds, with the other filters in the URL', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Ana Postfeather' })
  const ids = [await deposit(ana, '10'), await deposit(ana, '20')]
  const find = async (path: string, json: object) => {
    const { status, body } = await as<{ _id: string }[]>(operator, 'POST', path, json)
    expect([path, status]).toEqual([path, 200])
    return body.map(({ _id }) => _id)
  }
  expect(await find('/operator/investors/search', { query: 'postfeath' })).toEqual([ana.id])
  expect(await find('/operator/investors/search?account=frozen', { query: 'postfeath' })).toEqual([])
  expect(await find('/operator/deposits/search?order=oldest', { query: 'postfeath' })).toEqual(ids)
  expect(await find('/operator/deposits/search?status=approved', { query: 'postfeath' })).toEqual([])
  expect(await find('/operator/audit-log/search', { subject: ana.email })).toEqual([])
  for (const { endpoint } of lists)
    expect(await find(`${endpoint.path}/search`, { [endpoint.findsPeopleBy ?? '']: 'x' })).toBeInstanceOf(
      Array,
    )
})

test('its pages go on with the same body', async () => {
  const operator = await newOperator()
  const ben = await newInvestor({ name: 'Ben Paginator' })
  const ids = [await deposit(ben, '10'), await deposit(ben, '20'), await deposit(ben, '30')]
  const seen: string[] = []
  for (let path: string | null = '/operator/deposits/search?order=oldest&limit=1'; path !== null; ) {
    const reply: Reply<{ _id: string }[]> = await as<{ _id: string }[]>(operator, 'POST', path, {
      query: 'paginator',
    })
    seen.push(...reply.body.map(({ _id }) => _id))
    const next: string | undefined = /<[^>]*\/api\/v1([^>]*)>;\s*rel="next"/.exec(
      reply.headers.get('Link') ?? '',
    )?.[1]
    path = next ?? null
  }
  expect(seen).toEqual(ids)
})

test('it refuses what the list refuses', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  const code = async (token: string | undefined, path: string, json: object) =>
    (await call('POST', path, { ...(token && { token }), json })).body.code
  for (const { endpoint } of lists) {
    const field = endpoint.findsPeopleBy ?? ''
    const path = `${endpoint.path}/search`
    expect(await code(undefined, path, { [field]: 'x' })).toBe('unauthorized')
    expect(await code(ana.token, path, { [field]: 'x' })).toBe('forbidden')
    expect(await code(operator.token, path, { [field]: 'x'.repeat(121) })).toBe('validation_failed')
    expect(await code(operator.token, `${path}?limit=0`, { [field]: 'x' })).toBe('validation_failed')
  }
})

test('it needs no CSRF header, because a page may search before its first answer has set the cookie', async () => {
  const operator = await newOperator()
  const headers = { Cookie: 'XSRF-TOKEN=set-by-another-answer' }
  const options = { token: operator.token, headers }
  for (const { endpoint } of lists) {
    const json = { [endpoint.findsPeopleBy ?? '']: 'x' }
    expect((await call('POST', `${endpoint.path}/search`, { ...options, json })).status).toBe(200)
  }
  expect((await call('POST', '/operator/search', { ...options, json: { query: 'x' } })).status).toBe(200)
  expect(await call('POST', '/operator/proposals', { ...options, json: {} })).toMatchObject({
    status: 403,
    body: { code: 'csrf_rejected' },
  })
})
