import { describe, expect, test } from 'vitest'
import { type OperatorScope, ROLES, ROLES_OF, ROLES_OF_PROPOSALS } from '../../src/contract/roles.ts'
import { call } from '../../test/support/http.ts'
import { approveProposal, as, deposit, propose } from '../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../test/support/people.ts'
import { setSetting } from '../../test/support/settings.ts'
import { operatorRoutes } from './routes.ts'

// Everything here uses the list of routes, so new ones are tested automatically.
const endpoints = operatorRoutes.map(({ endpoint }) => endpoint)

function ask({ method, path, accepts }: (typeof endpoints)[number], operator: Operator) {
  const at = path.replaceAll(/:[a-z]+/gi, 'no-such-thing')
  const body = method === 'GET' ? {} : accepts === 'form' ? { form: { nothing: 'here' } } : { json: {} }
  return call(method, at, { token: operator.token, ...body })
}

const FORBIDDEN = { status: 403, body: { code: 'forbidden', msg: 'Your account is not allowed to do this.' } }

describe('roles', { timeout: 60_000 }, () => {
  test.each(ROLES)('a %s gets only into the routes on the list', async (role) => {
    const operator = await newOperator({ roles: [role] })
    for (const endpoint of endpoints) {
      const tried = `${endpoint.method} ${endpoint.path}`
      const roles = endpoint.scope.startsWith('operator:')
        ? ROLES_OF[endpoint.scope as keyof typeof ROLES_OF]
        : []
      const reply = await ask(endpoint, operator)
      if (roles.includes(role)) expect([tried, reply.status]).not.toEqual([tried, 403])
      else expect([tried, reply]).toMatchObject([tried, FORBIDDEN])
    }
  })

  test('an operator without a role, or with an unknown one, gets in nowhere', async () => {
    const nobody = await newOperator({ roles: [] })
    const stranger = await newOperator({ roles: ['owner'] as never[] })
    for (const endpoint of endpoints) {
      for (const operator of [nobody, stranger])
        expect([endpoint.path, await ask(endpoint, operator)]).toMatchObject([endpoint.path, FORBIDDEN])
    }
  })

  test('several roles add up, and an auditor’s alone changes nothing', async () => {
    const both = await newOperator({ roles: ['reviewer', 'treasurer'] })
    for (const endpoint of endpoints) {
      const roles = ROLES_OF[endpoint.scope as keyof typeof ROLES_OF]
      const { status } = await ask(endpoint, both)
      expect([endpoint.path, status === 403]).toEqual([
        endpoint.path,
        !roles.includes('reviewer') && !roles.includes('treasurer'),
      ])
      if (endpoint.method !== 'GET' && !endpoint.isQuery)
        expect([endpoint.path, roles.includes('auditor')]).toEqual([endpoint.path, false])
    }
  })
})

test('support reads messages and who an investor is: no money, no documents, no silent freeze', async () => {
  const [support, operator] = [await newOperator({ roles: ['support'] }), await newOperator()]
  const readable = operatorRoutes.filter(
    ({ endpoint: { method, isQuery, scope } }) =>
      (method === 'GET' || isQuery) && ROLES_OF[scope as OperatorScope].includes('support'),
  )
  expect([...new Set(readable.map(({ endpoint }) => endpoint.path.split('/')[2]))].toSorted()).toEqual([
    'colleagues',
    'handover',
    'investors',
    'me',
    'messages',
    'notifications',
    'search',
    'settings',
    'waiting',
    'work',
  ])

  const ana = await newInvestor({ availableCents: 987_65, name: 'Ana Supported' })
  const waiting = await deposit(ana, '876.54')
  await as(operator, 'POST', `/operator/investors/${ana.id}/silent-freeze`, { reason: 'A suspicion' })
  await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'A reason' })
  const { ref } = (await as<{ ref: string }>(operator, 'GET', `/operator/deposits/${waiting}`)).body
  await call('POST', '/contact-us', {
    json: { name: 'Ana', email: ana.email, message: `Where is ${ref}, please?` },
  })
  const [message] = (await as<{ _id: string }[]>(support, 'GET', '/operator/messages')).body
  expect(
    (await as<{ mentioned: unknown[] }>(support, 'GET', `/operator/messages/${message?._id}`)).body.mentioned,
  ).toMatchObject([{ ref, status: 'pending', amount: null }])
  expect((await as(support, 'POST', '/operator/search', { query: ref })).body).toMatchObject({ cases: [] })
  expect(
    (await as<{ items: { kind: string }[] }>(support, 'GET', '/operator/work')).body.items.map(
      ({ kind }) => kind,
    ),
  ).toEqual(['message'])
  for (const { endpoint } of readable) {
    const path = endpoint.path.replace(':id', endpoint.path.includes('messages') ? `${message?._id}` : ana.id)
    const text = JSON.stringify(
      (await as(support, endpoint.method, path, endpoint.method === 'GET' ? undefined : { query: ref })).body,
    )
    expect([path, text]).not.toEqual([
      path,
      expect.stringMatching(/balances|987\.65|876\.54|isReserved|silentFreeze"|A suspicion|A reason/),
    ])
  }
  const investor = (await as(support, 'GET', `/operator/investors/${ana.id}`)).body
  expect(investor).toMatchObject({ name: 'Ana Supported', frozen: true, frozenReason: null })
})

test('compliance writes and reads confidential notes and freezes, also silently, whichever role the settings name', async () => {
  const compliance = await newOperator({ roles: ['compliance'] })
  const ana = await newInvestor()
  const at = `/operator/investors/${ana.id}`
  expect((await as(compliance, 'POST', `${at}/notes`, { text: 'Odd', confidential: true })).status).toBe(201)
  expect((await as(compliance, 'GET', `${at}/notes`)).body).toMatchObject([{ confidential: true }])
  expect((await as(compliance, 'POST', `${at}/freeze`, { reason: 'Odd' })).status).toBe(200)
  expect(await as(compliance, 'POST', `${at}/unfreeze`, {})).toMatchObject(FORBIDDEN)
  await setSetting('confidentialRole', 'reviewer')
  expect((await as(compliance, 'POST', `${at}/silent-freeze`, { reason: 'Odd' })).status).toBe(200)
  await setSetting('confidentialRole', 'administrator')
})

describe('proposals', () => {
  test('treasurers make and decide proposals about money, administrators those about the platform', async () => {
    const ana = await newInvestor()
    const [treasurer, administrator] = [
      await newOperator({ roles: ['treasurer'] }),
      await newOperator({ roles: ['administrator'] }),
    ]
    const bodies = [
      { kind: 'bonus', investor: ana.id, amount: 5, reason: 'Thanks' },
      {
        kind: 'wallet',
        walletName: 'bitcoin',
        network: 'btc',
        address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      },
      { kind: 'settings', settings: { referralBonus: 1 } },
      { kind: 'announcement', topic: 'tips', subject: 'One', text: 'Two' },
      { kind: 'service_notice', subject: 'One', text: 'Two' },
    ] as const
    for (const body of bodies) {
      const [may, mayNot] = (ROLES_OF_PROPOSALS[body.kind] as readonly string[]).includes('treasurer')
        ? [treasurer, administrator]
        : [administrator, treasurer]
      expect([body.kind, await propose(mayNot, body)]).toMatchObject([body.kind, FORBIDDEN])
      const made = await propose(may, body)
      expect([body.kind, made.status]).toEqual([body.kind, 201])
      for (const step of ['approve', 'reject'])
        expect(
          await as(mayNot, 'POST', `/operator/proposals/${made.body._id}/${step}`, { reason: 'No' }),
        ).toMatchObject(FORBIDDEN)
      const other = await newOperator({ roles: ROLES_OF_PROPOSALS[body.kind] })
      expect(await approveProposal(other, made.body._id)).toMatchObject({ status: 200 })
      // Nor do they learn that it was decided.
      expect(await approveProposal(mayNot, made.body._id)).toMatchObject(FORBIDDEN)
    }
  })
})
