import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { anotherSession, newInvestor } from '../../../test/support/people.ts'

const NEW_PASSWORD = 'ein Kahn im Hafen'

let network = 0
const signIn = (email: string, password: string) =>
  call('POST', '/auth/login', { json: { email, password }, ip: `198.51.100.${++network}` })
const forgot = (email: string) => call('POST', '/auth/forgot-password', { json: { email } })
const reset = (json: Record<string, unknown>) =>
  call('POST', '/auth/reset-password', {
    json: { password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD, ...json },
  })

/** Waits for the next mail, since it is written after the answer. */
async function mailedLink(email: string) {
  const links = async () =>
    (await mailsTo(email)).filter(({ subject }) => subject.startsWith('Choose')).length
  const before = await links()
  await forgot(email)
  await expect.poll(links).toBe(before + 1)
  const link = linkIn(await mailTo(email, /^Choose/), '/change-password')
  expect(link.searchParams.get('email')).toBe(email)
  return { email, token: link.searchParams.get('token') ?? '' }
}

describe('a forgotten password', () => {
  test('asking for a reset has the same answer for every address, and mails only owners of an account', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor({ verified: false })]
    const replies = [
      await forgot(ana.email.toUpperCase()),
      await forgot(ben.email),
      await forgot('nobody@example.com'),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    await mailTo(ana.email)
    await mailTo(ben.email)
    expect(await mailsTo('nobody@example.com')).toEqual([])
  })

  test('is mailed about ten times an hour at most', async () => {
    const ana = await newInvestor()
    await Promise.all(Array.from({ length: 14 }, () => forgot(ana.email)))
    await expect.poll(async () => (await mailsTo(ana.email)).length).toBe(10)
  })
})

describe('choosing a new password', () => {
  test('a password reset ends every session, replaces the old password and sends a mail', async () => {
    const ana = await newInvestor()
    const other = await anotherSession(ana)
    const link = await mailedLink(ana.email)
    expect(await reset(link)).toMatchObject({ status: 200 })
    for (const token of [ana.token, other])
      expect(await call('GET', '/users/user-info', { token })).toMatchObject({ status: 401 })
    expect(await signIn(ana.email, ana.password)).toMatchObject({ status: 401 })
    expect(await signIn(ana.email, NEW_PASSWORD)).toMatchObject({ status: 200 })
    expect((await mailsTo(ana.email)).map(({ subject }) => subject)).toContain('Your password was changed')
    const changedAt = await env.DB.prepare('SELECT security_changed_at FROM users WHERE id = ?')
      .bind(ana.id)
      .first('security_changed_at')
    expect(changedAt).toEqual(expect.any(Number))
  })

  test('a reset link works once, also among twenty parallel calls', async () => {
    const ana = await newInvestor()
    const link = await mailedLink(ana.email)
    const replies = await Promise.all(Array.from({ length: 20 }, () => reset(link)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'invalid_token')).toHaveLength(19)
    expect(await reset(link)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('wrong, foreign, used and expired reset tokens get the same answer', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    const ended = await mailedLink(ana.email)
    const link = await mailedLink(ana.email)
    const replies = [
      await reset({ email: ana.email, token: 'wrong' }),
      await reset({ email: ben.email, token: link.token }),
      await reset({ email: 'nobody@example.com', token: link.token }),
      await reset(ended),
    ]
    await env.DB.prepare('UPDATE email_tokens SET expires_at = ? WHERE user_id = ?')
      .bind(Date.now() - 1, ana.id)
      .run()
    replies.push(await reset(link))
    for (const reply of replies) {
      expect(reply.status).toBe(400)
      expect(reply.body).toEqual(replies[0]?.body)
    }
    expect(await signIn(ana.email, ana.password)).toMatchObject({ status: 200 })
  })

  test('a reset link works for one hour', async () => {
    const ana = await newInvestor()
    const link = await mailedLink(ana.email)
    const life = await env.DB.prepare(
      "SELECT expires_at - created_at AS life FROM email_tokens WHERE user_id = ? AND purpose = 'reset-password'",
    )
      .bind(ana.id)
      .first('life')
    expect(life).toBe(3_600_000)
    expect(await reset(link)).toMatchObject({ status: 200 })
  })

  test('checks the password as registering does, before the token', async () => {
    const ana = await newInvestor()
    const link = await mailedLink(ana.email)
    expect((await reset({ ...link, confirmPassword: 'another' })).body).toMatchObject({
      msg: 'Passwords must match',
      fields: { confirmPassword: 'Passwords must match' },
    })
    expect(await reset({ ...link, password: 'short', confirmPassword: 'short' })).toMatchObject({
      status: 422,
    })
    expect((await reset({ ...link, password: '' })).body.msg).toBe('Password is required')
    expect(await reset(link)).toMatchObject({ status: 200 })
  })

  test('of an address that is not verified, the verification link is mailed again', async () => {
    const ben = await newInvestor({ verified: false })
    await forgot(ben.email)
    const mail = await mailTo(ben.email)
    expect(mail.subject).toBe('Verify your e-mail address')
    expect(mail.text).not.toContain('/change-password')
  })

  test('the browser that reset the password is known, so a stranger’s wrong passwords do not keep the owner out', async () => {
    const ana = await newInvestor()
    const { headers } = await reset(await mailedLink(ana.email))
    const Cookie = /__Host-device=[^;]+/.exec(headers.get('Set-Cookie') ?? '')?.[0] ?? ''
    for (let i = 0; i < 11; i++) await signIn(ana.email, 'something else')
    expect(await signIn(ana.email, NEW_PASSWORD)).toMatchObject({ status: 429 })
    const json = { email: ana.email, password: NEW_PASSWORD }
    expect(await call('POST', '/auth/login', { json, headers: { Cookie } })).toMatchObject({ status: 200 })
  })

  test('a reset clears failed sign-ins', async () => {
    const ana = await newInvestor()
    for (let i = 0; i < 11; i++) await signIn(ana.email, 'something else')
    expect(await signIn(ana.email, ana.password)).toMatchObject({ status: 429 })
    await reset(await mailedLink(ana.email))
    expect(await signIn(ana.email, NEW_PASSWORD)).toMatchObject({ status: 200 })
  })
})
