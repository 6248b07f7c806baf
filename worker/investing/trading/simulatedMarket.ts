import type { Site } from '../../../src/site.ts'
import { type Env, isMoneyReal } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import type { Prices } from './prices.ts'
import { MARKET } from './start.ts'

/** The operators' health shows this sentence as it is: `errorClass` knows it. */
const REFUSED = 'Live mode does not trade the simulated market'

/** Whether a strategy on this market may trade: one on the simulated market may not with real money. */
function mayTrade(env: Env, market: string, mode?: Site['mode']): boolean {
  return market !== MARKET || !isMoneyReal(env, mode)
}

/** The same prices, but for real money none of the simulated market: without prices no strategy starts, trades or is valued. */
export function pricesToTrade(env: Env, prices: Prices, mode?: Site['mode']): Prices {
  const assertMayTrade = (market: string) => {
    if (!mayTrade(env, market, mode)) throw new Error(REFUSED)
  }
  return {
    async days(market, assets, nowMs) {
      assertMayTrade(market)
      return await prices.days(market, assets, nowMs)
    },
    async now(market, assets, nowMs) {
      assertMayTrade(market)
      return await prices.now(market, assets, nowMs)
    },
  }
}

/** Refuses orders that would wait forever, because their strategy may not trade. */
export function assertMayOrder(env: Env, market: string, mode?: Site['mode']): void {
  if (!mayTrade(env, market, mode)) refuse('simulated_market')
}
