/**
 * Bars of one asset as columns, oldest first and equally long. `time` is when a bar opens (epoch milliseconds), prices are in
 * the quote currency, `volume` in units of the asset.
 */
export interface Candles {
  readonly time: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}
