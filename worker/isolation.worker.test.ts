import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { sendWith } from '../test/support/app.ts'
import { totpCode } from '../test/support/codes.ts'
import { changeAddress, depositForm, fileDeposit, GOOD_ADDRESS, withdraw } from '../test/support/filing.ts'
import { call } from '../test/support/http.ts'
import { approveDeposit, approveIdentity, as } from '../test/support/operating.ts'
import { withPasskey } from '../test/support/passkeys.ts'
import { anotherSession, freshCode, newInvestor, newOperator, type Person } from '../test/support/people.ts'
import { newPicture } from '../test/support/picture.ts'
import { makePlan } from '../test/support/plans.ts'
import { newStrategy } from '../test/support/pooled.ts'
import { newWallet } from '../test/support/wallets.ts'
import { newTotpSecret } from './lib/crypto/totp.ts'
import { routes } from './routes.ts'

// Everything here uses the list of routes, so new ones are tested automatically.
const endpoints = routes.map((route) => route.endpoint)
const signedIn = endpoints.filter((endpoint) => endpoint.scope !== 'public')
const ofInvestors = signedIn.filter(isOfInvestors)
const ofOperators = signedIn.filter((endpoint) => endpoint.scope.startsWith('operator:'))
const ofOneThing = ofInvestors.filter((endpoint) => endpoint.path.includes(':'))

function isOfInvestors({ scope }: Endpoint): boolean {
  return scope === 'signed-in' || scope === 'signed-in-or-key'
}

let attacker: Person
let operator: Person
let careless: Person
let victim: Person
/** A receiving address, which is shared by all. */
let paymentTo = ''
/** Every id in the database that belongs to the victim: accounts, requests, documents, sessions and others. */
let ids: string[] = []

beforeAll(async () => {
  attacker = await newInvestor({ availableCents: 500_00 })
  operator = await newOperator()
  careless = await newOperator({ twoFactor: false })
  paymentTo = (await newWallet()).address
  const before = new Set(await everyId())
  const totpSecret = newTotpSecret()
  victim = await newInvestor({ name: 'Vera Tim', kyc: 'none', totpSecret })
  await withPasskey(victim, { code: totpCode(totpSecret) })
  await ownEverything(victim, totpSecret)
  ids = (await everyId()).filter((id) => !before.has(id))
})

/** Creates one of each item with an id for somebody. Add items of new routes here. */
async function ownEverything(person: Person, totpSecret: string): Promise<void> {
  const { token } = person
  await call('POST', '/kyc', { token, form: { document: 'Passport', image: newPicture() } })
  const [submission] = (await call<{ _id: string }[]>('GET', '/kyc', { token })).body
  await approveIdentity(operator, submission?._id)
  const { body: credited } = await fileDeposit(person, { paymentTo })
  await approveDeposit(operator, credited._id)
  await fileDeposit(person, { paymentTo })
  await withdraw(person, { amount: '20.00' })
  await withdraw(person, { amount: '10.00' }, '/withdrawals/online-service')
  const strategy = await newStrategy()
  await call('POST', '/allocations', { token, json: { strategy, amount: '10.00' } })
  await makePlan(person, { kind: 'invest', amount: '10.00', strategy })
  await anotherSession(person)
  const json = { kind: 'program', name: 'Private program', until: new Date().toISOString().slice(0, 10) }
  const code = await freshCode({ id: person.id, secret: totpSecret })
  await call('POST', '/users/keys', { token, json: { ...json, password: person.password, code } })
  await changeAddress(person, {
    label: 'Private wallet',
    type: 'bitcoin',
    network: 'btc',
    address: GOOD_ADDRESS,
  })
  await call('POST', '/users/messages', { token, json: { message: 'For support alone' } })
  await as(operator, 'POST', `/operator/investors/${person.id}/notification`, {
    title: 'Private',
    content: '<p>For Vera alone</p>',
  })
}

describe('another investor’s things', { timeout: 60_000 }, () => {
  test('no route shows or changes another investor’s items', async () => {
    expect(ids.length).toBeGreaterThan(10)
    expect(ofOneThing.length).toBeGreaterThan(2)
    const before = await everything()
    for (const endpoint of ofOneThing) {
      for (const id of ids) {
        const answers = await Promise.all([attacker, operator].map(({ token }) => ask(endpoint, token, id)))
        for (const { status, body } of answers) {
          const tried = `${endpoint.method} ${endpoint.path} ${id}`
          expect([403, 404], `${tried} answered ${status} ${body}`).toContain(status)
          expect(leaks(body), tried).toEqual([])
        }
      }
    }
    expect(await everything()).toEqual(before)
  })

  test('another investor’s items are in no list, figure or file', async () => {
    for (const endpoint of ofInvestors.filter(
      ({ method, path }) => method === 'GET' && !path.includes(':'),
    )) {
      const { body } = await ask(endpoint, attacker.token)
      expect(leaks(body), endpoint.path).toEqual([])
    }
  })

  test('another investor’s id gets the same answer as an unknown one', async () => {
    for (const endpoint of ofOneThing) {
      const unknown = await ask(endpoint, attacker.token, 'no-such-thing')
      for (const id of ids.slice(0, 10))
        expect([endpoint.path, await ask(endpoint, attacker.token, id)]).toEqual([endpoint.path, unknown])
    }
  })

  // Last, because the owner's calls change things. If a route fails here, the test above tried nothing: `ownEverything` lacks its
  // item.
  test('each route was tried with an existing item of its owner', async () => {
    for (const endpoint of ofOneThing) {
      // A separate session, because one of the routes may end one.
      const token = await anotherSession(victim)
      let known = false
      for (const id of ids) known ||= (await ask(endpoint, token, id)).status !== 404
      expect([endpoint.method, endpoint.path, known]).toEqual([endpoint.method, endpoint.path, true])
    }
  })
})

describe('every route', { timeout: 60_000 }, () => {
  test('signed-in routes are 401 without a session', async () => {
    for (const endpoint of signedIn) {
      const { status } = await ask(endpoint, null, ids[0])
      expect([endpoint.method, endpoint.path, status]).toEqual([endpoint.method, endpoint.path, 401])
    }
  })

  test('operators’ routes are 403 for an investor, also about their own items', async () => {
    expect(ofOperators.length).toBeGreaterThan(20)
    for (const endpoint of ofOperators) {
      for (const id of [attacker.id, ...ids.slice(0, 3)]) {
        const { status, body } = await ask(endpoint, attacker.token, id)
        expect([endpoint.path, status, JSON.parse(body).code]).toEqual([endpoint.path, 403, 'forbidden'])
      }
    }
  })

  test('no cache may store an answer to a signed-in person', async () => {
    for (const endpoint of endpoints.filter(({ method, scope }) => method === 'GET' && scope !== 'public')) {
      const { token } = isOfInvestors(endpoint) ? victim : operator
      // `ask` looks at the header of each.
      for (const id of ids.slice(0, 3)) expect((await ask(endpoint, token, id)).status).toBeLessThan(500)
    }
  })

  test('operators’ routes are 403 without a second factor', async () => {
    for (const endpoint of ofOperators) {
      const { status, body } = await ask(endpoint, careless.token, ids[0])
      expect([endpoint.path, status, JSON.parse(body).code]).toEqual([
        endpoint.path,
        403,
        'two_factor_not_enabled',
      ])
    }
  })

  test('below /operator has an operator’s scope, and no other has', () => {
    for (const { path, scope } of endpoints)
      expect([path, scope.startsWith('operator:')]).toEqual([path, path.startsWith('/operator/')])
  })
})

/** Calls an endpoint about an item, without limits, which other tests cover. */
async function ask(endpoint: Endpoint, token: string | null, id = 'no-such-thing') {
  const path = endpoint.path.replace(/:[a-z]+/gi, encodeURIComponent(id))
  const sent =
    endpoint.accepts === 'form'
      ? { form: await depositForm({ paymentTo }) }
      : endpoint.method === 'GET'
        ? {}
        : { json: {} }
  const options = { ...(token !== null && { token }), ...sent }
  const response = await sendWith({ RATE_LIMITS: 'off' }, endpoint.method, path, options)
  const answer = { status: response.status, body: await response.text() }
  // Answers and refusals to signed-in people are private: no cache may store them.
  if (token !== null) expect([path, response.headers.get('Cache-Control')]).toEqual([path, 'no-store'])
  return answer
}

/** The victim's data in an answer. */
function leaks(body: string): string[] {
  return [...ids, victim.email, victim.name, 'For Vera alone', 'For support alone'].filter((each) =>
    body.includes(each),
  )
}

async function tables(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%cf_%' AND name <> 'd1_migrations'",
  ).all<{ name: string }>()
  return results.map(({ name }) => name)
}

async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
  return (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results
}

// In tables without other ids, row numbers count as ids.
async function everyId(): Promise<string[]> {
  const found = new Set<string>()
  for (const table of await tables())
    for (const row of await rowsOf(table)) {
      for (const [column, value] of Object.entries(row))
        if (/^(?:id|.*_id)$/.test(column) && typeof value === 'string') found.add(value)
    }
  return [...found]
}

/** The whole database, except counters of tries and times of use. */
async function everything(): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const table of await tables()) {
    if (table === 'rate_counters') continue
    all[table] = (await rowsOf(table)).map(({ last_seen_at: _used, ...row }) => row)
  }
  return all
}
