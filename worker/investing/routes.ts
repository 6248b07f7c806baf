import * as allocations from '../../src/contract/investing/allocations.ts'
import * as gaps from '../../src/contract/investing/gaps.ts'
import * as market from '../../src/contract/investing/market.ts'
import * as plans from '../../src/contract/investing/plans.ts'
import * as strategies from '../../src/contract/investing/strategies.ts'
import * as wallets from '../../src/contract/money/wallets.ts'
import { createItemRoute, createRoute, type Route } from '../http/call.ts'
import { requireInvestor } from '../http/scopes.ts'
import { allocate } from './allocations/allocate.ts'
import { cancelOrders, loadOwnOrders } from './allocations/cancel.ts'
import { loadRedeemablePosition, redeem } from './allocations/redeem.ts'
import { listAllocations, listOrders, showPosition } from './allocations/show.ts'
import { getDailyCloses } from './candles/dailyCloses.ts'
import { listCoins, listTrending } from './market/lists.ts'
import { serveCoinPicture } from './market/pictures.ts'
import { getQuote } from './market/quote.ts'
import { serveTrendingSparkline } from './market/sparkline.ts'
import { changePlan, resumePlan } from './plans/change.ts'
import { createPlan } from './plans/create.ts'
import { loadChangeablePlan, loadOwnPlan } from './plans/plan.ts'
import { listPlans, showPlan } from './plans/show.ts'
import { endPlan, pausePlan, skipPlan } from './plans/stop.ts'
import { endStop, loadStoppablePosition, setStop } from './stops/set.ts'
import { listFills } from './strategies/readFills.ts'
import { listGaps } from './strategies/readGaps.ts'
import { listRecord } from './strategies/readRecord.ts'
import { getStrategy, listStrategies } from './strategies/readStrategies.ts'

/** Every route of this area. */
export const investingRoutes: readonly Route[] = [
  createRoute(market.listCoins, listCoins),
  createRoute(market.listTrending, listTrending),
  createRoute(market.getDailyCloses, getDailyCloses),
  createRoute(market.coinPicture, serveCoinPicture),
  createRoute(market.trendingSparkline, serveTrendingSparkline),
  createRoute(wallets.getQuote, getQuote),
  createRoute(strategies.listStrategies, listStrategies),
  createRoute(strategies.getStrategy, getStrategy),
  createRoute(strategies.listRecord, listRecord),
  createRoute(strategies.listFills, listFills),
  createRoute(gaps.listGaps, listGaps),
  createRoute(allocations.listAllocations, listAllocations),
  // Before the one with an id, which would take its name for one.
  createRoute(allocations.listOrders, listOrders),
  createRoute(allocations.getPosition, showPosition),
  createItemRoute(allocations.allocate, requireInvestor, allocate),
  createItemRoute(allocations.redeem, loadRedeemablePosition, redeem),
  createItemRoute(allocations.cancelOrder, loadOwnOrders, cancelOrders),
  createItemRoute(allocations.setStop, loadStoppablePosition, setStop),
  createItemRoute(allocations.endStop, loadStoppablePosition, endStop),
  createRoute(plans.listPlans, listPlans),
  createItemRoute(plans.getPlan, loadOwnPlan, showPlan),
  createItemRoute(plans.createPlan, requireInvestor, createPlan),
  createItemRoute(plans.changePlan, loadChangeablePlan, changePlan),
  createItemRoute(plans.pausePlan, loadOwnPlan, pausePlan),
  createItemRoute(plans.resumePlan, loadChangeablePlan, resumePlan),
  createItemRoute(plans.skipPlan, loadOwnPlan, skipPlan),
  createItemRoute(plans.endPlan, loadOwnPlan, endPlan),
]
