import { type Env, isDevelopment } from '../../lib/env.ts'

/** Where lines of the log are sent, and the headers that go along. */
export interface Destination {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Asks as `fetch` does. Tests put a stand-in here. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

const HEADER = 'header_'
const TIMEOUT_MS = 10_000

/**
 * The destination that `LOG_DESTINATION` names, in the form of a `destination_conf` of Cloudflare Logpush for HTTP: an HTTPS
 * address, whose parameters `header_<name>` are sent as headers and not in the address
 * (https://developers.cloudflare.com/logs/get-started/enable-destinations/http). What authorises is better kept in the
 * secret `LOG_DESTINATION_AUTHORIZATION`. Null where none is named.
 */
export function destinationOf(env: Env): Destination | null {
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

/** Whether the destination is none, or one that can be sent to: HTTPS, in development also HTTP, and headers that can be sent. */
export function isLogDestinationConfigured(env: Env): boolean {
  try {
    const destination = destinationOf(env)
    if (destination === null) return true
    new Headers(destination.headers)
    const { protocol } = new URL(destination.url)
    return protocol === 'https:' || (protocol === 'http:' && isDevelopment(env))
  } catch {
    return false
  }
}

/** Posts lines as gzip, one JSON object a line. Throws where the destination does not take them within ten seconds. */
export async function post(
  { url, headers }: Destination,
  lines: readonly object[],
  send: Send,
): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const response = await send(url, {
    method: 'POST',
    headers,
    body: await gzip(text),
    // What authorises is for this address alone, whatever answers there.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`Log destination answered ${response.status}`)
}

function gzip(text: string): Promise<ArrayBuffer> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(packed).arrayBuffer()
}
