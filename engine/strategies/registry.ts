import type { StrategyKind } from '../definition.ts'
import type { Strategy } from '../strategy.ts'
import { buyAndHold } from './buyAndHold.ts'
import { costAveraging } from './costAveraging.ts'
import { donchianTrend } from './donchianTrend.ts'
import { meanReversion } from './meanReversion.ts'
import { momentumRotation } from './momentumRotation.ts'
import { rebalancedBasket } from './rebalancedBasket.ts'
import { smaTrend } from './smaTrend.ts'
import { volatilityTarget } from './volatilityTarget.ts'

/** Every strategy of the engine. The bias tests run each of them. */
export const STRATEGIES: Readonly<Record<StrategyKind, Strategy>> = {
  'buy-and-hold': buyAndHold,
  'cost-averaging': costAveraging,
  'rebalanced-basket': rebalancedBasket,
  'sma-trend': smaTrend,
  'donchian-trend': donchianTrend,
  'momentum-rotation': momentumRotation,
  'mean-reversion': meanReversion,
  'volatility-target': volatilityTarget,
}
