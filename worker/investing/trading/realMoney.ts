import type { Site } from '../../../src/site.ts'
import { type Env, isMoneyReal } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { SIMULATED } from '../candles/markets.ts'
import type { Prices } from './prices.ts'

/** Operators see these sentences on the health page: `errorClass` knows them. */
const REFUSED = {
  simulated: 'Live mode does not trade the simulated market',
  real: 'Live mode has no broker for real orders',
} as const

/**
 * The same prices, but none in live mode, so that no strategy starts, trades or is valued. Simulated prices make no sense for
 * real money, and the only broker is a paper one, which would invent fills.
 */
export function pricesToTrade(env: Env, prices: Prices, mode?: Site['mode']): Prices {
  const assertMayTrade = (market: string) => {
    if (isMoneyReal(env, mode)) throw new Error(REFUSED[market === SIMULATED ? 'simulated' : 'real'])
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

/** Refuses orders in live mode. They would wait forever, because no strategy may trade then. */
export function assertMayOrder(env: Env, market: string, mode?: Site['mode']): void {
  if (isMoneyReal(env, mode)) refuse(market === SIMULATED ? 'simulated_market' : 'paper_trading')
}
