import { env, exports } from 'cloudflare:workers'
import { isNotNull, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { call, ORIGIN } from '../../../test/support/http.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { openDatabase, runBatch } from '../database.ts'
import type { Env } from '../env.ts'
import { outbox } from '../tables/platform.ts'
import { composeMail } from './compose.ts'
import { computeBackOffMs, decryptContent, deliverOutbox, enqueueMail } from './outbox.ts'

const db = openDatabase(env.DB)
const never = (): never => {
  throw new Error('The mail is gone')
}
const LISTED = { 'List-Unsubscribe': '<https://invest.example/leave>' }
const START_MS = Date.parse('2026-01-31T09:30:00.000Z')
const withResend: Env = {
  ...env,
  RESEND_API_KEY: 're_test',
  MAIL_FROM: 'Invest <no-reply@invest.example>',
}

beforeEach(async () => {
  await env.DB.exec('DELETE FROM outbox')
})
afterEach(() => {
  answer = '{}'
  vi.unstubAllGlobals()
})

async function enqueue(subject: string, nowMs = START_MS): Promise<void> {
  const mail = composeMail('ana@example.com', subject, 'Ana', ['Your code is 123456.'])
  await runBatch(db, await enqueueMail(env, mail, nowMs))
}

let answer = '{}'

/** A fake Resend that answers with these statuses, then with 200, and stores what it was sent. */
function stubResend(...statuses: number[]) {
  const sent: {
    url: string
    key: string | null
    idempotencyKey: string | null
    body: { subject: string; to: string[]; text: string; html: string; headers?: unknown; reply_to?: string }
  }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    sent.push({
      url,
      key: headers.get('Authorization'),
      idempotencyKey: headers.get('Idempotency-Key'),
      body: JSON.parse(String(init.body)),
    })
    const status = statuses.shift() ?? 200
    if (status === 0) throw new Error('connection refused')
    return new Response(answer, { status })
  })
  return sent
}

it('mails that always fail keep no other one waiting', async () => {
  for (let n = 0; n < 25; n++) await enqueue('Always refused', START_MS - 1)
  await enqueue('Altered', START_MS - 1)
  await env.DB.exec("UPDATE outbox SET sealed = '1:altered' WHERE subject = 'Altered'")
  await enqueue('Welcome')
  const delivered: string[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const { subject } = JSON.parse(String(init.body)) as { subject: string }
    if (subject !== 'Welcome') return new Response('{}', { status: 422 })
    delivered.push(subject)
    return new Response('{}')
  })
  await deliverOutbox(withResend, db, START_MS)
  await deliverOutbox(withResend, db, START_MS + 1)
  expect(delivered).toEqual(['Welcome'])
})

it('a mail is delivered once, and its text is deleted', async () => {
  const sent = stubResend()
  await enqueue('First')
  expect(await deliverOutbox(withResend, db, START_MS)).toEqual({ delivered: 1, failed: 0 })
  expect(await deliverOutbox(withResend, db, START_MS + 3_600_000)).toEqual({ delivered: 0, failed: 0 })
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
    url: 'https://api.resend.com/emails',
    key: 'Bearer re_test',
    body: { subject: 'First', to: ['ana@example.com'] },
  })
  const [row] = await db.select().from(outbox)
  expect(row).toMatchObject({
    sealed: null,
    deliveredAt: START_MS,
    nextAttemptAt: null,
  })
  expect(sent[0]?.idempotencyKey).toBe(row?.id)
})

it('the database has no readable code, link or token of a waiting mail', async () => {
  const link = 'https://invest.example/change-password?token=a-secret-token'
  const mail = composeMail('ana@example.com', 'Choose a new password', 'Ana', [
    'Your code is 123456.',
    { label: 'Choose', href: link },
  ])
  await runBatch(db, await enqueueMail(env, { ...mail, headers: LISTED }, START_MS))
  const [row] = await db.select().from(outbox)
  const stored = JSON.stringify(row)
  for (const secret of ['123456', 'a-secret-token', 'change-password', 'invest.example/leave', 'Hello Ana'])
    expect(stored).not.toContain(secret)
  // The recipient serves to find, export and erase mails, and the subject to understand failures.
  expect(row).toMatchObject({
    recipient: 'ana@example.com',
    subject: 'Choose a new password',
  })
  expect(row?.sealed).toMatch(/^1\./)
  const sent = stubResend()
  await deliverOutbox(withResend, db, START_MS)
  expect(sent[0]?.body).toMatchObject({ text: mail.text, html: mail.html, headers: LISTED })
})

it('a mail that was moved to another row, or whose key is gone, stays unsent and blocks no other', async () => {
  const sent = stubResend()
  await enqueue('Moved')
  await enqueue('Other')
  await enqueue('Whole')
  await env.DB.exec(
    "UPDATE outbox SET sealed = (SELECT sealed FROM outbox WHERE subject = 'Other') WHERE subject = 'Moved'",
  )
  await env.DB.exec("UPDATE outbox SET sealed = '9' || substr(sealed, 2) WHERE subject = 'Other'")
  expect(await deliverOutbox(withResend, db, START_MS)).toEqual({ delivered: 1, failed: 2 })
  expect(sent.map(({ body }) => body.subject)).toEqual(['Whole'])
  const left = await db.select().from(outbox).where(isNotNull(outbox.nextAttemptAt))
  expect(left.map(({ lastError }) => lastError)).toEqual(['E_MAIL_SEALED', 'E_MAIL_SEALED'])
})

it('a recipient that the carrier refuses for good gets no further attempt, and the mail’s content goes', async () => {
  const refused = async (carrier: Env, count: () => number) => {
    await env.DB.exec('DELETE FROM outbox')
    await enqueue('Refused')
    expect(await deliverOutbox(carrier, db, START_MS)).toEqual({ delivered: 0, failed: 1 })
    await deliverOutbox(carrier, db, START_MS + 30 * DAY_MS)
    expect(count()).toBe(1)
    expect(await db.select().from(outbox)).toMatchObject([
      { nextAttemptAt: null, deliveredAt: null, sealed: null, lastError: 'E_RECIPIENT_REFUSED' },
    ])
  }
  answer = JSON.stringify({
    statusCode: 422,
    name: 'validation_error',
    message: 'Invalid `to` field. The email address needs to follow the `email@example.com` format.',
  })
  const sent = stubResend(422, 422)
  await refused(withResend, () => sent.length)

  let tries = 0
  const send = async () => {
    tries++
    throw Object.assign(new Error('ana@example.com is suppressed'), { code: 'E_RECIPIENT_SUPPRESSED' })
  }
  await refused({ ...withResend, SEND_EMAIL: { send } as unknown as SendEmail }, () => tries)
})

it('what the sender can put right is tried again: a quota, a sender that is not verified, a key', async () => {
  for (const code of ['E_DAILY_LIMIT_EXCEEDED', 'E_SENDER_NOT_VERIFIED', 'E_RECIPIENT_NOT_ALLOWED']) {
    await env.DB.exec('DELETE FROM outbox')
    await enqueue('Again')
    const send = async () => {
      throw Object.assign(new Error('No'), { code })
    }
    await deliverOutbox({ ...withResend, SEND_EMAIL: { send } as unknown as SendEmail }, db, START_MS)
    expect(await db.select().from(outbox)).toMatchObject([{ nextAttemptAt: START_MS + 30_000 }])
  }
  answer = JSON.stringify({ name: 'validation_error', message: 'Invalid `from` field.' })
  stubResend(422)
  await env.DB.exec('DELETE FROM outbox')
  await enqueue('Again')
  await deliverOutbox(withResend, db, START_MS)
  expect(await db.select().from(outbox)).toMatchObject([{ nextAttemptAt: START_MS + 30_000 }])
})

it('a mail is only sent if its condition holds', async () => {
  const mail = composeMail('ana@example.com', 'On one condition', 'Ana', ['Here it is.'])
  for (const onlyIf of [sql`1 = 2`, sql`1 = 1`])
    await runBatch(db, await enqueueMail(env, { ...mail, onlyIf }, START_MS))
  expect(await db.select().from(outbox)).toHaveLength(1)
})

it('while a provider is down, mails are retried at growing intervals until they are delivered', async () => {
  const sent = stubResend(500, 0, 503, 429)
  await enqueue('Kept')
  let nowMs = START_MS
  for (const expected of [30_000, 60_000, 120_000, 240_000]) {
    expect(await deliverOutbox(withResend, db, nowMs)).toEqual({ delivered: 0, failed: 1 })
    const [row] = await db.select().from(outbox)
    expect(row?.nextAttemptAt).toBe(nowMs + expected)
    expect((await decryptContent(env, row ?? never())).text).toContain('123456')
    expect(await deliverOutbox(withResend, db, nowMs + expected - 1)).toEqual({ delivered: 0, failed: 0 })
    nowMs += expected
  }
  expect(await deliverOutbox(withResend, db, nowMs)).toEqual({ delivered: 1, failed: 0 })
  expect(sent).toHaveLength(5)
})

it('a crashed run is taken over, and two parallel runs send a mail once', async () => {
  const sent = stubResend()
  await enqueue('Once')
  await Promise.all([1, 2, 3].map(() => deliverOutbox(withResend, db, START_MS)))
  expect(sent).toHaveLength(1)

  await enqueue('Left over')
  // As after a run that claimed the mail and was killed before it sent it.
  await env.DB.prepare("UPDATE outbox SET next_attempt_at = ?, attempts = 1 WHERE subject = 'Left over'")
    .bind(START_MS + 60_000)
    .run()
  expect(await deliverOutbox(withResend, db, START_MS + 60_000)).toEqual({ delivered: 1, failed: 0 })
})

it('mail waits while production has no carrier', async () => {
  await enqueue('Waiting')
  const bare: Env = { ...env, APP_ENV: 'production' }
  expect(await deliverOutbox(bare, db, START_MS)).toEqual({ delivered: 0, failed: 0 })
  const [row] = await db.select().from(outbox)
  expect(row?.nextAttemptAt).toBe(START_MS)
})

it('uses Cloudflare’s binding if there is one', async () => {
  const sent: unknown[] = []
  const binding = { send: async (message: unknown) => void sent.push(message) }
  await enqueue('Bound')
  const bound = { ...env, MAIL_FROM: 'no-reply@invest.example', SEND_EMAIL: binding } as unknown as Env
  expect(await deliverOutbox(bound, db, START_MS)).toEqual({ delivered: 1, failed: 0 })
  expect(sent).toEqual([
    expect.objectContaining({ from: 'no-reply@invest.example', to: 'ana@example.com', subject: 'Bound' }),
  ])
})

async function enqueueListed(): Promise<void> {
  const mail = composeMail('ana@example.com', 'Issue 7', 'Ana', ['Here it is.'])
  await runBatch(db, await enqueueMail(env, { ...mail, headers: LISTED, list: 'newsletter' }, START_MS))
}

it('further headers of a mail go along with either carrier', async () => {
  const viaResend = stubResend()
  await enqueueListed()
  await deliverOutbox(withResend, db, START_MS)
  expect(viaResend[0]?.body).toMatchObject({ subject: 'Issue 7', headers: LISTED })

  const viaCloudflare: unknown[] = []
  const binding = { send: async (message: unknown) => void viaCloudflare.push(message) }
  await enqueueListed()
  const bound = { ...env, MAIL_FROM: 'no-reply@invest.example', SEND_EMAIL: binding } as unknown as Env
  await deliverOutbox(bound, db, START_MS)
  expect(viaCloudflare).toEqual([expect.objectContaining({ subject: 'Issue 7', headers: LISTED })])
})

it('a mail of a list is deleted once delivered, and not before', async () => {
  stubResend(500)
  await enqueueListed()
  expect(await deliverOutbox(withResend, db, START_MS)).toEqual({ delivered: 0, failed: 1 })
  expect(await db.select().from(outbox)).toHaveLength(1)
  expect(await deliverOutbox(withResend, db, START_MS + 30_000)).toEqual({ delivered: 1, failed: 0 })
  expect(await db.select().from(outbox)).toEqual([])
})

it('an answer to a mail goes to the support address of the settings', async () => {
  const viaResend = stubResend()
  await setSetting('supportAddress', 'help@example.com')
  await enqueue('With an address')
  await deliverOutbox(withResend, db, START_MS)
  await setSetting('supportAddress', null)
  await enqueue('Without')
  await deliverOutbox(withResend, db, START_MS)
  expect(viaResend.map(({ body }) => body.reply_to)).toEqual(['help@example.com', undefined])
})

it('the development mailbox keeps a list’s mail, and shows its headers to programs and to people', async () => {
  await enqueueListed()
  await deliverOutbox(env, db, START_MS)
  const { body } = await call<{ subject: string; headers: unknown }[]>(
    'GET',
    '/dev/mailbox?to=ana@example.com',
  )
  expect(body).toMatchObject([{ subject: 'Issue 7', headers: LISTED }])
  const page = await exports.default.fetch(new Request(`${ORIGIN}/dev/mailbox`))
  expect(await page.text()).toContain('List-Unsubscribe: &lt;https://invest.example/leave&gt;')
})

it('waits six hours at most between tries', () => {
  expect(computeBackOffMs(1)).toBe(30_000)
  expect(computeBackOffMs(200)).toBe(6 * 3_600_000)
})
