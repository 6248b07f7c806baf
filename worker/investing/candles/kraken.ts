import { REAL_PAIRS } from '../../../engine/market/realPairs.ts'
import { DAY_MS } from '../../../src/time.ts'
import { ProviderFailure } from '../market/provider.ts'
import { parseKrakenRows } from './krakenRows.ts'
import { parseBars, parseDecimal, parseNumber } from './parse.ts'
import { type CandleProvider, fetchFromService, type Service } from './provider.ts'

const PAIRS: ReadonlyMap<string, string> = new Map(REAL_PAIRS.map(({ asset, pair }) => [asset, pair]))

/** Kraken returns only this many days, whatever `since` says. */
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
      // Kraken returns bars after `since`, so one second before midnight includes that day.
      const since = fromDay / 1000 - 1
      const answer = await fetchFromService(service, `/public/OHLC?pair=${pair}&interval=1440&since=${since}`)
      return parseBars(parseKrakenRows(answer), parseBar, fromDay, nowMs)
    },
  }
}

function parseBar([time, open, high, low, close, , volume]: readonly unknown[]) {
  return {
    day: parseNumber(time) * 1000,
    open: parseDecimal(open),
    high: parseDecimal(high),
    low: parseDecimal(low),
    close: parseDecimal(close),
    volume: parseDecimal(volume),
  }
}
