import { describe, expect, test } from 'vitest'
import { ROLES, ROLES_OF, ROLES_OF_PROPOSALS } from '../../src/contract/roles.ts'
import { call } from '../../test/support/http.ts'
import { approveProposal, as, propose } from '../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../test/support/people.ts'
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
