const SPLIT = 2 ** 27 + 1

/**
 * A running sum from which values are taken away again without a trace: it carries twice a double's digits (106 bits), what is
 * lost at each addition being computed and kept (T. J. Dekker, "A floating-point technique for extending the available
 * precision", 1971; two-sum by D. E. Knuth). As long as the sum is less than 10¹⁶ times the smallest value it is not rounded at
 * all, so that it depends on what is in it alone, never on what was.
 */
export class ExactSum {
  private high = 0
  private low = 0

  add(value: number): void {
    this.addPair(value, 0)
  }

  /** Adds a value's square, both halves of it. */
  addSquare(value: number): void {
    const square = value * value
    this.addPair(square, lostIn(value, value, square))
  }

  takeSquare(value: number): void {
    const square = value * value
    this.addPair(-square, -lostIn(value, value, square))
  }

  clear(): void {
    this.high = 0
    this.low = 0
  }

  /** The sum, rounded once. */
  get value(): number {
    return this.high
  }

  /** Lets one value in for another that is in it. */
  replace(left: number, value: number): void {
    const change = value - left
    const part = change - value
    this.addPair(change, value - (change - part) - (left + part))
  }

  /**
   * The sum divided by a whole number below 2²⁶: for equal values, that very value. `inverse` is 1 divided by that number: who keeps
   * it spares a division each time.
   */
  over(count: number, inverse = 1 / count): number {
    const quotient = this.high * inverse
    // Halves of the quotient, whose products with the number are exact: what they leave of the sum is what rounding lost.
    const wide = SPLIT * quotient
    const upper = wide - (wide - quotient)
    const rest = this.high - upper * count - (quotient - upper) * count + this.low
    return quotient + rest * inverse
  }

  /** This sum times `count`, less the square of another sum. */
  timesLessSquare(count: number, other: ExactSum): number {
    const times = this.high * count
    const timesLost = lostIn(this.high, count, times) + this.low * count
    const square = other.high * other.high
    const squareLost = lostIn(other.high, other.high, square) + 2 * other.high * other.low
    const difference = times - square
    const part = difference - times
    const lost = times - (difference - part) - (square + part)
    return difference + (lost + (timesLost - squareLost))
  }

  private addPair(value: number, rest: number): void {
    const sum = this.high + value
    const part = sum - this.high
    const lost = this.high - (sum - part) + (value - part) + (this.low + rest)
    this.high = sum + lost
    this.low = lost - (this.high - sum)
  }
}

/** What a product of two doubles lost to rounding (Dekker's product: JavaScript has no fused multiply-add). */
function lostIn(one: number, two: number, product: number): number {
  const oneWide = SPLIT * one
  const oneHigh = oneWide - (oneWide - one)
  const oneLow = one - oneHigh
  const twoWide = SPLIT * two
  const twoHigh = twoWide - (twoWide - two)
  const twoLow = two - twoHigh
  return oneLow * twoLow - (product - oneHigh * twoHigh - oneLow * twoHigh - oneHigh * twoLow)
}
