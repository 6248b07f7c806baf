import { at } from '../at.ts'
import { countJoined, fillJoined, type Strategy, sumInvested } from '../strategy.ts'

/**
 * Rules: hold all assets in equal shares, together `invested` % of the equity, and the rest in cash. Once an asset is more than
 * `band` percentage points of the equity away from its share, rebalance all. Loses: when one asset keeps falling, because it buys
 * more of it again and again. Also, compared with holding, when one asset outruns all others for long, because it sells of it.
 */
export const rebalancedBasket: Strategy<'invested' | 'band'> = {
  parameters: {
    invested: {
      label: 'Invested',
      does: 'Share of the money in the assets. The rest stays in cash.',
      unit: 'per cent',
      default: 80,
      least: 10,
      most: 100,
      step: 5,
    },
    band: {
      label: 'Band',
      does: 'How far an asset may drift from its share before all are traded back.',
      unit: 'percentage points',
      default: 5,
      least: 1,
      most: 20,
      step: 1,
    },
  },
  warmUp: () => 1,
  start: (values, assets) => {
    const band = values.band / 100
    return {
      onClose(bar, book, intent) {
        const share = values.invested / 100 / countJoined(bar)
        // A share smaller than the band would never be reached, so at the start all assets are bought anyway.
        let isAway = sumInvested(book) === 0
        for (let asset = 0; asset < assets; asset++) {
          if (bar.hasJoined[asset] === 1 && Math.abs(at(book.weights, asset) - share) > band) isAway = true
        }
        if (!isAway) return false
        fillJoined(intent.weights, bar, share)
        return true
      },
    }
  },
}
