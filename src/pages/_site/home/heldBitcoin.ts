import { loadRealMarket } from '../../../../data/realPrices.ts'
import { at } from '../../../../engine/at.ts'
import { VENUE_COSTS } from '../../../../engine/backtest/realTests.ts'
import { toDayName } from '../../../../engine/metrics/dailyEquity.ts'
import { computeDrawdowns, listFalls } from '../../../../engine/metrics/drawdown.ts'
import { run } from '../../../../engine/run.ts'
import { buyAndHold } from '../../../../engine/strategies/buyAndHold.ts'
import { DAY_MS } from '../../../time.ts'

export const PAID_IN_USD = 1000

export type Holding = ReturnType<typeof simulateHeldBitcoin>

/**
 * 1,000 dollars in bitcoin at Kraken's daily prices, bought once when that market was liquid enough and kept until the last day of
 * the tests, after costs. Drawdowns are 0 or negative.
 */
export function simulateHeldBitcoin() {
  const market = loadRealMarket(['bitcoin'])
  const held = run(market, buyAndHold, {}, { startingCash: PAID_IN_USD, costs: VENUE_COSTS })
  const { equity, time } = held
  const under = computeDrawdowns(equity, PAID_IN_USD)
  const [deepest] = listFalls(equity, PAID_IN_USD)
  const days = Array.from(equity.keys())
  const formatDayAt = (day: number) => toDayName(Math.floor(at(time, Math.max(0, day)) / DAY_MS))
  const getYear = (day: number) => new Date(at(time, day)).getUTCFullYear()
  return {
    /** Worth in USD at the end of each day. */
    values: Array.from(equity),
    falls: Array.from(under),
    /** The deepest fall: its worth before and after in USD, and the days of the peak and the low. */
    worst: {
      share: deepest?.depth ?? 0,
      fromDay: formatDayAt(deepest?.peak ?? 0),
      toDay: formatDayAt(deepest?.trough ?? 0),
      from: deepest && deepest.peak >= 0 ? at(equity, deepest.peak) : PAID_IN_USD,
      to: deepest ? at(equity, deepest.trough) : PAID_IN_USD,
      peakAt: deepest?.peak ?? 0,
      at: deepest?.trough ?? 0,
    },
    /** The costs of buying. The bitcoin is never sold. */
    costUsd: held.fees + held.slippage,
    firstDay: formatDayAt(0),
    lastDay: formatDayAt(equity.length - 1),
    finalUsd: at(equity, equity.length - 1),
    years: [...Map.groupBy(days, getYear)].map(([year, [first = 0, ...rest]]) => {
      const end = rest.at(-1) ?? first
      return {
        year,
        begins: first / equity.length,
        lowestUsd: Math.min(...equity.subarray(first, end + 1)),
        endUsd: at(equity, end),
        deepest: Math.min(...under.subarray(first, end + 1)),
      }
    }),
  }
}
