import { drawdowns, type Fall, worstFall } from './drawdown.ts'
import { simulatedMarket } from './simulatedMarket.ts'

/** What the first picture of the site shows. The seed was taken because it is the first one, before its market was seen. */
export const SHOWN: Terms = { seed: 1, years: 4, paidInUsd: 1000, costBasisPoints: 35 }

const WEEKS_A_YEAR = 52

export interface Terms {
  /** Which of all possible made-up markets it is. */
  seed: number
  years: number
  paidInUsd: number
  /** Taken off once, when the index is bought. */
  costBasisPoints: number
}

export interface Holding {
  /** Worth in USD at the start, after the purchase, and after each week. */
  values: number[]
  /** Below the highest so far, as shares, one for each value. */
  falls: number[]
  worst: Fall
  costUsd: number
  finalUsd: number
  years: Year[]
}

interface Year {
  year: number
  lowestUsd: number
  /** At the year's end. */
  endUsd: number
  /** The furthest below the highest so far within the year. */
  deepest: number
}

/** A sum put into a made-up index, after the cost of buying it, and held. Nothing is sold, so nothing is paid for selling. */
export function heldIndex({ seed, years, paidInUsd, costBasisPoints }: Terms): Holding {
  const prices = simulatedMarket(seed, years * WEEKS_A_YEAR)
  const costUsd = (paidInUsd * costBasisPoints) / 10_000
  const units = (paidInUsd - costUsd) / (prices[0] ?? 1)
  const values = prices.map((price) => price * units)
  const falls = drawdowns(values, paidInUsd)
  return {
    values,
    falls,
    worst: worstFall(values, paidInUsd),
    costUsd,
    finalUsd: values.at(-1) ?? 0,
    years: Array.from({ length: years }, (_, index) => {
      const weeks = [index * WEEKS_A_YEAR + 1, (index + 1) * WEEKS_A_YEAR + 1] as const
      const within = values.slice(...weeks)
      return {
        year: index + 1,
        lowestUsd: Math.min(...within),
        endUsd: within.at(-1) ?? 0,
        deepest: Math.min(...falls.slice(...weeks)),
      }
    }),
  }
}
