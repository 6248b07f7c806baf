import { at } from '../at.ts'
import { countJoined, fillJoined, type Strategy } from '../strategy.ts'

/**
 * Rule: buy every asset in equal parts with all the money, then hold. When another asset joins, trade once to equal parts of all
 * that have joined. Loses: in every fall of its assets, in full and for as long as it lasts, because it never sells.
 */
export const buyAndHold: Strategy<never> = {
  parameters: {},
  warmUp: () => 1,
  start: (_values, assets) => ({
    onClose(bar, book, intent) {
      let isMissing = false
      for (let asset = 0; asset < assets; asset++) {
        if (bar.hasJoined[asset] === 1 && at(book.weights, asset) === 0) isMissing = true
      }
      if (!isMissing) return false
      fillJoined(intent.weights, bar, 1 / countJoined(bar))
      return true
    },
  }),
}
