import { listCoins, listTrending } from '../../src/contract/market.ts'
import { getQuote } from '../../src/contract/wallets.ts'
import { publicRoute, type Route, route } from '../lib/route.ts'
import { listCoins as coins, listTrending as trending } from './lists.ts'
import { getQuote as quote } from './quote.ts'

export const marketRoutes: readonly Route[] = [
  publicRoute(listCoins, coins),
  publicRoute(listTrending, trending),
  route(getQuote, quote),
]
