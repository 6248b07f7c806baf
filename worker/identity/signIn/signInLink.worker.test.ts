import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { totpCode } from '../../../test/support/codes.ts'
import { turnOnApp } from '../../../test/support/factors.ts'
import { CRYPTO_WITHDRAWAL } from '../../../test/support/filing.ts'
import { call, deviceOf } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'

const MINUTE_MS = 60_000
const INVALID = { status: 400, body: { code: 'invalid_token' } }

afterEach(() => {
  vi.useRealTimers()
})

interface Link {
  readonly email: string
  readonly token: string
}

const askFor = (email: string) => call('POST', '/auth/sign-in-link', { json: { email } })
const use = (link: Link, more: object = {}, device?: string) =>
  call<{ token: string; code: string }>('POST', '/auth/sign-in-link/use', {
    json: { ...link, ...more },
    ...(device !== undefined && { device }),
  })
const guess = (email: string, from: number) =>
  call('POST', '/auth/login', { json: { email, password: 'something else' }, ip: `198.51.100.${from}` })

const linksTo = async (email: string) =>
  (await mailsTo(email)).filter(({ subject }) => subject === 'Your sign-in link')

/** Asks for a link and waits for its mail, which is written after the answer. */
async function mailedLink(email: string): Promise<Link> {
  const before = (await linksTo(email)).length
  await askFor(email)
  await expect.poll(async () => (await linksTo(email)).length).toBe(before + 1)
  const [mail] = await linksTo(email)
  if (mail === undefined) throw new Error('No mail')
  const link = linkIn(mail, '/sign-in-link').searchParams
  expect(link.get('email')).toBe(email)
  return { email, token: link.get('token') ?? '' }
}

async function reset(email: string): Promise<void> {
  await call('POST', '/auth/forgot-password', { json: { email } })
  const link = linkIn(await mailTo(email, /^Choose/), '/change-password').searchParams
  const password = 'ein Kahn im Hafen'
  await call('POST', '/auth/reset-password', {
    json: { ...Object.fromEntries(link), password, confirmPassword: password },
  })
}

async function lock(email: string): Promise<void> {
  const token = linkIn(await mailTo(email, /^Your password was changed/), '/lock-account').searchParams.get(
    'token',
  )
  await call('POST', '/auth/lock-account', { json: { token } })
}

describe('asking for a sign-in link', () => {
  test('asking for a sign-in link has the same answer for every address, and mails only investors', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor({ verified: false })]
    const operator = await newOperator()
    const replies = [
      await askFor(ana.email.toUpperCase()),
      await askFor(ben.email),
      await askFor(operator.email),
      await askFor('nobody@example.com'),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    await mailTo(ana.email, /^Your sign-in link/)
    expect((await mailTo(ben.email)).subject).toBe('Verify your e-mail address')
    expect(await mailsTo(operator.email)).toEqual([])
    expect(await mailsTo('nobody@example.com')).toEqual([])
  })

  test('is mailed three times in fifteen minutes at most, and the last link works until the next may be asked for', async () => {
    const ana = await newInvestor()
    await Promise.all(Array.from({ length: 8 }, () => askFor(ana.email)))
    await expect.poll(async () => (await linksTo(ana.email)).length).toBe(3)
    await askFor(ana.email)
    const { results } = await env.DB.prepare(
      "SELECT expires_at - created_at AS life, used_at IS NULL AS live FROM email_tokens WHERE user_id = ? AND purpose = 'sign-in'",
    )
      .bind(ana.id)
      .all<{ life: number; live: number }>()
    expect(results.filter(({ live }) => live === 1)).toHaveLength(1)
    expect(new Set(results.map(({ life }) => life))).toEqual(new Set([15 * MINUTE_MS]))
    await env.DB.prepare('UPDATE rate_counters SET window_start = window_start - ?')
      .bind(15 * MINUTE_MS)
      .run()
    await mailedLink(ana.email)
  })
})

describe('a sign-in link', () => {
  test('lets the owner in while a stranger’s wrong passwords block the account, and makes the browser known', async () => {
    const ana = await newInvestor()
    for (let i = 0; i < 11; i++) await guess(ana.email, i + 1)
    const json = { email: ana.email, password: ana.password }
    expect(await call('POST', '/auth/login', { json })).toMatchObject({ status: 429 })
    const reply = await use(await mailedLink(ana.email))
    expect(reply).toMatchObject({ status: 200, body: { email: ana.email, role: 'investor' } })
    expect(await call('GET', '/users/user-info', { token: reply.body.token })).toMatchObject({ status: 200 })
    for (let i = 0; i < 11; i++) await guess(ana.email, i + 21)
    const device = deviceOf(reply) ?? ''
    expect(await call('POST', '/auth/login', { json, device })).toMatchObject({ status: 200 })
    expect(await call('POST', '/auth/login', { json })).toMatchObject({ status: 429 })
  })

  test('works once, also among twenty parallel calls, and is in the logs', async () => {
    const ana = await newInvestor()
    const link = await mailedLink(ana.email)
    const replies = await Promise.all(Array.from({ length: 20 }, () => use(link)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'invalid_token')).toHaveLength(19)
    expect(await use(link)).toMatchObject(INVALID)
    const sessions = await env.DB.prepare(
      "SELECT count(*) AS total FROM audit_log WHERE actor = ? AND action = 'session.opened_by_link'",
    )
      .bind(ana.id)
      .first<number>('total')
    expect(sessions).toBe(1)
    const token = replies.find(({ status }) => status === 200)?.body.token ?? ''
    const { body } = await call<{ event: string }[]>('GET', '/users/activity', { token })
    expect(body.filter(({ event }) => event === 'session.opened_by_link')).toHaveLength(1)
  })

  test('works for fifteen minutes, and only its hash is stored', async () => {
    const ana = await newInvestor()
    const link = await mailedLink(ana.email)
    const stored = await env.DB.prepare('SELECT * FROM email_tokens WHERE user_id = ?').bind(ana.id).first()
    expect(JSON.stringify(stored)).not.toContain(link.token)
    const expiresAtMs = Number(stored?.expires_at)
    vi.useFakeTimers({ now: expiresAtMs, toFake: ['Date'] })
    expect(await use(link)).toMatchObject(INVALID)
    vi.setSystemTime(expiresAtMs - 1)
    expect(await use(link)).toMatchObject({ status: 200 })
  })

  test('wrong, foreign and ended sign-in links and links for another purpose get the same answer', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    const ended = await mailedLink(ana.email)
    const link = await mailedLink(ana.email)
    await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
    const other = linkIn(await mailTo(ana.email, /^Choose/), '/change-password').searchParams.get('token')
    const password = 'ein Kahn im Hafen'
    const replies = [
      await use(ended),
      await use({ ...link, token: 'wrong' }),
      await use({ ...link, email: ben.email }),
      await use({ ...link, email: 'nobody@example.com' }),
      await use({ ...link, token: other ?? '' }),
      await call('POST', '/auth/reset-password', { json: { ...link, password, confirmPassword: password } }),
    ]
    for (const reply of replies) expect(reply).toMatchObject(INVALID)
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await use(link)).toMatchObject({ status: 200 })
  })

  test('ends with a reset password', async () => {
    const ana = await newInvestor()
    const link = await mailedLink(ana.email)
    await reset(ana.email)
    expect(await use(link)).toMatchObject(INVALID)
  })

  test('ends with a lock, and a later one does not open the locked account', async () => {
    const ana = await newInvestor()
    await reset(ana.email)
    const link = await mailedLink(ana.email)
    await lock(ana.email)
    expect(await use(link)).toMatchObject(INVALID)
    expect(await use(await mailedLink(ana.email))).toMatchObject({
      status: 403,
      body: { code: 'account_locked' },
    })
  })

  test('ends with the account, and a closed one gets none', async () => {
    const ana = await newInvestor()
    const link = await mailedLink(ana.email)
    const { token, password } = ana
    expect(await call('POST', '/users/close', { token, json: { password } })).toMatchObject({ status: 200 })
    expect(await use(link)).toMatchObject(INVALID)
    const before = (await mailsTo(ana.email)).length
    await askFor(ana.email)
    await expect.poll(async () => (await mailsTo(ana.email)).length).toBe(before + 1)
    expect(await linksTo(ana.email)).toHaveLength(1)
  })

  test('opens no operator’s account, even if one were stored', async () => {
    const [ana, operator] = [await newInvestor(), await newOperator()]
    const link = await mailedLink(ana.email)
    await env.DB.prepare('UPDATE email_tokens SET user_id = ? WHERE user_id = ?')
      .bind(operator.id, ana.id)
      .run()
    expect(await use({ ...link, email: operator.email })).toMatchObject(INVALID)
  })

  test('does not replace the second factor, and a missing or wrong one leaves the link usable', async () => {
    const ana = await newInvestor()
    const { secret } = await turnOnApp(ana)
    const link = await mailedLink(ana.email)
    expect(await use(link)).toMatchObject({
      status: 401,
      body: { code: 'two_factor_required', methods: ['totp'] },
    })
    expect(await use(link, { code: '000000' })).toMatchObject({ status: 401, body: { code: 'invalid_code' } })
    const code = totpCode(secret)
    expect(await use(link, { code })).toMatchObject({ status: 200 })
  })

  test('takes thirty wrong codes a week at most', async () => {
    const ana = await newInvestor()
    const { secret } = await turnOnApp(ana)
    const link = await mailedLink(ana.email)
    for (let i = 0; i < 30; i++) await use(link, { code: '000000' })
    const code = totpCode(secret)
    expect(await use(link, { code })).toMatchObject({ status: 429, body: { code: 'too_many_codes' } })
  })

  test('makes withdrawals need extra proof for three days, as a reset password does', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const { token } = (await use(await mailedLink(ana.email))).body
    const filed = await call('POST', '/withdrawals', { token, json: CRYPTO_WITHDRAWAL })
    expect(filed).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    expect(filed.body.reasons).toContain('recent_security_change')
  })
})
