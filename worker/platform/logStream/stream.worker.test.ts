import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import type { OperatorHealth } from '../../../src/contract/console/health.ts'
import { ORIGIN } from '../../../test/support/http.ts'
import { as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'
import { createApp } from '../../app.ts'
import { openDatabase } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { routes } from '../../routes.ts'
import { getErrorClass, recordWork } from '../health/cronWork.ts'
import { type Send, streamLogs } from './stream.ts'

const db = openDatabase(env.DB)
const app = createApp(routes)
const START_MS = Date.parse('2026-06-01T00:00:00.000Z')
const MINUTE = 60_000
const streaming: Env = {
  ...env,
  LOG_DESTINATION: 'https://logs.example.org/ingest?env=test&header_X-Source=evenkeel',
  LOG_DESTINATION_AUTHORIZATION: 'Bearer of-the-destination',
}

interface Line {
  readonly Dataset: string
  readonly ID: string
  readonly When: string
  readonly [name: string]: unknown
}

/** An external destination that answers with these statuses, then 200. 0 is a refused connection, 'timeout' never answers. */
function destination(...answers: (number | 'timeout')[]) {
  const requests: { url: string; headers: Headers; redirect: unknown; lines: Line[] }[] = []
  const send: Send = async (url, init) => {
    const packed = new Response(init.body).body?.pipeThrough(new DecompressionStream('gzip'))
    const text = await new Response(packed).text()
    expect(text.endsWith('\n')).toBe(true)
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    requests.push({ url, headers: new Headers(init.headers), redirect: init.redirect, lines })
    const answer = answers.shift() ?? 200
    if (answer === 0) throw new Error('Network connection lost.')
    if (answer === 'timeout')
      throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    return new Response('taken', { status: answer })
  }
  const taken = () => requests.flatMap(({ lines }) => lines)
  const of = (dataset: string) => taken().filter(({ Dataset }) => Dataset === dataset)
  return { send, requests, taken, of }
}

beforeEach(async () => {
  await env.DB.exec('DELETE FROM log_streams')
  await env.DB.exec('DELETE FROM failed_sign_ins')
})

/** Fails to sign in through the whole application. */
async function failToSignIn(email: string, bindings: Env = streaming): Promise<void> {
  const context = createExecutionContext()
  await app.fetch(
    new Request(`${ORIGIN}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': '203.0.113.77' },
      body: JSON.stringify({ email, password: 'a-wrong-password' }),
    }),
    bindings,
    context,
  )
  await waitOnExecutionContext(context)
}

async function failed(count: number): Promise<void> {
  const insert = env.DB.prepare(
    "INSERT INTO failed_sign_ins (id, at, cause, account, network) VALUES (?, ?, 'password', 'a', 'n')",
  )
  await env.DB.batch(Array.from({ length: count }, (_, n) => insert.bind(crypto.randomUUID(), START_MS + n)))
}
/** Sends earlier audit lines, so that a test only sees its own. */
const catchUp = async () => {
  await env.DB.exec('DELETE FROM log_streams')
  await env.DB.prepare(
    "INSERT INTO log_streams (name, sent_to_seq) SELECT 'operator_acts', coalesce(max(seq), 0) FROM audit_log",
  ).run()
}

test('without a destination nothing is stored or sent', async () => {
  await failToSignIn('nobody@example.com', env)
  expect(await env.DB.prepare('SELECT count(*) AS n FROM failed_sign_ins').first('n')).toBe(0)
  const { send, requests } = destination()
  await failed(1)
  await streamLogs(env, db, START_MS, send)
  expect(requests).toEqual([])
})

test('a failed sign-in and an operator’s act arrive as lines of JSON in gzip, with the headers that were configured', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  await catchUp()
  await failToSignIn(ana.email)
  await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'A secret reason' })
  // Investors' own acts are not streamed.
  await as(ana, 'PATCH', '/users/preferences', { activityLog: false })
  const there = destination()
  await streamLogs(streaming, db, Date.now(), there.send)

  const [first] = there.requests
  expect(first?.url).toBe('https://logs.example.org/ingest?env=test')
  expect(first?.redirect).toBe('manual')
  expect(Object.fromEntries(first?.headers ?? [])).toEqual({
    authorization: 'Bearer of-the-destination',
    'content-encoding': 'gzip',
    'content-type': 'application/json',
    'x-source': 'evenkeel',
  })
  expect(there.of('failed_sign_ins')).toEqual([
    {
      Dataset: 'failed_sign_ins',
      ID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      When: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      Cause: 'password',
      Account: expect.stringMatching(/^1\.[\w-]{16}$/),
      Network: expect.stringMatching(/^1\.[\w-]{16}$/),
    },
  ])
  expect(there.of('operator_acts')).toEqual([
    {
      Dataset: 'operator_acts',
      ID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      When: expect.stringMatching(/Z$/),
      ActionType: 'investor.frozen',
      ActorID: operator.id,
      ResourceID: ana.id,
      Line: expect.any(Number),
    },
  ])
  const said = JSON.stringify(there.taken())
  for (const secret of [ana.email, ana.name, '203.0.113.77', 'a-wrong-password', 'A secret reason'])
    expect(said).not.toContain(secret)
})

test('lines arrive in order, each once, and a run with nothing new sends nothing', async () => {
  await catchUp()
  await failed(1201)
  const there = destination()
  await streamLogs(streaming, db, START_MS, there.send)
  expect(there.requests.map(({ lines }) => lines.length)).toEqual([500, 500, 201])
  const times = there.of('failed_sign_ins').map(({ When }) => When)
  expect(times).toEqual([...times].sort())
  expect(new Set(there.taken().map(({ ID }) => ID)).size).toBe(1201)
  await streamLogs(streaming, db, START_MS + MINUTE, there.send)
  expect(there.requests).toHaveLength(3)
})

test.each([
  ['is down', 0, 'Network connection lost'],
  ['answers 500', 500, 'Log destination answered 500'],
  ['leads elsewhere', 302, 'Log destination answered 302'],
  ['does not answer in time', 'timeout', 'timed out'],
] as const)(
  'a destination that %s is retried at growing intervals, is shown to operators, and gets every line',
  async (_, answer, error) => {
    const operator = await newOperator()
    await catchUp()
    await failed(3)
    const there = destination(answer, answer, answer)
    let nowMs = START_MS
    for (const wait of [30_000, 60_000, 120_000]) {
      await expect(streamLogs(streaming, db, nowMs, there.send)).rejects.toThrow(error)
      const before = there.requests.length
      // During the pause nothing is sent, and the job still counts as failing.
      await expect(streamLogs(streaming, db, nowMs + wait - 1, there.send)).rejects.toThrow(error)
      expect(there.requests).toHaveLength(before)
      nowMs += wait
    }
    const caught: unknown = await streamLogs(streaming, db, nowMs - 1, there.send).catch((e: unknown) => e)
    const message = caught instanceof Error ? caught.message : ''
    await recordWork(db, [{ name: 'logs', at: nowMs, tookMs: 1, error: getErrorClass(message) }])
    const { body } = await as<OperatorHealth>(operator, 'GET', '/operator/health')
    expect(body.cron.work.find(({ name }) => name === 'logs')).toMatchObject({
      error,
      failedSince: expect.stringMatching(/Z$/),
    })
    await streamLogs(streaming, db, nowMs, there.send)
    expect(there.requests).toHaveLength(4)
    // The same lines each time, with the same ids, so the destination can drop repetitions.
    for (const { lines } of there.requests) expect(lines).toEqual(there.requests[0]?.lines)
    expect(
      await env.DB.prepare("SELECT failures, error FROM log_streams WHERE name = 'failed_sign_ins'").first(),
    ).toEqual({
      failures: 0,
      error: null,
    })
  },
)

test('a failing stream does not delay the other', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  await catchUp()
  await failed(1)
  await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'Because' })
  const there = destination(500)
  await expect(streamLogs(streaming, db, Date.now(), there.send)).rejects.toThrow('500')
  expect(there.of('operator_acts')).toHaveLength(1)
})

test('a Worker that is killed after a batch was accepted sends it again, and loses nothing', async () => {
  await catchUp()
  await failed(2)
  const there = destination()
  const dying = new Proxy(env.DB, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name, of)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (name === 'prepare' && String(given[0]).includes('UPDATE log_streams SET sent_to_seq'))
          throw new Error('killed')
        return (value as (...of: unknown[]) => unknown).apply(of, given)
      }
    },
  })
  await expect(streamLogs(streaming, openDatabase(dying), START_MS, there.send)).rejects.toThrow('killed')
  expect(there.requests).toHaveLength(1)
  await failed(1)
  // Its claim lasts a minute.
  await streamLogs(streaming, db, START_MS + MINUTE - 1, there.send)
  expect(there.requests).toHaveLength(1)
  await streamLogs(streaming, db, START_MS + MINUTE, there.send)
  expect(there.requests[1]?.lines.slice(0, 2)).toEqual(there.requests[0]?.lines)
  expect(new Set(there.taken().map(({ ID }) => ID)).size).toBe(3)
})

test('parallel runs send a batch once', async () => {
  await catchUp()
  await failed(5)
  const there = destination()
  await Promise.all([1, 2, 3].map(() => streamLogs(streaming, db, START_MS, there.send)))
  expect(there.taken()).toHaveLength(5)
})

test('the cursor never goes back', async () => {
  await catchUp()
  await failed(2)
  await streamLogs(streaming, db, START_MS, destination().send)
  await expect(
    env.DB.prepare("UPDATE log_streams SET sent_to_seq = 0 WHERE name = 'failed_sign_ins'").run(),
  ).rejects.toThrow('log_streams')
})
