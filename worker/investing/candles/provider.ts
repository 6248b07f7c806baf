import { type Env, isDevelopment } from '../../lib/env.ts'
import { fetchJson } from '../market/provider.ts'
import { coinbase } from './coinbase.ts'
import { kraken } from './kraken.ts'
import { SIMULATED } from './markets.ts'
import type { ReceivedBars } from './parse.ts'
import { simulated } from './simulated.ts'

/** Where daily bars come from. */
export interface CandleProvider {
  /** Under which its bars are stored. */
  readonly market: string
  /** As it is named beside figures that come from it. */
  readonly name: string
  /** Whose the prices are, and on which terms they may be used. */
  readonly source: string
  /** Our ids of the assets that it is asked for. */
  readonly assets: readonly string[]
  /** The first day to ask for where nothing is stored. */
  firstDay(asset: string, nowMs: number): number
  /**
   * Bars from a day on, as many as it tells at once. Throws a `ProviderFailure` where it answers none, or something that
   * cannot be understood.
   */
  daily(asset: string, fromDay: number, nowMs: number): Promise<ReceivedBars>
}

/** A service that is asked over HTTP. */
export interface Service {
  /** Without a slash at its end. */
  readonly base: string
  /** How long one answer may take, its body included. */
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

/** Whose bars are kept: the simulated market's always, since strategies may run on it, and those of the one that is named. */
export function candleProviders(env: Env, timeoutMs = TIMEOUT_MS): readonly CandleProvider[] {
  const service = SERVICES[nameOf(env)]
  const base = (env.CANDLES_BASE_URL ?? '').trim().replace(/\/+$/, '')
  return service === undefined
    ? [simulated]
    : [simulated, service.provider({ base: base === '' ? service.base : base, timeoutMs })]
}

/** The real market whose bars are kept; null if only the simulated one's are. */
export function realMarketOf(env: Env): string | null {
  return candleProviders(env).find(({ market }) => market !== SIMULATED)?.market ?? null
}

/** Whether the deployment names a provider that there is, at an address that may be asked. */
export function isCandlesConfigured(env: Env): boolean {
  const base = (env.CANDLES_BASE_URL ?? '').trim()
  const url = URL.canParse(base) ? new URL(base) : null
  return (
    ['', 'simulated', ...Object.keys(SERVICES)].includes(nameOf(env)) &&
    (base === '' || url?.protocol === 'https:' || (isDevelopment(env) && url?.protocol === 'http:'))
  )
}

/** Asks a service for JSON, unchecked. */
export function askService({ base, timeoutMs }: Service, path: string): Promise<unknown> {
  const headers = { Accept: 'application/json', 'User-Agent': 'Evenkeel' }
  return fetchJson(`${base}${path}`, { headers, timeoutMs, maxBytes: MAX_BYTES })
}

function nameOf(env: Env): string {
  return (env.CANDLES_PROVIDER ?? '').trim().toLowerCase()
}
