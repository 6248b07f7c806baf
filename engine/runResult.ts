import type { Deal } from './execution.ts'

/** A deal of a run. */
export interface Fill extends Deal {
  /** The bar at whose open, or within which, it took place. */
  readonly bar: number
}

/** From the first purchase of an asset until nothing of it is held, at average cost and after all costs. */
export interface Trade {
  readonly asset: number
  readonly openedBar: number
  /** Null where it is still held at the end: it is valued at the last close, without the costs of a sale. */
  readonly closedBar: number | null
  readonly cost: number
  readonly proceeds: number
}

/** What came of following a strategy through a market. Columns have one figure for each bar from `from` on. */
export interface Run {
  /** The first bar at whose open something could be traded. */
  readonly from: number
  readonly startingCash: number
  readonly time: Float64Array
  /** Cash and holdings at each close. */
  readonly equity: Float64Array
  /** What is invested of it at each close, as a share. */
  readonly exposure: Float64Array
  /** What was bought and sold in each bar, in the quote currency. */
  readonly traded: Float64Array
  readonly fills: readonly Fill[]
  readonly trades: readonly Trade[]
  readonly fees: number
  readonly slippage: number
  /** Whether, at which bar's close, and by which rule all trading was ended. */
  readonly stopped: { readonly bar: number; readonly by: 'maximumDrawdown' | 'killSwitch' } | null
}
