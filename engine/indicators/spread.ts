import { ExactSum } from './exactSum.ts'
import { Ring } from './ring.ts'

/** A variance below this share of the mean square is rounding: the values are equal. */
const ROUNDING = 1e-24

/** If a removed value was this many times larger than the rest, its rounding error matters and the sum is computed again. */
const TOWERING = 2 ** 20

/**
 * Mean and squared distances of the last n values, including the newest, as deviations need them. Both are NaN before n values.
 * They are computed again from the values once in n pushes and after a crash, so that removed values leave no trace.
 */
export class Spread {
  mean = Number.NaN
  /** Σ (x − mean)², in the square of the values' unit. Divided by n it is a population's variance, by n − 1 a sample's. */
  squaredDistances = Number.NaN
  private readonly ring: Ring
  private readonly sum = new ExactSum()
  private readonly squares = new ExactSum()
  private readonly n: number
  private readonly inverse: number

  constructor(n: number) {
    this.n = n
    this.inverse = 1 / n
    this.ring = new Ring(n)
  }

  push(value: number): void {
    const wasFull = this.ring.isFull
    const left = this.ring.push(value)
    if (wasFull) {
      this.sum.replace(left, value)
      this.squares.takeSquare(left)
    } else {
      this.sum.add(value)
    }
    this.squares.addSquare(value)
    if (this.ring.isAtEnd || left * left > TOWERING * this.squares.value) this.sumUp()
    if (!this.ring.isFull) return
    this.mean = this.sum.over(this.n, this.inverse)
    const distances = this.squares.timesLessSquare(this.n, this.sum) / this.n
    this.squaredDistances = distances <= ROUNDING * this.squares.value ? 0 : distances
  }

  private sumUp(): void {
    this.sum.clear()
    this.squares.clear()
    for (const value of this.ring.values) {
      this.sum.add(value)
      this.squares.addSquare(value)
    }
  }
}
