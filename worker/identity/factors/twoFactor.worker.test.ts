import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { site } from '../../../src/site.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { mailedFactorCode, setSecurityChange, withMailedCode } from '../../../test/support/factors.ts'
import { call } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

let network = 0
const signIn = (person: Person, code?: string) =>
  call('POST', '/auth/login', {
    json: { email: person.email, password: person.password, ...(code !== undefined && { code }) },
    ip: `198.51.100.${++network}`,
  })

const setUp = (token: string) =>
  call<{ secret: string; otpauthUri: string; qr: string }>('POST', '/auth/two-factor/setup', { token })
type Enabled = { recoveryCodes: string[]; code?: string; reasons?: string[]; methods?: string[] }
const send = (token: string, json: unknown) =>
  call<Enabled & { fields?: unknown }>('POST', '/auth/two-factor/enable', { token, json })
/** Turns it on with the mailed code. */
const enable = (person: Person, code: string) =>
  withMailedCode(person, (proof) => send(person.token, { code, proof }))
const disable = (token: string, json: unknown) => call('POST', '/auth/two-factor/disable', { token, json })

/** An investor whose second factor is on, with the answers of the API. */
async function protectedInvestor() {
  const ana = await newInvestor()
  const { body } = await setUp(ana.token)
  const enabled = await enable(ana, totpCode(body.secret))
  return { ana, secret: body.secret, recoveryCodes: enabled.body.recoveryCodes }
}

const securityChange = (id: string) =>
  env.DB.prepare('SELECT security_changed_at FROM users WHERE id = ?').bind(id).first('security_changed_at')

describe('setting a second factor up', () => {
  test('gives a secret, its address for the app and a picture of it', async () => {
    const ana = await newInvestor()
    const { status, body } = await setUp(ana.token)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(body.otpauthUri)
    expect(uri.protocol).toBe('otpauth:')
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      secret: body.secret,
      issuer: site.brand,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    const [kind, picture = ''] = body.qr.split(',')
    expect(kind).toBe('data:image/svg+xml;base64')
    expect(atob(picture)).toMatch(/^<svg /)
    expect(await signIn(ana)).toMatchObject({ status: 200 })
  })

  test('the second factor’s secret is stored encrypted', async () => {
    const ana = await newInvestor()
    const { body } = await setUp(ana.token)
    const row = await env.DB.prepare('SELECT * FROM second_factors WHERE user_id = ?').bind(ana.id).first()
    expect(JSON.stringify(row)).not.toContain(body.secret)
    expect(row).toMatchObject({ enabled_at: null })
  })

  test('needs somebody signed in, and no second factor yet', async () => {
    expect(await call('POST', '/auth/two-factor/setup')).toMatchObject({ status: 401 })
    const ana = await newInvestor({ totpSecret: newTotpSecret() })
    expect(await setUp(ana.token)).toMatchObject({ status: 409, body: { code: 'two_factor_enabled' } })
  })
})

describe('the status of the second factor', () => {
  const twoFactorStatus = (token: string) => call('GET', '/auth/two-factor', { token })

  test('is off until a first code was given, and counts the recovery codes that are left', async () => {
    const ana = await newInvestor()
    const off = { on: false, since: null, methods: [], recoveryCodesLeft: 0 }
    expect((await twoFactorStatus(ana.token)).body).toEqual(off)
    const { body } = await setUp(ana.token)
    expect((await twoFactorStatus(ana.token)).body).toEqual(off)
    const { recoveryCodes } = (await enable(ana, totpCode(body.secret))).body
    expect((await twoFactorStatus(ana.token)).body).toEqual({
      on: true,
      since: expect.stringMatching(/Z$/),
      methods: ['totp'],
      recoveryCodesLeft: 10,
    })
    expect(await signIn(ana, recoveryCodes[0])).toMatchObject({ status: 200 })
    expect((await twoFactorStatus(ana.token)).body).toMatchObject({ on: true, recoveryCodesLeft: 9 })
  })

  test('is only for signed-in people', async () => {
    expect(await call('GET', '/auth/two-factor')).toMatchObject({ status: 401 })
  })
})

describe('turning it on', () => {
  test('turning a second factor on returns ten recovery codes once, and is a security change', async () => {
    const { ana, secret, recoveryCodes } = await protectedInvestor()
    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    const stored = await env.DB.prepare('SELECT code_hash FROM recovery_codes WHERE user_id = ?')
      .bind(ana.id)
      .all()
    expect(stored.results).toHaveLength(10)
    expect(JSON.stringify(stored.results)).not.toContain(recoveryCodes[0])
    expect(await securityChange(ana.id)).toEqual(expect.any(Number))
    expect(await signIn(ana)).toMatchObject({ status: 401, body: { code: 'two_factor_required' } })
    expect(await signIn(ana, totpCode(secret, 1))).toMatchObject({ status: 200 })
    expect(await mailTo(ana.email, /^Your second factor is on$/)).toBeDefined()
    expect(await enable(ana, totpCode(secret, 1))).toMatchObject({
      status: 409,
      body: { code: 'two_factor_enabled' },
    })
  })

  test('refuses without a set-up, without a code, and with a wrong one', async () => {
    const ana = await newInvestor()
    expect(await enable(ana, '123456')).toMatchObject({
      status: 409,
      body: { code: 'two_factor_not_set_up' },
    })
    await setUp(ana.token)
    expect(await enable(ana, ' ')).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    for (const code of ['000000', 'abcdef', '12345', '1'.repeat(10_000)])
      expect(await enable(ana, code)).toMatchObject({ status: 403, body: { code: 'invalid_code' } })
  })

  test('takes the code with the space that apps show, or as a number', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    const code = totpCode((await setUp(ana.token)).body.secret)
    expect(await enable(ana, `${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({ status: 200 })
    const number = Number(totpCode((await setUp(ben.token)).body.secret))
    const reply = await withMailedCode(ben, (proof) => send(ben.token, { code: number, proof }))
    expect(reply.status).toBe(200)
  })

  test('happens once among many at the same moment', async () => {
    const ana = await newInvestor()
    const { body } = await setUp(ana.token)
    const code = totpCode(body.secret)
    await send(ana.token, { code })
    const proof = await mailedFactorCode(ana.email)
    const replies = await Promise.all(Array.from({ length: 15 }, () => send(ana.token, { code, proof })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const [winner] = replies.filter(({ status }) => status === 200)
    expect(await signIn(ana, winner?.body.recoveryCodes[0])).toMatchObject({ status: 200 })
  })
})

describe('signing in with a second factor', () => {
  test('each code works once, and older ones do not', async () => {
    const { ana, secret } = await protectedInvestor()
    const code = totpCode(secret, 1)
    expect(await signIn(ana, code)).toMatchObject({ status: 200 })
    for (const used of [code, totpCode(secret), totpCode(secret, -1), totpCode(secret, 3), '000000', 'x'])
      expect(await signIn(ana, used)).toMatchObject({ status: 401, body: { code: 'invalid_code' } })
  })

  test('of fifty parallel uses of one code, one succeeds', async () => {
    const secret = newTotpSecret()
    const ana = await newInvestor({ totpSecret: secret })
    const code = totpCode(secret)
    const replies = await Promise.all(Array.from({ length: 50 }, () => signIn(ana, code)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const sessions = await env.DB.prepare('SELECT count(*) AS n FROM sessions WHERE user_id = ?')
      .bind(ana.id)
      .first('n')
    expect(sessions).toBe(2)
  })

  test('a recovery code works once, however it is typed', async () => {
    const { ana, recoveryCodes } = await protectedInvestor()
    const [first = '', second = ''] = recoveryCodes
    expect(await signIn(ana, ` ${first.toUpperCase().replaceAll('-', ' ')} `)).toMatchObject({ status: 200 })
    expect(await signIn(ana, first)).toMatchObject({ status: 401, body: { code: 'invalid_code' } })
    const replies = await Promise.all(Array.from({ length: 8 }, () => signIn(ana, second)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('does not take somebody else’s codes', async () => {
    const [ana, ben] = [await protectedInvestor(), await protectedInvestor()]
    expect(await signIn(ana.ana, totpCode(ben.secret, 1))).toMatchObject({ status: 401 })
    expect(await signIn(ana.ana, ben.recoveryCodes[0])).toMatchObject({ status: 401 })
  })

  test('a wrong password does not reveal the second factor', async () => {
    const { ana } = await protectedInvestor()
    expect(await signIn({ ...ana, password: 'something else' })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    })
  })
})

describe('turning it off', () => {
  test('turning off takes password and code, and is a security change', async () => {
    const { ana, secret } = await protectedInvestor()
    const code = totpCode(secret, 1)
    expect(await disable(ana.token, {})).toMatchObject({ status: 422 })
    expect(await disable(ana.token, { password: 'something else', code })).toMatchObject({
      status: 422,
      body: { code: 'wrong_password' },
    })
    expect(await disable(ana.token, { password: ana.password, code: '000000' })).toMatchObject({
      status: 403,
      body: { code: 'invalid_code' },
    })
    await setSecurityChange(ana, 1)
    expect(await disable(ana.token, { password: ana.password, code })).toMatchObject({ status: 204 })
    expect(await securityChange(ana.id)).toBeGreaterThan(1)
    expect((await mailTo(ana.email)).subject).toBe('Your second factor was turned off')
    expect(await signIn(ana)).toMatchObject({ status: 200 })
    expect(await disable(ana.token, { password: ana.password, code })).toMatchObject({
      status: 409,
      body: { code: 'two_factor_not_set_up' },
    })
  })

  test('turning off works with a recovery code after losing the app', async () => {
    const { ana, recoveryCodes } = await protectedInvestor()
    const used = { password: ana.password, code: recoveryCodes[3] }
    expect(await disable(ana.token, used)).toMatchObject({ status: 204 })
    const left = await env.DB.prepare('SELECT count(*) AS n FROM recovery_codes WHERE user_id = ?')
      .bind(ana.id)
      .first('n')
    expect(left).toBe(0)
  })

  test('and on again is a change of security, with other codes', async () => {
    const { ana, recoveryCodes } = await protectedInvestor()
    await disable(ana.token, { password: ana.password, code: recoveryCodes[0] })
    await setSecurityChange(ana, 1)
    const { body } = await setUp(ana.token)
    expect(await enable(ana, totpCode(body.secret))).toMatchObject({ status: 200 })
    expect(await securityChange(ana.id)).toBeGreaterThan(1)
    expect(await signIn(ana, recoveryCodes[1])).toMatchObject({ status: 401 })
  })

  test('is not for operators', async () => {
    const operator = await newOperator()
    const json = { password: operator.password, code: totpCode(operator.secret ?? '') }
    expect(await disable(operator.token, json)).toMatchObject({
      status: 409,
      body: { code: 'two_factor_mandatory' },
    })
  })

  test('turning off allows ten tries in fifteen minutes, wrong passwords and wrong codes together', async () => {
    const { ana, secret } = await protectedInvestor()
    const right = { password: ana.password, code: totpCode(secret, 1) }
    const wrong = [
      { ...right, code: '000000' },
      { ...right, password: 'something else' },
    ]
    const replies = await Promise.all(Array.from({ length: 9 }, (_, i) => disable(ana.token, wrong[i % 2])))
    for (const { body } of replies) expect(['invalid_code', 'wrong_password']).toContain(body.code)
    expect(await disable(ana.token, wrong[0])).toMatchObject({ status: 403, body: { code: 'invalid_code' } })
    expect(await disable(ana.token, right)).toMatchObject({ status: 429 })
    const other = await protectedInvestor()
    expect((await disable(other.ana.token, right)).status).not.toBe(429)
  })
})

describe('new recovery codes', () => {
  const renew = (token: string, json: unknown) =>
    call<{ recoveryCodes: string[] }>('POST', '/auth/two-factor/recovery-codes', { token, json })

  test('ten new recovery codes replace the old ones, send a mail, and are a security change', async () => {
    const { ana, secret, recoveryCodes } = await protectedInvestor()
    const reply = await renew(ana.token, { password: ana.password, code: totpCode(secret, 1) })
    expect(reply).toMatchObject({ status: 200 })
    expect(new Set([...recoveryCodes, ...reply.body.recoveryCodes]).size).toBe(20)
    expect(await signIn(ana, recoveryCodes[0])).toMatchObject({ status: 401, body: { code: 'invalid_code' } })
    expect(await signIn(ana, reply.body.recoveryCodes[0])).toMatchObject({ status: 200 })
    expect(await securityChange(ana.id)).toEqual(expect.any(Number))
    const mail = await mailTo(ana.email, /^Your recovery codes were replaced$/)
    expect(mail.text).toContain('/lock-account?')
    expect(mail.text).not.toContain(reply.body.recoveryCodes[0])
  })

  test('come for the last of the old ones as well, which is spent by it', async () => {
    const { ana, recoveryCodes } = await protectedInvestor()
    const json = { password: ana.password, code: recoveryCodes[9] }
    expect(await renew(ana.token, json)).toMatchObject({ status: 200 })
    expect(await renew(ana.token, json)).toMatchObject({ status: 403, body: { code: 'invalid_code' } })
  })

  test('come once for one code at the same moment, of the app or an old one, and these work', async () => {
    for (const which of ['app', 'old one']) {
      const { ana, secret, recoveryCodes } = await protectedInvestor()
      const json = { password: ana.password, code: which === 'app' ? totpCode(secret, 1) : recoveryCodes[4] }
      const replies = await Promise.all(Array.from({ length: 5 }, () => renew(ana.token, json)))
      const [winner, ...others] = replies.filter(({ status }) => status === 200)
      expect([which, others]).toEqual([which, []])
      expect(await signIn(ana, winner?.body.recoveryCodes[3])).toMatchObject({ status: 200 })
    }
  })

  test('new recovery codes need the password, a code, a session and an existing factor', async () => {
    const { ana, secret, recoveryCodes } = await protectedInvestor()
    const right = { password: ana.password, code: totpCode(secret, 1) }
    expect(await renew('none', right)).toMatchObject({ status: 401 })
    expect(await renew(ana.token, {})).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(await renew(ana.token, { ...right, password: 'something else' })).toMatchObject({
      status: 422,
      body: { code: 'wrong_password' },
    })
    expect(await renew(ana.token, { ...right, code: '000000' })).toMatchObject({
      status: 403,
      body: { code: 'invalid_code' },
    })
    expect(await signIn(ana, recoveryCodes[0])).toMatchObject({ status: 200 })
    const ben = await newInvestor()
    await setUp(ben.token)
    expect(await renew(ben.token, { password: ben.password, code: '123456' })).toMatchObject({
      status: 409,
      body: { code: 'two_factor_not_set_up' },
    })
  })

  test('are for operators as well', async () => {
    const operator = await newOperator()
    const json = { password: operator.password, code: totpCode(operator.secret ?? '') }
    expect(await renew(operator.token, json)).toMatchObject({ status: 200 })
  })
})

test('an operator without a second factor may do nothing but turn it on', async () => {
  const operator = await newOperator({ twoFactor: false })
  const overview = () => call('GET', '/operator/overview', { token: operator.token })
  expect([403, 404]).toContain((await overview()).status)
  const { body } = await setUp(operator.token)
  expect(await enable(operator, totpCode(body.secret))).toMatchObject({ status: 200 })
})
