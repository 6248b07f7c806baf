export type MarketFault =
  | 'empty'
  | 'too-short'
  | 'lengths'
  | 'assets'
  | 'time'
  | 'gap'
  | 'price'
  | 'range'
  | 'volume'
  | 'text'

/** Candles that no run may be made from, and why. `bar` counts from 0; a line of a text from 1. */
export class MarketError extends Error {
  readonly fault: MarketFault

  constructor(fault: MarketFault, message: string) {
    super(message)
    this.name = 'MarketError'
    this.fault = fault
  }
}
