import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { TestProject } from 'vitest/node'

/** A call of a provider, as `GET /asked/<run>` returns it. */
interface Call {
  readonly path: string
  readonly key: string | undefined
}

export interface Question {
  readonly url: URL
  /** Below the base address. */
  readonly path: string
  readonly mode: string
}

/**
 * Serves a fake provider for tests inside workerd, and provides its address under this name. The base address chooses how it answers:
 * under `http://127.0.0.1:PORT/<mode>[,<mode>…]/<run>` the first call of `group(path)` gets the first mode, the next one the second, and
 * all further ones the last. `run` keeps tests apart. `GET /asked/<run>` returns the calls of a run.
 */
export async function serveProvider(
  project: TestProject,
  name: 'market' | 'candles',
  group: (path: string) => string,
  answer: (response: ServerResponse, question: Question) => void,
): Promise<() => void> {
  const asked = new Map<string, Call[]>()
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const [, modes = '', run = '', ...rest] = url.pathname.split('/')
    const calls = asked.get(run) ?? []
    if (modes === 'asked') return json(response, calls)
    const path = `/${rest.join('/')}`
    const before = calls.filter((call) => group(call.path.split('?')[0] ?? '') === group(path)).length
    const key = request.headers['x-cg-demo-api-key']
    asked.set(run, [...calls, { path: path + url.search, key: key?.toString() }])
    const order = modes.split(',')
    answer(response, { url, path, mode: order[Math.min(before, order.length - 1)] ?? 'good' })
  }
  const server = createServer(respond)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  project.provide(name, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return () => {
    server.closeAllConnections()
    server.close()
  }
}

export type Mode = (response: ServerResponse) => void

/** Modes in which any provider answers something other than data. */
export const FAULTS: Readonly<Record<string, Mode>> = {
  down: (response) => end(response, 500, 'text/plain', 'boom'),
  limited: (response) => {
    response.setHeader('Retry-After', '1800')
    end(response, 429, 'application/json', '{"message":"Public rate limit exceeded"}')
  },
  html: (response) => end(response, 200, 'text/html', '<!doctype html><script>alert(1)</script>'),
  broken: (response) => end(response, 200, 'application/json', '[[1,2'),
  nothing: (response) => json(response, null),
  empty: (response) => json(response, []),
  silent: () => {},
  huge: (response) => json(response, ['x'.repeat(4_000_000)]),
  // Small when compressed, large when decompressed.
  bomb: (response) => {
    response.setHeader('Content-Encoding', 'gzip')
    end(response, 200, 'application/json', gzipSync(`["${'x'.repeat(8_000_000)}"]`))
  },
  elsewhere: (response) => {
    response.setHeader('Location', `http://${response.req.headers.host}/good/followed/coins/markets`)
    end(response, 302, 'application/json', '[]')
  },
  trickle: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.write('[')
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  },
  cut: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
    response.write('[')
    setTimeout(() => response.destroy(), 20)
  },
}

export function json(response: ServerResponse, body: unknown): void {
  end(response, 200, 'application/json; charset=utf-8', JSON.stringify(body))
}

export function end(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, { 'Content-Type': type })
  response.end(body)
}
