import { drawUniform } from '../../../../engine/random.ts'

/** The days of a block of joined test days, on average. As in `engine/backtest/forwardBand.ts`. */
export const BLOCK_DAYS = 20
export const PATHS = 1000
/** A point of the lines for each month. */
const POINT_DAYS = 30

interface PlanPayments {
  /** USD paid in at the start of each day, before that day's return. Its length is the length of the paths. */
  readonly payments: readonly number[]
  /** The part of each payment that buying costs, as a share. */
  readonly cost: number
}

/** The worth of a plan in USD at some days. No line alone says anything: all three belong together. */
export interface PlanOutlook {
  /** Days since the first payment: 30, 60 and so on, and the last one. */
  readonly days: readonly number[]
  readonly paidIn: readonly number[]
  /** The middle of the worst fifth of the paths, of the middle fifth and of the best fifth. */
  readonly bad: readonly number[]
  readonly middle: readonly number[]
  readonly good: readonly number[]
}

/** One of ten paths is worse than the middle of the worst fifth. */
const QUANTILES = { bad: 0.1, middle: 0.5, good: 0.9 } as const

/**
 * Plays the payments through many paths of joined test days: the stationary bootstrap (D. N. Politis and J. P. Romano, The Stationary
 * Bootstrap, Journal of the American Statistical Association 89, 1994). Blocks keep the order of days, and so the length of falls. The
 * same `random` gives the same result.
 *
 * @param returns the daily returns of the test, as shares; at least one
 * @param random signed 32-bit integers
 */
export function simulatePlan(
  returns: readonly number[],
  { payments, cost }: PlanPayments,
  random: () => number,
  paths = PATHS,
): PlanOutlook {
  const days = listPoints(payments.length)
  const worth = days.map(() => new Float64Array(paths))
  for (let path = 0; path < paths; path++) {
    let usd = 0
    let from = 0
    let point = 0
    for (let day = 0; day < payments.length; day++) {
      const isNew = day === 0 || drawUniform(random) < 1 / BLOCK_DAYS
      from = isNew ? Math.floor(drawUniform(random) * returns.length) : (from + 1) % returns.length
      usd = growDay(usd, payments[day] ?? 0, cost, returns[from] ?? 0)
      if (day + 1 !== days[point]) continue
      const column = worth[point++]
      if (column) column[path] = usd
    }
  }
  const sorted = worth.map((values) => values.sort())
  const readLine = (share: number) =>
    sorted.map((values) => values[Math.max(0, Math.ceil(share * paths) - 1)] ?? 0)
  return {
    days,
    paidIn: days.map((day) => sumFirst(payments, day)),
    bad: readLine(QUANTILES.bad),
    middle: readLine(QUANTILES.middle),
    good: readLine(QUANTILES.good),
  }
}

/** The worth of payments after as many days of returns, in USD. */
export function playPlan(returns: readonly number[], { payments, cost }: PlanPayments): number {
  return returns.reduce((usd, share, day) => growDay(usd, payments[day] ?? 0, cost, share), 0)
}

function growDay(usd: number, payment: number, cost: number, share: number): number {
  return (usd + payment * (1 - cost)) * (1 + share)
}

function listPoints(end: number): number[] {
  const whole = Math.floor(end / POINT_DAYS)
  const days = Array.from({ length: whole }, (_, index) => (index + 1) * POINT_DAYS)
  return days.at(-1) === end ? days : [...days, end]
}

export function sumFirst(payments: readonly number[], days: number): number {
  return payments.slice(0, days).reduce((sum, usd) => sum + usd, 0)
}
