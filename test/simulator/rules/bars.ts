import { buildSimulatedMarket } from '../../../engine/market/simulatedMarket.ts'
import { DAY_MS } from '../../../src/time.ts'

/** A day's prices of an asset on the simulated market, as the market had them. */
export interface Bar {
  readonly day: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** The bars of a day, in the order of the assets. */
export function barsOf(assets: readonly string[], day: number): readonly Bar[] {
  return assets.map((asset) => {
    const { candles } = buildSimulatedMarket([asset], day, day + DAY_MS)
    const [columns] = candles
    const [open, high, low, close] = (['open', 'high', 'low', 'close'] as const).map(
      (name) => columns?.[name][0] ?? Number.NaN,
    ) as [number, number, number, number]
    return { day, open, high, low, close }
  })
}
