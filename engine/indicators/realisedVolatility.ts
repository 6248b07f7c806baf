import { Spread } from './spread.ts'

/** Trading days in a year. Crypto trades each day. */
const DAYS_A_YEAR = 365

/**
 * Realised volatility: the sample deviation (divided by n − 1) of the last n logarithmic returns ln(pₜ / pₜ₋₁), times √365. A
 * share per year for daily prices: 0.6 is 60 %. n is at least 2. The first result is at index n. (J. C. Hull, "Options, Futures,
 * and Other Derivatives", chapter "The Black-Scholes-Merton Model", estimating volatility from historical data.)
 */
export class RealisedVolatility {
  private readonly spread: Spread
  private readonly n: number
  private previous = Number.NaN

  constructor(n: number) {
    this.n = n
    this.spread = new Spread(n)
  }

  push(price: number): number {
    const { previous } = this
    this.previous = price
    return Number.isNaN(previous) ? Number.NaN : this.pushReturn(Math.log(price / previous))
  }

  /** The same for a known logarithmic return. */
  pushReturn(logReturn: number): number {
    this.spread.push(logReturn)
    return Math.sqrt((this.spread.squaredDistances / (this.n - 1)) * DAYS_A_YEAR)
  }
}
