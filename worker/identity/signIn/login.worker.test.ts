import { env } from 'cloudflare:workers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { callCounted, callWith } from '../../../test/support/app.ts'
import { call, deviceOf } from '../../../test/support/http.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { sign } from '../../lib/crypto/signature.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { setRuntime } from '../../lib/runtime.ts'

interface Session {
  token: string
  name: string
  email: string
  role: string
  expiresAt: string
}

let network = 0
/** Each test signs in from its own network, so that they do not count against each other. */
const newIp = () => `198.51.100.${++network}`

const signIn = (json: unknown, more = {}) =>
  call<Session>('POST', '/auth/login', { json, ip: newIp(), ...more })

describe('signing in', () => {
  test('sign-in returns a working token and the user', async () => {
    const ana = await newInvestor({ name: 'Ana Torres' })
    const before = Date.now()
    const reply = await signIn({ email: ana.email.toUpperCase(), password: ana.password })
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      token: expect.stringMatching(/^[\w-]{36}\.[\w-]{43}\.[\w-]{36}\.1\.[\w-]{43}$/),
      name: 'Ana Torres',
      email: ana.email,
      role: 'investor',
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(Date.parse(reply.body.expiresAt) - before).toBeGreaterThanOrEqual(DAY_MS)
    const info = await call('GET', '/users/user-info?fields=email', { token: reply.body.token })
    expect(info).toMatchObject({ status: 200, body: { email: ana.email } })
  })

  test('only the hash of a session’s token is stored', async () => {
    const ana = await newInvestor()
    const { body } = await signIn({ email: ana.email, password: ana.password })
    const [id, secret = ''] = body.token.split('.')
    const row = await env.DB.prepare('SELECT * FROM sessions WHERE id = ?').bind(id).first()
    expect(JSON.stringify(row)).not.toContain(secret)
    expect(row).toMatchObject({ secret_hash: await sha256Hex(secret), user_id: ana.id })
  })

  test('a wrong password and an unknown address get the same answer', async () => {
    const ana = await newInvestor()
    const wrong = await signIn({ email: ana.email, password: 'something else' })
    const unknown = await signIn({ email: 'nobody@example.com', password: 'something else' })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toMatchObject({ code: 'invalid_credentials' })
    expect(unknown.status).toBe(401)
    expect(unknown.body).toEqual(wrong.body)
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()])
  })

  test('only somebody with the right password learns that the address is unverified', async () => {
    const ana = await newInvestor({ verified: false })
    expect(await signIn({ email: ana.email, password: ana.password })).toMatchObject({
      status: 403,
      body: { code: 'email_not_verified' },
    })
    expect(await signIn({ email: ana.email, password: 'something else' })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    })
  })

  test('lets a frozen account in', async () => {
    const ana = await newInvestor({ frozen: true })
    expect(await signIn({ email: ana.email, password: ana.password })).toMatchObject({ status: 200 })
  })

  test('names an operator’s role', async () => {
    const operator = await newOperator({ twoFactor: false })
    const reply = await signIn({ email: operator.email, password: operator.password })
    expect(reply.body).toMatchObject({ role: 'operator' })
  })

  test('asks for both fields in the form’s words', async () => {
    expect((await signIn({})).body).toEqual({
      code: 'validation_failed',
      msg: 'Email is required',
      fields: { email: 'Email is required', password: 'Password is required' },
    })
    expect((await signIn({ email: 'nobody', password: 'x' })).body).toMatchObject({
      msg: 'Provide a valid email',
    })
  })

  test('replaces a hash of an older cost', async () => {
    onTestFinished(setRuntime({ derivePassword: null }))
    const ana = await newInvestor()
    // Argon2id of the same password, with half the memory.
    await env.DB.prepare('UPDATE users SET password_hash = ? WHERE id = ?').bind(OLD_HASH, ana.id).run()
    expect(await signIn({ email: ana.email, password: ana.password })).toMatchObject({ status: 200 })
    const row = await env.DB.prepare('SELECT password_hash FROM users WHERE id = ?').bind(ana.id).first()
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await signIn({ email: ana.email, password: ana.password })).toMatchObject({ status: 200 })
  })

  test('takes two round trips to the database besides the hash', async () => {
    const ana = await newInvestor()
    const { status, counted } = await callCounted('POST', '/auth/login', {
      json: { email: ana.email, password: ana.password },
      ip: newIp(),
    })
    expect(status).toBe(200)
    expect(counted.trips).toBe(2)
    expect(counted.statements).toBeGreaterThan(3)
  })
})

describe('the device cookie', () => {
  test('the device cookie is set once, no script can read it, and the device becomes known', async () => {
    const ana = await newInvestor()
    const first = await signIn({ email: ana.email, password: ana.password })
    const cookie = first.headers.getSetCookie().find((each) => each.includes('__Host-device='))
    expect(first.headers.getSetCookie().some((each) => each.startsWith('XSRF-TOKEN='))).toBe(true)
    expect(cookie).toMatch(
      /^__Host-device=[\w-]{43}\.1\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const device = deviceOf(first) ?? ''
    const again = await signIn({ email: ana.email, password: ana.password }, { device })
    expect(deviceOf(again)).toBeUndefined()
    const { results } = await env.DB.prepare(
      'SELECT device_hash, confirmed_at FROM devices WHERE user_id = ?',
    )
      .bind(ana.id)
      .all()
    const [id = ''] = device.split('.')
    expect(results).toEqual([{ device_hash: await sha256Hex(id), confirmed_at: null }])
  })

  const knownDevices = async (id: string) =>
    (
      await env.DB.prepare('SELECT device_hash FROM devices WHERE user_id = ?')
        .bind(id)
        .all<{ device_hash: string }>()
    ).results.map(({ device_hash }) => device_hash)

  test('a device cookie that the server did not issue is ignored', async () => {
    const ben = await newInvestor()
    const issued = deviceOf(await signIn({ email: ben.email, password: ben.password })) ?? ''
    const [id = '', version, signature = ''] = issued.split('.')
    const made = [
      'a-value-that-somebody-planted',
      id,
      'A'.repeat(43),
      `${'A'.repeat(43)}.${version}.${signature}`,
      `${id}.${version}.${'A'.repeat(43)}`,
      `${id}.2.${signature}`,
      `${id}.${await sign(`1:${btoa('x'.repeat(32))}`, 'device', id)}`,
      `${id}.${await sign(env.VAULT_KEYS, 'lock-account', id)}`,
      '',
    ]
    for (const device of made) {
      const ana = await newInvestor()
      const reply = await signIn({ email: ana.email, password: ana.password }, { device })
      expect(deviceOf(reply), device).toMatch(/^[\w-]{43}\.1\.[\w-]{43}$/)
      expect(deviceOf(reply)?.startsWith(id), device).toBe(false)
      expect(await knownDevices(ana.id)).not.toContain(await sha256Hex(device))
      expect(await knownDevices(ana.id)).not.toContain(await sha256Hex(device.split('.')[0] ?? ''))
    }
  })

  test('a device cookie planted in another account’s browser is replaced and never becomes known there', async () => {
    const [ana, mallory] = [await newInvestor(), await newInvestor()]
    const planted = deviceOf(await signIn({ email: mallory.email, password: mallory.password })) ?? ''
    const reply = await signIn({ email: ana.email, password: ana.password }, { device: planted })
    const given = deviceOf(reply) ?? ''
    expect(given.split('.')[0]).not.toBe(planted.split('.')[0])
    expect(await knownDevices(ana.id)).toEqual([await sha256Hex(given.split('.')[0] ?? '')])
    // Ana's own device is known at her next sign-in, Mallory's copy is not.
    expect(
      deviceOf(await signIn({ email: ana.email, password: ana.password }, { device: given })),
    ).toBeUndefined()
    expect(
      deviceOf(await signIn({ email: ana.email, password: ana.password }, { device: planted })),
    ).toBeDefined()
  })

  test('the device is signed again under a newer key, and becomes invalid once its key is removed', async () => {
    const ana = await newInvestor()
    const issued = deviceOf(await signIn({ email: ana.email, password: ana.password })) ?? ''
    const signInUnder = async (keys: string, device: string) => {
      const json = { email: ana.email, password: ana.password }
      const response = await callWith({ VAULT_KEYS: keys }, 'POST', '/auth/login', {
        json,
        device,
        ip: newIp(),
      })
      expect(response.status).toBe(200)
      return deviceOf(response)
    }
    const newer = `2:${btoa('y'.repeat(32))}`
    const renewed = (await signInUnder(`${env.VAULT_KEYS},${newer}`, issued)) ?? ''
    expect(renewed).toMatch(/^[\w-]{43}\.2\.[\w-]{43}$/)
    expect(renewed.split('.')[0]).toBe(issued.split('.')[0])
    expect(await signInUnder(newer, renewed)).toBeUndefined()
    expect((await signInUnder(newer, issued))?.split('.')[0]).not.toBe(issued.split('.')[0])
  })

  test('is not given for a sign-in that failed', async () => {
    expect(deviceOf(await signIn({ email: 'nobody@example.com', password: 'something' }))).toBeUndefined()
  })
})

describe('a session', () => {
  const infoOf = (token: string) => call('GET', '/users/user-info?fields=email', { token })
  const setSession = (token: string, column: 'expires_at' | 'last_seen_at', value: number) =>
    env.DB.prepare(`UPDATE sessions SET ${column} = ? WHERE id = ?`).bind(value, token.split('.')[0]).run()

  test('a session ends after 24 hours', async () => {
    const ana = await newInvestor()
    await setSession(ana.token, 'expires_at', Date.now() - 1)
    expect(await infoOf(ana.token)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  })

  test('a session ends after two idle hours, and continues while it is used', async () => {
    const [idle, busy] = [await newInvestor(), await newInvestor()]
    await setSession(idle.token, 'last_seen_at', Date.now() - 2 * 3_600_000)
    expect(await infoOf(idle.token)).toMatchObject({ status: 401 })
    await setSession(busy.token, 'last_seen_at', Date.now() - 2 * 3_600_000 + 60_000)
    expect(await infoOf(busy.token)).toMatchObject({ status: 200 })
    await expect
      .poll(async () => {
        const row = await env.DB.prepare('SELECT last_seen_at FROM sessions WHERE id = ?')
          .bind(busy.token.split('.')[0])
          .first<{ last_seen_at: number }>()
        return Date.now() - (row?.last_seen_at ?? 0)
      })
      .toBeLessThan(60_000)
  })

  test('signing out ends this session and no other', async () => {
    const ana = await newInvestor()
    const { body: other } = await signIn({ email: ana.email, password: ana.password })
    expect((await call('POST', '/auth/logout', { token: ana.token })).status).toBe(204)
    expect(await infoOf(ana.token)).toMatchObject({ status: 401 })
    expect(await call('POST', '/auth/logout', { token: ana.token })).toMatchObject({ status: 401 })
    expect(await infoOf(other.token)).toMatchObject({ status: 200 })
  })

  test('no other secret, id or token format opens a session', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    const [id, secret] = ana.token.split('.')
    const tokens = [
      `${ben.token.split('.')[0]}.${secret}`,
      `${id}.${'A'.repeat(43)}`,
      `${id}`,
      `${id}.`,
      `.${secret}`,
      'x'.repeat(10_000),
      `${id}.${'x'.repeat(10_000)}`,
      "' OR 1=1 --.' OR 1=1 --",
    ]
    for (const token of tokens) expect(await infoOf(token)).toMatchObject({ status: 401 })
    expect(await call('GET', '/users/user-info')).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    })
  })
})

const OLD_HASH =
  '$argon2id$v=19$m=9728,t=2,p=1$7MASaMlgUPQIfRk8CYsT2A$Lj6s+VjlPZqxPx+ugdlIMZl4xhW5jTkhS1aS3foh4fE'
