import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type CallOptions, call, ORIGIN, requestOf } from '../../test/support/http.ts'
import { newInvestor, newOperator, type Person } from '../../test/support/people.ts'
import { createApp } from '../app.ts'
import { sha256Hex } from '../lib/crypto/tokens.ts'
import { routes } from '../routes.ts'
import { newSessionToken } from './sessionToken.ts'

const app = createApp(routes)
const READS = ['/users/user-info', '/transaction-history', '/users/preferences', '/users/liability-proof']
const HOUR_MS = 3_600_000

let ana: Person
let ben: Person
beforeAll(async () => {
  ana = await newInvestor({ availableCents: 100_00 })
  ben = await newInvestor({ availableCents: 100_00 })
})

/** Tokens that we signed and that open no session of Ana's. */
async function deadTokens(): Promise<Record<string, string>> {
  const [id, secret, user] = partsOf(ana)
  const [bensId, bensSecret] = partsOf(ben)
  const sign = (id: string, secret: string, userId: string) => newSessionToken(env, { id, secret, userId })
  const set = async (change: string): Promise<string> => {
    const dead = await newInvestor()
    const [session] = partsOf(dead)
    await env.DB.prepare(`UPDATE sessions SET ${change} WHERE id = ?`).bind(session).run()
    return dead.token
  }
  const now = Date.now()
  return {
    'unknown session': await sign('a'.repeat(36), secret, user),
    'wrong secret': await sign(id, 'b'.repeat(43), user),
    'another user’s id': await sign(bensId, bensSecret, user),
    'no user of ours': await sign(id, secret, 'nobody'),
    'another user’s session id': await sign(bensId, secret, user),
    'the secret’s hash': await sign(id, await sha256Hex(secret), user),
    ended: await set(`ended_at = ${now}`),
    expired: await set(`expires_at = ${now}`),
    idle: await set(`last_seen_at = ${now - 2 * HOUR_MS}`),
  }
}

/** Tokens that we did not sign. */
function forgedTokens(): Record<string, string> {
  const [id, secret, user, version, mac] = ana.token.split('.')
  const [bensId, bensSecret, bensUser, , bensMac] = ben.token.split('.')
  return {
    'three parts': `${id}.${secret}.${user}`,
    'two parts': `${id}.${secret}`,
    'another secret': `${id}.${'b'.repeat(43)}.${user}.${version}.${mac}`,
    'another user': `${bensId}.${bensSecret}.${user}.${version}.${bensMac}`,
    'another session’s signature': `${id}.${secret}.${user}.${version}.${bensMac}`,
    'a key that we do not have': `${bensId}.${bensSecret}.${bensUser}.99.${bensMac}`,
    'invented from end to end': `${'a'.repeat(36)}.${'b'.repeat(43)}.${user}.1.${'c'.repeat(43)}`,
  }
}

function partsOf({ token }: Person): [id: string, secret: string, user: string] {
  const [id = '', secret = '', user = ''] = token.split('.')
  return [id, secret, user]
}

interface Seen {
  readonly status: number
  readonly body: unknown
  /** Each batch or statement: the number of its statements, and the error that ended it. */
  readonly trips: { readonly statements: number; readonly error: string | null; readonly rows: number }[]
}

/** Answers a request, and reports each call to the database. `last` is put behind the statements of each. */
async function answer(method: string, path: string, options: CallOptions, last?: string): Promise<Seen> {
  // The overflow is logged as an error.
  const log = last === undefined ? null : vi.spyOn(console, 'error').mockImplementation(() => {})
  const trips: { statements: number; error: string | null; rows: number }[] = []
  const batch: D1Database['batch'] = async <T>(statements: D1PreparedStatement[]) => {
    const all = last === undefined ? statements : [...statements, env.DB.prepare(last)]
    const trip = { statements: statements.length, error: null as string | null, rows: 0 }
    trips.push(trip)
    try {
      const results = await env.DB.batch<T>(all)
      trip.rows = results.reduce((sum, { results: rows }) => sum + rows.length, 0)
      return results
    } catch (error) {
      trip.error = String(error)
      throw error
    }
  }
  const binding = { prepare: (sql: string) => env.DB.prepare(sql), batch } as unknown as D1Database
  const context = createExecutionContext()
  const request = requestOf(method, `${ORIGIN}/api/v1${path}`, options)
  const response = await app.fetch(request, { ...env, DB: binding }, context)
  const seen = { status: response.status, body: await response.json(), trips: [...trips] }
  await waitOnExecutionContext(context)
  log?.mockRestore()
  return seen
}

/** A statement with an error of its own, which is reported only if all statements before it ran. */
const OVERFLOW = 'SELECT abs(-9223372036854775807 - 1)'

async function everything(): Promise<unknown> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%cf_%'",
  ).all<{ name: string }>()
  const all = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name}`)))
  return all.map(({ results }) => results)
}

describe('the first round trip', () => {
  test('a live session’s batch runs to its end', async () => {
    for (const path of READS) {
      const { trips } = await answer('GET', path, { token: ana.token }, OVERFLOW)
      expect([path, trips[0]?.error]).toEqual([path, expect.stringContaining('integer overflow')])
      expect(trips[0]?.statements).toBeGreaterThan(1)
    }
  })

  test('a dead session’s batch ends at the guard, reads no row and changes nothing', async () => {
    for (const [kind, token] of Object.entries(await deadTokens())) {
      const before = await everything()
      for (const path of READS) {
        const ended = await answer('GET', path, { token }, OVERFLOW)
        expect([kind, path, ended.trips[0]?.error]).toEqual([
          kind,
          path,
          expect.stringContaining('malformed JSON'),
        ])
        const { status, body, trips } = await answer('GET', path, { token })
        expect([kind, path, status]).toEqual([kind, path, 401])
        expect(body).toMatchObject({ code: 'unauthorized' })
        // The second one has the opening alone, which finds nobody.
        expect(trips.map(({ statements, rows }) => [statements > 1, rows])).toEqual([
          [true, 0],
          [false, 0],
        ])
      }
      const written = await answer('POST', '/withdrawals', {
        token,
        json: { amount: '10', type: 'bitcoin' },
        idempotencyKey: 'dead',
      })
      expect([kind, written.status]).toEqual([kind, 401])
      expect(await everything()).toEqual(before)
    }
  })

  test('an investor’s session on an operator’s call ends at the guard', async () => {
    for (const path of ['/operator/overview', '/operator/investors', '/operator/settings']) {
      const { trips } = await answer('GET', path, { token: ana.token }, OVERFLOW)
      expect([path, trips[0]?.error]).toEqual([path, expect.stringContaining('malformed JSON')])
      const { status } = await answer('GET', path, { token: ana.token })
      expect([path, status]).toEqual([path, 403])
    }
  })

  test('a forged token is refused before anything is read', async () => {
    for (const [kind, token] of Object.entries(forgedTokens())) {
      for (const [method, path] of [
        ['GET', '/users/user-info'] as const,
        ['POST', '/withdrawals'] as const,
      ]) {
        let read = 0
        const raw = new ReadableStream(
          {
            pull: (body) => {
              read++
              body.enqueue(new TextEncoder().encode('{"amount": "10"}'))
              body.close()
            },
          },
          { highWaterMark: 0 },
        )
        const options = method === 'GET' ? {} : { raw, headers: { 'Content-Type': 'application/json' } }
        const { status, trips } = await answer(method, path, { token, ...options })
        expect([kind, path, status, trips.length, read]).toEqual([kind, path, 401, 0, 0])
      }
    }
  })

  test('nothing of a JSON body is read before the session is known', async () => {
    for (const [kind, token] of Object.entries(await deadTokens())) {
      let read = 0
      const raw = new ReadableStream(
        {
          pull: (body) => {
            read++
            body.enqueue(new TextEncoder().encode('{"amount": "10"}'))
            body.close()
          },
        },
        { highWaterMark: 0 },
      )
      const headers = { 'Content-Type': 'application/json' }
      const { status, trips } = await answer('POST', '/withdrawals', { token, raw, headers })
      expect([kind, status, read]).toEqual([kind, 401, 0])
      expect(trips.every(({ rows }) => rows === 0)).toBe(true)
    }
  })

  test('parallel calls of many sessions each get their own account', async () => {
    const people = [ana, ben, await newInvestor(), await newOperator()]
    const asked = Array.from({ length: 40 }, (_, at) => people[at % people.length] ?? ana)
    const answers = await Promise.all(
      asked.map(({ token }) => call<{ email: string }>('GET', '/users/user-info?fields=email', { token })),
    )
    expect(answers.map(({ body }) => body.email)).toEqual(asked.map(({ email }) => email))
  })
})

describe('the order of refusals', () => {
  const code = async (method: string, path: string, options: CallOptions) =>
    (await call(method, path, options)).body.code

  test('what the first round trip refuses comes before the query’s and the body’s fields', async () => {
    const { ended: dead = '' } = await deadTokens()
    expect(await code('GET', '/transaction-history?limit=0', { token: dead })).toBe('unauthorized')
    expect(await code('POST', '/withdrawals', { token: dead, json: {} })).toBe('unauthorized')
    expect(await code('GET', '/operator/investors?limit=0', { token: ana.token })).toBe('forbidden')
    expect(await code('POST', '/operator/proposals', { token: ana.token, json: {} })).toBe('forbidden')
    expect(await code('GET', '/transaction-history?limit=0', { token: ana.token })).toBe('validation_failed')
    const operator = await newOperator()
    expect(await code('POST', '/withdrawals', { token: operator.token, json: {} })).toBe('forbidden')
  })

  test('frozen and unidentified accounts come before the body’s fields, and after a stored answer', async () => {
    const carl = await newInvestor({ availableCents: 100_00 })
    const again = { token: carl.token, json: { message: 'Hello' }, idempotencyKey: 'once' }
    const first = await call('POST', '/users/messages', again)
    expect(first.status).toBe(201)
    await env.DB.prepare("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?")
      .bind(carl.id)
      .run()
    expect(await code('POST', '/withdrawals', { token: carl.token, json: {} })).toBe('account_frozen')
    const replayed = await call('POST', '/users/messages', again)
    expect([replayed.status, replayed.body]).toEqual([201, first.body])
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true')
    const dora = await newInvestor({ kyc: 'none' })
    expect(await code('POST', '/withdrawals', { token: dora.token, json: {} })).toBe('kyc_required')
  })

  test('a call above its limit is refused before it reads, also with wrong fields, and counts', async () => {
    const eve = await newInvestor()
    const used = () =>
      env.DB.prepare("SELECT used FROM rate_counters WHERE key = 'statements:account:' || ?")
        .bind(eve.id)
        .first('used')
    const path = '/statements?from=2026-01-01&to=2026-02-01'
    for (let times = 0; times < 60; times++)
      expect((await call('GET', path, { token: eve.token })).status).toBe(200)
    expect(await used()).toBe(60)
    const { trips } = await answer('GET', path, { token: eve.token }, OVERFLOW)
    expect(trips[0]?.error).toContain('malformed JSON')
    expect(await code('GET', path, { token: eve.token })).toBe('too_many_requests')
    expect(await code('GET', '/statements?from=never', { token: eve.token })).toBe('too_many_requests')
    expect(await used()).toBe(62)
  })
})
