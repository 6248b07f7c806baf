import { at } from '../at.ts'

/**
 * The highest of the last n values, including the newest. NaN before n values. A queue keeps only values that no later one has
 * reached, from highest to lowest. Each value enters and leaves it once, however large n is.
 */
export class Highest {
  private readonly values: Float64Array
  private readonly places: Float64Array
  private readonly n: number
  private front = 0
  private length = 0
  private count = 0

  constructor(n: number) {
    this.n = n
    this.values = new Float64Array(n)
    this.places = new Float64Array(n)
  }

  push(value: number): number {
    const place = this.count++
    if (this.length > 0 && at(this.places, this.front) <= place - this.n) {
      this.front = this.slot(1)
      this.length--
    }
    while (this.length > 0 && at(this.values, this.slot(this.length - 1)) <= value) this.length--
    const back = this.slot(this.length)
    this.values[back] = value
    this.places[back] = place
    this.length++
    return this.count < this.n ? Number.NaN : at(this.values, this.front)
  }

  private slot(behind: number): number {
    const slot = this.front + behind
    return slot < this.n ? slot : slot - this.n
  }
}

/** The lowest of the last n values, in the same way. */
export class Lowest {
  private readonly mirrored: Highest

  constructor(n: number) {
    this.mirrored = new Highest(n)
  }

  push(value: number): number {
    return -this.mirrored.push(-value)
  }
}
