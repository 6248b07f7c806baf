import { at } from '../at.ts'

export const DAYS_A_YEAR = 365

/**
 * Simple returns: r_i = v_i / v_{i−1} − 1, the first one on `before`. One for each value. Where nothing was there any more, nothing
 * can be won or lost: 0.
 */
export function returnsOf(values: Float64Array, before: number): Float64Array {
  const returns = new Float64Array(values.length)
  let previous = before
  for (let i = 0; i < values.length; i++) {
    const value = at(values, i)
    returns[i] = previous > 0 ? value / previous - 1 : 0
    previous = value
  }
  return returns
}

/** What 1 became: the last value on what was there before the first. Null without values or where nothing was there. */
function growth(values: Float64Array, before: number): number | null {
  return values.length > 0 && before > 0 ? at(values, values.length - 1) / before : null
}

/** Total return R = V_end / V_start − 1, as a share of what was there before; null where that is unknown or nothing. */
export function totalReturn(values: Float64Array, before: number): number | null {
  const grown = growth(values, before)
  return grown === null ? null : grown - 1
}

/**
 * Compound annual growth rate, (V_end / V_start)^(365 / days) − 1, as a share a year (CFA Institute, Global Investment Performance
 * Standards, 2020: no return of less than a year is annualised). Null under 365 days.
 */
export function cagr(values: Float64Array, before: number): number | null {
  const grown = growth(values, before)
  return grown === null || values.length < DAYS_A_YEAR ? null : grown ** (DAYS_A_YEAR / values.length) - 1
}

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
