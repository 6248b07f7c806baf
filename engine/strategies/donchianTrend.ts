import { at } from '../at.ts'
import { Highest, Lowest } from '../indicators/extreme.ts'
import type { Strategy } from '../strategy.ts'
import { createEqualSlotSignals } from './equalSlots.ts'

/**
 * Rules: buy an asset once it closes above the highest high of the previous `entry` bars. Sell it once it closes below the lowest
 * low of the previous `exit` bars. Each asset has an equal share. Where another venue continues the prices, its highs and lows are not
 * compared with those before: both channels begin anew, and until they are complete nothing is bought or sold. Loses: when prices break out and turn back again and again. In
 * a sudden fall it gives back its gain since the lowest low.
 */
export const donchianTrend: Strategy<'entry' | 'exit'> = {
  parameters: {
    entry: {
      label: 'Entry',
      does: 'It buys when a close is above the highest high of this many bars.',
      unit: 'bars',
      default: 20,
      least: 5,
      most: 100,
      step: 5,
    },
    exit: {
      label: 'Exit',
      does: 'It sells when a close is below the lowest low of this many bars.',
      unit: 'bars',
      default: 10,
      least: 5,
      most: 100,
      step: 5,
    },
  },
  warmUp: ({ entry, exit }) => Math.max(entry, exit) + 1,
  start: ({ entry, exit }, assets) =>
    createEqualSlotSignals(assets, () => {
      let highest = new Highest(entry)
      let lowest = new Lowest(exit)
      // Of the bars before the current one.
      let upper = Number.NaN
      let lower = Number.NaN
      return (bar, asset, isHeld) => {
        if (bar.isSeam[asset] === 1) {
          highest = new Highest(entry)
          lowest = new Lowest(exit)
          upper = lower = Number.NaN
        }
        const close = at(bar.close, asset)
        const holds = isHeld ? !(close < lower) : close > upper
        upper = highest.push(at(bar.high, asset))
        lower = lowest.push(at(bar.low, asset))
        return holds
      }
    }),
}
