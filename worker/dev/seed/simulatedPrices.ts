import { buildSimulatedMarket, computeSimulatedPrice } from '../../../engine/market/simulatedMarket.ts'
import { SIMULATED_START } from '../../../engine/market/simulatedPaths.ts'
import { DAY_MS } from '../../../src/time.ts'
import { SIMULATED } from '../../investing/candles/markets.ts'
import { MissingCandles } from '../../investing/candles/read.ts'
import { type Prices, withOpened } from '../../investing/trading/prices.ts'

/** The simulated market's prices, computed on request instead of read. They equal the stored ones. */
export const simulatedPrices: Prices = {
  async days(market, assets, nowMs) {
    if (market !== SIMULATED) throw new MissingCandles(market)
    const today = Math.floor(nowMs / DAY_MS) * DAY_MS
    const opens = Float64Array.from(assets, (asset) => computeSimulatedPrice(asset, today))
    return withOpened(buildSimulatedMarket(assets, SIMULATED_START, today), today, opens)
  },
  async now(market, assets, nowMs) {
    if (market !== SIMULATED) return null
    return Float64Array.from(assets, (asset) => computeSimulatedPrice(asset, nowMs))
  },
}
