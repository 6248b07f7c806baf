import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { ActivityRow } from '../../../src/contract/identity/activity.ts'
import { DAY_MS } from '../../../src/time.ts'
import { callCounted } from '../../../test/support/app.ts'
import { CRYPTO_WITHDRAWAL, changeAddress, fileDeposit, withdraw } from '../../../test/support/filing.ts'
import { call, type Reply } from '../../../test/support/http.ts'
import { linkIn, mailTo } from '../../../test/support/mailbox.ts'
import { as } from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { cleanUp } from '../../platform/cleanUp.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

const read = ({ token }: { token: string }, query = '') =>
  call<ActivityRow[]>('GET', `/users/activity${query}`, { token })

async function eventsOf(person: { token: string }): Promise<string[]> {
  return (await read(person)).body.map(({ event }) => event)
}

const switchLog = (person: Person, activityLog: boolean) =>
  call('PATCH', '/users/preferences', { token: person.token, json: { activityLog } })

async function rowsOf({ id }: Person): Promise<number> {
  const row = await env.DB.prepare('SELECT count(*) AS n FROM activity WHERE user_id = ?')
    .bind(id)
    .first<{ n: number }>()
  return row?.n ?? -1
}

const signIn = (person: Person, password = person.password) =>
  call<{ token: string }>('POST', '/auth/login', {
    json: { email: person.email, password },
    headers: { 'User-Agent': FIREFOX },
    ip: '198.51.100.7',
  })

/** Inserts entries of an old log, one second apart. */
async function addActivity({ id }: Person, count: number, fromMs: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
     INSERT INTO activity (id, user_id, at, event) SELECT ?1 || '-' || ?2 || '-' || i, ?1, CAST(?2 AS INTEGER) + 1000 * i, 'profile.changed' FROM n`,
  )
    .bind(id, fromMs, count)
    .run()
}

describe('the activity log', () => {
  test('shows a sign-in with its time, network address and browser', async () => {
    const ana = await newInvestor()
    const before = Date.now()
    await signIn(ana)
    const reply = await read(ana)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual([
      {
        _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
        event: 'session.opened',
        label: 'Signed in',
        ip: '198.51.100.7',
        userAgent: FIREFOX,
      },
    ])
    expect(Date.parse(reply.body[0]?.at ?? '')).toBeGreaterThanOrEqual(before)
  })

  test('the activity log shows the owner’s acts, newest first', async () => {
    const ana = await newInvestor({ availableCents: 500_00 })
    const { token } = ana
    const other = await anotherSession(ana)
    const { body: sessions } = await call<{ _id: string; current: boolean }[]>('GET', '/users/sessions', {
      token,
    })
    await call('DELETE', `/users/sessions/${sessions.find(({ current }) => !current)?._id}`, { token })
    expect((await read({ token: other })).status).toBe(401)
    await call('PATCH', '/users/user-info', { token, json: { address: 'Main Street 1' } })
    const { type, network, address } = CRYPTO_WITHDRAWAL
    const saved = await changeAddress(ana, { label: 'Mine', type, network, address })
    await changeAddress(ana, { label: 'Wallet' }, saved.body._id)
    await call('DELETE', `/users/addresses/${saved.body._id}`, { token })
    const deposit = await fileDeposit(ana, {}, { idempotencyKey: 'activity' })
    await call('POST', `/deposits/${deposit.body._id}/cancel`, { token })
    const withdrawal = await withdraw(ana, { amount: '20.00' })
    await call('POST', `/withdrawals/${withdrawal.body._id}/cancel`, { token })
    await call('PATCH', '/users/preferences', { token, json: { emails: { tips: false } } })
    await call('GET', '/users/data', { token })
    await call('POST', '/users/email', { token, json: { email: `x${ana.email}`, password: ana.password } })
    await call('PATCH', '/users/user-info', {
      token,
      json: { currentPassword: ana.password, newPassword: 'another-password-for-tests' },
    })
    expect(await eventsOf(ana)).toEqual([
      'password.changed',
      'email.change_asked',
      'account.data_downloaded',
      'preferences.changed',
      'withdrawal.cancelled',
      'withdrawal.requested',
      'deposit.cancelled',
      'deposit.requested',
      'address.deleted',
      'address.renamed',
      'address.saved',
      'profile.changed',
      'session.revoked',
    ])
    await call('POST', '/auth/logout', { token })
    expect(await eventsOf({ token: await anotherSession(ana) })).toContain('session.ended')
  })

  test('shows acts by a mailed link, on its account', async () => {
    const ana = await newInvestor()
    await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
    const token = linkIn(await mailTo(ana.email, /^Choose a new password/)).searchParams.get('token')
    const password = 'another-password-for-tests'
    const reset = { email: ana.email, token, password, confirmPassword: password }
    await call('POST', '/auth/reset-password', { json: reset, ip: '198.51.100.9' })
    const lock = linkIn(await mailTo(ana.email, /^Your password was changed/), '/lock-account')
    await call('POST', '/auth/lock-account', { json: { token: lock.searchParams.get('token') } })
    for (const by of [await newOperator(), await newOperator()])
      await as(by, 'POST', `/operator/investors/${ana.id}/unfreeze`, { reason: 'A test' })
    const { body } = await read({ token: await anotherSession(ana) })
    expect(body.map(({ event, ip }) => [event, ip])).toEqual([
      ['account.locked', '203.0.113.1'],
      ['password.reset', '198.51.100.9'],
    ])
  })

  test('the activity log has failed sign-ins to this address, at most thirty a day', async () => {
    const ana = await newInvestor()
    await signIn(ana, 'a wrong password')
    await expect.poll(() => eventsOf(ana), { timeout: 5_000 }).toEqual(['sign_in_failed'])
    const nowMs = Date.now()
    const write = env.DB.prepare(
      "INSERT INTO activity (id, user_id, at, event) VALUES (?1, ?2, ?3, 'sign_in_failed')",
    )
    await env.DB.batch(Array.from({ length: 60 }, (_, i) => write.bind(`f${i}`, ana.id, nowMs + i)))
    expect(await rowsOf(ana)).toBe(30)
    await write.bind('next day', ana.id, nowMs + DAY_MS + 60).run()
    await call('PATCH', '/users/user-info', { token: ana.token, json: { address: 'Main Street 1' } })
    expect(await rowsOf(ana)).toBe(32)
  })

  test('contains no acts of others and no operators’ decisions', async () => {
    const [ana, ben, olu] = [await newInvestor(), await newInvestor(), await newOperator()]
    await call('PATCH', '/users/user-info', { token: ben.token, json: { address: 'Main Street 1' } })
    await call('POST', `/operator/investors/${ana.id}/freeze`, {
      token: olu.token,
      json: { reason: 'A test' },
    })
    expect(await eventsOf(ana)).toEqual([])
    expect(await eventsOf(olu)).toEqual([])
    expect(await eventsOf(ben)).toEqual(['profile.changed'])
    expect((await call('GET', '/users/activity')).status).toBe(401)
  })

  test('is read a page at a time, which neither skips nor repeats while new lines arrive', async () => {
    const ana = await newInvestor()
    await addActivity(ana, 25, Date.now() - DAY_MS)
    const seen: string[] = []
    let next: string | undefined = '/users/activity?limit=10'
    while (next !== undefined) {
      const reply: Reply<ActivityRow[]> = await call<ActivityRow[]>('GET', next, { token: ana.token })
      seen.push(...reply.body.map(({ _id }) => _id))
      await call('PATCH', '/users/user-info', { token: ana.token, json: { address: 'Main Street 1' } })
      next = /<\/api\/v1([^>]+)>; rel="next"/.exec(reply.headers.get('Link') ?? '')?.[1]
    }
    expect([seen.length, new Set(seen).size]).toEqual([25, 25])
    for (const query of ['?limit=0', '?limit=101', '?cursor=abc'])
      expect((await read(ana, query)).status, query).toBe(422)
  })

  test('the cost of a read does not depend on its length', async () => {
    const cost = async (person: Person) => {
      const { counted, body } = await callCounted<unknown[]>('GET', '/users/activity', {
        token: person.token,
      })
      expect(body).toHaveLength(50)
      return counted
    }
    const [short, long] = [await newInvestor(), await newInvestor()]
    await addActivity(short, 60, Date.now() - DAY_MS)
    await addActivity(long, 5_000, Date.now() - DAY_MS)
    const [a, b] = [await cost(short), await cost(long)]
    expect(Math.abs(a.rowsRead - b.rowsRead)).toBeLessThanOrEqual(2)
    expect(b.rowsRead).toBeLessThanOrEqual(2 * 51 + 20)
  })

  test('activity stays unchanged for ninety days', async () => {
    const ana = await newInvestor()
    await addActivity(ana, 3, Date.now() - 91 * DAY_MS)
    await addActivity(ana, 2, Date.now() - 89 * DAY_MS)
    await expect(env.DB.prepare("UPDATE activity SET ip = '::1'").run()).rejects.toThrow('immutable')
    await cleanUp(env, Date.now())
    expect(await rowsOf(ana)).toBe(2)
  })
})

describe('the switch of the activity log', () => {
  test('turning the activity log off empties it at once, and nothing more is written', async () => {
    const ana = await newInvestor()
    await call('PATCH', '/users/user-info', { token: ana.token, json: { address: 'Main Street 1' } })
    expect(await rowsOf(ana)).toBe(1)
    await switchLog(ana, false)
    expect(await rowsOf(ana)).toBe(0)
    await signIn(ana)
    await signIn(ana, 'a wrong password')
    const changed = await call('PATCH', '/users/user-info', {
      token: ana.token,
      json: { address: 'High Street 2' },
    })
    expect(changed.status).toBe(200)
    // A failed sign-in is recorded a while after the answer.
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect([await rowsOf(ana), (await read(ana)).body]).toEqual([0, []])
  })

  test('turning the activity log off does not affect sessions, audit log or mails', async () => {
    const ana = await newInvestor()
    await switchLog(ana, false)
    const { body } = await signIn(ana)
    expect((await read(body)).status).toBe(200)
    const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE actor = ? ORDER BY seq')
      .bind(ana.id)
      .all()
    expect(results.map(({ action }) => action)).toEqual(['preferences.changed', 'session.opened'])
  })

  test('turned on again begins with an empty log', async () => {
    const ana = await newInvestor()
    await call('PATCH', '/users/user-info', { token: ana.token, json: { address: 'Main Street 1' } })
    await switchLog(ana, false)
    await switchLog(ana, true)
    expect(await eventsOf(ana)).toEqual(['preferences.changed'])
  })

  test('of one person leaves everybody else’s log', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    await call('PATCH', '/users/user-info', { token: ben.token, json: { address: 'Main Street 1' } })
    await switchLog(ana, false)
    expect(await eventsOf(ben)).toEqual(['profile.changed'])
  })
})
