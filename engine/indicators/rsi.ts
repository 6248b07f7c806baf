import { Ema } from './ema.ts'

/**
 * Relative strength index: 100 · G / (G + L). G and L are the averages of rises and falls between values, by Wilder's smoothing
 * (α = 1 / n, starting with the simple average of the first n changes). From 0 to 100. Wilder does not define it without any
 * change; here it is 50. The first result is at index n. After m more values the start still has a weight of (1 − 1/n)ᵐ: less
 * than 0.013 % after 9 n. (J. W. Wilder, "New Concepts in Technical Trading Systems", 1978, section VI.)
 */
export class Rsi {
  private readonly rises: Ema
  private readonly falls: Ema
  private previous = Number.NaN

  constructor(n: number) {
    this.rises = new Ema(n, 1 / n)
    this.falls = new Ema(n, 1 / n)
  }

  push(value: number): number {
    const change = value - this.previous
    this.previous = value
    if (Number.isNaN(change)) return Number.NaN
    const rise = this.rises.push(Math.max(change, 0))
    const fall = this.falls.push(Math.max(-change, 0))
    const moved = rise + fall
    return moved === 0 ? 50 : (100 * rise) / moved
  }
}
