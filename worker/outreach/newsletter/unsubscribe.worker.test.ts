import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { ask, mailedToken, newAddress, newSubscriber } from '../../../test/support/newsletter.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { enqueueMail } from '../../lib/mail/outbox.ts'
import { createUnsubscribeToken, verifyUnsubscribeToken } from './mails.ts'

const unsubscribe = (token: unknown) => call('POST', '/newsletter/unsubscribe', { json: { token } })

/** Everything in the database except the development mailbox. */
async function everythingKept(): Promise<string> {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'outbox'`,
  ).all<{ name: string }>()
  const tables = await env.DB.batch(results.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name}`)))
  return JSON.stringify(tables.map((table) => table.results))
}

describe('the welcome mail', () => {
  test('carries the headers of a one-click unsubscription, which go to the API', async () => {
    const { welcome, token } = await newSubscriber()
    expect(welcome.headers).toEqual({
      'List-Unsubscribe': `<http://localhost:8787/api/v1/newsletter/unsubscribe?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  })

  test('one-click unsubscribing works with a form and no Origin, cookie or session', async () => {
    const { welcome, email } = await newSubscriber()
    const url = new URL(/^<(.+)>$/.exec(welcome.headers['List-Unsubscribe'] ?? '')?.[1] ?? '')
    const reply = await call('POST', `${url.pathname.replace('/api/v1', '')}${url.search}`, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      raw: 'List-Unsubscribe=One-Click',
    })
    expect(reply).toMatchObject({
      status: 200,
      body: { msg: expect.stringMatching(/^You are unsubscribed/) },
    })
    expect(await everythingKept()).not.toContain(email)
  })

  test('is unsubscribed from with multipart as well', async () => {
    const { token, email } = await newSubscriber()
    const form = { 'List-Unsubscribe': 'One-Click' }
    expect((await call('POST', `/newsletter/unsubscribe?token=${token}`, { form })).status).toBe(200)
    expect(await everythingKept()).not.toContain(email)
  })
})

describe('unsubscribing', () => {
  test('unsubscribing leaves no address and no links', async () => {
    const { email, token, confirmToken } = await newSubscriber()
    expect(await everythingKept()).toContain(email)
    expect((await unsubscribe(token)).status).toBe(200)
    expect(await everythingKept()).not.toContain(email)
    const row = await env.DB.prepare('SELECT * FROM newsletter_subscribers WHERE id = ?')
      .bind(token.split('.')[0])
      .first()
    expect(row).toMatchObject({ email: null, status: 'unsubscribed', unsubscribed_at: expect.any(Number) })
    expect(await call('POST', '/newsletter/confirm', { json: { token: confirmToken } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_token' },
    })
  })

  test('repeated calls have the same answer, also in parallel and after the row is deleted', async () => {
    const { token } = await newSubscriber()
    const replies = await Promise.all(Array.from({ length: 10 }, () => unsubscribe(token)))
    await env.DB.prepare('DELETE FROM newsletter_subscribers WHERE email IS NULL').run()
    replies.push(await unsubscribe(token))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  test('opening the link, as mail scanners do, changes nothing', async () => {
    const { token, email } = await newSubscriber()
    expect((await call('GET', `/newsletter/unsubscribe?token=${token}`)).status).toBe(405)
    expect(await everythingKept()).toContain(email)
  })

  test('ends one subscription, and no token that we did not make ends any', async () => {
    const [ana, ben] = [await newSubscriber(), await newSubscriber()]
    const [id = '', version = '', mac = ''] = ana.token.split('.')
    const benId = ben.token.split('.')[0]
    for (const token of [
      'wrong',
      id,
      `${id}.`,
      `${id}.${version}`,
      `${id}.${version}.${mac.slice(1)}`,
      `${id}.${version}.${mac.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
      `${id}.2.${mac}`,
      `${benId}.${version}.${mac}`,
      ana.confirmToken,
    ]) {
      const { status, body } = await unsubscribe(token)
      expect([status, body.code], token).toEqual([400, 'invalid_token'])
    }
    await unsubscribe(ana.token)
    expect(await everythingKept()).toContain(ben.email)
  })

  test('deletes waiting mails of the newsletter only', async () => {
    const { email, token } = await newSubscriber()
    const db = openDatabase(env.DB)
    const later = Date.now() + 3_600_000
    const mail = { to: email, text: '', html: '' }
    await runBatch(db, [
      ...(await enqueueMail(env, { ...mail, subject: 'Issue 7', list: 'newsletter' }, later)),
      ...(await enqueueMail(env, { ...mail, subject: 'Your deposit was credited' }, later)),
    ])
    await unsubscribe(token)
    const subjects = (await mailsTo(email)).map(({ subject }) => subject)
    expect(subjects).not.toContain('Issue 7')
    expect(subjects).toContain('Your deposit was credited')
  })

  test('is final: subscribing again takes a new confirmation, and is possible at once', async () => {
    const { email, token } = await newSubscriber()
    await unsubscribe(token)
    await expect(
      env.DB.prepare(
        "UPDATE newsletter_subscribers SET status = 'confirmed', email = ?1, expires_at = NULL WHERE id = ?2",
      )
        .bind(email, token.split('.')[0])
        .run(),
    ).rejects.toThrow('invalid_token')
    await ask(email)
    await expect.poll(async () => (await mailsTo(email)).length).toBe(3)
    await call('POST', '/newsletter/confirm', { json: { token: await mailedToken(email) } })
    const again = linkIn(await mailTo(email, /^Your newsletter/)).searchParams.get('token')
    expect(again).not.toBe(token)
    await unsubscribe(token)
    expect(await everythingKept()).toContain(email)
  })

  test('has no limit by network address, since a mail provider has few of them', async () => {
    const { token } = await newSubscriber()
    const replies = await Promise.all(Array.from({ length: 320 }, () => unsubscribe(token)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('the token that unsubscribes', () => {
  test('is the same for each mail, and still works after a new key came', async () => {
    const id = crypto.randomUUID()
    const token = await createUnsubscribeToken(env, id)
    expect(await createUnsubscribeToken(env, id)).toBe(token)
    const rotated = { ...env, VAULT_KEYS: `2:${btoa('k'.repeat(32))},${env.VAULT_KEYS}` }
    expect(await verifyUnsubscribeToken(rotated, token)).toBe(id)
    expect(await createUnsubscribeToken(rotated, id)).not.toBe(token)
    expect(await verifyUnsubscribeToken(env, await createUnsubscribeToken(rotated, id))).toBeNull()
  })

  test('the token is not stored in the database', async () => {
    const { token, email } = await newSubscriber(newAddress())
    const kept = await everythingKept()
    expect(kept).toContain(email)
    expect(kept).not.toContain(token.split('.')[2])
  })
})
