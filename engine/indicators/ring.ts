import { at } from '../at.ts'

/** The last n values. */
export class Ring {
  readonly values: Float64Array
  /** The number of stored values, at most n. */
  count = 0
  private next = 0

  constructor(n: number) {
    this.values = new Float64Array(n).fill(Number.NaN)
  }

  get isFull(): boolean {
    return this.count === this.values.length
  }

  /** Adds a value and returns the removed one, which is n values older. NaN while there is room. */
  push(value: number): number {
    const { values, next } = this
    const leaves = at(values, next)
    values[next] = value
    this.next = next + 1 === values.length ? 0 : next + 1
    if (this.count < values.length) this.count++
    return leaves
  }

  /** Whether the newest value is at the end of the array, which happens once in n pushes. */
  get isAtEnd(): boolean {
    return this.next === 0
  }
}
