import * as z from 'zod/mini'
import { isoTime, tradedMarket } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const marketCoin = z.object({
  id: z.string(),
  symbol: z.string(),
  name: z.string(),
  image: z.string(),
  current_price: z.number(),
  market_cap_rank: z.number(),
  price_change_percentage_24h: z.nullable(z.number()),
  /** Null, like its date, if the source does not report the highest price. */
  ath: z.nullable(z.number()),
  ath_date: z.nullable(isoTime),
})
export type MarketCoin = z.output<typeof marketCoin>

export const trendingCoin = z.object({
  id: z.string(),
  name: z.string(),
  symbol: z.string(),
  large: z.string(),
  data: z.object({
    price: z.number(),
    price_change_percentage_24h: z.object({ usd: z.number() }),
    /** The address of its sparkline. */
    sparkline: z.string(),
    /** The prices of the sparkline, oldest first: a week, or only yesterday and today. */
    series: z.array(z.number()),
  }),
})
export type TrendingCoin = z.output<typeof trendingCoin>

export const listCoins = endpoint('GET', '/market/coins', 'public', {
  summary: 'The top 50 coins. The headers `X-Market-Source` and `X-Market-At` name the source and the time',
  answer: z.array(marketCoin),
})

export const listTrending = endpoint('GET', '/market/trending', 'public', {
  summary: 'Trending coins by their change in 24 hours, largest first',
  answer: z.array(trendingCoin),
})

export const coinPicture = endpoint('GET', '/market/pictures/:id', 'public', {
  summary: 'A coin’s picture from the market service, served from our own host',
  answerType: 'image/*',
  refusals: ['not_found'],
})

export const trendingSparkline = endpoint('GET', '/market/sparklines/:id', 'public', {
  summary: 'A trending coin’s prices as a sparkline',
  answerType: 'image/svg+xml',
  refusals: ['not_found'],
})

/** The daily prices of the coins that an account can be compared with, in USD. */
export const dailyCloses = z.object({
  market: tradedMarket,
  /** UTC days, oldest first. The last is today. */
  days: z.array(z.string()),
  coins: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** The close of each day, for today the newest price. Null if it is not known. */
      closes: z.array(z.nullable(z.number())),
    }),
  ),
})
export type DailyCloses = z.output<typeof dailyCloses>

export const getDailyCloses = endpoint('GET', '/market/daily-closes', 'signed-in', {
  summary:
    'The daily closes of five coins over the last 365 days, or of the simulated market’s coins while no real prices are kept',
  answer: dailyCloses,
})
