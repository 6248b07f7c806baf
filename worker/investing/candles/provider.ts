import { site } from '../../../src/site.ts'
import { type Env, isDevelopment } from '../../lib/env.ts'
import { fetchJson } from '../market/provider.ts'
import { coinbase } from './coinbase.ts'
import { kraken } from './kraken.ts'
import { SIMULATED } from './markets.ts'
import type { ReceivedBars } from './parse.ts'
import { simulated } from './simulatedSource.ts'

/** Where daily bars come from. */
export interface CandleProvider {
  /** The name under which its bars are stored. */
  readonly market: string
  /** Its name beside figures that use its prices. */
  readonly name: string
  /** Who owns the prices, and the terms of their use. */
  readonly source: string
  /** Our ids of its assets. */
  readonly assets: readonly string[]
  /** The first day to request if no bars are stored. */
  firstDay(asset: string, nowMs: number): number
  /**
   * Bars from a day on, as many as one answer has. Throws a `ProviderFailure` if there is no answer, or an answer that cannot be
   * read.
   */
  daily(asset: string, fromDay: number, nowMs: number): Promise<ReceivedBars>
}

/** A provider's HTTP service. */
export interface Service {
  /** Without a trailing slash. */
  readonly base: string
  /** The time limit for one answer, including its body. */
  readonly timeoutMs: number
}

const SERVICES: Readonly<
  Record<string, { base: string; provider: (service: Service) => CandleProvider } | undefined>
> = {
  kraken: { base: 'https://api.kraken.com/0', provider: kraken },
  coinbase: { base: 'https://api.exchange.coinbase.com', provider: coinbase },
}

const TIMEOUT_MS = 10_000
/** Kraken's 720 days are 60 KB. */
const MAX_BYTES = 512 * 1024

/** The providers whose bars are stored: always the simulated market, because strategies may run on it, and the configured one. */
export function listCandleProviders(env: Env, timeoutMs = TIMEOUT_MS): readonly CandleProvider[] {
  const service = SERVICES[getProviderName(env)]
  const base = (env.CANDLES_BASE_URL ?? '').trim().replace(/\/+$/, '')
  return service === undefined
    ? [simulated]
    : [simulated, service.provider({ base: base === '' ? service.base : base, timeoutMs })]
}

/** The real market whose bars are stored. Null if only the simulated market's are. */
export function findRealMarket(env: Env): string | null {
  return listCandleProviders(env).find(({ market }) => market !== SIMULATED)?.market ?? null
}

/** Whether the deployment names a known provider and an allowed address. */
export function isCandlesConfigured(env: Env): boolean {
  const base = (env.CANDLES_BASE_URL ?? '').trim()
  const url = URL.canParse(base) ? new URL(base) : null
  return (
    ['', 'simulated', ...Object.keys(SERVICES)].includes(getProviderName(env)) &&
    (base === '' || url?.protocol === 'https:' || (isDevelopment(env) && url?.protocol === 'http:'))
  )
}

/** Requests JSON from a service. The result is not checked. */
export function fetchFromService({ base, timeoutMs }: Service, path: string): Promise<unknown> {
  const headers = { Accept: 'application/json', 'User-Agent': site.slug }
  return fetchJson(`${base}${path}`, { headers, timeoutMs, maxBytes: MAX_BYTES })
}

function getProviderName(env: Env): string {
  return (env.CANDLES_PROVIDER ?? '').trim().toLowerCase()
}
