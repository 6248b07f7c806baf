import type { Site } from '../../../src/site.ts'
import type { Database } from '../../lib/database.ts'
import { type Env, isMoneyReal } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { SIMULATED } from '../candles/markets.ts'
import { type Broker, PaperBroker, VenueBroker } from './broker.ts'
import type { Prices } from './prices.ts'
import type { Pool } from './state.ts'

/** Operators see these sentences on the health page: `getErrorClass` knows them. */
const REFUSED = {
  simulated: 'Live mode does not trade the simulated market',
  paper: 'Live mode does not trade investors’ money on paper',
} as const

/**
 * The same prices, but in live mode none of the simulated market, so that no strategy starts, trades or is valued on it. Simulated
 * prices make no sense for real money.
 */
export function createTradePrices(env: Env, prices: Prices, mode?: Site['mode']): Prices {
  const assertMayTrade = (market: string) => {
    if (market === SIMULATED && isMoneyReal(env, mode)) throw new Error(REFUSED.simulated)
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

/**
 * The broker of a pool: the exchange where its strategy may trade with money, otherwise paper. In live mode a strategy runs on paper
 * only while it has no units and no pending orders, to be compared with its test (shadow mode).
 */
export function createBrokerFactory(env: Env, db: Database, mode?: Site['mode']): (pool: Pool) => Broker {
  return ({ definition, venue, units, hasOrders }) => {
    if (venue !== null) return new VenueBroker(db)
    if ((units > 0 || hasOrders === 1) && isMoneyReal(env, mode)) throw new Error(REFUSED.paper)
    return new PaperBroker(definition.costs)
  }
}

/** Refuses orders in live mode for a strategy that does not trade at an exchange. */
export function assertMayOrder(
  env: Env,
  { market, venue }: { readonly market: string; readonly venue: string | null },
  mode?: Site['mode'],
): void {
  if (venue === null && isMoneyReal(env, mode))
    refuse(market === SIMULATED ? 'simulated_market' : 'paper_trading')
}
