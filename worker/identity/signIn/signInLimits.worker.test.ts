import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { totpCode } from '../../../test/support/codes.ts'
import { call, deviceOf, type Reply } from '../../../test/support/http.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'

let network = 0
const newIp = () => `192.0.2.${++network}`

interface Attempt {
  readonly email: string
  readonly password: string
  readonly code?: string
}

const signIn = (json: Attempt, more: { ip?: string; device?: string } = {}) =>
  call('POST', '/auth/login', { json, ip: newIp(), ...more })

const wrong = (email: string): Attempt => ({ email, password: 'not the password' })

async function fail(email: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect((await signIn(wrong(email))).status).toBe(401)
}

function countByStatus(replies: readonly Reply<unknown>[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('failed sign-ins to one account', () => {
  test('after ten in fifteen minutes even the right password is refused', async () => {
    const ana = await newInvestor()
    await fail(ana.email, 10)
    const refused = await signIn(wrong(ana.email))
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(refused.body.msg).toBe('Too many tries. Please try again in 15 minutes.')
    const wait = Number(refused.headers.get('Retry-After'))
    expect(wait).toBeGreaterThan(14 * 60)
    expect(wait).toBeLessThanOrEqual(15 * 60)
    expect(await signIn({ email: ana.email.toUpperCase(), password: ana.password })).toMatchObject({
      status: 429,
    })
  })

  test('are counted for an address without an account as well', async () => {
    await fail('nobody-at-all@example.com', 10)
    expect(await signIn(wrong('nobody-at-all@example.com'))).toMatchObject({ status: 429 })
  })

  test('are forgotten once the window has passed', async () => {
    const ana = await newInvestor()
    await fail(ana.email, 10)
    await env.DB.prepare('UPDATE rate_counters SET window_start = window_start - 15 * 60000').run()
    expect(await signIn({ email: ana.email, password: ana.password })).toMatchObject({ status: 200 })
    await fail(ana.email, 10)
    expect(await signIn(wrong(ana.email))).toMatchObject({ status: 429 })
  })

  test('are not counted when the password was right', async () => {
    const ana = await newInvestor()
    const ben = await newInvestor({ verified: false })
    const operator = await newOperator()
    for (let i = 0; i < 12; i++) {
      expect((await signIn({ email: ana.email, password: ana.password })).status).toBe(200)
      expect((await signIn({ email: ben.email, password: ben.password })).status).toBe(403)
      expect((await signIn({ email: operator.email, password: operator.password })).body.code).toBe(
        'two_factor_required',
      )
    }
  })

  test('are counted for wrong codes', async () => {
    const operator = await newOperator()
    const attempt = { email: operator.email, password: operator.password, code: '000000' }
    for (let i = 0; i < 10; i++) expect((await signIn(attempt)).body.code).toBe('invalid_code')
    const code = totpCode(operator.secret ?? '')
    expect(await signIn({ ...attempt, code })).toMatchObject({ status: 429 })
  })

  test('fifty parallel sign-ins to one account can guess ten times', async () => {
    const ana = await newInvestor()
    const replies = await Promise.all(Array.from({ length: 50 }, () => signIn(wrong(ana.email))))
    expect(countByStatus(replies)).toEqual({ 401: 10, 429: 40 })
  })
})

test('twenty parallel right sign-ins all succeed', async () => {
  const ana = await newInvestor()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => signIn({ email: ana.email, password: ana.password })),
  )
  expect(countByStatus(replies)).toEqual({ 200: 20 })
})

describe('failed sign-ins from one network address', () => {
  test('one network address gets thirty failed sign-ins, over all accounts', async () => {
    const ip = newIp()
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => signIn(wrong(`stranger-${i}@example.com`), { ip })),
    )
    expect(countByStatus(replies)).toEqual({ 401: 30, 429: 10 })
    const ana = await newInvestor()
    expect(await signIn({ email: ana.email, password: ana.password }, { ip })).toMatchObject({ status: 429 })
    expect(await signIn({ email: ana.email, password: ana.password })).toMatchObject({ status: 200 })
  })

  test('one IPv6 network gets thirty failed sign-ins, from all its addresses together', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        signIn(wrong(`hopper-${i}@example.com`), { ip: `2001:db8:7:1::${(i + 1).toString(16)}` }),
      ),
    )
    expect(countByStatus(replies)).toEqual({ 401: 30, 429: 10 })
    const beside = await signIn(wrong('neighbour@example.com'), { ip: '2001:db8:7:2::1' })
    expect(beside.status).toBe(401)
  })

  test('failed sign-ins count by the platform’s address, not by the client’s claim', async () => {
    const ip = newIp()
    for (let i = 0; i < 30; i++) await signIn(wrong(`liar-${i}@example.com`), { ip })
    const reply = await call('POST', '/auth/login', {
      json: wrong('liar@example.com'),
      ip,
      headers: { 'X-Forwarded-For': '10.0.0.1', 'X-Real-IP': '10.0.0.1' },
    })
    expect(reply.status).toBe(429)
  })
})

describe('a device that the account knows', () => {
  test('from a known device, past both limits, only the right password works', async () => {
    const ana = await newInvestor()
    const device = deviceOf(await signIn({ email: ana.email, password: ana.password })) ?? ''
    const ip = newIp()
    await fail(ana.email, 10)
    for (let i = 0; i < 30; i++) await signIn(wrong(`other-${i}@example.com`), { ip })
    expect(await signIn(wrong(ana.email), { device, ip })).toMatchObject({ status: 429 })
    expect(await signIn({ email: ana.email, password: ana.password }, { device, ip })).toMatchObject({
      status: 200,
    })
    expect(await signIn({ email: ana.email, password: ana.password }, { ip })).toMatchObject({ status: 429 })
  })

  test('another account’s device does not help', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    const device = deviceOf(await signIn({ email: ben.email, password: ben.password })) ?? ''
    await fail(ana.email, 10)
    expect(await signIn({ email: ana.email, password: ana.password }, { device })).toMatchObject({
      status: 429,
    })
  })

  test('guesses a hundred times at most', async () => {
    const ana = await newInvestor()
    const device = deviceOf(await signIn({ email: ana.email, password: ana.password })) ?? ''
    await fail(ana.email, 10)
    await signIn(wrong(ana.email), { device })
    await env.DB.prepare(
      "UPDATE rate_counters SET used = used + 99, failed = failed + 99 WHERE key LIKE 'sign-in:device:%'",
    ).run()
    expect(await signIn({ email: ana.email, password: ana.password }, { device })).toMatchObject({
      status: 429,
    })
  })
})

test('there are no limits in a load test, and only there', async () => {
  const bindings: Record<string, unknown> = env as unknown as Record<string, unknown>
  const ip = newIp()
  bindings.RATE_LIMITS = 'off'
  for (let i = 0; i < 12; i++) expect((await signIn(wrong('load@example.com'), { ip })).status).toBe(401)
  const { PUBLIC_ORIGIN } = bindings
  // Production answers for its own host alone, and takes HTTPS only.
  Object.assign(bindings, { APP_ENV: 'production', PUBLIC_ORIGIN: 'https://localhost:8787' })
  const inProduction = []
  for (let i = 0; i < 11; i++) inProduction.push((await signIn(wrong('load@example.com'), { ip })).status)
  Object.assign(bindings, { RATE_LIMITS: 'on', APP_ENV: 'development', PUBLIC_ORIGIN })
  expect(inProduction).toEqual([...Array(10).fill(401), 429])
})
