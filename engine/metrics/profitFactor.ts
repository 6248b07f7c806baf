import type { Trade } from '../runResult.ts'

/**
 * Profit factor (R. Pardo, The Evaluation and Optimization of Trading Strategies, 2008): what all winning trades won, for each unit that
 * all losing ones lost, after costs. What is still held counts at its last value. Null where no trade lost.
 */
export function profitFactor(trades: readonly Trade[]): number | null {
  let won = 0
  let lost = 0
  for (const trade of trades) {
    const profit = trade.proceeds - trade.cost
    if (profit > 0) won += profit
    else lost -= profit
  }
  return lost > 0 ? won / lost : null
}
