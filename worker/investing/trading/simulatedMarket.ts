import type { Site } from '../../../src/site.ts'
import { type Env, isMoneyReal } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import type { Prices } from './prices.ts'
import { MARKET } from './start.ts'

/** Operators see this sentence in the health page: `errorClass` knows it. */
const REFUSED = 'Live mode does not trade the simulated market'

/** Whether a strategy on this market may trade: not on the simulated market with real money. */
function mayTrade(env: Env, market: string, mode?: Site['mode']): boolean {
  return market !== MARKET || !isMoneyReal(env, mode)
}

/** The same prices, but none of the simulated market for real money: then no strategy starts, trades or is valued. */
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

/** Refuses orders that would wait forever because their strategy may not trade. */
export function assertMayOrder(env: Env, market: string, mode?: Site['mode']): void {
  if (!mayTrade(env, market, mode)) refuse('simulated_market')
}
