import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { countQueries } from '../../test/support/counting.ts'
import { ORIGIN } from '../../test/support/http.ts'
import { newInvestor, type Person } from '../../test/support/people.ts'
import { createApp } from '../app.ts'
import { routes } from '../routes.ts'

// What a call costs before its sender is known, and how the cost grows with what was sent.

const app = createApp(routes)
const KIB = 1024
const MIB = KIB * KIB
/** Four times the size may take this many times as long. Quadratic work takes sixteen times as long. */
const MOST_TIMES = 9
/** Work below this is not measured. */
const FEW_MS = 100

interface HostileCall {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly type: string
  /** Whether only a signed-in investor may call it. */
  readonly isSigned: boolean
  /** The body at a quarter, half and all of the size. */
  readonly body: (share: 1 | 2 | 4) => string
}

const BOUNDARY = 'b'
const FORM = `multipart/form-data; boundary=${BOUNDARY}`
const repeat = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length))
const tinyParts = (bytes: number) =>
  `${repeat(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`, bytes)}--${BOUNDARY}--\r\n`
const manyNames = (parts: number) =>
  `${Array.from({ length: parts }, (_, i) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="n${i}"\r\n\r\n\r\n`).join('')}--${BOUNDARY}--\r\n`
const file = (name: string, type: string, content: string, fields = '') =>
  `${fields}--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--${BOUNDARY}--\r\n`
const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="32">${content}</svg>`

const json = { type: 'application/json', method: 'POST', isSigned: true, path: '/withdrawals' } as const
const upload = { type: FORM, method: 'POST', isSigned: true, path: '/deposits' } as const
const anything = { method: 'POST', isSigned: false, path: '/newsletter/unsubscribe' } as const
const UP_TO_JSON = MIB / 4 - 100
const UP_TO_PUBLIC = 128 * KIB - 100
const UP_TO_FILE = 2 * MIB - 200

const SENT: Readonly<Record<string, HostileCall>> = {
  'JSON of one long text': { ...json, body: (n) => `{"amount":"${repeat('9', n * UP_TO_JSON)}"}` },
  'JSON of many fields': {
    ...json,
    body: (n) => `{${Array.from({ length: n * 15_000 }, (_, i) => `"f${i}":1`).join()}}`,
  },
  'JSON of numbers unlike money': {
    ...json,
    body: (n) => `{"amount":[1e3${repeat(',1e3', n * UP_TO_JSON)}]}`,
  },
  'deep JSON': { ...json, body: (n) => `${repeat('[', n * 100_000)}${repeat(']', n * 100_000)}` },
  'JSON without a session': {
    ...json,
    isSigned: false,
    path: '/contact-us',
    body: (n) => `{"message":"${repeat('a ', n * UP_TO_PUBLIC - 40)}"}`,
  },
  'URL-encoded fields': {
    ...anything,
    type: 'application/x-www-form-urlencoded',
    body: (n) => repeat('a=1&', n * UP_TO_PUBLIC),
  },
  'form parts without a session': { ...anything, type: FORM, body: (n) => tinyParts(n * UP_TO_PUBLIC) },
  'text without a session': {
    ...anything,
    type: 'text/plain',
    body: (n) => repeat('a&b\n', n * UP_TO_PUBLIC),
  },
  text: { ...json, type: 'text/plain', body: (n) => repeat('a&b\n', n * UP_TO_JSON) },
  'form parts of one name': { ...upload, body: (n) => tinyParts(n * UP_TO_FILE) },
  'form parts of many names': { ...upload, body: (n) => manyNames(n * 10_000) },
  'form parts where no file may be': {
    ...upload,
    method: 'PATCH',
    path: '/users/user-info',
    body: (n) => tinyParts(n * UP_TO_JSON),
  },
  'a drawing of many elements': {
    ...upload,
    body: (n) => file('image', 'image/svg+xml', svg(repeat('<g/>', n * 190_000))),
  },
  'a drawing of many attributes': {
    ...upload,
    body: (n) =>
      file('image', 'image/svg+xml', svg(repeat('<path d="" fill="url(#a)" class="b"/>', n * UP_TO_FILE))),
  },
  'a drawing of much text': {
    ...upload,
    body: (n) => file('image', 'image/svg+xml', svg(`<text>${repeat('&lt;', n * UP_TO_FILE - 200)}</text>`)),
  },
  'a style sheet': {
    ...upload,
    body: (n) =>
      file('image', 'image/svg+xml', svg(`<style>${repeat('url( #a)', n * UP_TO_FILE - 200)}</style>`)),
  },
  'bytes of no picture': {
    ...upload,
    body: (n) => file('image', 'application/octet-stream', repeat('-', n * UP_TO_FILE)),
  },
  'an encrypted document': {
    ...upload,
    path: '/kyc',
    body: (n) =>
      file(
        'image',
        'application/age',
        `age-encryption.org/v1\n${repeat('-> X25519 abc\nabcd\n', n * UP_TO_FILE - 100)}--- abc\n`,
      ),
  },
}

let ana: Person
let signedOut: Person
beforeAll(async () => {
  ana = await newInvestor()
  signedOut = await newInvestor()
  await env.DB.prepare('UPDATE sessions SET ended_at = 1 WHERE user_id = ?').bind(signedOut.id).run()
})

interface Cost {
  readonly status: number
  readonly ms: number
  readonly bytesRead: number
  readonly trips: number
}

const encoder = new TextEncoder()
let calls = 0

/** Sends a body in pieces of 16 KiB, and reports what the call cost. */
async function costOf(
  { method, path, type }: HostileCall,
  body: string,
  token: string | null,
): Promise<Cost> {
  const bytes = encoder.encode(body)
  let bytesRead = 0
  const raw = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const piece = bytes.subarray(bytesRead, bytesRead + 16 * KIB)
        bytesRead += piece.length
        if (piece.length === 0) controller.close()
        else controller.enqueue(piece)
      },
    },
    { highWaterMark: 0 },
  )
  calls++
  const headers = new Headers({
    'Content-Type': type,
    'CF-Connecting-IP': `10.0.${calls >> 8}.${calls & 255}`,
  })
  if (token !== null) headers.set('Authorization', `Bearer ${token}`)
  const { binding, counted } = countQueries(env.DB)
  const context = createExecutionContext()
  const request = new Request(`${ORIGIN}/api/v1${path}`, { method, headers, body: raw })
  const began = performance.now()
  const { status } = await app.fetch(request, { ...env, DB: binding, RATE_LIMITS: 'off' }, context)
  const ms = performance.now() - began
  const { trips } = counted
  await waitOnExecutionContext(context)
  return { status, ms, bytesRead, trips }
}

/** The quickest of a few, because other work on the machine only ever slows it down. */
async function quickest(sent: HostileCall, share: 1 | 2 | 4, token: string): Promise<Cost> {
  const body = sent.body(share)
  const costs: Cost[] = []
  for (let tries = 0; tries < 2; tries++) {
    const cost = await costOf(sent, body, token)
    costs.push(cost)
    if (cost.ms <= FEW_MS) break
  }
  return costs.reduce((best, cost) => (cost.ms < best.ms ? cost : best))
}

const signed = Object.entries(SENT).filter(([, { isSigned }]) => isSigned)

describe('a body', () => {
  test.each(Object.entries(SENT))(
    'takes work in proportion to its size: %s',
    { timeout: 120_000 },
    async (_, sent) => {
      const [one, two, four] = [
        await quickest(sent, 1, ana.token),
        await quickest(sent, 2, ana.token),
        await quickest(sent, 4, ana.token),
      ]
      for (const { status } of [one, two, four]) expect(status).toBeLessThan(500)
      expect([two.trips, four.trips]).toEqual([one.trips, one.trips])
      expect(four.ms / Math.max(one.ms, FEW_MS)).toBeLessThan(MOST_TIMES)
    },
  )

  test.each(signed)('is not read for a token that we did not sign: %s', async (_, sent) => {
    const [id, secret, user, version] = ana.token.split('.')
    for (const token of [
      null,
      `${id}.${secret}.${user}`,
      `${id}.${'b'.repeat(43)}.${user}`,
      `${id}.${secret}.${user}.${version}.${'c'.repeat(43)}`,
    ]) {
      const { status, bytesRead, trips } = await costOf(sent, sent.body(4), token)
      expect([401, 415]).toContain(status)
      expect([bytesRead, trips]).toEqual([0, 0])
    }
  })

  test.each(signed)('is not read for a session that ended: %s', async (_, sent) => {
    const { status, bytesRead } = await costOf(sent, sent.body(4), signedOut.token)
    expect([401, 415]).toContain(status)
    expect(bytesRead).toBe(0)
  })

  test('a form is taken apart in one pass, never by the runtime, and refused at one part too many', async () => {
    const sent = SENT['form parts of one name']
    if (sent === undefined) throw new Error('There is no such body')
    const parse = vi.spyOn(Response.prototype, 'formData')
    expect((await costOf(sent, sent.body(1), ana.token)).status).toBe(400)
    expect((await costOf(sent, manyNames(150), ana.token)).status).toBe(422)
    expect(parse).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })
})

describe('headers and addresses', () => {
  test('a long path or query is refused before any route, and a long cookie costs little', async () => {
    const statusOf = async (path: string, headers: Record<string, string> = {}) => {
      const { binding, counted } = countQueries(env.DB)
      const context = createExecutionContext()
      const began = performance.now()
      const { status } = await app.fetch(
        new Request(`${ORIGIN}/api/v1${path}`, {
          headers: { Authorization: `Bearer ${ana.token}`, ...headers },
        }),
        { ...env, DB: binding },
        context,
      )
      await waitOnExecutionContext(context)
      return { status, trips: counted.trips, ms: performance.now() - began }
    }
    expect(await statusOf(`/transaction-history/${'a'.repeat(15_000)}`)).toMatchObject({
      status: 404,
      trips: 0,
    })
    expect(await statusOf(`/${'a/'.repeat(5_000)}`)).toMatchObject({ status: 404, trips: 0 })
    expect(await statusOf(`/transaction-history?${'a=1&'.repeat(100_000)}`)).toMatchObject({
      status: 400,
      trips: 0,
    })
    expect(await statusOf(`/transaction-history?cursor=${'a'.repeat(100_000)}`)).toMatchObject({
      status: 400,
      trips: 0,
    })
    expect(await statusOf('/transaction-history', { Cookie: 'a=1;'.repeat(25_000) })).toMatchObject({
      status: 200,
    })
    expect(
      await statusOf('/users/user-info', { Authorization: `Bearer ${'a.'.repeat(25_000)}` }),
    ).toMatchObject({
      status: 401,
      trips: 0,
    })
  })
})
