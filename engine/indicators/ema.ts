import { ExactSum } from './exactSum.ts'

/**
 * Exponential moving average: eₜ = eₜ₋₁ + α (xₜ − eₜ₋₁) with α = 2 / (n + 1), begun with the simple average of the first n values.
 * In the unit of the values; the first one at index n − 1. What it began with still counts (1 − α)ᵐ after m more values.
 * (J. J. Murphy, "Technical Analysis of the Financial Markets", 1999, chapter 9.)
 */
export class Ema {
  private readonly beginning = new ExactSum()
  private readonly n: number
  private readonly share: number
  private count = 0
  private current = Number.NaN

  /** `share` is α, where another one is asked for. */
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
