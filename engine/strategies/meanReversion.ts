import { at } from '../at.ts'
import { Bollinger } from '../indicators/bollinger.ts'
import { Rsi } from '../indicators/rsi.ts'
import type { Strategy } from '../strategy.ts'
import { createEqualSlotSignals } from './equalSlots.ts'

/** After this many times its length, the start of Wilder's smoothing changes the index by hundredths of a point at most. */
const SETTLED = 10

/**
 * Rules: buy an asset once its relative strength index over `rsi` bars is below `oversold` and it closes below the lower
 * Bollinger band (`bands` bars, `width` deviations). Sell it once it closes at or above the middle band, or within a bar as soon
 * as its price is `loss` % below the close of the decision to buy. Each asset has an equal share. Loses: in a long fall, because
 * it buys, is stopped out `loss` % lower, and buys again.
 */
export const meanReversion: Strategy<'rsi' | 'oversold' | 'bands' | 'width' | 'loss'> = {
  parameters: {
    rsi: {
      label: 'Relative strength',
      does: 'Number of bars over which rises are compared with falls.',
      unit: 'bars',
      default: 14,
      least: 2,
      most: 30,
      step: 1,
    },
    oversold: {
      label: 'Oversold below',
      does: 'It buys only while the relative strength index is below this. The index is 0 after only falls and 100 after only rises.',
      unit: 'index points',
      default: 30,
      least: 10,
      most: 45,
      step: 5,
    },
    bands: {
      label: 'Bands',
      does: 'Number of closes in the average that is the middle band.',
      unit: 'bars',
      default: 20,
      least: 10,
      most: 60,
      step: 5,
    },
    width: {
      label: 'Width',
      does: 'Number of standard deviations between the lower band and the middle band.',
      unit: 'deviations',
      default: 2,
      least: 1,
      most: 3,
      step: 0.5,
    },
    loss: {
      label: 'Loss limit',
      does: 'It sells all of an asset once the price falls this far below the close at which it decided to buy.',
      unit: 'per cent',
      default: 8,
      least: 2,
      most: 30,
      step: 1,
    },
  },
  warmUp: ({ rsi, bands }) => Math.max(SETTLED * rsi + 1, bands),
  start: ({ rsi, oversold, bands, width, loss }, assets) =>
    createEqualSlotSignals(assets, () => {
      const strength = new Rsi(rsi)
      const around = new Bollinger(bands, width)
      return (bar, asset, isHeld, intent) => {
        const close = at(bar.close, asset)
        const current = strength.push(close)
        const middle = around.push(close)
        if (isHeld) return close < middle
        const isFallen = current < oversold && close < around.lower
        if (isFallen) intent.stop[asset] = close * (1 - loss / 100)
        return isFallen
      }
    }),
}
