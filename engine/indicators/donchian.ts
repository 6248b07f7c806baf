import { Highest, Lowest } from './extreme.ts'

/**
 * Donchian channel: the highest high and the lowest low of the last n bars, the newest included, and the middle between both. A
 * breakout is a close beyond the channel of the bars before it: read the channel before that bar is pushed. In the unit of the
 * prices; the first ones at index n − 1. (R. Donchian's four-week rule, as told by J. J. Murphy, "Technical Analysis of the
 * Financial Markets", 1999, chapter 9.)
 */
export class Donchian {
  upper = Number.NaN
  lower = Number.NaN
  private readonly highs: Highest
  private readonly lows: Lowest

  constructor(n: number) {
    this.highs = new Highest(n)
    this.lows = new Lowest(n)
  }

  /** Answers the middle; `upper` and `lower` then stand beside it. */
  push(high: number, low: number): number {
    this.upper = this.highs.push(high)
    this.lower = this.lows.push(low)
    return (this.upper + this.lower) / 2
  }
}
