const SPLIT = 2 ** 27 + 1

/**
 * A running sum that can remove values again without rounding errors. It has twice a double's digits (106 bits): the error of
 * each addition is computed and kept (T. J. Dekker, "A floating-point technique for extending the available precision", 1971;
 * two-sum by D. E. Knuth). The sum is exact while it is less than 10¹⁶ times the smallest value. It then depends only on the
 * values in it, and not on removed ones.
 */
export class ExactSum {
  private high = 0
  private low = 0

  add(value: number): void {
    this.addPair(value, 0)
  }

  /** Adds a value's square with its rounding error. */
  addSquare(value: number): void {
    const square = value * value
    this.addPair(square, computeProductError(value, value, square))
  }

  takeSquare(value: number): void {
    const square = value * value
    this.addPair(-square, -computeProductError(value, value, square))
  }

  clear(): void {
    this.high = 0
    this.low = 0
  }

  /** The sum, rounded once. */
  get value(): number {
    return this.high
  }

  /** Replaces a value in the sum by another one. */
  replace(left: number, value: number): void {
    const change = value - left
    const part = change - value
    this.addPair(change, value - (change - part) - (left + part))
  }

  /**
   * The sum divided by a whole number below 2²⁶. For equal values the result is that value. `inverse` is 1 divided by that
   * number. A caller that stores it saves a division each time.
   */
  over(count: number, inverse = 1 / count): number {
    const quotient = this.high * inverse
    // The products of the quotient's halves with the number are exact. So the difference to the sum is the rounding error.
    const wide = SPLIT * quotient
    const upper = wide - (wide - quotient)
    const rest = this.high - upper * count - (quotient - upper) * count + this.low
    return quotient + rest * inverse
  }

  /** This sum times `count`, less the square of another sum. */
  timesLessSquare(count: number, other: ExactSum): number {
    const times = this.high * count
    const timesLost = computeProductError(this.high, count, times) + this.low * count
    const square = other.high * other.high
    const squareLost = computeProductError(other.high, other.high, square) + 2 * other.high * other.low
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

/** The rounding error of a product of two doubles (Dekker's product, because JavaScript has no fused multiply-add). */
function computeProductError(left: number, right: number, product: number): number {
  const leftWide = SPLIT * left
  const leftHigh = leftWide - (leftWide - left)
  const leftLow = left - leftHigh
  const rightWide = SPLIT * right
  const rightHigh = rightWide - (rightWide - right)
  const rightLow = right - rightHigh
  return leftLow * rightLow - (product - leftHigh * rightHigh - leftLow * rightHigh - leftHigh * rightLow)
}
