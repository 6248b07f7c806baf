import { at } from '../at.ts'
import { Highest, Lowest } from '../indicators/extreme.ts'
import type { Strategy } from '../strategy.ts'
import { inEqualSlots } from './equalSlots.ts'

/**
 * Rules: an asset that isn't held is bought once it closes above the highest high of the `entry` bars before; one that is held
 * is sold once it closes below the lowest low of the `exit` bars before; each asset has an equal share.
 * Loses: when prices break out and turn back, again and again; in one sudden fall it gives back what it gained since the lowest
 * low.
 */
export const donchianTrend: Strategy<'entry' | 'exit'> = {
  parameters: {
    entry: {
      label: 'Entry',
      does: 'How many bars’ highest high a close must exceed for it to buy.',
      unit: 'bars',
      default: 20,
      least: 5,
      most: 100,
      step: 5,
    },
    exit: {
      label: 'Exit',
      does: 'How many bars’ lowest low a close must fall below for it to sell.',
      unit: 'bars',
      default: 10,
      least: 5,
      most: 100,
      step: 5,
    },
  },
  warmUp: ({ entry, exit }) => Math.max(entry, exit) + 1,
  start: ({ entry, exit }, assets) =>
    inEqualSlots(assets, () => {
      const highest = new Highest(entry)
      const lowest = new Lowest(exit)
      // Of the bars before the one that is looked at.
      let upper = Number.NaN
      let lower = Number.NaN
      return (bar, asset, isHeld) => {
        const close = at(bar.close, asset)
        const holds = isHeld ? !(close < lower) : close > upper
        upper = highest.push(at(bar.high, asset))
        lower = lowest.push(at(bar.low, asset))
        return holds
      }
    }),
}
