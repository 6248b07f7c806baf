import { ProviderFailure } from '../market/provider.ts'

const BUSY_MS = 15 * 60_000

/**
 * The rows in an answer of Kraken's `GET /public/OHLC`, unchecked. Throws a `ProviderFailure` if the answer is an error.
 * The rows stand under the pair's name, which may differ from the name in the request: `XXBTZUSD`.
 */
export function parseKrakenRows(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) throw new ProviderFailure('returned no bars')
  const { error, result } = answer as { error?: unknown; result?: unknown }
  if (Array.isArray(error) && error.some((words) => String(words).startsWith('E'))) {
    const isBusy = error.some((words) => /too many|rate limit|busy|unavailable/i.test(String(words)))
    throw new ProviderFailure(isBusy ? 'asks to be left alone' : 'answered an error', isBusy ? BUSY_MS : 0)
  }
  const named = Object.entries(typeof result === 'object' && result !== null ? result : {})
  return named.find(([name]) => name !== 'last')?.[1]
}
