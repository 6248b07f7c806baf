import { at } from '../at.ts'
import { drawUniform, mulberry32 } from '../random.ts'
import { BAND_QUANTILES, type Band } from './backtestResult.ts'

const BAND_DAYS = [1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 270, 365, 545, 730] as const
const PATHS = 4000
const BLOCK_DAYS = 20
const SEED = 20_200_101
/** A total loss has no logarithm. */
const LEAST = 1e-9

/**
 * The forward band of growth, from a test's daily returns: 4,000 paths by the stationary bootstrap (D. N. Politis and J. P.
 * Romano, The Stationary Bootstrap, Journal of the American Statistical Association 89, 1994). Blocks of 20 days on average
 * preserve volatility clusters. The fixed seed makes the result reproducible everywhere. It assumes that the test's returns are
 * representative. The live record shows whether they are.
 */
export function computeForwardBand(returns: Float64Array): Band {
  const days = BAND_DAYS.length
  const outcomes = BAND_DAYS.map(() => new Float64Array(PATHS).fill(1))
  const factors = returns.map((value) => 1 + value)
  const random = mulberry32(SEED)
  const lastDay = BAND_DAYS[days - 1] ?? 0
  if (factors.length > 0)
    for (let path = 0; path < PATHS; path++) {
      let growth = 1
      let from = 0
      let known = 0
      for (let day = 1; day <= lastDay; day++) {
        const isNew = day === 1 || drawUniform(random) < 1 / BLOCK_DAYS
        from = isNew
          ? Math.floor(drawUniform(random) * factors.length)
          : from + 1 < factors.length
            ? from + 1
            : 0
        growth *= at(factors, from)
        if (day !== BAND_DAYS[known]) continue
        const column = outcomes[known]
        if (column) column[path] = Math.max(LEAST, growth)
        known++
      }
    }
  return { days: BAND_DAYS, lines: outcomes.map(computeQuantiles) }
}

/** The ⌈q·n⌉-th of n sorted outcomes. */
function computeQuantiles(values: Float64Array): number[] {
  const sorted = values.sort()
  return BAND_QUANTILES.map((share) => roundToSevenDigits(at(sorted, Math.ceil(share * sorted.length) - 1)))
}

function roundToSevenDigits(value: number): number {
  return Number(value.toPrecision(7))
}
