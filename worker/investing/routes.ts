import * as allocations from '../../src/contract/investing/allocations.ts'
import * as gaps from '../../src/contract/investing/gaps.ts'
import * as market from '../../src/contract/investing/market.ts'
import * as strategies from '../../src/contract/investing/strategies.ts'
import * as wallets from '../../src/contract/money/wallets.ts'
import { publicRoute, type Route, route, routeOf } from '../http/call.ts'
import { investorOnly } from '../http/scopes.ts'
import { allocate } from './allocations/allocate.ts'
import { cancelOrders, ownOrders } from './allocations/cancel.ts'
import { redeem, redeemable } from './allocations/redeem.ts'
import { listAllocations, listOrders, showPosition } from './allocations/show.ts'
import { listCoins, listTrending } from './market/lists.ts'
import { coinPicture } from './market/pictures.ts'
import { getQuote } from './market/quote.ts'
import { trendingSparkline } from './market/sparkline.ts'
import { listFills } from './strategies/readFills.ts'
import { listGaps } from './strategies/readGaps.ts'
import { listRecord } from './strategies/readRecord.ts'
import { getStrategy, listStrategies } from './strategies/readStrategies.ts'

/** Every route of this area. */
export const investingRoutes: readonly Route[] = [
  publicRoute(market.listCoins, listCoins),
  publicRoute(market.listTrending, listTrending),
  publicRoute(market.coinPicture, coinPicture),
  publicRoute(market.trendingSparkline, trendingSparkline),
  route(wallets.getQuote, getQuote),
  publicRoute(strategies.listStrategies, listStrategies),
  publicRoute(strategies.getStrategy, getStrategy),
  publicRoute(strategies.listRecord, listRecord),
  publicRoute(strategies.listFills, listFills),
  publicRoute(gaps.listGaps, listGaps),
  route(allocations.listAllocations, listAllocations),
  // Before the one with an id, which would take its name for one.
  route(allocations.listOrders, listOrders),
  route(allocations.getPosition, showPosition),
  routeOf(allocations.allocate, investorOnly, allocate),
  routeOf(allocations.redeem, redeemable, redeem),
  routeOf(allocations.cancelOrder, ownOrders, cancelOrders),
]
