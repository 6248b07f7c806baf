import { SIMULATED_ASSETS } from '../../../engine/market/simulatedAssets.ts'
import { buildSimulatedMarket, computeSimulatedPrice } from '../../../engine/market/simulatedMarket.ts'
import { SIMULATED_START } from '../../../engine/market/simulatedPaths.ts'
import { DAY_MS } from '../../../src/time.ts'
import { toBars } from './columns.ts'
import { SIMULATED } from './markets.ts'
import type { CandleProvider } from './provider.ts'

/** The simulated market as a provider. Stored bars stay, even if a newer engine would generate other prices. */
export const simulated: CandleProvider = {
  market: SIMULATED,
  name: 'Practice market',
  source: 'Made-up prices: no market ever had them.',
  assets: SIMULATED_ASSETS.map(({ id }) => id),
  firstDay: () => SIMULATED_START,
  daily: async (asset, fromDay, nowMs) => {
    const today = Math.floor(nowMs / DAY_MS) * DAY_MS
    const { time, candles } = buildSimulatedMarket([asset], fromDay, today)
    const open = computeSimulatedPrice(asset, today)
    const close = computeSimulatedPrice(asset, nowMs)
    const closed = candles.flatMap((prices) => toBars({ ...prices, time }))
    const current = {
      day: today,
      open,
      close,
      high: Math.max(open, close),
      low: Math.min(open, close),
      volume: 0,
    }
    return { closed, current, dropped: 0 }
  },
}
