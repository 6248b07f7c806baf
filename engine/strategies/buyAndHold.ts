import type { Strategy } from '../strategy.ts'

/**
 * Rule: while nothing is held, buy every asset in equal shares with all that there is; then never trade again.
 * Loses: in every fall of its assets, in full and for as long as it lasts, as nothing is ever sold.
 */
export const buyAndHold: Strategy<never> = {
  parameters: {},
  warmUp: () => 1,
  start: (_values, assets) => ({
    onClose(_bar, book, intent) {
      for (const weight of book.weights) if (weight > 0) return false
      intent.weights.fill(1 / assets)
      return true
    },
  }),
}
