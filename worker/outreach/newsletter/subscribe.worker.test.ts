import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { call, ORIGIN } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { ask, mailedToken, newAddress, newSubscriber } from '../../../test/support/newsletter.ts'
import { createApp } from '../../app.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { outreachRoutes } from '../routes.ts'

const MINUTE_MS = 60_000

/** Moves the newest mail to an address into the past. */
async function letPass(email: string, ms: number): Promise<void> {
  await env.DB.prepare('UPDATE newsletter_subscribers SET mailed_at = mailed_at - ? WHERE email = ?')
    .bind(ms, email)
    .run()
}

function rowOf(email: string): Promise<Record<string, unknown> | null> {
  return env.DB.prepare('SELECT * FROM newsletter_subscribers WHERE email = ?').bind(email).first()
}

/** Subscribes and waits for the work after the answer: another address's mail is sent after it. */
async function askAndSettle(email: string): Promise<void> {
  await ask(email)
  const later = newAddress()
  await ask(later)
  await mailTo(later)
}

describe('asking for the newsletter', () => {
  test('a subscription starts with a mailed confirmation link, and subscribes nobody yet', async () => {
    const email = newAddress()
    const reply = await ask(email.toUpperCase())
    expect(reply).toMatchObject({ status: 202, body: { msg: expect.stringMatching(/^Please check/) } })
    const mail = await mailTo(email)
    expect(mail.subject).toBe('Confirm your subscription')
    const link = linkIn(mail)
    expect([link.origin, link.pathname]).toEqual(['http://localhost:8787', '/newsletter/confirm'])
    expect(mail.html).toContain('/newsletter/confirm?token=')
    expect(await rowOf(email)).toMatchObject({ status: 'pending', confirmed_at: null })
  })

  test('stores only a hash of the 256-bit token', async () => {
    const email = newAddress()
    await ask(email)
    const token = await mailedToken(email)
    expect(token).toMatch(/^[\w-]{43}$/)
    const { results } = await env.DB.prepare(
      'SELECT t.* FROM newsletter_tokens t JOIN newsletter_subscribers s ON s.id = t.subscriber WHERE s.email = ?',
    )
      .bind(email)
      .all<{ token_hash: string; created_at: number; expires_at: number }>()
    expect(results).toHaveLength(1)
    expect(results[0]?.token_hash).toBe(await sha256Hex(token))
    expect((results[0]?.expires_at ?? 0) - (results[0]?.created_at ?? 0)).toBe(7 * 24 * 60 * MINUTE_MS)
    expect(JSON.stringify(results)).not.toContain(token)
  })

  test('refuses a wrong address with the form’s message', async () => {
    for (const email of ['', '  ', undefined, null, 5, ['a@b.co']])
      expect(await ask(email)).toMatchObject({ status: 422, body: { msg: 'Email is required' } })
    for (const email of ['ana', 'ana@', 'ana@example', 'a b@example.com', 'ana@example.com\nBcc: b@b.co'])
      expect(await ask(email)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', fields: { email: 'Provide a valid email' } },
      })
  })

  test('new, pending, subscribed and unsubscribed addresses get the same answer', async () => {
    const waiting = newAddress()
    await ask(waiting)
    const subscriber = await newSubscriber()
    const left = await newSubscriber()
    await call('POST', '/newsletter/unsubscribe', { json: { token: left.token } })
    const replies = await Promise.all(
      [newAddress(), waiting, subscriber.email, left.email].map((email) => ask(email)),
    )
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  test('answers before it looks the address up', async () => {
    // The first batch counts the caller. Any later one, about the address, never returns here.
    let batches = 0
    const stuck = {
      prepare: env.DB.prepare.bind(env.DB),
      batch: (statements: D1PreparedStatement[]) => {
        batches++
        return batches === 1 && statements.length === 1 ? env.DB.batch(statements) : new Promise(() => {})
      },
    }
    const request = new Request(`${ORIGIN}/api/v1/newsletter`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: newAddress() }),
    })
    const response = await createApp(outreachRoutes).fetch(
      request,
      { ...env, DB: stuck },
      createExecutionContext(),
    )
    expect(response.status).toBe(202)
  })

  test('cannot be made from another site', async () => {
    const reply = await ask(newAddress(), { headers: { Origin: 'https://evil.example' } })
    expect(reply).toMatchObject({ status: 403, body: { code: 'csrf_rejected' } })
  })
})

describe('a stranger who repeatedly enters an address', () => {
  test('sends it one mail in ten minutes, also at the same moment', async () => {
    const email = newAddress()
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(email)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]))
    await askAndSettle(email)
    expect(await mailsTo(email)).toHaveLength(1)
    await letPass(email, 9 * MINUTE_MS)
    await askAndSettle(email)
    expect(await mailsTo(email)).toHaveLength(1)
    await letPass(email, MINUTE_MS)
    await askAndSettle(email)
    expect(await mailsTo(email)).toHaveLength(2)
  })

  test('sends it five mails at most until it is forgotten', async () => {
    const email = newAddress()
    for (let i = 0; i < 7; i++) {
      await askAndSettle(email)
      await letPass(email, 60 * MINUTE_MS)
    }
    expect(await mailsTo(email)).toHaveLength(5)
  })

  test('does not make the links of earlier mails worthless', async () => {
    const email = newAddress()
    await ask(email)
    const first = await mailedToken(email)
    await letPass(email, 10 * MINUTE_MS)
    await askAndSettle(email)
    const second = await mailedToken(email)
    expect(second).not.toBe(first)
    expect((await call('POST', '/newsletter/confirm', { json: { token: first } })).status).toBe(200)
    expect((await call('POST', '/newsletter/confirm', { json: { token: second } })).status).toBe(200)
    expect((await mailsTo(email)).filter(({ subject }) => /^Your newsletter/.test(subject))).toHaveLength(1)
  })

  test('sends nothing to a subscriber', async () => {
    const { email } = await newSubscriber()
    await letPass(email, 60 * MINUTE_MS)
    await askAndSettle(email)
    expect(await mailsTo(email)).toHaveLength(2)
    expect(await rowOf(email)).toMatchObject({ status: 'confirmed', expires_at: null })
  })

  test('is stopped after sixty times an hour from one network address', async () => {
    const replies = await Promise.all(Array.from({ length: 62 }, () => ask('', { ip: '192.0.2.61' })))
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(60)
    const refused = replies.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})
