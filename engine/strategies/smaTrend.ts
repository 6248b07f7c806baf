import { at } from '../at.ts'
import { Sma } from '../indicators/sma.ts'
import type { Strategy } from '../strategy.ts'
import { createEqualSlotSignals } from './equalSlots.ts'

/**
 * Rules: hold an asset while the average of its last `fast` closes is above the average of its last `slow` closes. Otherwise keep
 * its share in cash. Each asset has an equal share. Loses: when prices go up and down without a direction, because it buys after
 * each rise and sells after each fall. Also in a sudden fall, because the averages turn weeks later.
 */
export const smaTrend: Strategy<'fast' | 'slow'> = {
  parameters: {
    fast: {
      label: 'Fast average',
      does: 'Number of closes in the shorter average.',
      unit: 'bars',
      default: 50,
      least: 5,
      most: 50,
      step: 5,
    },
    slow: {
      label: 'Slow average',
      does: 'Number of closes in the longer average.',
      unit: 'bars',
      default: 200,
      least: 60,
      most: 400,
      step: 10,
    },
  },
  warmUp: ({ fast, slow }) => Math.max(fast, slow),
  start: ({ fast, slow }, assets) =>
    createEqualSlotSignals(assets, () => {
      const near = new Sma(fast)
      const far = new Sma(slow)
      return (bar, asset) => {
        const close = at(bar.close, asset)
        // Pushes both before comparing, so that neither misses a bar.
        const fastAverage = near.push(close)
        const slowAverage = far.push(close)
        return fastAverage > slowAverage
      }
    }),
}
