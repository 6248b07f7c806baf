import * as z from 'zod/mini'
import { isoTime } from './common.ts'
import { endpoint } from './endpoint.ts'

export const marketCoin = z.object({
  id: z.string(),
  symbol: z.string(),
  name: z.string(),
  image: z.string(),
  current_price: z.number(),
  market_cap_rank: z.number(),
  price_change_percentage_24h: z.number(),
  ath: z.number(),
  ath_date: isoTime,
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
    sparkline: z.string(),
  }),
})
export type TrendingCoin = z.output<typeof trendingCoin>

export const listCoins = endpoint({
  method: 'GET',
  path: '/market/coins',
  scope: 'public',
  summary: 'The top 50 coins. `X-Market-Source` says from where, `X-Market-At` of when',
  status: 200,
  answer: z.array(marketCoin),
})

export const listTrending = endpoint({
  method: 'GET',
  path: '/market/trending',
  scope: 'public',
  summary: 'Trending coins by their change in 24 hours, greatest first',
  status: 200,
  answer: z.array(trendingCoin),
})
