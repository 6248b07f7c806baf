import { at } from '../at.ts'
import { Ring } from '../indicators/ring.ts'
import { type Strategy, sumInvested } from '../strategy.ts'

/**
 * Rules: every `every` bars, rank the assets by their gain over the last `lookback` bars. Hold the best `top` with a gain in
 * equal shares. The share of each empty place stays in cash. Loses: when strong assets turn suddenly between two rankings, and
 * when the lead changes so often that it always buys assets that are about to fall behind.
 */
export const momentumRotation: Strategy<'lookback' | 'top' | 'every'> = {
  parameters: {
    lookback: {
      label: 'Look back',
      does: 'Number of bars over which gains are measured to rank the assets.',
      unit: 'bars',
      default: 90,
      least: 10,
      most: 365,
      step: 5,
    },
    top: {
      label: 'Places',
      does: 'Number of the strongest assets that it holds.',
      unit: 'assets',
      default: 2,
      least: 1,
      most: 8,
      step: 1,
    },
    every: {
      label: 'Every',
      does: 'Number of bars between rankings.',
      unit: 'bars',
      default: 30,
      least: 1,
      most: 90,
      step: 1,
    },
  },
  warmUp: ({ lookback }) => lookback + 1,
  start: ({ lookback, top, every }, assets) => {
    const places = Math.min(top, assets)
    const closes = Array.from({ length: assets }, () => new Ring(lookback))
    /** The gain since each asset's bar that many bars before. Without a bar today, up to its last one. */
    const gains = new Float64Array(assets)
    const ranked = new Float64Array(assets)
    return {
      onClose(bar, book, intent) {
        for (let asset = 0; asset < assets; asset++) {
          if (bar.hasBar[asset] === 0) continue
          const close = at(bar.close, asset)
          gains[asset] = close / (closes[asset]?.push(close) ?? Number.NaN) - 1
        }
        if (bar.index < lookback || (bar.index - lookback) % every !== 0) return false
        for (let asset = 0; asset < assets; asset++) {
          ranked[asset] = bar.hasJoined[asset] === 1 ? at(gains, asset) : 0
        }
        const chosen = holdStrongest(ranked, places, intent.weights)
        return chosen > 0 || sumInvested(book) > 0
      },
    }
  },
}

/** Gives the strongest assets an equal share each and the others none. Returns how many there are. Overwrites the gains. */
function holdStrongest(gains: Float64Array, places: number, weights: Float64Array): number {
  weights.fill(0)
  for (let chosen = 0; chosen < places; chosen++) {
    let best = -1
    let gain = 0
    for (let asset = 0; asset < gains.length; asset++) {
      if (at(gains, asset) <= gain) continue
      best = asset
      gain = at(gains, asset)
    }
    if (best === -1) return chosen
    weights[best] = 1 / places
    gains[best] = 0
  }
  return places
}
