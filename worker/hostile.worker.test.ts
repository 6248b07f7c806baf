import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { isLong } from '../test/random.ts'
import { type CallOptions, ORIGIN, send as sendFrom } from '../test/support/http.ts'
import { newInvestor, newOperator } from '../test/support/people.ts'
import { routes } from './routes.ts'

const endpoints = routes.map((route) => route.endpoint)
const withBody = endpoints.filter((endpoint) => endpoint.body !== undefined)
const LONG = 'a'.repeat(10_000)

// Each request has its own network address, because this does not test limits.
let requests = 0
function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  requests++
  return sendFrom(method, path, {
    ip: `10.${requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`,
    ...options,
  })
}

let investorToken = ''
let operatorToken = ''
beforeAll(async () => {
  investorToken = (await newInvestor({ availableCents: 100_00 })).token
  operatorToken = (await newOperator()).token
})

function tokenFor(endpoint: Endpoint): string {
  return endpoint.scope.startsWith('operator') ? operatorToken : investorToken
}

function pathOf(endpoint: Endpoint, id = 'no-such-thing'): string {
  return endpoint.path.replace(/:[a-z]+/g, encodeURIComponent(id))
}

/** All of the attempts in a long run. In a short one three of them, others for each next endpoint, so that all are tried many times. */
function pickAttempts<T>(attempts: readonly T[], endpoint: Endpoint): readonly T[] {
  if (isLong) return attempts
  const place = endpoints.indexOf(endpoint)
  return [0, 1, 2].map((more) => attempts[(3 * place + more) % attempts.length] as T)
}

/** The contract's error format. */
async function expectRefusal(response: Response, what: string): Promise<void> {
  const text = await response.text()
  expect(response.status, `${what}: ${text}`).toBeGreaterThanOrEqual(400)
  expect(response.status, `${what}: ${text}`).toBeLessThan(500)
  const body = JSON.parse(text) as { msg: unknown; code: unknown }
  expect(typeof body.msg, what).toBe('string')
  expect(body.code, what).toMatch(/^[a-z][a-z_]+$/)
  expect(response.headers.get('X-Request-Id'), what).toBeTruthy()
}

const json = { 'Content-Type': 'application/json' }
const utf16 = new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])
const formType = { 'Content-Type': 'multipart/form-data; boundary=x' }

const UNREADABLE: readonly [string, HeadersInit, BodyInit][] = [
  ['truncated JSON', json, '{"amount": 12'],
  ['JSON with a trailing comma', json, '{"amount": 12,}'],
  ['bytes that are no UTF-8', json, new Uint8Array([0x22, 0xc3, 0x28, 0x22])],
  ['UTF-16', json, utf16],
  ['a bare word', json, 'undefined'],
  ['a form without its boundary', { 'Content-Type': 'multipart/form-data' }, 'x'],
  ['a form that breaks off', formType, '--x\r\nContent-Disposition: form-data; name="amount"\r\n\r\n5'],
  ['an empty form body', formType, ''],
  ['XML', { 'Content-Type': 'application/xml' }, '<a/>'],
  ['plain text', { 'Content-Type': 'text/plain' }, '{}'],
  ['an impossible content type', { 'Content-Type': ';;;=' }, '{}'],
]

const WRONG_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.005,
  1e308,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  LONG,
  [],
  [[]],
  {},
  { $ne: null },
  '1e5',
  '+5',
  '0x10',
  'NaN',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  ['a'],
  { toString: 'x' },
]

function fieldsOf(endpoint: Endpoint): string[] {
  const parsed = endpoint.body?.safeParse({})
  const issues = parsed?.success === false ? parsed.error.issues : []
  const required = issues.map((issue) => String(issue.path[0] ?? '')).filter((name) => name !== '')
  return [...new Set([...required, '__proto__', 'code', 'reason', 'settings', 'amount'])]
}

/**
 * Bodies of one field with a wrong value: each field with each value in a long run; in a short one, each value in one field
 * and each field with at least four values. In portions to be sent at once.
 */
function wrongBodies(fields: readonly string[]): string[][] {
  const body = (field: string, value: unknown) => JSON.stringify({ [field]: value })
  if (isLong) return fields.map((field) => WRONG_VALUES.map((value) => body(field, value)))
  const each = Math.max(4, Math.ceil(WRONG_VALUES.length / fields.length))
  return [
    fields.flatMap((field, index) =>
      Array.from({ length: each }, (_, more) =>
        body(field, WRONG_VALUES[(index * each + more) % WRONG_VALUES.length]),
      ),
    ),
  ]
}

const HOSTILE_IDS = ['%00', '..%2f..', 'a'.repeat(2000), "' OR 1=1 --", '\u{1F600}']
const HOSTILE_QUERIES = [
  'limit=0',
  'limit=101',
  'limit=1e2',
  'limit=5&limit=6',
  'cursor=%00',
  'cursor=zzzzzzzzzz-zzzzzzzzzzz',
  'status=nope',
  'from=x',
  'fields=nope',
  'query=%ff',
  'type=x&amount=-1',
]
/** All of them for an endpoint that reads its query. */
const queriesFor = (endpoint: Endpoint) =>
  endpoint.query === undefined ? pickAttempts(HOSTILE_QUERIES, endpoint) : HOSTILE_QUERIES

const NO_TOKENS = [
  '',
  'Bearer',
  'Bearer ',
  `Bearer ${LONG}`,
  'Basic YTpi',
  'Bearer a.b',
  `Bearer ${'a'.repeat(20)}.${'b'.repeat(43)}`,
  'Bearer ~~~~~~~~.~~~~~~~~~~~~~~~~~~~~~',
]

describe('any client input', () => {
  it('a period that ends before it begins is refused by every list and file', async () => {
    const withPeriod = endpoints.filter(({ query }) =>
      query?.safeParse({ from: 'x' }).error?.issues.some(({ path }) => path[0] === 'from'),
    )
    expect(withPeriod.length).toBeGreaterThan(3)
    for (const endpoint of withPeriod) {
      const period = `${pathOf(endpoint)}?from=2026-11-20&to=2026-10-10&figure=deposits`
      const response = await send('GET', period, { token: tokenFor(endpoint) })
      expect(response.status, endpoint.path).toBe(422)
      expect(await response.json(), endpoint.path).toMatchObject({
        code: 'validation_failed',
        fields: { to: 'The last day comes before the first' },
      })
    }
  })

  it.each(withBody.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'never fails the server: unreadable bodies to %s',
    async (name, endpoint) => {
      await Promise.all(
        pickAttempts(UNREADABLE, endpoint).map(async ([what, headers, raw]) => {
          const response = await send(endpoint.method, pathOf(endpoint), {
            token: tokenFor(endpoint),
            headers: headers as Record<string, string>,
            raw,
          })
          await expectRefusal(response, `${name}, ${what}`)
        }),
      )
    },
  )

  it.each(withBody.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'never fails the server: values of every wrong kind to %s',
    async (name, endpoint) => {
      for (const tries of wrongBodies(fieldsOf(endpoint))) {
        await Promise.all(
          tries.map(async (raw) => {
            const response = await send(endpoint.method, pathOf(endpoint), {
              token: tokenFor(endpoint),
              headers: json,
              raw,
            })
            await response.body?.cancel()
            expect(response.status, `${name} ${raw.slice(0, 60)}`).toBeLessThan(500)
          }),
        )
      }
    },
  )

  it.each(
    withBody.filter((endpoint) => endpoint.accepts).map((endpoint) => [endpoint.path, endpoint] as const),
  )('never fails the server: hostile forms to %s', async (path, endpoint) => {
    const form = new FormData()
    for (const name of ['amount', 'type', 'document', 'paymentTo', 'title', '__proto__']) {
      form.append(name, 'a\u0000b')
      form.append(name, 'twice')
    }
    form.append('image', new Blob(['<html>'], { type: 'image/png' }), '../../etc/passwd')
    form.append('image', new Blob(['GIF89a']), 'b.gif')
    form.append('amount', new Blob(['5']), 'amount.txt')
    await expectRefusal(
      await send('POST' === endpoint.method ? 'POST' : endpoint.method, pathOf(endpoint), {
        token: tokenFor(endpoint),
        form,
      }),
      path,
    )
  })

  it('is refused by its path, method and query in the same shape', { timeout: 90_000 }, async () => {
    for (const endpoint of endpoints) {
      const token = tokenFor(endpoint)
      const expectNoFault = async (path: string, body: CallOptions) => {
        const response = await send(endpoint.method, path, { token, ...body })
        await response.body?.cancel()
        expect(response.status, `${endpoint.method} ${path.slice(0, 80)}`).toBeLessThan(500)
      }
      const isRead = endpoint.method === 'GET'
      await Promise.all([
        // A path without an id is the same for each of them.
        ...[...new Set(HOSTILE_IDS.map((id) => pathOf(endpoint, id)))].map((path) =>
          expectNoFault(path, isRead ? {} : { json: {} }),
        ),
        ...(isRead ? queriesFor(endpoint) : []).map((query) =>
          expectNoFault(`${pathOf(endpoint)}?${query}`, {}),
        ),
        // `fetch` forbids TRACE.
        ...['PUT', 'PROPFIND']
          .filter(
            (method) => !endpoints.some(({ path, method: own }) => path === endpoint.path && own === method),
          )
          .map(async (method) => {
            const response = await send(method, pathOf(endpoint), { token })
            expect(response.status).toBe(405)
            await expectRefusal(response, `${method} ${endpoint.path}`)
          }),
      ])
    }
  })

  it('tokens of any length and form are 401 on signed-in routes', async () => {
    for (const endpoint of endpoints.filter((each) => each.scope !== 'public')) {
      const form = endpoint.accepts === 'form'
      await Promise.all(
        pickAttempts(NO_TOKENS, endpoint).map(async (authorization) => {
          const response = await send(endpoint.method, pathOf(endpoint), {
            headers: authorization === '' ? {} : { Authorization: authorization },
            ...(form ? { form: new FormData() } : endpoint.method === 'GET' ? {} : { json: {} }),
          })
          expect(response.status, endpoint.path).toBe(401)
          await expectRefusal(response, `${endpoint.method} ${endpoint.path} ${authorization.slice(0, 20)}`)
        }),
      )
    }
  })

  it('bodies above 1 MiB of JSON and 8 MiB of picture are refused', async () => {
    const big = JSON.stringify({ email: 'a'.repeat(1024 * 1024) })
    for (const endpoint of withBody.filter((each) => each.accepts !== 'form').slice(0, 6)) {
      const response = await send(endpoint.method, pathOf(endpoint), {
        token: tokenFor(endpoint),
        headers: json,
        raw: big,
      })
      expect(response.status, endpoint.path).toBe(413)
      await expectRefusal(response, endpoint.path)
    }
    for (const endpoint of withBody.filter((each) => each.files)) {
      const form = new FormData()
      form.append('image', new Blob([new Uint8Array(8 * 1024 * 1024 + 1)], { type: 'image/png' }), 'big.png')
      // The other tests may have ended their sessions, and a session is found before an upload is read.
      const { token } = await (endpoint.scope.startsWith('operator') ? newOperator() : newInvestor())
      const response = await send(endpoint.method, pathOf(endpoint), { token, form })
      expect(response.status, endpoint.path).toBe(endpoint.path.includes(':id') ? 404 : 413)
      await expectRefusal(response, endpoint.path)
    }
  })

  it('answers unknown addresses with 404 in the contract’s shape, before anything else', async () => {
    for (const path of ['/nope', '/auth', '/operator', '/users/user-info/x', '/deposits/', '//deposits']) {
      const response = await send('POST', path, { headers: json, raw: '{' })
      await expectRefusal(response, path)
      expect(response.status, path).toBe(404)
    }
  })
})

describe('another site', () => {
  const own = { Cookie: 'XSRF-TOKEN=abc' }
  it('another site cannot make a browser act: foreign Origin, cross-site, a cookie without its header', async () => {
    const attempts: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: ORIGIN },
      own,
      { ...own, 'X-XSRF-TOKEN': 'abd' },
    ]
    for (const headers of attempts) {
      const response = await send('POST', '/auth/login', {
        headers,
        json: { email: 'a@b.co', password: 'x' },
      })
      expect(response.status, JSON.stringify(headers)).toBe(403)
      expect(((await response.json()) as { code: string }).code).toBe('csrf_rejected')
    }
  })

  it('another site is distinguished from our own pages and from programs', async () => {
    for (const headers of [
      {},
      { Origin: ORIGIN },
      { Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' },
      { ...own, 'X-XSRF-TOKEN': 'abc' },
    ]) {
      const response = await send('POST', '/auth/forgot-password', {
        headers: headers as Record<string, string>,
        json: { email: 'nobody@example.com' },
      })
      await response.body?.cancel()
      expect(response.status, JSON.stringify(headers)).toBe(200)
    }
  })
})

describe('every answer', () => {
  it('an answer sets a readable cross-site token only if the request had none', async () => {
    const first = await send('GET', '/health')
    expect(
      first.headers
        .getSetCookie()
        .some((cookie) => /^XSRF-TOKEN=[\w-]{20,}; Path=\/; SameSite=Lax$/.test(cookie)),
    ).toBe(true)
    const again = await send('GET', '/health', { headers: { Cookie: 'XSRF-TOKEN=abc' } })
    expect(again.headers.getSetCookie()).toEqual([])
    await Promise.all([first.body?.cancel(), again.body?.cancel()])
  })
})
