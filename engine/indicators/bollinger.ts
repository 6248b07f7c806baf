import { Spread } from './spread.ts'

/**
 * Bollinger bands: the simple average of the last n values, and `width` deviations above and below it. As in Bollinger's book,
 * the deviation is the population's (divided by n). In the unit of the values. The first result is at index n − 1. (J. Bollinger,
 * "Bollinger on Bollinger Bands", 2001, chapter 7.)
 */
export class Bollinger {
  upper = Number.NaN
  lower = Number.NaN
  private readonly spread: Spread
  private readonly n: number
  private readonly width: number

  constructor(n: number, width: number) {
    this.n = n
    this.width = width
    this.spread = new Spread(n)
  }

  /** Returns the middle band and updates `upper` and `lower`. */
  push(value: number): number {
    this.spread.push(value)
    const { mean } = this.spread
    const reach = this.width * Math.sqrt(this.spread.squaredDistances / this.n)
    this.upper = mean + reach
    this.lower = mean - reach
    return mean
  }
}
