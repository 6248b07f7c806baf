import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import { ProviderFailure } from '../market/provider.ts'
import { decimal, number, parseBars } from './parse.ts'
import { askService, type CandleProvider, type Service } from './provider.ts'

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['bitcoin', 'XBTUSD'],
  ['ethereum', 'ETHUSD'],
  ['solana', 'SOLUSD'],
  ['litecoin', 'LTCUSD'],
])

/** It tells of no day before these, however it is asked. */
const DAYS = 720

/**
 * Kraken's public `GET /public/OHLC` (https://docs.kraken.com/api-reference/market-data/get-ohlc-data): rows of time in seconds,
 * open, high, low, close, average price, volume and number of trades, prices as text, the last one of the day that is going
 * on. A failure comes as 200 with words in `error`.
 */
export function kraken(service: Service): CandleProvider {
  return {
    market: 'kraken',
    name: 'Kraken',
    source: 'Prices of Kraken, by its public API and under its terms of service.',
    assets: [...PAIRS.keys()],
    firstDay: (_asset, nowMs) => (Math.floor(nowMs / DAY_MS) - (DAYS - 1)) * DAY_MS,
    daily: async (asset, fromDay, nowMs) => {
      const pair = PAIRS.get(asset)
      if (pair === undefined) throw new ProviderFailure(`does not know ${asset}`)
      // Bars after a moment are told: a second before midnight that day is one of them.
      const since = fromDay / 1000 - 1
      const answer = await askService(service, `/public/OHLC?pair=${pair}&interval=1440&since=${since}`)
      return parseBars(rowsIn(answer), barOf, fromDay, nowMs)
    },
  }
}

/** The rows stand under the pair's name, which may be another one than it was asked for by: `XXBTZUSD`. */
function rowsIn(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) throw new ProviderFailure('told of no bars')
  const { error, result } = answer as { error?: unknown; result?: unknown }
  if (Array.isArray(error) && error.some((words) => String(words).startsWith('E'))) {
    const isBusy = error.some((words) => /too many|rate limit|busy|unavailable/i.test(String(words)))
    throw new ProviderFailure(isBusy ? 'asks to be left alone' : 'answered an error', isBusy ? BUSY_MS : 0)
  }
  const named = Object.entries(typeof result === 'object' && result !== null ? result : {})
  return named.find(([name]) => name !== 'last')?.[1]
}

const BUSY_MS = 15 * 60_000

function barOf([time, open, high, low, close, , volume]: readonly unknown[]) {
  return {
    day: number(time) * 1000,
    open: decimal(open),
    high: decimal(high),
    low: decimal(low),
    close: decimal(close),
    volume: decimal(volume),
  }
}
