import { at } from '../at.ts'

/** The last n values. */
export class Ring {
  readonly values: Float64Array
  /** How many are in it: at most n. */
  count = 0
  private next = 0

  constructor(n: number) {
    this.values = new Float64Array(n).fill(Number.NaN)
  }

  get isFull(): boolean {
    return this.count === this.values.length
  }

  /** Takes a value in and answers the one that leaves: the one n before it, NaN while there is room. */
  push(value: number): number {
    const { values, next } = this
    const leaves = at(values, next)
    values[next] = value
    this.next = next + 1 === values.length ? 0 : next + 1
    if (this.count < values.length) this.count++
    return leaves
  }

  /** Whether the value pushed last stands at the end of the array: once in n pushes. */
  get isAtEnd(): boolean {
    return this.next === 0
  }
}
