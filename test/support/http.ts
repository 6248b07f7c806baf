import { exports } from 'cloudflare:workers'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { DEVICE_COOKIE } from '../../worker/http/device.ts'
import { SLOW_BODY_MS } from '../../worker/pipeline.ts'
import { routes } from '../../worker/routes.ts'
import { mostTrips } from './trips.ts'

export const ORIGIN = 'http://localhost:8787'

export interface CallOptions {
  readonly token?: string
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as multipart. */
  readonly form?: FormData | Readonly<Record<string, string | Blob>>
  /** Sent unchanged. Set its Content-Type in the headers. */
  readonly raw?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
  readonly idempotencyKey?: string
  /** The client's network address, as the platform reports it. */
  readonly ip?: string
  /** The device cookie's value, from `ensureDevice`. */
  readonly device?: string
}

/** An answer of the API. `T` is the type that the test expects of the body. */
export interface Reply<T> {
  readonly status: number
  /** Parsed JSON, or text. Undefined without a body. */
  readonly body: T
  readonly headers: Headers
}

/** The body of a refusal, a message or a new request. Enough for most tests. */
export interface AnyBody {
  readonly msg: string
  readonly code: string
  readonly fields?: Readonly<Record<string, string>>
  readonly methods?: readonly string[]
  readonly reasons?: readonly string[]
  readonly _id: string
  readonly ref: string
  readonly heldUntil?: string
}

/** Sends a request to the Worker. `path` is below `/api/v1`. */
export async function call<T = AnyBody>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply<T>> {
  return readReply(await send(method, path, options))
}

/** Reads an answer: its body as JSON where it is. */
export async function readReply<T>(response: Response): Promise<Reply<T>> {
  const text = await response.text()
  const isJson = (response.headers.get('Content-Type') ?? '').includes('json')
  const body: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text
  return { status: response.status, body: body as T, headers: response.headers }
}

/** What a test does before each request. */
export const hooks: {
  beforeSend: ((method: string, path: string, options: CallOptions) => Promise<void>) | null
} = { beforeSend: null }

/** The same, as the response itself: for files and other media. */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  await hooks.beforeSend?.(method, path, options)
  running++
  let isAlone = running === 1
  const startMs = Date.now()
  try {
    const response = await exports.default.fetch(requestOf(method, `${ORIGIN}/api/v1${path}`, options))
    isAlone &&= running === 1
    // Of parallel calls, one may have to try again.
    if (response.ok && isAlone) assertTrips(method, path, response, Date.now() - startMs)
    return response
  } finally {
    running--
  }
}

let running = 0

/** Whether a path below `/api/v1` is of the endpoint. */
export function isOfEndpoint(endpoint: Endpoint, method: string, path: string): boolean {
  return (
    patterns.find((each) => each.endpoint.method === method && each.pattern.test(path))?.endpoint === endpoint
  )
}

const patterns = routes.map(({ endpoint }) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replace(/:[a-z]+/gi, '[^/?]+')}(?:\\?|$)`),
}))

/** Every answer of every test keeps to the budget of its call. A slow one looks its session up again (`SLOW_BODY_MS`). */
function assertTrips(method: string, path: string, response: Response, tookMs: number): void {
  const { trips } = JSON.parse(response.headers.get('X-D1') ?? '{}') as { trips: number }
  const endpoint = patterns.find(
    (each) => each.endpoint.method === method && each.pattern.test(path),
  )?.endpoint
  const most =
    endpoint === undefined
      ? trips
      : mostTrips(endpoint, /[?&](?:format=csv|risk=[a-z]|order=risk)/.test(path))
  if (trips > most + (tookMs > SLOW_BODY_MS ? 1 : 0))
    throw new Error(`${method} ${path} took ${trips} round trips to the database. Its most is ${most}.`)
}

/** The request of a call. */
export function requestOf(method: string, address: string, options: CallOptions): Request {
  const headers = new Headers({ 'CF-Connecting-IP': options.ip ?? '203.0.113.1', ...options.headers })
  if (options.token !== undefined) headers.set('Authorization', `Bearer ${options.token}`)
  if (options.idempotencyKey !== undefined) headers.set('Idempotency-Key', options.idempotencyKey)
  if (options.device !== undefined) headers.set('Cookie', `${DEVICE_COOKIE}=${options.device}`)
  if (options.json !== undefined) headers.set('Content-Type', 'application/json')
  const body =
    options.json !== undefined
      ? JSON.stringify(options.json)
      : options.form
        ? formOf(options.form)
        : options.raw
  return new Request(address, { method, headers, ...(body !== undefined && { body }) })
}

/** The value of the device cookie that an answer set. */
export function deviceOf(reply: { readonly headers: Headers }): string | undefined {
  for (const cookie of reply.headers.getSetCookie()) {
    if (cookie.startsWith(`${DEVICE_COOKIE}=`)) return cookie.slice(DEVICE_COOKIE.length + 1).split(';')[0]
  }
  return undefined
}

function formOf(form: FormData | Readonly<Record<string, string | Blob>>): FormData {
  if (form instanceof FormData) return form
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.set(name, value)
    else data.set(name, value, 'file')
  }
  return data
}
