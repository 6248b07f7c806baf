import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { normalizeEmail } from '../../../src/contract/fields.ts'
import { TERMS_VERSION } from '../../../src/contract/identity/registration.ts'
import { DAY_MS } from '../../../src/time.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { newInvestor } from '../../../test/support/people.ts'
import { cleanUp } from '../../platform/cleanUp.ts'

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

/** Opens the newest mailed link of an address. */
async function openLink(email: string) {
  const link = linkIn(await mailTo(normalizeEmail(email) ?? '', /^Verify/), '/verify-email')
  return call('POST', '/auth/verify-email', { json: Object.fromEntries(link.searchParams) })
}

async function registered(email: string, more: Record<string, unknown> = {}) {
  const reply = await call('POST', '/auth/register', { json: form(email, more) })
  expect(reply.status).toBe(201)
  await openLink(email)
  return userOf(normalizeEmail(email) ?? '')
}

describe('registering', () => {
  test('registration mails a link that opens an account with empty books', async () => {
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
    expect(await userOf(email)).toBeNull()

    const mail = await mailTo(email)
    expect(mail.text).toContain('Hello there,')
    const link = linkIn(mail, '/verify-email')
    expect(link.origin).toBe('http://localhost:8787')
    expect(link.searchParams.get('email')).toBe(email)
    expect((await openLink(email)).status).toBe(200)
    const user = await userOf(email)
    expect(user).toMatchObject({
      role: 'investor',
      fullname: 'ana torres',
      display_name: 'Ana Torres',
      country: 'Switzerland (Schweiz)',
      phone: '+41 79 123 45 67',
      email_verified_at: expect.any(Number),
      terms_version: '2022-08-10',
      terms_accepted_at: expect.any(Number),
      security_changed_at: null,
      referral_code: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{8}$/),
      password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/),
    })
    expect(await booksOf(String(user?.id))).toMatchObject({ available: 0, totalBalance: 0 })
  })

  test('takes a ticked box for the terms of today, and an unticked one for none', async () => {
    for (const [acceptedTerms, version] of [
      [true, TERMS_VERSION],
      [false, null],
      [undefined, null],
    ] as const) {
      expect((await registered(newAddress(), { acceptedTerms }))?.terms_version).toBe(version)
    }
    const wrong = await call('POST', '/auth/register', { json: form(newAddress(), { acceptedTerms: {} }) })
    expect([wrong.status, Object.keys(wrong.body.fields ?? {})]).toEqual([422, ['acceptedTerms']])
  })

  test('uses the full name if no display name was sent', async () => {
    expect(await registered(newAddress())).toMatchObject({ display_name: 'ana torres' })
  })

  test('registration ignores fields that only operators set', async () => {
    const more = { role: 'operator', bonus: 1000, id: 'mine', created_at: 1, kyc_status: 'approved' }
    const user = await registered(newAddress(), more)
    expect(user).toMatchObject({ role: 'investor', kyc_status: 'none' })
    expect(user?.id).not.toBe('mine')
    expect(user?.created_at).toBeGreaterThan(1)
  })

  test('records the referrer, ignoring case, and treats a blank referral as none', async () => {
    const referrer = await newInvestor()
    const referralID = referrer.referralCode.toUpperCase()
    expect(await registered(newAddress(), { referralID })).toMatchObject({ referred_by: referrer.id })
    expect(await registered(newAddress(), { referralID: '' })).toMatchObject({ referred_by: null })
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
})

describe('registering an address that is not verified', () => {
  const signIn = (email: string, password: string) =>
    call('POST', '/auth/login', { json: { email, password }, ip: '198.51.100.7' })
  const linksTo = async (email: string) =>
    (await mailsTo(email)).filter(({ subject }) => subject.startsWith('Verify'))
  const linkTo = async (email: string, nth: number) => {
    await expect.poll(async () => (await linksTo(email)).length).toBeGreaterThan(nth)
    // The oldest first.
    const mail = (await linksTo(email)).at(-1 - nth)
    if (mail === undefined) throw new Error('There are not so many mails.')
    return Object.fromEntries(linkIn(mail, '/verify-email').searchParams)
  }

  test('registering a stranger’s address first is worth nothing: the opened link decides, and ends the others', async () => {
    const email = newAddress()
    const thief = await newInvestor()
    const planted = {
      password: 'the password of a thief',
      fullname: 'a thief',
      phone: '+41 79 999 99 99',
      referralID: thief.referralCode,
    }
    const first = await call('POST', '/auth/register', { json: form(email, planted), ip: '192.0.2.1' })
    const plantedLink = await linkTo(email, 0)
    const own = await call('POST', '/auth/register', { json: form(email), ip: '198.51.100.7' })
    const ownLink = await linkTo(email, 1)
    expect([own.status, own.body]).toEqual([first.status, first.body])
    // The thief registers again, so that the newest registration is not the owner's either.
    await call('POST', '/auth/register', { json: form(email, planted), ip: '192.0.2.1' })

    expect((await call('POST', '/auth/verify-email', { json: ownLink })).status).toBe(200)
    expect(await userOf(email)).toMatchObject({
      fullname: 'ana torres',
      phone: '+41 79 123 45 67',
      referred_by: null,
    })
    expect((await signIn(email, 'ein Kahn im Hafen')).status).toBe(200)
    expect((await signIn(email, planted.password)).body.code).toBe('invalid_credentials')
    const dead = await call('POST', '/auth/verify-email', { json: plantedLink })
    expect([dead.status, dead.body.code, dead.body.reasons]).toEqual([400, 'invalid_token', undefined])
    const { results } = await env.DB.prepare('SELECT id FROM registrations WHERE email = ?').bind(email).all()
    expect(results).toEqual([])
  })

  test('of many links opened at the same moment, one opens the account', async () => {
    const email = newAddress()
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      await call('POST', '/auth/register', { json: form(email, { fullname: ip }), ip })
    const links = [await linkTo(email, 0), await linkTo(email, 1), await linkTo(email, 2)]
    const replies = await Promise.all(
      [...links, ...links].map((json) => call('POST', '/auth/verify-email', { json })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { results } = await env.DB.prepare('SELECT id FROM users WHERE email = ?').bind(email).all()
    expect(results).toHaveLength(1)
  })

  test('takes three registrations a day from one network and ten in all, with the same answer', async () => {
    const email = newAddress()
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', '/auth/register', { json: form(email) })),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await linksTo(email)).toHaveLength(3)
    for (let nth = 0; nth < 9; nth++)
      await call('POST', '/auth/register', { json: form(email), ip: `198.51.100.${nth}` })
    await expect.poll(async () => (await linksTo(email)).length).toBe(10)
  })

  test('the browser that registered gets its own link again, and its own password counts before', async () => {
    const email = newAddress()
    const own = await call('POST', '/auth/register', { json: form(email) })
    await call('POST', '/auth/register', {
      json: form(email, { password: 'the password of a thief' }),
      ip: '192.0.2.1',
    })
    const Cookie = /__Host-device=[^;]+/.exec(own.headers.get('Set-Cookie') ?? '')?.[0] ?? ''
    const login = await call('POST', '/auth/login', {
      json: { email, password: 'ein Kahn im Hafen' },
      headers: { Cookie },
    })
    expect(login.body.code).toBe('email_not_verified')
    const ownLink = await linkTo(email, 0)
    await call('POST', '/auth/resend-verification', { json: { email }, headers: { Cookie } })
    expect(await linkTo(email, 2)).toEqual(ownLink)
  })

  test('a registration and its mail end after 24 hours', async () => {
    const [email, verified] = [newAddress(), newAddress()]
    await registered(verified)
    await call('POST', '/auth/register', { json: form(email) })
    const json = await linkTo(email, 0)
    const later = Date.now() + DAY_MS
    const headers = { 'X-Development-Time': new Date(later).toISOString() }
    const opened = await call('POST', '/auth/verify-email', { json, headers })
    expect(opened.body.code).toBe('invalid_token')
    const login = await call('POST', '/auth/login', {
      json: { email, password: form(email).password },
      headers,
    })
    expect(login.body.code).toBe('invalid_credentials')
    await cleanUp(env, later + 1)
    const { results } = await env.DB.prepare('SELECT id FROM registrations').all()
    expect(results).toEqual([])
    expect(await mailsTo(email)).toEqual([])
    expect(await linksTo(verified)).toHaveLength(1)
  })
})

test('an address under an internationalised domain opens one account, in any spelling', async () => {
  await registered('ana@пример.рф')
  for (const email of ['ana@xn--e1afmkfd.xn--p1ai', 'ANA@ПРИМЕР.РФ']) {
    const login = await call('POST', '/auth/login', { json: { email, password: form(email).password } })
    expect(login.status).toBe(200)
    await call('POST', '/auth/register', { json: form(email) })
  }
  const { results } = await env.DB.prepare('SELECT email FROM users WHERE email LIKE ?')
    .bind('ana@xn--%')
    .all()
  expect(results).toEqual([{ email: 'ana@xn--e1afmkfd.xn--p1ai' }])
})

test('a name with a link in it is not mailed to a stranger', async () => {
  const email = newAddress()
  await call('POST', '/auth/register', { json: form(email, { fullname: 'win now at evil.example\nclick' }) })
  const mail = await mailTo(email)
  expect(mail.text).toContain('Hello there,')
  expect(mail.text + mail.html).not.toContain('evil')
})
