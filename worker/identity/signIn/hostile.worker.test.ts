import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call, send } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  ' ',
  '\u0000',
  'a\u0000b@example.com',
  '\ud800',
  `\udfff${'x'.repeat(20)}`,
  'x'.repeat(10_000),
  `${'a'.repeat(10_000)}@example.com`,
  "' OR '1'='1",
  '{{7*7}}<img src=x onerror=alert(1)>',
  [],
  ['a@b.co'],
  {},
  { $ne: '' },
  { toString: 'x' },
]

const CALLS: readonly (readonly [method: string, path: string, fields: readonly string[]])[] = [
  [
    'POST',
    '/auth/register',
    [
      'fullname',
      'displayName',
      'email',
      'phone',
      'password',
      'confirmPassword',
      'country',
      'referralID',
      'acceptedTerms',
    ],
  ],
  ['POST', '/auth/verify-email', ['email', 'verificationToken']],
  ['POST', '/auth/resend-verification', ['email']],
  ['POST', '/auth/login', ['email', 'password', 'code']],
  ['POST', '/auth/forgot-password', ['email']],
  ['POST', '/auth/sign-in-link', ['email']],
  ['POST', '/auth/sign-in-link/use', ['email', 'token', 'code']],
  ['POST', '/auth/reset-password', ['password', 'confirmPassword', 'email', 'token']],
  ['POST', '/auth/lock-account', ['token']],
  ['POST', '/auth/confirm-email-change', ['token']],
  ['POST', '/users/email', ['email', 'password']],
  ['POST', '/contact-us', ['name', 'email', 'message']],
  ['POST', '/auth/two-factor/enable', ['code']],
  ['POST', '/auth/two-factor/disable', ['password', 'code']],
  [
    'PATCH',
    '/users/user-info',
    ['seen', 'fullname', 'phone', 'country', 'address', 'currentPassword', 'newPassword'],
  ],
]

const VALID: Record<string, unknown> = {
  fullname: 'ana torres',
  email: 'hostile@example.com',
  phone: '+41 79 123 45 67',
  country: 'CH',
  verificationToken: 'a',
  token: 'a',
  name: 'Ana',
  message: 'Hello',
  code: '123456',
}

test.each(CALLS)(
  '%s %s answers any value below 500, in the shape of the contract',
  async (method, path, fields) => {
    for (const [i, value] of VALUES.entries()) {
      const { token } = await newInvestor()
      for (const [j, field] of fields.entries()) {
        const others = Object.fromEntries(
          fields.filter((each) => each in VALID).map((each) => [each, VALID[each]]),
        )
        const reply = await call(method, path, {
          token,
          json: { ...others, [field]: value },
          ip: `10.0.${i}.${j}`,
        })
        expect(reply.status, `${field}: ${JSON.stringify(value).slice(0, 40)}`).toBeLessThan(500)
        if (reply.status >= 400)
          expect(reply.body).toMatchObject({
            msg: expect.any(String),
            code: expect.stringMatching(/^[a-z_]+$/),
          })
      }
    }
  },
)

test('any code reaches the second factor without harm', async () => {
  const ana = await newInvestor({ totpSecret: newTotpSecret() })
  for (const [i, code] of VALUES.entries()) {
    const json = { email: ana.email, password: ana.password, code }
    const { status, body } = await call('POST', '/auth/login', { json, ip: `10.1.0.${i}` })
    expect([401, 422, 429]).toContain(status)
    expect(['two_factor_required', 'invalid_code', 'validation_failed', 'too_many_requests']).toContain(
      body.code,
    )
  }
})

test('names of any printable kind are taken as they are', async () => {
  const names = [
    "Robert'); DROP TABLE users;--",
    '<script>alert(1)</script>',
    '山田 太郎 🙂',
    'İstanbul'.repeat(15),
  ]
  for (const [i, fullname] of names.entries()) {
    const json = { ...VALID, fullname, email: `hostile-${i}@example.com`, password: 'ein Kahn im Hafen' }
    expect((await call('POST', '/auth/register', { json })).status).toBe(201)
    const stored = await env.DB.prepare('SELECT fullname FROM registrations WHERE email = ?')
      .bind(json.email)
      .first('fullname')
    expect(stored).toBe(fullname)
    expect((await mailTo(json.email)).html).not.toContain('<script')
  }
})

test('bodies that are no object of fields are refused', async () => {
  for (const raw of [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '5',
    '{"email":',
    '\u0000',
    '{"__proto__":{"email":"a@b.co"}}',
  ]) {
    const reply = await call('POST', '/auth/login', { raw, headers: { 'Content-Type': 'application/json' } })
    expect([400, 422], raw).toContain(reply.status)
  }
  const utf16 = new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])
  const other = await call('POST', '/auth/login', {
    raw: utf16,
    headers: { 'Content-Type': 'application/json' },
  })
  expect(other.status).toBe(400)
  expect(
    (await call('POST', '/auth/login', { raw: 'email=a', headers: { 'Content-Type': 'text/plain' } })).status,
  ).toBe(415)
})

test('another method is refused, with the allowed ones', async () => {
  const response = await send('GET', '/auth/login')
  expect(response.status).toBe(405)
  expect(response.headers.get('Allow')).toBe('POST')
})
