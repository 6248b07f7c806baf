import { ExactSum } from './exactSum.ts'
import { Ring } from './ring.ts'

/**
 * Simple moving average: (x₁ + … + xₙ) / n over the last n values, including the newest. In the unit of the values. The first
 * result is at index n − 1. It depends on these n values alone. (J. J. Murphy, "Technical Analysis of the Financial Markets",
 * 1999, chapter 9.)
 */
export class Sma {
  private readonly ring: Ring
  private readonly sum = new ExactSum()
  private readonly n: number
  private readonly inverse: number
  private isFull = false

  constructor(n: number) {
    this.n = n
    this.inverse = 1 / n
    this.ring = new Ring(n)
  }

  push(value: number): number {
    const left = this.ring.push(value)
    if (this.isFull) {
      this.sum.replace(left, value)
    } else {
      this.sum.add(value)
      this.isFull = this.ring.isFull
    }
    return this.isFull ? this.sum.over(this.n, this.inverse) : Number.NaN
  }
}
