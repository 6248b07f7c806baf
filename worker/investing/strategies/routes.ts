import {
  getStrategy,
  listFills,
  listRecord,
  listStrategies,
} from '../../../src/contract/investing/strategies.ts'
import { publicRoute, type Route } from '../../http/route.ts'
import { listFills as fills } from './readFills.ts'
import { listRecord as record } from './readRecord.ts'
import { listStrategies as all, getStrategy as one } from './readStrategies.ts'

export const strategyReadRoutes: readonly Route[] = [
  publicRoute(listStrategies, all),
  publicRoute(getStrategy, one),
  publicRoute(listRecord, record),
  publicRoute(listFills, fills),
]
