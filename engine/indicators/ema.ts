import { ExactSum } from './exactSum.ts'

/**
 * Exponential moving average: eₜ = eₜ₋₁ + α (xₜ − eₜ₋₁) with α = 2 / (n + 1), starting with the simple average of the first n
 * values. In the unit of the values. The first result is at index n − 1. After m more values the start still has a weight of (1 −
 * α)ᵐ. (J. J. Murphy, "Technical Analysis of the Financial Markets", 1999, chapter 9.)
 */
export class Ema {
  private readonly beginning = new ExactSum()
  private readonly n: number
  private readonly share: number
  private count = 0
  private current = Number.NaN

  /** `share` replaces α. */
  constructor(n: number, share = 2 / (n + 1)) {
    this.n = n
    this.share = share
  }

  push(value: number): number {
    if (this.count === this.n) {
      this.current += this.share * (value - this.current)
      return this.current
    }
    this.beginning.add(value)
    this.count++
    if (this.count === this.n) this.current = this.beginning.over(this.n)
    return this.current
  }
}
