import { allocate } from '../../../src/contract/investing/allocate.ts'
import {
  cancelOrder,
  getPosition,
  listAllocations,
  listOrders,
} from '../../../src/contract/investing/allocations.ts'
import { redeem } from '../../../src/contract/investing/redeem.ts'
import { investorOnly } from '../../http/investorOnly.ts'
import { type Route, route, routeOf } from '../../http/route.ts'
import { allocate as file } from './allocate.ts'
import { cancelOrders, ownOrders } from './cancel.ts'
import { listAllocations as list, listOrders as orders } from './list.ts'
import { redeem as giveBack, redeemable } from './redeem.ts'
import { showPosition } from './show.ts'

export const allocationRoutes: readonly Route[] = [
  route(listAllocations, list),
  // Before the one with an id, which would take its name for one.
  route(listOrders, orders),
  route(getPosition, showPosition),
  routeOf(allocate, investorOnly, file),
  routeOf(redeem, redeemable, giveBack),
  routeOf(cancelOrder, ownOrders, cancelOrders),
]
