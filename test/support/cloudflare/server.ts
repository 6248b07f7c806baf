import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Buckets, openBuckets, S3_READER, S3_WRITER } from './buckets.ts'
import { type Databases, openDatabases } from './databases.ts'
import { splitStatements } from './statements.ts'
import { openWorkers, type Workers } from './workers.ts'

/** What a client asked, as a product of the stand-in sees it. */
export interface ApiRequest {
  readonly method: string
  /** Without `/accounts/<id>`, which `account` names. */
  readonly path: string
  readonly account: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Buffer
  /** The address of the stand-in, for addresses in answers. */
  readonly origin: string
}

/** The JSON `result` of an answer, a refusal as Cloudflare words it, or a plain response. */
export type ApiAnswer = { readonly result: unknown } | ApiRefusal | Response

export interface ApiRefusal {
  readonly code: number
  readonly message: string
  readonly status?: number
}

/** A product of the API. Returns undefined if the request is not for it. */
export type Product = (request: ApiRequest) => ApiAnswer | undefined | Promise<ApiAnswer | undefined>

export interface Account {
  readonly id: string
  readonly name: string
}

export interface Cloudflare {
  readonly origin: string
  /** Every request so far, as "METHOD /path". */
  readonly requests: string[]
  /** What a shell needs for wrangler and our scripts to talk to this stand-in and to nothing else. */
  readonly environment: Readonly<Record<string, string>>
  /** The same with tokens that may only read: the database, and the files of buckets. It is what a backup needs. */
  readonly readerEnvironment: Readonly<Record<string, string>>
  /** The same for an operator who ran `wrangler login`, without a token in the environment. */
  readonly loggedIn: Readonly<Record<string, string>>
  readonly databases: Databases
  readonly buckets: Buckets
  readonly workers: Workers
  close(): Promise<void>
}

export const ACCOUNT: Account = { id: 'a'.repeat(32), name: 'The platform' }
export const OTHER_ACCOUNT: Account = { id: 'b'.repeat(32), name: 'Somebody else' }
const TOKEN = 'token-of-the-stand-in'
/** A token with the permission "D1 Read" alone. */
const READER_TOKEN = 'reading-token-of-the-stand-in'

/**
 * Starts a stand-in of Cloudflare's API on this machine: only what wrangler and our scripts call. D1 databases are SQLite files, so
 * that migrations and restores really run. Where Cloudflare documents nothing it takes the harsher answer: each statement of an
 * import is committed by itself, and a failed import leaves what it did.
 */
export async function startCloudflare({
  accounts = [ACCOUNT],
}: {
  accounts?: readonly Account[]
} = {}): Promise<Cloudflare> {
  const directory = mkdtempSync(join(tmpdir(), 'platform-cloudflare-'))
  const databases = openDatabases(directory)
  const buckets = openBuckets()
  const workers = openWorkers(({ type, id, bucket_name, jurisdiction }) => {
    if (type === 'd1') return databases.has(id ?? '')
    return type !== 'r2_bucket' || buckets.find(bucket_name ?? '', jurisdiction) !== undefined
  })
  const products: Product[] = [databases.answer, buckets.answer, workers.answer]
  const requests: string[] = []

  async function answer(incoming: IncomingMessage): Promise<Response> {
    const url = new URL(incoming.url ?? '/', 'http://localhost')
    const request = await readRequest(incoming, url)
    requests.push(`${request.method} ${url.pathname}`)
    const open = databases.answerFile(request) ?? buckets.answerFile(request)
    if (open !== undefined) return open
    const token = request.headers.get('authorization')
    const isKnown = token === `Bearer ${TOKEN}` || (token === `Bearer ${READER_TOKEN}` && isReading(request))
    if (!isKnown && !request.path.startsWith('/workers/assets/upload'))
      return refuse({ code: 10000, message: 'Authentication error', status: 401 })
    const own = answerIdentity(request, accounts)
    if (own !== undefined) return own
    if (!accounts.some(({ id }) => id === request.account))
      return refuse({ code: 7003, message: 'Could not route to this account', status: 403 })
    for (const product of products) {
      const found = await product(request)
      if (found !== undefined) return wrap(found)
    }
    return refuse({
      code: 7000,
      message: `The stand-in has no ${request.method} ${url.pathname}`,
      status: 404,
    })
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming)
      .catch((error) => refuse({ code: 10002, message: String(error), status: 500 }))
      .then((response) => send(outgoing, response))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const environment = {
    CLOUDFLARE_API_BASE_URL: origin,
    CLOUDFLARE_API_TOKEN: TOKEN,
    R2_ENDPOINT: `${origin}/s3`,
    R2_ACCESS_KEY_ID: S3_WRITER.accessKeyId,
    R2_SECRET_ACCESS_KEY: S3_WRITER.secretAccessKey,
    // No login of the person who runs the tests may be used.
    XDG_CONFIG_HOME: directory,
  }
  mkdirSync(join(directory, '.wrangler/config'), { recursive: true })
  writeFileSync(
    join(directory, '.wrangler/config/default.toml'),
    `oauth_token = "${TOKEN}"\nexpiration_time = "2100-01-01T00:00:00.000Z"\nscopes = ["account:read"]\n`,
  )
  return {
    origin,
    requests,
    databases,
    buckets,
    workers,
    environment,
    readerEnvironment: {
      ...environment,
      CLOUDFLARE_API_TOKEN: READER_TOKEN,
      R2_ACCESS_KEY_ID: S3_READER.accessKeyId,
      R2_SECRET_ACCESS_KEY: S3_READER.secretAccessKey,
    },
    loggedIn: { ...environment, CLOUDFLARE_API_TOKEN: '' },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      databases.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Whether the permission "D1 Read" is enough: for exports too, but not for a query that changes something. */
function isReading(request: ApiRequest): boolean {
  const action = /^\/d1\/database\/[^/]+(.*)$/.exec(request.path)?.[1]
  if (action === '/query')
    return splitStatements(String(readJson(request).sql)).every((sql) => /^SELECT\b/i.test(sql))
  if (request.path === '/user/tokens/verify') return true
  return action === '/export' || (action === '' && request.method === 'GET')
}

function answerIdentity({ method, path }: ApiRequest, accounts: readonly Account[]): Response | undefined {
  if (method !== 'GET') return undefined
  if (path === '/user') return wrap({ result: { id: 'user', email: 'you@example.org' } })
  if (path === '/user/tokens/verify') return wrap({ result: { id: 'token', status: 'active' } })
  if (path === '/accounts') return wrap({ result: accounts })
  if (path === '/memberships')
    return wrap({ result: accounts.map((account) => ({ id: account.id, account })) })
  return undefined
}

/** Reads a whole request. */
export async function readRequest(incoming: IncomingMessage, url: URL): Promise<ApiRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const [, account = '', path = url.pathname] = /^\/accounts\/([^/]+)(\/.*)$/.exec(url.pathname) ?? []
  return {
    method: incoming.method ?? 'GET',
    path,
    account,
    query: url.searchParams,
    headers: new Headers(
      Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
    ),
    body: Buffer.concat(chunks),
    origin: `http://${incoming.headers.host}`,
  }
}

function wrap(answer: ApiAnswer): Response {
  if (answer instanceof Response) return answer
  if ('code' in answer) return refuse(answer)
  const { result } = answer
  const info = Array.isArray(result)
    ? { page: 1, per_page: 1000, count: result.length, total_count: result.length, total_pages: 1 }
    : undefined
  return Response.json({ success: true, errors: [], messages: [], result, result_info: info })
}

function refuse({ code, message, status = 400 }: ApiRefusal): Response {
  return Response.json(
    { success: false, errors: [{ code, message }], messages: [], result: null },
    { status },
  )
}

/** Sends a whole answer. */
export async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

export function readJson(request: ApiRequest): Record<string, unknown> {
  return request.body.length === 0 ? {} : JSON.parse(request.body.toString('utf8'))
}
