import { at } from '../../../../engine/at.ts'
import { DEFAULT_COSTS } from '../../../../engine/costs.ts'
import { drawdowns, falls } from '../../../../engine/metrics/drawdown.ts'
import { run } from '../../../../engine/run.ts'
import { SIMULATED_START, simulatedMarket, TESTED_UNTIL } from '../../../../engine/simulatedMarket.ts'
import { buyAndHold } from '../../../../engine/strategies/buyAndHold.ts'

export const PAID_IN_USD = 1000

export interface Holding {
  /** Worth in USD at the end of the first day and of each week after it. */
  readonly values: readonly number[]
  /** The furthest below the highest so far within each of these weeks, as shares. */
  readonly falls: readonly number[]
  readonly worst: Fall
  /** What buying it cost. Nothing is sold, so nothing is paid for selling. */
  readonly costUsd: number
  readonly finalUsd: number
  readonly years: readonly Year[]
}

export interface Fall {
  /** As a share, 0 or negative. */
  readonly share: number
  /** The height it began from, which is the capital itself if no value rose above it, and its lowest point. */
  readonly from: number
  readonly to: number
  /** The place of that lowest point among the weeks. */
  readonly at: number
}

export interface Year {
  readonly year: number
  /** Where it begins, as a share of the whole time. */
  readonly begins: number
  readonly lowestUsd: number
  /** At the year's end. */
  readonly endUsd: number
  /** The furthest below the highest so far within the year. */
  readonly deepest: number
}

const WEEK = 7

/** A sum put into the simulated index, after the costs of buying it, and held for all the days that are tested. */
export function heldIndex(): Holding {
  const market = simulatedMarket(['sim-index'], SIMULATED_START, TESTED_UNTIL)
  const held = run(market, buyAndHold, {}, { startingCash: PAID_IN_USD, costs: DEFAULT_COSTS })
  const { equity, time } = held
  const under = drawdowns(equity, PAID_IN_USD)
  const [deepest] = falls(equity, PAID_IN_USD)
  const days = Array.from(equity.keys())
  const weeks = days.filter((day) => day % WEEK === 0)
  const yearOf = (day: number) => new Date(at(time, day)).getUTCFullYear()
  return {
    values: weeks.map((day) => at(equity, day)),
    falls: weeks.map((day) => Math.min(...under.subarray(Math.max(0, day - WEEK + 1), day + 1))),
    worst: {
      share: deepest?.depth ?? 0,
      from: deepest && deepest.peak >= 0 ? at(equity, deepest.peak) : PAID_IN_USD,
      to: deepest ? at(equity, deepest.trough) : PAID_IN_USD,
      at: Math.ceil((deepest?.trough ?? 0) / WEEK),
    },
    costUsd: held.fees + held.slippage,
    finalUsd: at(equity, equity.length - 1),
    years: [...Map.groupBy(days, yearOf)].map(([year, [first = 0, ...rest]]) => {
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
