import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CallOptions, call, ORIGIN, requestOf } from '../test/support/http.ts'
import { newInvestor, newOperator, type Person } from '../test/support/people.ts'
import { createApp } from './app.ts'
import { newSessionToken } from './http/sessionToken.ts'
import { sha256Hex } from './lib/crypto/tokens.ts'
import { routes } from './routes.ts'

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
  /** The rows that each call to the database returned. */
  readonly trips: readonly number[]
}

/** Answers a request, and reports each call to the database. */
async function answer(method: string, path: string, options: CallOptions): Promise<Seen> {
  const trips: number[] = []
  const batch: D1Database['batch'] = async <T>(statements: D1PreparedStatement[]) => {
    const results = await env.DB.batch<T>(statements)
    trips.push(results.reduce((sum, { results: rows }) => sum + rows.length, 0))
    return results
  }
  const binding = { prepare: (sql: string) => env.DB.prepare(sql), batch } as unknown as D1Database
  const context = createExecutionContext()
  const request = requestOf(method, `${ORIGIN}/api/v1${path}`, options)
  const response = await app.fetch(request, { ...env, DB: binding }, context)
  const seen = { status: response.status, body: await response.json(), trips: [...trips] }
  await waitOnExecutionContext(context)
  return seen
}

/** A body that runs `work` when its first byte is read. */
function streamBody(work: () => Promise<void> | void): CallOptions {
  const raw = new ReadableStream(
    {
      pull: async (body) => {
        await work()
        body.enqueue(new TextEncoder().encode('{"message": "Hello"}'))
        body.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { raw, headers: { 'Content-Type': 'application/json' } }
}

async function everything(): Promise<unknown> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%cf_%'",
  ).all<{ name: string }>()
  const all = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name}`)))
  return all.map(({ results }) => results)
}

describe('the first round trip', () => {
  test('of a dead session finds no row, and changes nothing', async () => {
    for (const [kind, token] of Object.entries(await deadTokens())) {
      const before = await everything()
      for (const path of READS) {
        const { status, body, trips } = await answer('GET', path, { token })
        expect([kind, path, status, trips]).toEqual([kind, path, 401, [0]])
        expect(body).toMatchObject({ code: 'unauthorized' })
      }
      const written = await answer('POST', '/withdrawals', {
        token,
        json: { amount: '10', type: 'bitcoin' },
        idempotencyKey: 'dead',
      })
      expect([kind, written.status, written.trips]).toEqual([kind, 401, [0]])
      expect(await everything()).toEqual(before)
    }
  })

  test('of an investor on an operator’s call answers only the refusal', async () => {
    for (const path of ['/operator/overview', '/operator/investors', '/operator/settings']) {
      const { status, body, trips } = await answer('GET', path, { token: ana.token })
      expect([path, status, trips.length]).toEqual([path, 403, 1])
      expect(body).toEqual({ code: 'forbidden', msg: expect.any(String) })
    }
  })

  test('a forged token is refused before anything is read', async () => {
    for (const [kind, token] of Object.entries(forgedTokens())) {
      for (const [method, path] of [
        ['GET', '/users/user-info'] as const,
        ['POST', '/withdrawals'] as const,
      ]) {
        let read = 0
        const options = method === 'GET' ? {} : streamBody(() => void read++)
        const { status, trips } = await answer(method, path, { token, ...options })
        expect([kind, path, status, trips.length, read]).toEqual([kind, path, 401, 0, 0])
      }
    }
  })

  test('nothing of a JSON body is read before the session is known', async () => {
    for (const [kind, token] of Object.entries(await deadTokens())) {
      let read = 0
      const body = streamBody(() => void read++)
      const { status, trips } = await answer('POST', '/withdrawals', { token, ...body })
      expect([kind, status, read, trips]).toEqual([kind, 401, 0, [0]])
    }
  })

  test('a session that ends while its body is sent slowly has no effect', async () => {
    const slow = await newInvestor()
    const endSlowly = async () => {
      nowMs += 2000
      await env.DB.prepare('UPDATE sessions SET ended_at = ? WHERE user_id = ?').bind(nowMs, slow.id).run()
    }
    let nowMs = Date.now()
    const slowApp = createApp(routes, () => nowMs)
    const context = createExecutionContext()
    const options = { token: slow.token, ...streamBody(endSlowly) }
    const request = requestOf('POST', `${ORIGIN}/api/v1/users/messages`, options)
    expect((await slowApp.fetch(request, env, context)).status).toBe(401)
    await waitOnExecutionContext(context)
    const threads = await env.DB.prepare('SELECT count(*) AS n FROM contact_messages WHERE investor = ?')
      .bind(slow.id)
      .first('n')
    expect(threads).toBe(0)
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
    const { status, trips } = await answer('GET', path, { token: eve.token })
    expect([status, trips.length]).toEqual([429, 1])
    expect(await code('GET', path, { token: eve.token })).toBe('too_many_requests')
    expect(await code('GET', '/statements?from=never', { token: eve.token })).toBe('too_many_requests')
    expect(await used()).toBe(63)
  })
})
