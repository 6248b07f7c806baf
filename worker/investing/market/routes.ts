import {
  coinPicture,
  listCoins,
  listTrending,
  trendingSparkline,
} from '../../../src/contract/investing/market.ts'
import { getQuote } from '../../../src/contract/money/wallets.ts'
import { publicRoute, type Route, route } from '../../http/route.ts'
import { listCoins as coins, listTrending as trending } from './lists.ts'
import { coinPicture as picture } from './picture.ts'
import { getQuote as quote } from './quote.ts'
import { trendingSparkline as sparkline } from './sparkline.ts'

export const marketRoutes: readonly Route[] = [
  publicRoute(listCoins, coins),
  publicRoute(listTrending, trending),
  publicRoute(coinPicture, picture),
  publicRoute(trendingSparkline, sparkline),
  route(getQuote, quote),
]
