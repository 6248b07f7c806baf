import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { TERMS_VERSION } from '../../../src/contract/identity/registration.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { newInvestor } from '../../../test/support/people.ts'

let count = 0
const newAddress = () => `register-${++count}@example.com`

function form(email: string, more: Record<string, unknown> = {}) {
  return {
    fullname: 'ana torres',
    email,
    phone: '+41 79 123 45 67',
    password: 'ein Kahn im Hafen',
    country: 'Switzerland (Schweiz)',
    ...more,
  }
}

async function userOf(email: string): Promise<Record<string, unknown> | null> {
  return env.DB.prepare('SELECT * FROM users WHERE email = ?').bind(email).first()
}

describe('registering', () => {
  test('registration opens an account with empty books, and mails a link that verifies it', async () => {
    const email = newAddress()
    const reply = await call('POST', '/auth/register', {
      json: form(email, {
        displayName: 'Ana Torres',
        acceptedTerms: '2022-08-10',
        confirmPassword: 'ein Kahn im Hafen',
      }),
    })
    expect(reply.status).toBe(201)
    expect(Object.keys(reply.body)).toEqual(['msg'])
    const user = await userOf(email)
    expect(user).toMatchObject({
      role: 'investor',
      fullname: 'ana torres',
      display_name: 'Ana Torres',
      country: 'Switzerland (Schweiz)',
      phone: '+41 79 123 45 67',
      email_verified_at: null,
      terms_version: '2022-08-10',
      terms_accepted_at: expect.any(Number),
      security_changed_at: null,
      referral_code: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{8}$/),
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
    })
    expect(await booksOf(String(user?.id))).toMatchObject({ available: 0, totalBalance: 0 })

    const mail = await mailTo(email)
    expect(mail.text).toContain('Hello there,')
    const link = linkIn(mail, '/verify-email')
    expect(link.origin).toBe('http://localhost:8787')
    expect(link.searchParams.get('email')).toBe(email)
    const verified = await call('POST', '/auth/verify-email', { json: Object.fromEntries(link.searchParams) })
    expect(verified.status).toBe(200)
    expect(await userOf(email)).toMatchObject({ email_verified_at: expect.any(Number) })
  })

  test('takes a ticked box for the terms of today, and an unticked one for none', async () => {
    for (const [acceptedTerms, version] of [
      [true, TERMS_VERSION],
      [false, null],
      [undefined, null],
    ] as const) {
      const email = newAddress()
      expect((await call('POST', '/auth/register', { json: form(email, { acceptedTerms }) })).status).toBe(
        201,
      )
      expect((await userOf(email))?.terms_version).toBe(version)
    }
    const wrong = await call('POST', '/auth/register', { json: form(newAddress(), { acceptedTerms: {} }) })
    expect([wrong.status, Object.keys(wrong.body.fields ?? {})]).toEqual([422, ['acceptedTerms']])
  })

  test('uses the full name if no display name was sent', async () => {
    const email = newAddress()
    await call('POST', '/auth/register', { json: form(email) })
    expect(await userOf(email)).toMatchObject({ display_name: 'ana torres' })
  })

  test('registration ignores fields that only operators set', async () => {
    const email = newAddress()
    await call('POST', '/auth/register', {
      json: form(email, { role: 'operator', bonus: 1000, email_verified_at: 1, kyc_status: 'approved' }),
    })
    expect(await userOf(email)).toMatchObject({
      role: 'investor',
      email_verified_at: null,
      kyc_status: 'none',
    })
  })

  test('records the referrer, ignoring case, and treats a blank referral as none', async () => {
    const referrer = await newInvestor()
    const invited = newAddress()
    const reply = await call('POST', '/auth/register', {
      json: form(invited, { referralID: referrer.referralCode.toUpperCase() }),
    })
    expect(reply.status).toBe(201)
    expect(await userOf(invited)).toMatchObject({ referred_by: referrer.id })
    const alone = newAddress()
    expect((await call('POST', '/auth/register', { json: form(alone, { referralID: '' }) })).status).toBe(201)
    expect(await userOf(alone)).toMatchObject({ referred_by: null })
  })

  test('refuses an unknown referral, whether the address has an account or not', async () => {
    const holder = await newInvestor()
    const replies = await Promise.all(
      [newAddress(), holder.email].map((email) =>
        call('POST', '/auth/register', { json: form(email, { referralID: 'nobody00' }) }),
      ),
    )
    for (const reply of replies) {
      expect(reply.status).toBe(422)
      expect(reply.body.fields).toHaveProperty('referralID')
    }
    expect(replies[0]?.body).toEqual(replies[1]?.body)
  })

  test('registration names missing fields in the form’s order', async () => {
    const reply = await call('POST', '/auth/register', { json: {} })
    expect(reply.status).toBe(422)
    expect(reply.body).toEqual({
      code: 'validation_failed',
      msg: 'Please enter your fullname',
      fields: {
        fullname: 'Please enter your fullname',
        email: 'Email is required',
        phone: 'Phone number is required',
        password: 'Password is required',
        country: 'Please select your country',
      },
    })
    const wrong = await call('POST', '/auth/register', {
      json: form('nobody', { phone: '079 1', password: 'short', confirmPassword: 'other' }),
    })
    expect(wrong.body.fields).toMatchObject({ email: 'Provide a valid email', phone: 'Invalid phone number' })
    const differing = await call('POST', '/auth/register', {
      json: form(newAddress(), { confirmPassword: 'something else' }),
    })
    expect(differing.body).toMatchObject({
      msg: 'Passwords must match',
      fields: { confirmPassword: 'Passwords must match' },
    })
    const common = await call('POST', '/auth/register', {
      json: form(newAddress(), { password: 'password123' }),
    })
    expect(common.body.fields).toHaveProperty('password')
  })
})

describe('registering an address that has an account', () => {
  test('registering a used address has the same answer, changes nothing and mails the owner', async () => {
    const holder = await newInvestor()
    const before = await userOf(holder.email)
    const taken = await call('POST', '/auth/register', { json: form(holder.email.toUpperCase()) })
    const unknown = await call('POST', '/auth/register', { json: form(newAddress()) })
    expect(taken.status).toBe(201)
    expect(taken.body).toEqual(unknown.body)
    expect(await userOf(holder.email)).toEqual(before)
    const mail = await mailTo(holder.email, /already/)
    expect(linkIn(mail, '/sign-in').pathname).toBe('/sign-in')
    expect(linkIn(mail, '/forgot-password').pathname).toBe('/forgot-password')
  })

  test('mails its owner three times a day at most', async () => {
    const holder = await newInvestor()
    for (let i = 0; i < 5; i++) await call('POST', '/auth/register', { json: form(holder.email) })
    await mailTo(holder.email, /already/)
    expect(await mailsTo(holder.email)).toHaveLength(3)
  })

  test('at the same moment opens one account, and all are answered alike', async () => {
    const email = newAddress()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', '/auth/register', { json: form(email) })),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    const { results } = await env.DB.prepare('SELECT id FROM users WHERE email = ?').bind(email).all()
    expect(results).toHaveLength(1)
    expect((await mailsTo(email)).filter(({ subject }) => subject.startsWith('Verify'))).toHaveLength(1)
  })
})

test('a name with a link in it is not mailed to a stranger', async () => {
  const email = newAddress()
  await call('POST', '/auth/register', { json: form(email, { fullname: 'win now at evil.example\nclick' }) })
  const mail = await mailTo(email)
  expect(mail.text).toContain('Hello there,')
  expect(mail.text + mail.html).not.toContain('evil')
})
