import { at } from './at.ts'
import { BAND_QUANTILES, type Band } from './backtestResult.ts'
import { mulberry32, uniform } from './random.ts'

const KNOWN_DAYS = [1, 2, 3, 5, 7, 10, 14, 21, 30, 45, 60, 90, 120, 180, 270, 365, 545, 730] as const
const PATHS = 4000
const BLOCK_DAYS = 20
const SEED = 20_200_101
/** What is lost altogether has no logarithm. */
const LEAST = 1e-9

/**
 * How 1 may grow, from the daily returns of a test: 4,000 paths by the stationary bootstrap (D. N. Politis and J. P. Romano, The Stationary
 * Bootstrap, Journal of the American Statistical Association 89, 1994), which puts blocks of 20 days on average together, so that calm and
 * wild times stay together. The seed is fixed: the same returns give the same band everywhere. It takes the test's returns for the truth; that
 * they may be better than what follows is what the record beside it is to show.
 */
export function forwardBand(returns: Float64Array): Band {
  const days = KNOWN_DAYS.length
  const grown = KNOWN_DAYS.map(() => new Float64Array(PATHS).fill(1))
  const factors = returns.map((value) => 1 + value)
  const random = mulberry32(SEED)
  const lastDay = KNOWN_DAYS[days - 1] ?? 0
  if (factors.length > 0)
    for (let path = 0; path < PATHS; path++) {
      let growth = 1
      let from = 0
      let known = 0
      for (let day = 1; day <= lastDay; day++) {
        const isNew = day === 1 || uniform(random) < 1 / BLOCK_DAYS
        from = isNew ? Math.floor(uniform(random) * factors.length) : from + 1 < factors.length ? from + 1 : 0
        growth *= at(factors, from)
        if (day !== KNOWN_DAYS[known]) continue
        const column = grown[known]
        if (column) column[path] = Math.max(LEAST, growth)
        known++
      }
    }
  return { days: KNOWN_DAYS, lines: grown.map(linesOf) }
}

/** Of n sorted outcomes the ⌈q·n⌉-th. */
function linesOf(outcomes: Float64Array): number[] {
  const sorted = outcomes.sort()
  return BAND_QUANTILES.map((share) => rounded(at(sorted, Math.ceil(share * sorted.length) - 1)))
}

function rounded(value: number): number {
  return Number(value.toPrecision(7))
}
