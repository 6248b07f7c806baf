import { Ema } from './ema.ts'

/**
 * Relative strength index: 100 · G / (G + L), where G and L are the averages of the rises and of the falls from value to value,
 * by Wilder's smoothing (α = 1 / n, begun with the simple average of the first n changes). From 0 to 100; 50 where nothing has
 * moved at all, which Wilder leaves open. The first one at index n. What it began with still counts (1 − 1/n)ᵐ after m more
 * values: less than 0.013 % after 9 n. (J. W. Wilder, "New Concepts in Technical Trading Systems", 1978, section VI.)
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
