import { Spread } from './spread.ts'

/**
 * How many deviations the newest value lies above the mean of the last n, itself included: (x − mean) / deviation, the deviation
 * being the population's (divided by n), so that 2 is the upper Bollinger band of width 2. A bare number; 0 where all n are
 * equal. The first one at index n − 1.
 */
export class ZScore {
  private readonly spread: Spread
  private readonly n: number

  constructor(n: number) {
    this.n = n
    this.spread = new Spread(n)
  }

  push(value: number): number {
    this.spread.push(value)
    const { mean, squaredDistances } = this.spread
    return squaredDistances === 0 ? 0 : (value - mean) / Math.sqrt(squaredDistances / this.n)
  }
}
