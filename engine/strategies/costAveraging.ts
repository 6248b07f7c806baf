import { at } from '../at.ts'
import { countJoined, type Strategy, sumInvested } from '../strategy.ts'

/**
 * Rules: every `every` bars, move `share` % of the starting capital from cash into the assets, in equal amounts. Stop buying
 * at `most` % invested. Never sell to take a profit or to end a loss. Loses: when prices fall for longer than it buys,
 * because it is then invested up to `most` % and waits. Also, compared with buying at once, when prices mostly rise.
 */
export const costAveraging: Strategy<'every' | 'share' | 'most'> = {
  parameters: {
    every: {
      label: 'Every',
      does: 'Number of bars between purchases.',
      unit: 'bars',
      default: 30,
      least: 1,
      most: 90,
      step: 1,
    },
    share: {
      label: 'Share',
      does: 'Share of the starting capital that it invests each time.',
      unit: 'per cent',
      default: 5,
      least: 1,
      most: 50,
      step: 1,
    },
    most: {
      label: 'At most invested',
      does: 'The largest share of the money that may be invested when it buys. The rest stays in cash.',
      unit: 'per cent',
      default: 80,
      least: 10,
      most: 100,
      step: 5,
    },
  },
  warmUp: () => 1,
  start: ({ every, share, most }, assets) => {
    let startingCapital = Number.NaN
    return {
      onClose(bar, book, intent) {
        if (Number.isNaN(startingCapital)) startingCapital = book.equity
        if (bar.index % every !== 0) return false
        const part = ((share / 100) * startingCapital) / book.equity
        const added = Math.min(part, most / 100 - sumInvested(book))
        if (!(added > 0)) return false
        const joined = countJoined(bar)
        for (let asset = 0; asset < assets; asset++) {
          intent.weights[asset] = at(book.weights, asset) + (bar.hasJoined[asset] === 1 ? added / joined : 0)
        }
        return true
      },
    }
  },
}
