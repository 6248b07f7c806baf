import { DAY_MS } from '../../../src/time.ts'
import { ProviderFailure } from '../market/provider.ts'
import { parseBars, parseNumber } from './parse.ts'
import { type CandleProvider, fetchFromService, type Service } from './provider.ts'

const FIRST_DAY = Date.UTC(2020, 0, 1)

/** Each asset's product id, and the first day to request. There are no bars from before it was listed. */
const PRODUCTS: ReadonlyMap<string, { readonly id: string; readonly firstDay: number }> = new Map([
  ['bitcoin', { id: 'BTC-USD', firstDay: FIRST_DAY }],
  ['ethereum', { id: 'ETH-USD', firstDay: FIRST_DAY }],
  // Suspended in January 2021 and listed again on July 13, 2023.
  ['ripple', { id: 'XRP-USD', firstDay: Date.UTC(2023, 6, 13) }],
  // Listed on March 18, 2021.
  ['cardano', { id: 'ADA-USD', firstDay: Date.UTC(2021, 2, 18) }],
  // Listed in June 2021.
  ['solana', { id: 'SOL-USD', firstDay: Date.UTC(2021, 6, 1) }],
])

/** The most bars in one request. Coinbase refuses more. */
const MOST_BARS = 300

/**
 * Coinbase Exchange's public `GET /products/{id}/candles`
 * (https://docs.cdp.coinbase.com/api-reference/exchange-api/rest-api/products/get-product-candles): rows of time in seconds, low,
 * high, open, close and volume, as numbers, the newest first. Days without a trade are left out, and some before `start` may come.
 */
export function coinbase(service: Service): CandleProvider {
  return {
    market: 'coinbase',
    name: 'Coinbase',
    source: 'Prices of Coinbase Exchange, by its public API and under its market data terms.',
    assets: [...PRODUCTS.keys()],
    firstDay: (asset) => PRODUCTS.get(asset)?.firstDay ?? FIRST_DAY,
    daily: async (asset, fromDay, nowMs) => {
      const product = PRODUCTS.get(asset)
      if (product === undefined) throw new ProviderFailure(`does not know ${asset}`)
      const lastDay = Math.min(Math.floor(nowMs / DAY_MS) * DAY_MS, fromDay + (MOST_BARS - 1) * DAY_MS)
      const [start, end] = [fromDay, lastDay].map((day) => new Date(day).toISOString())
      const answer = await fetchFromService(
        service,
        `/products/${product.id}/candles?granularity=86400&start=${start}&end=${end}`,
      )
      return parseBars(answer, parseBar, fromDay, nowMs)
    },
  }
}

function parseBar([time, low, high, open, close, volume]: readonly unknown[]) {
  return {
    day: parseNumber(time) * 1000,
    open: parseNumber(open),
    high: parseNumber(high),
    low: parseNumber(low),
    close: parseNumber(close),
    volume: parseNumber(volume),
  }
}
