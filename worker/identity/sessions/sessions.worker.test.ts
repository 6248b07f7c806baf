import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { SessionRow } from '../../../src/contract/identity/sessions.ts'
import { withdraw } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { withdrawal } from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator } from '../../../test/support/people.ts'

const list = (token: string, query = '') => call<SessionRow[]>('GET', `/users/sessions${query}`, { token })
const end = (token: string, id: string) => call('DELETE', `/users/sessions/${id}`, { token })
const idOf = (token: string) => token.split('.')[0] ?? ''
const isLive = async (token: string) => (await list(token)).status === 200

describe('the list of sessions', () => {
  test('the list has one’s own live sessions, newest first, and marks the current one', async () => {
    const ana = await newInvestor()
    const other = await anotherSession(ana)
    await env.DB.prepare('UPDATE sessions SET created_at = created_at - 5000 WHERE id = ?')
      .bind(idOf(ana.token))
      .run()
    await newInvestor()
    const { status, body } = await list(ana.token)
    expect(status).toBe(200)
    expect(body.map(({ _id, current }) => [_id, current])).toEqual([
      [idOf(other), false],
      [idOf(ana.token), true],
    ])
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(body[0]).toEqual({
      _id: idOf(other),
      createdAt: time,
      lastSeenAt: time,
      expiresAt: time,
      ip: '203.0.113.1',
      userAgent: 'test',
      current: false,
    })
  })

  test.each([
    ['ended', 'ended_at = created_at'],
    ['expired', 'expires_at = created_at - 1'],
    ['idle', 'last_seen_at = last_seen_at - 2 * 3600000'],
    ['older than 24 hours', 'created_at = created_at - 24 * 3600000'],
  ])('leaves out one that is %s, which cannot be ended either', async (_, change) => {
    const ana = await newInvestor()
    const gone = idOf(await anotherSession(ana))
    await env.DB.prepare(`UPDATE sessions SET ${change} WHERE id = ?`).bind(gone).run()
    expect((await list(ana.token)).body.map(({ _id }) => _id)).toEqual([idOf(ana.token)])
    expect((await end(ana.token, gone)).status).toBe(404)
  })

  test('contains nothing that could sign anybody in', async () => {
    const ana = await newInvestor()
    const { body } = await list(ana.token)
    const secret = ana.token.split('.')[1] ?? ''
    expect(JSON.stringify(body)).not.toContain(secret)
    for (const token of [idOf(ana.token), `${idOf(ana.token)}.${idOf(ana.token)}`])
      expect((await list(token)).status).toBe(401)
  })

  test('is paged without skipping or repeating a session, also those of one moment', async () => {
    const ana = await newInvestor()
    for (let i = 0; i < 4; i++) await anotherSession(ana)
    await env.DB.prepare('UPDATE sessions SET created_at = ?1 WHERE user_id = ?2')
      .bind(Date.now() - 1000, ana.id)
      .run()
    const seen: string[] = []
    let query: string | undefined = '?limit=2'
    while (query !== undefined) {
      const page = await list(ana.token, query)
      expect(page.status).toBe(200)
      expect(page.body.length).toBeLessThanOrEqual(2)
      seen.push(...page.body.map(({ _id }) => _id))
      if (seen.length === 2) await anotherSession(ana)
      query = /(\?[^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1]
    }
    expect(seen).toHaveLength(5)
    expect(new Set(seen).size).toBe(5)
  })
})

describe('ending a session', () => {
  test('ending a session invalidates its token and no other, and is audited', async () => {
    const ana = await newInvestor()
    const [ended, kept] = [await anotherSession(ana), await anotherSession(ana)]
    expect((await end(ana.token, idOf(ended))).status).toBe(204)
    expect([await isLive(ended), await isLive(kept), await isLive(ana.token)]).toEqual([false, true, true])
    const { results } = await env.DB.prepare('SELECT action FROM audit_log WHERE actor = ?')
      .bind(ana.id)
      .all()
    expect(results).toEqual([{ action: 'session.revoked' }])
  })

  test('may be the one that asks', async () => {
    const ana = await newInvestor()
    expect((await end(ana.token, idOf(ana.token))).status).toBe(204)
    expect(await isLive(ana.token)).toBe(false)
  })

  test('another person’s session is 404, for investors and operators, and does not end', async () => {
    const [ana, ben, operator] = [await newInvestor(), await newInvestor(), await newOperator()]
    expect((await end(ben.token, idOf(ana.token))).status).toBe(404)
    expect((await end(operator.token, idOf(ana.token))).status).toBe(404)
    expect(await isLive(ana.token)).toBe(true)
  })

  test('works for an operator and for a frozen account as well', async () => {
    for (const person of [await newOperator(), await newInvestor({ frozen: true })]) {
      const ended = await anotherSession(person)
      expect((await list(person.token)).body).toHaveLength(2)
      expect((await end(person.token, idOf(ended))).status).toBe(204)
      expect(await isLive(ended)).toBe(false)
    }
  })

  test('parallel calls leave it ended, and of two sessions that end each other at least one ends', async () => {
    const ana = await newInvestor()
    const [one, two] = [await anotherSession(ana), await anotherSession(ana)]
    const replies = await Promise.all([end(ana.token, idOf(one)), end(ana.token, idOf(one))])
    for (const { status } of replies) expect([204, 404]).toContain(status)
    expect(await isLive(one)).toBe(false)
    await Promise.all([end(two, idOf(ana.token)), end(ana.token, idOf(two))])
    expect([await isLive(ana.token), await isLive(two)]).toContain(false)
  })
})

test('ending all other sessions cancels what they requested, and nothing of a session that had ended before', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const former = await anotherSession(ana)
  const own = await withdrawal({ ...ana, token: former }, '100')
  await env.DB.prepare('UPDATE sessions SET last_seen_at = last_seen_at - 2 * 3600000 WHERE id = ?')
    .bind(idOf(former))
    .run()
  const [thief, other] = [await anotherSession(ana), await anotherSession(ana)]
  const filed = await withdraw({ ...ana, token: thief }, { amount: '10.00' })
  expect((await call('DELETE', '/users/sessions', { token: ana.token })).status).toBe(204)
  for (const token of [thief, other]) expect(await isLive(token)).toBe(false)
  expect(await isLive(ana.token)).toBe(true)
  const readStatus = (id: string) =>
    env.DB.prepare('SELECT status FROM requests WHERE id = ?').bind(id).first<string>('status')
  expect([await readStatus(own), await readStatus(filed.body._id)]).toEqual(['pending', 'cancelled'])
})
