/** A parameter of a strategy: `least` plus whole multiples of `step`, up to `most`. */
export interface Parameter {
  readonly label: string
  /** Its effect, in a sentence. */
  readonly does: string
  readonly unit: 'bars' | 'per cent' | 'percentage points' | 'deviations' | 'assets' | 'index points'
  readonly default: number
  readonly least: number
  readonly most: number
  readonly step: number
}

export type Values<Name extends string = string> = Readonly<Record<Name, number>>

/**
 * A rule that decides what to own. It receives the market bar by bar, after each close, so it cannot look ahead; its
 * intent trades at the next open.
 */
export interface Strategy<Name extends string = string> {
  readonly parameters: Readonly<Record<Name, Parameter>>
  /** How many bars must close before the strategy may trade. */
  warmUp(values: Values<Name>): number
  /** Starts a run over this many assets. */
  start(values: Values<Name>, assets: number): Signals
}

export interface Signals {
  /**
   * Called once for each closed bar, in order, including the warm-up. Writes to `intent` and returns whether to trade at the next
   * open. If false, the weights are ignored. Stops and profit targets always apply to the next bar. Each call gets the same
   * `intent` with its previous content.
   */
  onClose(bar: ClosedBar, book: BookView, intent: Intent): boolean
}

/** A closed bar, with one value per asset. The arrays are reused for the next bar: copy them to keep them. */
export interface ClosedBar {
  /** Counts from 0 at the first bar of the market. */
  readonly index: number
  /** 1 if the asset has a bar. Otherwise 0: its prices are NaN and it was not traded. */
  readonly hasBar: Uint8Array
  /** 1 once the asset has had as many bars as the warm-up takes. It may be bought from then on. */
  readonly hasJoined: Uint8Array
  /** 1 on the first bar of another venue: its high and low are not compared with those before. */
  readonly isSeam: Uint8Array
  /** Its open, in epoch milliseconds. */
  readonly time: number
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/** The book at that close. */
export interface BookView {
  /** Cash and holdings in the quote currency. */
  readonly equity: number
  /** The highest equity at any close so far, including the starting capital. */
  readonly peak: number
  /** Each asset's share of the equity; the rest is cash. */
  readonly weights: Float64Array
}

export interface Intent {
  /**
   * Target share of the equity per asset. None is below 0, and together they are at most 1. The rest stays in cash, which earns
   * no interest.
   */
  readonly weights: Float64Array
  /** The price at which to sell an asset within a bar, NaN for none. Cleared when the position is closed. */
  readonly stop: Float64Array
  /** The same for a profit target. If a bar reaches both, the stop counts. */
  readonly takeProfit: Float64Array
}

/** How many assets have joined. */
export function countJoined({ hasJoined }: ClosedBar): number {
  let count = 0
  for (const joined of hasJoined) count += joined
  return count
}

/** Gives every asset that has joined this weight, and the others none. */
export function fillJoined(weights: Float64Array, { hasJoined }: ClosedBar, weight: number): void {
  for (let asset = 0; asset < weights.length; asset++) weights[asset] = hasJoined[asset] === 1 ? weight : 0
}

/** The invested share of the equity. */
export function sumInvested(book: BookView): number {
  let sum = 0
  for (const weight of book.weights) sum += weight
  return sum
}
