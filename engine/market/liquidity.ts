import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import type { Candles } from './market.ts'

/** Days over which liquidity is measured. */
export const LIQUID_DAYS = 30
/** The median traded value of a day, in USD, from which a market is liquid enough. */
export const LIQUID_USD = 250_000

/**
 * The first bar of a market that tests use: the one after the first 30 days in a row that all have a bar and a median traded
 * value (close × volume) of at least 250,000 USD. Only earlier bars decide, so a test that begins there does not look ahead. Null
 * if the market never reaches it. The threshold was set before any backtest on these prices: an order of 2,500 USD is then at
 * most 1 % of an ordinary day.
 */
export function findFirstLiquidBar({ time, close, volume }: Candles): number | null {
  const values = Float64Array.from(close, (price, bar) => price * at(volume, bar))
  for (let bar = LIQUID_DAYS; bar < time.length; bar++) {
    const from = bar - LIQUID_DAYS
    const isWhole = at(time, bar - 1) - at(time, from) === (LIQUID_DAYS - 1) * DAY_MS
    if (isWhole && computeMedian(values.slice(from, bar)) >= LIQUID_USD) return bar
  }
  return null
}

/** With an even number of values, the mean of the two in the middle. Sorts the values in place. */
export function computeMedian(values: Float64Array): number {
  const sorted = values.sort()
  const middle = sorted.length / 2
  return (at(sorted, Math.ceil(middle) - 1) + at(sorted, Math.floor(middle))) / 2
}
