import { expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { call } from '../../test/support/http.ts'
import { as } from '../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../test/support/people.ts'
import { operatorRoutes } from './routes.ts'

const contract = import.meta.glob<Record<string, unknown>>('../../src/contract/*/*.ts', {
  eager: true,
})
type Named = Pick<Endpoint, 'method' | 'path' | 'scope' | 'accepts' | 'isQuery'>
const endpoints = Object.values(contract)
  .flatMap((module) => Object.values(module))
  .filter(
    (each): each is Named => typeof each === 'object' && each !== null && 'path' in each && 'scope' in each,
  )
  .filter(({ path, scope }) => path.startsWith('/operator/') || scope.startsWith('operator:'))

test('every endpoint of the operator’s contract is served, in a scope of its own', () => {
  const served = operatorRoutes.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  expect(served.toSorted()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted())
  for (const { path, scope } of endpoints) {
    expect(path.startsWith('/operator/')).toBe(true)
    expect(scope.startsWith('operator:')).toBe(true)
  }
})

const someId = (path: string) => path.replace(':id', 'an-id')
/** A body that would fail validation. Callers without permission learn nothing about it. */
const badBody = ({ method, accepts }: Pick<Endpoint, 'method' | 'accepts'>) =>
  method === 'GET' ? {} : accepts === 'form' ? { form: { nothing: 'here' } } : { json: {} }

test('operators’ routes refuse visitors, investors, and operators without a second factor', {
  timeout: 60_000,
}, async () => {
  const investor = await newInvestor()
  const careless = await newOperator({ twoFactor: false })
  for (const endpoint of endpoints) {
    const at = someId(endpoint.path)
    const ask = (token?: string) =>
      call(endpoint.method, at, { ...badBody(endpoint), ...(token !== undefined && { token }) })
    expect([at, await ask()]).toMatchObject([at, { status: 401 }])
    expect([at, await ask(investor.token)]).toMatchObject([at, { status: 403, body: { code: 'forbidden' } }])
    expect([at, await ask(careless.token)]).toMatchObject([
      at,
      { status: 403, body: { code: 'two_factor_not_enabled' } },
    ])
  }
})

test('an operator whose role only reads decides nothing', async () => {
  const auditor = await newOperator({ roles: ['auditor'] })
  for (const endpoint of endpoints) {
    const { method, path, isQuery, scope } = endpoint
    const { status } = await call(method, someId(path), { token: auditor.token, ...badBody(endpoint) })
    const isRead = method === 'GET' || (isQuery && scope.endsWith('.read'))
    expect([method, path, isRead ? status !== 403 : status === 403]).toEqual([method, path, true])
  }
})

test('an unknown id is 404 before fields are checked', async () => {
  const operator = await newOperator()
  for (const endpoint of endpoints.filter((each) => each.path.includes(':id'))) {
    const { method, path } = endpoint
    for (const id of ['an-id', '%00', '%F0%9F%98%80', "'--"]) {
      const at = path.replace(':id', id)
      const reply = await call(method, at, { token: operator.token, ...badBody(endpoint) })
      expect([at, reply.status, reply.body.code]).toEqual([at, 404, 'not_found'])
    }
  }
})

test('an invalid limit, cursor or status is refused', async () => {
  const operator = await newOperator()
  const lists = [
    'deposits',
    'withdrawals',
    'kyc',
    'investors',
    'wallets',
    'proposals',
    'messages',
    'audit-log',
    'operators',
    'operators/invitations',
  ]
  for (const list of lists) {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=%F0', 'cursor=abc']) {
      expect([list, query, (await as(operator, 'GET', `/operator/${list}?${query}`)).status]).toEqual([
        list,
        query,
        422,
      ])
    }
  }
  for (const list of ['deposits', 'withdrawals', 'kyc', 'proposals', 'messages']) {
    const reply = await as(operator, 'GET', `/operator/${list}?status=done`)
    expect([list, reply.status, Object.keys(reply.body.fields ?? {})]).toEqual([list, 422, ['status']])
    expect([list, (await as(operator, 'GET', `/operator/${list}?status=`)).status]).toEqual([list, 200])
  }
})
