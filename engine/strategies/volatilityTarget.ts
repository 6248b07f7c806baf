import { at } from '../at.ts'
import { RealisedVolatility } from '../indicators/realisedVolatility.ts'
import { countJoined, fillJoined, type Strategy, sumInvested } from '../strategy.ts'

/**
 * Rules: invest the share `target` ÷ volatility of the equity, at most all of it, in equal parts. The volatility is that of equal
 * parts of the assets over the last `days` days, per year. Trade once the invested share is more than `band` percentage points
 * away. Loses: when a calm market falls suddenly, because it is then fully invested. Also when prices recover quickly after a
 * fall, because it sold while they swung and buys again only once they are calm.
 */
export const volatilityTarget: Strategy<'days' | 'target' | 'band'> = {
  parameters: {
    days: {
      label: 'Days',
      does: 'Number of days over which volatility is measured.',
      unit: 'bars',
      default: 60,
      least: 10,
      most: 120,
      step: 5,
    },
    target: {
      label: 'Target',
      does: 'Target volatility, for a year. A higher target invests more.',
      unit: 'per cent',
      default: 15,
      least: 5,
      most: 40,
      step: 1,
    },
    band: {
      label: 'Band',
      does: 'How far the invested share may drift from its target before it trades.',
      unit: 'percentage points',
      default: 5,
      least: 1,
      most: 20,
      step: 1,
    },
  },
  warmUp: ({ days }) => days + 1,
  start: ({ days, target, band }, assets) => {
    const volatility = new RealisedVolatility(days)
    const formerClose = new Float64Array(assets).fill(Number.NaN)
    return {
      onClose(bar, book, intent) {
        let growth = 0
        let known = 0
        for (let asset = 0; asset < assets; asset++) {
          if (bar.hasBar[asset] === 0) continue
          const close = at(bar.close, asset)
          const former = at(formerClose, asset)
          formerClose[asset] = close
          // An asset's first bar has no return.
          if (Number.isNaN(former)) continue
          growth += close / former
          known++
        }
        if (known === 0) return false
        const current = volatility.pushReturn(Math.log(growth / known))
        if (Number.isNaN(current)) return false
        const share = Math.min(1, target / 100 / current)
        if (Math.abs(share - sumInvested(book)) <= band / 100) return false
        fillJoined(intent.weights, bar, share / countJoined(bar))
        return true
      },
    }
  },
}
