import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import { simulatedMarket, simulatedPrice } from '../../../engine/simulatedMarket.ts'
import { SIMULATED_START } from '../../../engine/simulatedPaths.ts'
import { type Prices, withOpened } from '../../investing/trading/prices.ts'

/** The simulated market's prices, computed on request instead of read. They equal the stored ones. */
export const simulatedPrices: Prices = {
  async days(_market, assets, nowMs) {
    const today = Math.floor(nowMs / DAY_MS) * DAY_MS
    const opens = Float64Array.from(assets, (asset) => simulatedPrice(asset, today))
    return withOpened(simulatedMarket(assets, SIMULATED_START, today), today, opens)
  },
  async now(_market, assets, nowMs) {
    return Float64Array.from(assets, (asset) => simulatedPrice(asset, nowMs))
  },
}
