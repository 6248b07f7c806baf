import { sql } from 'drizzle-orm'
import { toIso } from '../../http/paging.ts'
import { buildQuery, type Database, type RowQuery, readTogether } from '../../lib/database.ts'
import { type Env, isDevelopment } from '../../lib/env.ts'
import { runtime } from '../../lib/runtime.ts'
import { logStreams } from '../../lib/tables/platform.ts'
import { hasStatements } from '../../lib/workBudget.ts'
import { getErrorClass } from '../health/cronWork.ts'

/** The most rows in one request. */
const PAGE = 500
const PAGES_A_RUN = 10
/** Of a page. */
const STATEMENTS = 5
/** How long a claimed request blocks other runs. Afterwards another run may take it over. */
const CLAIM_MS = 60_000

interface Row {
  readonly seq: number
}

/** One kind of line. Row numbers only rise, and rows never change. */
interface Stream<R extends Row> {
  readonly name: string
  readonly read: (after: number) => RowQuery<R>
  /** The line of a row; null if the row is not streamed. docs/deploying.md documents the fields. */
  readonly lineOf: (row: R) => object | null
}

interface FailedSignIn extends Row {
  readonly id: string
  readonly at: number
  readonly cause: string
  readonly account: string | null
  readonly network: string
}

const failedSignIns: Stream<FailedSignIn> = {
  name: 'failed_sign_ins',
  read: (after) =>
    buildQuery(sql`
      SELECT seq, id, at, cause, account, network FROM failed_sign_ins
      WHERE seq > ${after} ORDER BY seq LIMIT ${PAGE}`),
  lineOf: ({ id, at, cause, account, network }) => ({
    Dataset: 'failed_sign_ins',
    ID: id,
    When: toIso(at),
    Cause: cause,
    Account: account,
    Network: network,
  }),
}

interface Act extends Row {
  readonly id: string
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly isOperator: 0 | 1
}

const operatorActs: Stream<Act> = {
  name: 'operator_acts',
  read: (after) =>
    buildQuery(sql`
      SELECT a.seq, a.id, a.at, a.actor, a.action, a.subject,
             EXISTS (SELECT 1 FROM users u WHERE u.id = a.actor AND u.role = 'operator') AS isOperator
      FROM audit_log a WHERE a.seq > ${after} ORDER BY a.seq LIMIT ${PAGE}`),
  lineOf: ({ seq, id, at, actor, action, subject, isOperator }) =>
    // A person who accepts an invitation is not an operator yet.
    isOperator === 0 && !action.startsWith('operator.')
      ? null
      : {
          Dataset: 'operator_acts',
          ID: id,
          When: toIso(at),
          ActionType: action,
          ActorID: actor,
          ResourceID: subject,
          Line: seq,
        },
}

/**
 * Sends new log lines to the external destination, each stream in order and at least once. The cursor moves only after the
 * destination accepted a request, so a crashed run sends the same lines again with the same `ID`. Failures are retried after 30
 * seconds at first, after an hour at most, and no later line overtakes them. Throws while a stream fails, also during pauses, so that
 * the operators' health page shows the job as failing.
 */
export async function streamLogs(
  env: Env,
  db: Database,
  nowMs: number,
  send: Send = runtime.fetch,
): Promise<void> {
  const destination = parseDestination(env)
  if (destination === null) return
  const errors: string[] = []
  // A failing stream must not block the other.
  const streams = [
    () => sendStream(db, failedSignIns, destination, nowMs, send),
    () => sendStream(db, operatorActs, destination, nowMs, send),
  ]
  // They take turns, so that neither uses up the other one's statements.
  for (const stream of Math.floor(nowMs / 60_000) % 2 === 0 ? streams : streams.toReversed()) {
    const error = await stream()
    if (error !== null) errors.push(error)
  }
  if (errors.length > 0) throw new Error(errors.join(', '))
}

type State = typeof logStreams.$inferSelect

/** Sends pages of one stream. Returns the error if it fails. */
async function sendStream<R extends Row>(
  db: Database,
  stream: Stream<R>,
  destination: Destination,
  nowMs: number,
  send: Send,
): Promise<string | null> {
  for (let page = 0; page < PAGES_A_RUN && hasStatements(db, STATEMENTS); page++) {
    const [[state]] = await readTogether(db, readState(stream.name))
    if (state !== undefined && state.nextAttemptAt > nowMs) return state.error
    const from = state?.sentToSeq ?? 0
    const [rows] = await readTogether(db, stream.read(from))
    const last = rows.at(-1)
    if (last === undefined || !(await lockPage(db, stream.name, from, nowMs))) return null
    const lines = rows.map(stream.lineOf).filter((line) => line !== null)
    try {
      if (lines.length > 0) await post(destination, lines, send)
    } catch (error) {
      const kind = getErrorClass(error instanceof Error ? error.message : '')
      return scheduleRetry(db, stream.name, from, kind, nowMs)
    }
    await db.$client
      .prepare(
        `UPDATE log_streams SET sent_to_seq = ?1, next_attempt_at = 0, failures = 0, error = NULL
         WHERE name = ?2 AND sent_to_seq = ?3`,
      )
      .bind(last.seq, stream.name, from)
      .run()
    if (rows.length < PAGE) return null
  }
  return null
}

function readState(name: string): RowQuery<State> {
  return buildQuery(sql`
    SELECT name, sent_to_seq AS sentToSeq, next_attempt_at AS nextAttemptAt, failures, error
    FROM ${logStreams} WHERE name = ${name}`)
}

/** Claims the next page; false if another run holds it. */
async function lockPage(db: Database, name: string, from: number, nowMs: number): Promise<boolean> {
  const { results } = await db.$client
    .prepare(
      `INSERT INTO log_streams (name, next_attempt_at) VALUES (?1, ?2)
       ON CONFLICT (name) DO UPDATE SET next_attempt_at = excluded.next_attempt_at
       WHERE log_streams.sent_to_seq = ?3 AND log_streams.next_attempt_at <= ?4
       RETURNING name`,
    )
    .bind(name, nowMs + CLAIM_MS, from, nowMs)
    .all()
  return results.length > 0
}

async function scheduleRetry(
  db: Database,
  name: string,
  from: number,
  error: string,
  nowMs: number,
): Promise<string> {
  await db.$client
    .prepare(
      `UPDATE log_streams SET failures = failures + 1, error = ?1,
         next_attempt_at = ?2 + min(3600000, 30000 * (1 << min(failures, 10)))
       WHERE name = ?3 AND sent_to_seq = ?4`,
    )
    .bind(error, nowMs, name, from)
    .run()
  return error
}

/** The address that log lines are sent to, with its headers. */
interface Destination {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Same as `fetch`. Tests replace it. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

const HEADER = 'header_'
const TIMEOUT_MS = 10_000

/**
 * The destination in `LOG_DESTINATION`, in the form of Cloudflare Logpush's `destination_conf` for HTTP: an HTTPS address whose
 * parameters `header_<name>` become headers (https://developers.cloudflare.com/logs/get-started/enable-destinations/http).
 * Credentials are better kept in the secret `LOG_DESTINATION_AUTHORIZATION`. Null if none is set.
 */
function parseDestination(env: Env): Destination | null {
  if (!env.LOG_DESTINATION) return null
  const url = new URL(env.LOG_DESTINATION)
  const headers: Record<string, string> = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
  for (const [name, value] of [...url.searchParams]) {
    if (!name.startsWith(HEADER)) continue
    headers[name.slice(HEADER.length)] = value
    url.searchParams.delete(name)
  }
  if (env.LOG_DESTINATION_AUTHORIZATION) headers.Authorization = env.LOG_DESTINATION_AUTHORIZATION
  return { url: url.href, headers }
}

/** Whether the destination is unset or usable: HTTPS (in development also HTTP) and valid headers. */
export function isLogDestinationConfigured(env: Env): boolean {
  try {
    const destination = parseDestination(env)
    if (destination === null) return true
    new Headers(destination.headers)
    const { protocol } = new URL(destination.url)
    return protocol === 'https:' || (protocol === 'http:' && isDevelopment(env))
  } catch {
    return false
  }
}

/** Posts lines as gzip, one JSON object per line. Throws if the destination does not accept them within ten seconds. */
async function post({ url, headers }: Destination, lines: readonly object[], send: Send): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const response = await send(url, {
    method: 'POST',
    headers,
    body: await encodeGzip(text),
    // Credentials must not follow a redirect to another address.
    redirect: 'manual',
    signal: runtime.timeout(TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`Log destination answered ${response.status}`)
}

function encodeGzip(text: string): Promise<ArrayBuffer> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(packed).arrayBuffer()
}
