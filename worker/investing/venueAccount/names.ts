import type { Venue, VenueFill, VenueMarket, VenueOrder } from '../venues/venue.ts'

/** Venues name a coin by its ticker, strategies by its id. */
const TICKERS = [
  ['bitcoin', 'btc'],
  ['ethereum', 'eth'],
  ['ripple', 'xrp'],
  ['cardano', 'ada'],
  ['solana', 'sol'],
] as const

/** The coins that strategies trade at venues. */
export const TRADED_COINS = TICKERS.map(([id]) => id)

const TICKER_OF = new Map<string, string>(TICKERS)
const ID_OF = new Map<string, string>(TICKERS.map(([id, ticker]) => [ticker, id]))

/** The same venue, with the ids of coins that strategies use. A coin without an id keeps its ticker. */
export function withCoinIds(venue: Venue): Venue {
  const withCoinId = <T extends VenueFill | VenueMarket | VenueOrder>(row: T): T => ({
    ...row,
    asset: getCoinId(row.asset),
  })
  return {
    name: venue.name,
    permissions: () => venue.permissions(),
    time: () => venue.time(),
    status: () => venue.status(),
    markets: async (assets) => (await venue.markets(assets.map(getTicker))).map(withCoinId),
    takerFee: (assets) => venue.takerFee(assets.map(getTicker)),
    book: (asset) => venue.book(getTicker(asset)),
    balances: async () =>
      new Map([...(await venue.balances())].map(([asset, quantity]) => [getCoinId(asset), quantity])),
    submit: (order) => venue.submit({ ...order, asset: getTicker(order.asset) }),
    cancel: (venueId) => venue.cancel(venueId),
    order: async (id) => {
      const order = await venue.order(id)
      return order === null ? null : withCoinId(order)
    },
    orders: async (sinceMs) => (await venue.orders(sinceMs)).map(withCoinId),
    fills: async (sinceMs) => (await venue.fills(sinceMs)).map(withCoinId),
  }
}

function getTicker(asset: string): string {
  return TICKER_OF.get(asset) ?? asset
}

function getCoinId(ticker: string): string {
  return ID_OF.get(ticker) ?? ticker
}
