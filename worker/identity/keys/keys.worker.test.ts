import { env } from 'cloudflare:workers'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type * as z from 'zod/mini'
import type { endpoint, Scope } from '../../../src/contract/endpoint.ts'
import { type Key, MAX_KEYS } from '../../../src/contract/identity/keys.ts'
import { isInNetworks, parseNetwork } from '../../../src/contract/ipNetworks.ts'
import { DAY_MS } from '../../../src/time.ts'
import { callWith, sendWith } from '../../../test/support/app.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { BANK_WITHDRAWAL, depositForm, withdraw } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { as } from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newStrategy } from '../../../test/support/pooled.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'
import { routes } from '../../routes.ts'

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

function create({ token, password }: Person, fields: Readonly<Record<string, unknown>> = {}) {
  const json = { kind: 'program', name: 'My spreadsheet', until: inDays(30), password, ...fields }
  return callWith<Key & { code: string; fields: Record<string, string> }>(
    { RATE_LIMITS: 'off' },
    'POST',
    '/users/keys',
    { token, json },
  )
}

async function createKey(person: Person, fields: Readonly<Record<string, unknown>> = {}) {
  const { status, body } = await create(person, fields)
  expect(status).toBe(201)
  return { id: body._id, token: body.key ?? '' }
}

const balances = (token: string, ip?: string) =>
  call<Record<string, unknown>>('GET', '/users/balances', { token, ...(ip !== undefined && { ip }) })
const listKeys = async (person: Person) => (await as<Key[]>(person, 'GET', '/users/keys')).body

describe('what a key may do', () => {
  test('a key reads the routes that declare it and is refused by every other', {
    timeout: 60_000,
  }, async () => {
    const ana = await newInvestor({ availableCents: 500_00 })
    await as(ana, 'POST', '/allocations', { strategy: await newStrategy(), amount: '10.00' })
    const [order] = (await as<{ _id: string }[]>(ana, 'GET', '/allocations/orders')).body
    const declared: string[] = []
    for (const kind of ['program', 'guest']) {
      const { token } = await createKey(ana, { kind })
      for (const { endpoint: tried } of routes.filter((route) => route.endpoint.scope !== 'public')) {
        const { method, scope } = tried
        const path = tried.path.replaceAll(/:[a-z]+/gi, order?._id ?? '')
        const query = path === '/users/entries' ? '?figure=deposits' : ''
        const sent =
          tried.accepts === 'form'
            ? { form: await depositForm({ paymentTo: 'x' }) }
            : method === 'GET'
              ? {}
              : { json: {} }
        const { status } = await sendWith({ RATE_LIMITS: 'off' }, method, path + query, { token, ...sent })
        const isDeclared = scope === 'signed-in-or-key'
        if (isDeclared) declared.push(`${method} ${tried.path}`)
        expect([method, path, status]).toEqual([method, path, isDeclared ? 200 : 401])
      }
    }
    expect([...new Set(declared)].sort()).toEqual([
      'GET /allocations',
      'GET /allocations/:id',
      'GET /allocations/orders',
      'GET /gains',
      'GET /statements',
      'GET /transaction-history',
      'GET /users/balances',
      'GET /users/entries',
      'GET /users/value-history',
    ])
  })

  test('an endpoint that changes something cannot be declared for keys', () => {
    // The compiler checks it.
    type None = z.ZodMiniType<undefined>
    type Method<S extends Scope> = Parameters<typeof endpoint<None, None, undefined, S>>[0]
    expectTypeOf<Method<'signed-in-or-key'>>().toEqualTypeOf<'GET'>()
    expectTypeOf<Method<'signed-in'>>().toEqualTypeOf<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>()
  })

  test('a key shows its owner’s figures without destinations, and nothing of another investor', async () => {
    const [ana, ben] = [await newInvestor({ name: 'Ana Seen', availableCents: 500_00 }), await newInvestor()]
    await withdraw(ana, { ...BANK_WITHDRAWAL, amount: '20.00' }, '/withdrawals/online-service')
    const { token } = await createKey(ana)
    expect((await balances(token)).body).toMatchObject({
      name: 'Ana Seen',
      totalBalance: 500,
      available: 480,
      held: 20,
      key: { name: 'My spreadsheet', kind: 'program' },
    })
    expect((await balances(ana.token)).body).toMatchObject({ available: 480, key: null })
    const own = await call<Record<string, unknown>[]>('GET', '/transaction-history', { token: ana.token })
    const read = await call<Record<string, unknown>[]>('GET', '/transaction-history', { token })
    expect(own.body[0]).toMatchObject({ accountHolderName: expect.any(String) })
    expect(Object.keys(read.body[0] ?? {}).sort()).toEqual(
      ['_id', 'amount', 'createdAt', 'fee', 'ref', 'status', 'trxType'].sort(),
    )
    const other = await createKey(ben)
    expect((await balances(other.token)).body).toMatchObject({ totalBalance: 0 })
    expect((await call('GET', '/transaction-history', { token: other.token })).body).toEqual([])
    expect((await as(ben, 'POST', `/users/keys/${(await listKeys(ana))[0]?._id}/revoke`, {})).status).toBe(
      404,
    )
  })

  test('the calls of a key are counted apart from those of its owner', async () => {
    const ana = await newInvestor()
    const [first, second] = [await createKey(ana), await createKey(ana)]
    await balances(first.token)
    await env.DB.prepare("UPDATE rate_counters SET used = 120 WHERE key = 'keys:key:' || ?")
      .bind(first.id)
      .run()
    const refused = await balances(first.token)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    for (const token of [second.token, ana.token]) expect((await balances(token)).status).toBe(200)
    const statement = (token: string) => call('GET', '/statements', { token })
    await statement(second.token)
    await env.DB.prepare("UPDATE rate_counters SET used = 60 WHERE key = 'statements:key:' || ?")
      .bind(second.id)
      .run()
    expect((await statement(second.token)).status).toBe(429)
    expect((await statement(ana.token)).status).toBe(200)
  })
})

describe('creating a key', () => {
  test('the key is shown once, stored as a hash, mailed and logged', async () => {
    const ana = await newInvestor()
    const { id, token } = await createKey(ana, { kind: 'guest', name: 'My accountant' })
    expect(token).toMatch(/^guest_[\w-]{43}$/)
    const row = await env.DB.prepare('SELECT * FROM read_keys WHERE id = ?').bind(id).first()
    expect(row).toMatchObject({ token_hash: await sha256Hex(token), last_used_at: null })
    const list = await listKeys(ana)
    expect(list).toMatchObject([{ _id: id, kind: 'guest', name: 'My accountant', lastUsedAt: null }])
    const mail = await mailTo(ana.email, /^A guest link was created/)
    expect(mail.text).toContain('/lock-account')
    const logged = await as<{ event: string }[]>(ana, 'GET', '/users/activity')
    expect(logged.body[0]).toMatchObject({ event: 'key.created' })
    const audit = await env.DB.prepare('SELECT detail FROM audit_log WHERE subject = ?')
      .bind(id)
      .first('detail')
    const told = await env.DB.prepare('SELECT content FROM received_notifications WHERE user_id = ?')
      .bind(ana.id)
      .first<string>('content')
    expect(told).toContain('My accountant')
    for (const text of [JSON.stringify([list, row, audit, told, logged.body]), mail.text])
      expect(text).not.toContain(token.slice(6))
    expect(audit).not.toContain('accountant')
    // The hash does not open anything, so a copy of the database does not either.
    expect((await balances(`key_${await sha256Hex(token)}`)).status).toBe(401)
  })

  test('takes the password and the second factor', async () => {
    const totpSecret = newTotpSecret()
    const ana = await newInvestor({ totpSecret })
    expect(await create(ana, { password: 'wrong' })).toMatchObject({ body: { code: 'wrong_password' } })
    expect(await create(ana)).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
    expect(await create(ana, { code: '000000' })).toMatchObject({ body: { code: 'invalid_code' } })
    expect(await listKeys(ana)).toEqual([])
    expect((await create(ana, { code: totpCode(totpSecret) })).status).toBe(201)
    expect((await create(await newOperator())).status).toBe(403)
  })

  test.each([
    [{ kind: 'writer' }, 'kind'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ until: inDays(-1) }, 'until'],
    [{ until: inDays(366) }, 'until'],
    [{ until: '2026-02-31' }, 'until'],
    [{ until: 7 }, 'until'],
    [{ networks: '203.0.113.0/33' }, 'networks'],
    [{ networks: '203.0.113.0/24; DROP TABLE' }, 'networks'],
    [{ networks: Array.from({ length: 21 }, (_, i) => `10.0.0.${i}`).join('\n') }, 'networks'],
  ])('refuses %j beside its field', async (fields, name) => {
    const { status, body } = await create(await newInvestor(), fields)
    expect([status, Object.keys(body.fields)]).toEqual([422, [name]])
  })

  test('at most twenty work at a time', async () => {
    const ana = await newInvestor()
    const { id } = await createKey(ana)
    await env.DB.prepare(
      `INSERT INTO read_keys (id, investor, kind, name, token_hash, networks, created_at, expires_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       SELECT hex(randomblob(16)), investor, kind, name, lower(hex(randomblob(32))), networks, created_at, expires_at
       FROM n, read_keys WHERE id = ?2`,
    )
      .bind(MAX_KEYS - 1, id)
      .run()
    expect(await create(ana)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await as(ana, 'POST', `/users/keys/${id}/revoke`, {})
    expect((await create(ana)).status).toBe(201)
  })
})

describe('the end of a key', () => {
  test('a key stops at the end of its last day, and when it is revoked', async () => {
    const ana = await newInvestor()
    const { id, token } = await createKey(ana, { until: inDays(1) })
    const at = (ms: number) => callWith({}, 'GET', '/users/balances', { token }, () => ms)
    const end = Date.parse(inDays(1)) + DAY_MS
    expect((await at(end - 1)).status).toBe(200)
    expect((await at(end)).status).toBe(401)
    expect((await listKeys(ana))[0]?.lastUsedAt).toBe(new Date(end - 1).toISOString())
    expect((await as(ana, 'POST', `/users/keys/${id}/revoke`, {})).status).toBe(200)
    expect(await as(ana, 'POST', `/users/keys/${id}/revoke`, {})).toMatchObject({ status: 409 })
    expect((await balances(token)).status).toBe(401)
  })

  test('a key works only from the networks that it names', async () => {
    const ana = await newInvestor()
    const { token } = await createKey(ana, { networks: '203.0.113.0/28, 2001:DB8:1::/48\n198.51.100.7' })
    for (const ip of ['203.0.113.15', '::ffff:203.0.113.1', '2001:db8:1:ffff::9', '198.51.100.7'])
      expect([ip, (await balances(token, ip)).status]).toEqual([ip, 200])
    for (const ip of ['203.0.113.16', '2001:db8:2::1', '198.51.100.8', '::', 'local'])
      expect([ip, await balances(token, ip)]).toMatchObject([
        ip,
        { status: 403, body: { code: 'forbidden' } },
      ])
  })

  test.each([
    '',
    'key_',
    `key_${'A'.repeat(43)}`,
    `guest_${'A'.repeat(44)}`,
    `program_${'A'.repeat(43)}`,
    `monitoring_${'A'.repeat(43)}`,
    `key_${"' OR 1=1 --".padEnd(43, 'A')}`,
    'key_'.padEnd(9000, 'A'),
  ])('refuses a wrong key: %s', async (token) => {
    expect(await balances(token)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  })

  test('signing out everywhere, by the owner or an operator, and closing revoke every key', async () => {
    const ana = await newInvestor()
    const operator = await newOperator()
    const other = await anotherSession(ana)
    const first = await createKey(ana)
    expect((await as(ana, 'DELETE', '/users/sessions')).status).toBe(204)
    expect((await balances(first.token)).status).toBe(401)
    expect([(await balances(other)).status, (await balances(ana.token)).status]).toEqual([401, 200])
    const second = await createKey(ana)
    await as(operator, 'POST', `/operator/investors/${ana.id}/end-sessions`, {})
    expect((await balances(second.token)).status).toBe(401)
    const ben = await newInvestor()
    const third = await createKey(ben)
    expect((await as(ben, 'POST', '/users/close', { password: ben.password })).status).toBe(200)
    expect((await balances(third.token)).status).toBe(401)
    expect((await mailsTo(ben.email)).length).toBeGreaterThan(0)
  })
})

test('ranges of addresses are read in both notations', () => {
  for (const text of ['', '1.2.3', '1.2.3.256', '1.2.3.4/33', '::/129', '::1/x', ':::', '1.2.3.4/', 'a/8'])
    expect([text, parseNetwork(text)]).toEqual([text, null])
  expect(isInNetworks('10.1.2.3', ['10.0.0.0/8'])).toBe(true)
  expect(isInNetworks('11.1.2.3', ['10.0.0.0/8'])).toBe(false)
  expect(isInNetworks('9.9.9.9', ['0.0.0.0/0'])).toBe(true)
  expect(isInNetworks('2001:db8::1', ['0.0.0.0/0'])).toBe(false)
  expect(isInNetworks('2001:db8:0:8000::1', ['2001:db8:0:8000::/49'])).toBe(true)
  expect(isInNetworks('2001:db8:0:7fff::1', ['2001:db8:0:8000::/49'])).toBe(false)
  expect(isInNetworks('anything', [])).toBe(true)
})
