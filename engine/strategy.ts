/** One figure of a strategy that may be chosen: whole multiples of `step` above `least`, up to `most`. */
export interface Parameter {
  readonly label: string
  /** What it does, in a sentence. */
  readonly does: string
  readonly unit: 'bars' | 'per cent' | 'percentage points' | 'deviations' | 'assets' | 'index points'
  readonly default: number
  readonly least: number
  readonly most: number
  readonly step: number
}

export type Values<Name extends string = string> = Readonly<Record<Name, number>>

/**
 * A rule that says what to hold. It sees the market only as bars that have closed, one after the other, so that it cannot
 * look ahead; what it says at the close of one bar is traded at the open of the next.
 */
export interface Strategy<Name extends string = string> {
  readonly parameters: Readonly<Record<Name, Parameter>>
  /** How many bars must have closed before it may be followed. */
  warmUp(values: Values<Name>): number
  /** A fresh run of it over so many assets. */
  start(values: Values<Name>, assets: number): Signals
}

export interface Signals {
  /**
   * Called once for each closed bar, in order, during the warm-up too. Writes what it wants into `intent` and answers whether it
   * wants to trade at the next open; where it answers false, what it wrote of weights is not followed. Stops and profit targets
   * hold for the next bar whatever it answers. The same `intent` comes again at the next bar, as it was left.
   */
  onClose(bar: ClosedBar, book: BookView, intent: Intent): boolean
}

/** A bar that has closed, with one figure for each asset. The arrays are used again for the next bar: copy what is to be kept. */
export interface ClosedBar {
  /** Counts from 0 at the first bar of the market. */
  readonly index: number
  /** When it opened, epoch milliseconds. */
  readonly time: number
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/** What is held at that close. */
export interface BookView {
  /** Cash and holdings in the quote currency. */
  readonly equity: number
  /** The highest equity at any close so far, the starting capital included. */
  readonly peak: number
  /** What each asset is of the equity, as a share; the rest is cash. */
  readonly weights: Float64Array
}

/** What a strategy wants. */
export interface Intent {
  /** What each asset is to be of the equity: none below 0, together at most 1. The rest stays in cash, which earns nothing. */
  readonly weights: Float64Array
  /** The price at which an asset is sold within a bar, NaN for none. Cleared when nothing of it is held any more. */
  readonly stop: Float64Array
  /** Likewise above the price, to take a profit. Where a bar reaches both, the stop counts. */
  readonly takeProfit: Float64Array
}

/** What is not in cash, as a share of the equity. */
export function invested(book: BookView): number {
  let sum = 0
  for (const weight of book.weights) sum += weight
  return sum
}
