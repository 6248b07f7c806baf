import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { call, deviceOf } from '../../test/support/http.ts'
import { mailsTo } from '../../test/support/mailbox.ts'
import { ask, mailedToken, newAddress, newSubscriber } from '../../test/support/newsletter.ts'
import { newInvestor } from '../../test/support/people.ts'
import { limitDatabase, WorkBudget } from '../lib/workBudget.ts'
import { cleanUp } from './cleanUp.ts'

async function count(table: string): Promise<number> {
  const row = await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>()
  return row?.n ?? -1
}

it('expired counters and sessions are deleted, live ones and everything about money stay', async () => {
  const ana = await newInvestor({ availableCents: 500_00 })
  await env.DB.prepare('INSERT INTO rate_counters (key, window_start, used) VALUES (?, ?, 1), (?, ?, 1)')
    .bind('old', Date.now() - 2 * DAY_MS, 'new', Date.now())
    .run()
  const transfers = await count('transfers')
  await cleanUp(env, Date.now())
  const keys = await env.DB.prepare("SELECT key FROM rate_counters WHERE key IN ('old', 'new')").all<{
    key: string
  }>()
  expect(keys.results.map(({ key }) => key)).toEqual(['new'])
  expect((await call('GET', '/users/user-info?fields=available', { token: ana.token })).status).not.toBe(401)

  await cleanUp(env, Date.now() + 40 * DAY_MS)
  expect(await count('sessions')).toBe(0)
  expect(await count('rate_counters')).toBe(0)
  expect(await count('transfers')).toBe(transfers)
  expect(transfers).toBeGreaterThan(0)
})

it('a backlog of many pages is deleted in one run, one above the bound of a run in the next ones', async () => {
  const add = (rows: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO rate_counters (key, window_start, used) SELECT 'backlog ' || i, i, 1 FROM n`,
    )
      .bind(rows)
      .run()
  await add(25_500)
  await cleanUp(env, Date.now())
  expect(await count("rate_counters WHERE key LIKE 'backlog %'")).toBe(0)
  await add(7_500)
  await cleanUp(env, Date.now(), 4)
  expect(await count("rate_counters WHERE key LIKE 'backlog %'")).toBe(2_500)
  await cleanUp(env, Date.now())
  expect(await count("rate_counters WHERE key LIKE 'backlog %'")).toBe(0)
})

it('a backlog above the job’s share of a minute is deleted as far as the share goes, then on', async () => {
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
     INSERT INTO rate_counters (key, window_start, used) SELECT 'share:' || i, 1, 1 FROM n`,
  ).run()
  const left = () =>
    env.DB.prepare("SELECT count(*) AS n FROM rate_counters WHERE key LIKE 'share:%'").first<number>('n')
  const minute = () => {
    const budget = new WorkBudget({ statements: 25, ms: 60_000 })
    return cleanUp({ ...env, DB: limitDatabase(env.DB, budget) }, Date.now())
  }
  await minute()
  const after = (await left()) ?? 0
  expect([after > 0, after < 12_000]).toEqual([true, true])
  for (let n = 0; n < 3; n++) await minute()
  expect(await left()).toBe(0)
})

it('an unconfirmed address is deleted after seven days with its waiting mails, a confirmed one stays', async () => {
  const [waiting, subscriber, left] = [newAddress(), await newSubscriber(), await newSubscriber()]
  await ask(waiting)
  await mailedToken(waiting)
  // As if it had not been deliverable for all that time.
  await env.DB.prepare('UPDATE outbox SET next_attempt_at = ?1, delivered_at = NULL WHERE recipient = ?2')
    .bind(Date.now() + 8 * DAY_MS, waiting)
    .run()
  await call('POST', '/newsletter/unsubscribe', { json: { token: left.token } })
  const statuses = async () => {
    const { results } = await env.DB.prepare(
      'SELECT status FROM newsletter_subscribers ORDER BY status',
    ).all()
    return results.map(({ status }) => status)
  }

  await cleanUp(env, Date.now() + 6 * DAY_MS)
  expect(await statuses()).toEqual(['confirmed', 'pending', 'unsubscribed'])
  expect(await mailsTo(waiting)).toHaveLength(1)
  await cleanUp(env, Date.now() + 7 * DAY_MS + 1)
  expect(await statuses()).toEqual(['confirmed', 'unsubscribed'])
  expect(await mailsTo(waiting)).toEqual([])
  expect(await count('newsletter_tokens')).toBe(0)
  await cleanUp(env, Date.now() + 31 * DAY_MS)
  expect(await statuses()).toEqual(['confirmed'])
  expect((await call('POST', '/newsletter/unsubscribe', { json: { token: subscriber.token } })).status).toBe(
    200,
  )
})

it('a device is deleted a year after the last sign-in from it', async () => {
  const ana = await newInvestor()
  const signIn = (device?: string) =>
    call('POST', '/auth/login', {
      json: { email: ana.email, password: ana.password },
      ...(device !== undefined && { device }),
    })
  const device = deviceOf(await signIn())
  await env.DB.prepare('UPDATE devices SET last_seen_at = ? WHERE user_id = ?')
    .bind(Date.now() - 300 * DAY_MS, ana.id)
    .run()
  const known = () =>
    env.DB.prepare('SELECT count(*) AS n FROM devices WHERE user_id = ?').bind(ana.id).first<number>('n')
  await signIn(device)
  await cleanUp(env, Date.now() + 364 * DAY_MS)
  expect(await known()).toBe(1)
  await cleanUp(env, Date.now() + 366 * DAY_MS)
  expect(await known()).toBe(0)
})
