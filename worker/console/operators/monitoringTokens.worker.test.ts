import { expect, test } from 'vitest'
import type { MonitoringToken } from '../../../src/contract/console/monitoring.ts'
import { call } from '../../../test/support/http.ts'
import { as, deposit } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { routes } from '../../routes.ts'

test('a monitoring token reads health and queue lengths and nothing else, until it is revoked', {
  timeout: 60_000,
}, async () => {
  const [administrator, treasurer] = [
    await newOperator({ roles: ['administrator'] }),
    await newOperator({ roles: ['treasurer'] }),
  ]
  const body = { name: 'Uptime program', days: '30' }
  expect((await as(treasurer, 'POST', '/operator/monitoring-tokens', body)).status).toBe(403)
  const made = await as<MonitoringToken>(administrator, 'POST', '/operator/monitoring-tokens', body)
  expect(made).toMatchObject({ status: 201, body: { name: 'Uptime program', lastUsedAt: null } })
  const { _id, token } = made.body
  if (token === undefined) throw new Error('The answer has no token.')

  const ana = await newInvestor({ name: 'Ana Unseen' })
  await deposit(ana, '654.32')
  const read = await call('GET', '/monitoring', { token })
  expect(read).toMatchObject({ status: 200, body: { ok: false, queues: { deposit: { count: 1 } } } })
  expect(JSON.stringify(read.body)).not.toMatch(/Ana|654|Olu/)

  for (const { endpoint } of routes.filter(
    ({ endpoint }) => !['public', 'monitoring'].includes(endpoint.scope),
  )) {
    const json = endpoint.method === 'GET' ? {} : { json: {} }
    const { status } = await call(endpoint.method, endpoint.path.replaceAll(/:[a-z]+/gi, 'x'), {
      token,
      ...json,
    })
    expect([endpoint.path, status === 401 || status === 415]).toEqual([endpoint.path, true])
  }
  for (const other of [undefined, ana.token, administrator.token, `${token.slice(0, -1)}-`])
    expect((await call('GET', '/monitoring', other === undefined ? {} : { token: other })).status).toBe(401)

  const list = async () =>
    (await as<MonitoringToken[]>(administrator, 'GET', '/operator/monitoring-tokens')).body.find(
      (row) => row._id === _id,
    )
  expect(await list()).toMatchObject({
    lastUsedAt: expect.any(String),
    revokedAt: null,
    steps: [{ step: 'created', by: { _id: administrator.id } }],
  })
  expect(JSON.stringify(await list())).not.toContain(token.slice(11))
  const revoke = () => as(administrator, 'POST', `/operator/monitoring-tokens/${_id}/revoke`, {})
  expect(await revoke()).toMatchObject({ status: 200, body: { steps: [{}, { step: 'revoked' }] } })
  expect(await revoke()).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  expect((await call('GET', '/monitoring', { token })).status).toBe(401)
})
