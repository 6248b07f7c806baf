import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { ask, mailedToken, newAddress, newSubscriber } from '../../../test/support/newsletter.ts'
import { newInvestor } from '../../../test/support/people.ts'

const confirm = (token: unknown) => call('POST', '/newsletter/confirm', { json: { token } })
const WELCOME = /^Your newsletter/

async function waitingToken(): Promise<{ email: string; token: string }> {
  const email = newAddress()
  await ask(email)
  return { email, token: await mailedToken(email) }
}

async function welcomesTo(email: string): Promise<number> {
  return (await mailsTo(email)).filter(({ subject }) => WELCOME.test(subject)).length
}

describe('confirming the newsletter', () => {
  test('confirming subscribes the address and mails a welcome with an unsubscribe link', async () => {
    const { email, token } = await waitingToken()
    const reply = await confirm(token)
    expect(reply).toMatchObject({ status: 200, body: { msg: expect.stringMatching(/^Thank you/) } })
    const link = linkIn(await mailTo(email, WELCOME))
    expect([link.origin, link.pathname]).toEqual(['http://localhost:8787', '/newsletter/unsubscribe'])
    const row = await env.DB.prepare('SELECT * FROM newsletter_subscribers WHERE email = ?')
      .bind(email)
      .first()
    expect(row).toMatchObject({ status: 'confirmed', confirmed_at: expect.any(Number), expires_at: null })
  })

  test('a repeated call has the same answer and does nothing more', async () => {
    const { email, token } = await waitingToken()
    const first = await confirm(token)
    const again = await confirm(token)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await welcomesTo(email)).toBe(1)
  })

  test('twenty parallel calls send one welcome and get the same answer', async () => {
    const { email, token } = await waitingToken()
    const replies = await Promise.all(Array.from({ length: 20 }, () => confirm(token)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await welcomesTo(email)).toBe(1)
  })

  test('refuses a wrong token, an old one, one of another purpose and one of a subscription that ended, all alike', async () => {
    const old = await waitingToken()
    await env.DB.prepare('UPDATE newsletter_tokens SET expires_at = ?')
      .bind(Date.now() - 1)
      .run()
    const ended = await newSubscriber()
    await call('POST', '/newsletter/unsubscribe', { json: { token: ended.token } })
    const subscriber = await newSubscriber()
    const ana = await newInvestor({ verified: false })
    await call('POST', '/auth/resend-verification', { json: { email: ana.email } })
    const verification = linkIn(await mailTo(ana.email), '/verify-email').searchParams.get(
      'verificationToken',
    )
    for (const token of [
      'wrong',
      old.token,
      ended.confirmToken,
      ended.token,
      subscriber.token,
      verification,
    ]) {
      const { status, body } = await confirm(token)
      expect([status, body.code], String(token)).toEqual([400, 'invalid_token'])
    }
    expect(await welcomesTo(old.email)).toBe(0)
  })

  test('opening the link, as mail scanners do, confirms nothing', async () => {
    const { email, token } = await waitingToken()
    const opened = await call('GET', `/newsletter/confirm?token=${token}`)
    expect([opened.status, opened.headers.get('Allow')]).toEqual([405, 'POST'])
    expect(await welcomesTo(email)).toBe(0)
  })

  test('cannot be undone or repeated by SQL either', async () => {
    const { email } = await newSubscriber()
    const set = (status: string) =>
      env.DB.prepare('UPDATE newsletter_subscribers SET status = ? WHERE email = ?').bind(status, email).run()
    await expect(set('confirmed')).rejects.toThrow('already_decided')
    await expect(set('pending')).rejects.toThrow('invalid_token')
  })
})

describe('the token', () => {
  const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' }

  test('is read from the address with any body', async () => {
    const form = new FormData()
    form.set('List-Unsubscribe', 'One-Click')
    const bodies = [
      {},
      { json: {} },
      { json: { token: 'another' } },
      { json: ['token'] },
      { headers: urlencoded, raw: 'List-Unsubscribe=One-Click' },
      { headers: urlencoded, raw: 'token=%ff%&&==&token' },
      { form },
      { headers: { 'Content-Type': 'multipart/form-data' }, raw: 'no boundary' },
      { headers: { 'Content-Type': 'application/json' }, raw: '{"token":' },
      { headers: { 'Content-Type': 'text/plain' }, raw: 'hello' },
      { headers: { 'Content-Type': 'application/octet-stream' }, raw: new Uint8Array([0, 255, 254]) },
      { headers: { 'Content-Type': ';;;=' }, raw: '\u0000' },
    ]
    const { token } = await waitingToken()
    for (const options of bodies) {
      const { status, body } = await call('POST', `/newsletter/confirm?token=${token}`, options)
      expect([status, body.code], JSON.stringify(options)).toEqual([200, undefined])
    }
  })

  test('is taken from the body as JSON and as either kind of form', async () => {
    const { token } = await waitingToken()
    for (const options of [
      { json: { token, more: 1 } },
      { headers: { 'Content-Type': 'application/merge-patch+json' }, raw: JSON.stringify({ token }) },
      { headers: urlencoded, raw: `token=${token}` },
      { form: { token } },
    ]) {
      const { status } = await call('POST', '/newsletter/confirm?token=', options)
      expect(status, JSON.stringify(options)).toBe(200)
    }
  })

  test('a missing or invalid token is refused with a message', async () => {
    const file = new FormData()
    file.set('token', new Blob(['x']), 'token.txt')
    for (const options of [
      {},
      { json: {} },
      { json: null },
      { json: { token: 5 } },
      { json: { token: { $ne: null } } },
      { json: { token: '' } },
      { form: file },
      { headers: { 'Content-Type': 'application/json' }, raw: '['.repeat(300_000) },
    ]) {
      const { status, body } = await call('POST', '/newsletter/confirm', options)
      expect([status, body.code], JSON.stringify(options).slice(0, 80)).toEqual([422, 'validation_failed'])
      expect(body.fields?.token).toMatch(/link is incomplete/)
    }
    const long = await confirm('a'.repeat(10_000))
    expect(long.status).toBe(422)
  })

  test('is not looked for in a body above one MiB', async () => {
    const { status } = await call('POST', '/newsletter/confirm?token=x', {
      headers: urlencoded,
      raw: 'a'.repeat(1024 * 1024 + 1),
    })
    expect(status).toBe(413)
  })

  test('is described in both places', async () => {
    type Described = { parameters: { name: string; in: string; required: boolean }[]; requestBody: object }
    const { body } = await call<{ paths: Record<string, { post: Described }> }>('GET', '/openapi.json')
    for (const path of ['/newsletter/confirm', '/newsletter/unsubscribe']) {
      const described = body.paths[path]?.post
      expect(described?.parameters).toMatchObject([{ name: 'token', in: 'query', required: false }])
      expect(described?.requestBody).toMatchObject({
        required: false,
        content: {
          'application/json': {},
          'application/x-www-form-urlencoded': {},
          'multipart/form-data': {},
        },
      })
    }
  })
})
