import { site } from '../../../src/site.ts'
import { type Env, isDevelopment } from '../../lib/env.ts'
import { type Runtime, runtime } from '../../lib/runtime.ts'

/** The service that provides market data, in the format of CoinGecko's API v3 (https://docs.coingecko.com). */
export interface Provider {
  /** Its name beside the prices. */
  readonly name: string
  /** Without a trailing slash. */
  readonly base: string
  readonly key: string
  /** The time limit for one answer, including its body. */
  readonly timeoutMs: number
  /** Hosts that pictures may come from. */
  readonly pictureHosts: readonly string[]
}

/** Where CoinGecko keeps the pictures of coins. */
const PICTURE_HOSTS = ['assets.coingecko.com', 'coin-images.coingecko.com']
/** Far above the size of the lists: 50 coins are 60 KB, and the trending ones with all their currencies 150 KB. */
const MAX_BYTES = 1024 * 1024
const TIMEOUT_MS = 10_000

/** The configured provider, or null. A malformed address counts as none, and is logged. */
export function findProvider(env: Env, timeoutMs = TIMEOUT_MS): Provider | null {
  const base = (env.MARKET_BASE_URL ?? '').trim().replace(/\/+$/, '')
  if (base === '') return null
  const url = URL.canParse(base) ? new URL(base) : null
  if (url === null || !(url.protocol === 'https:' || (isDevelopment(env) && url.protocol === 'http:'))) {
    console.error(JSON.stringify({ level: 'error', market: 'MARKET_BASE_URL is no https address' }))
    return null
  }
  const hosts = (env.MARKET_PICTURE_HOSTS ?? '').split(/[\s,]+/).filter((host) => host !== '')
  return {
    name: isCoinGecko(url) ? 'CoinGecko' : url.host,
    base,
    key: env.MARKET_API_KEY ?? '',
    timeoutMs,
    pictureHosts: hosts.length > 0 ? hosts : PICTURE_HOSTS,
  }
}

/** Why a provider's answer is not used. The message is ours and never contains the provider's text. */
export class ProviderFailure extends Error {
  /** The pause that the provider asks for. */
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs = 0) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Requests a list and returns its JSON, unchecked. Throws a `ProviderFailure` if there is no JSON. */
export async function requestList(provider: Provider, path: string): Promise<unknown> {
  const headers: Record<string, string> = { Accept: 'application/json', 'User-Agent': site.slug }
  if (provider.key !== '') headers[getKeyHeader(provider)] = provider.key
  return fetchJson(`${provider.base}${path}`, { headers, ...provider, maxBytes: MAX_BYTES })
}

/** Requests JSON with limits for time and size, unchecked. Throws a `ProviderFailure` if there is no JSON. */
export async function fetchJson(url: string, asking: FetchLimits): Promise<unknown> {
  const answer = await fetchWhole(url, asking)
  if (!answer.type.includes('json')) throw new ProviderFailure('answered something other than JSON')
  try {
    return JSON.parse(new TextDecoder().decode(answer.bytes))
  } catch {
    throw new ProviderFailure('answered broken JSON')
  }
}

interface FetchLimits {
  readonly headers?: Record<string, string>
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Sends the request instead of the runtime's `fetch`. */
  readonly fetch?: Runtime['fetch']
}

/** Reads a whole body with limits for time and size. A redirect is a failure, because key and trust are for one host only. */
export async function fetchWhole(
  url: string,
  { headers = {}, timeoutMs, maxBytes, fetch: send = runtime.fetch }: FetchLimits,
): Promise<{ type: string; bytes: Uint8Array<ArrayBuffer> }> {
  const signal = runtime.timeout(timeoutMs)
  const response = await send(url, { headers, redirect: 'manual', signal }).catch(() => {
    throw new ProviderFailure(signal.aborted ? 'did not answer in time' : 'could not be reached')
  })
  if (response.status !== 200) {
    void response.body?.cancel().catch(() => {})
    throw new ProviderFailure(`answered ${response.status}`, retryAfterMs(response))
  }
  return {
    type: response.headers.get('Content-Type') ?? '',
    bytes: await readWhole(response, signal, maxBytes),
  }
}

/** Reads a body with limits for time and size. Throws a `ProviderFailure` if it is not whole. */
export async function readWhole(
  response: Response,
  signal: AbortSignal,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = (response.body ?? new Blob([]).stream()).getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  // A body may arrive endlessly slowly, so the time limit also covers its end.
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new ProviderFailure('did not answer in time')), {
      once: true,
    })
  })
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late])
      if (done) break
      length += value.length
      if (length > maxBytes) throw new ProviderFailure('answered more than is taken')
      chunks.push(value)
    }
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error instanceof ProviderFailure
      ? error
      : new ProviderFailure(signal.aborted ? 'did not answer in time' : 'broke its answer off')
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** `Retry-After` (RFC 9110) in milliseconds, from seconds or a date. 0 without the header. */
function retryAfterMs(response: Response): number {
  const header = response.headers.get('Retry-After') ?? ''
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - runtime.now())
}

// Paid plans use another host and another header.
function getKeyHeader({ base }: Provider): string {
  return new URL(base).hostname === 'pro-api.coingecko.com' ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key'
}

function isCoinGecko({ hostname }: URL): boolean {
  return hostname === 'coingecko.com' || hostname.endsWith('.coingecko.com')
}
