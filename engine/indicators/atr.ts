import { Ema } from './ema.ts'

/**
 * Average true range: Wilder's smoothing (α = 1 / n, begun with the simple average of the first n) of the true range, the
 * largest of high − low, |high − former close| and |low − former close|; of the first bar it is high − low, as no close came
 * before. In the unit of the prices; the first one at index n − 1. (J. W. Wilder, "New Concepts in Technical Trading Systems",
 * 1978, section III.)
 */
export class Atr {
  private readonly ranges: Ema
  private formerClose = Number.NaN

  constructor(n: number) {
    this.ranges = new Ema(n, 1 / n)
  }

  push(high: number, low: number, close: number): number {
    const former = this.formerClose
    const range = Number.isNaN(former) ? high - low : Math.max(high, former) - Math.min(low, former)
    this.formerClose = close
    return this.ranges.push(range)
  }
}
