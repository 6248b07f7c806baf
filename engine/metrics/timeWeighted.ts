/** What an account was worth at a moment just before money moved, and what was then paid in (above 0) or taken out (below 0). */
export interface Valued {
  readonly value: number
  readonly flow: number
}

/**
 * The time-weighted return (Bank Administration Institute, Measuring the Investment Performance of Pension Funds, 1968; CFA Institute, Global
 * Investment Performance Standards, 2020): Π v_{i+1} / (v_i + f_i) − 1, which money that comes and goes does not change. Oldest first, the last
 * with what is there now. Time in which nothing was there is left out; null where there never was anything.
 */
export function timeWeightedReturn(valuations: readonly Valued[]): number | null {
  let grown = 1
  let periods = 0
  let began = 0
  for (const { value, flow } of valuations) {
    if (began > 0) {
      grown *= value / began
      periods++
    }
    began = value + flow
  }
  return periods === 0 ? null : grown - 1
}
