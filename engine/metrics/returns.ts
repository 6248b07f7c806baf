import { at } from '../at.ts'

export const DAYS_A_YEAR = 365

/** Simple returns: r_i = v_i / v_{i−1} − 1, with `before` as the first base. One for each value. A return on a value of 0 is 0. */
export function computeReturns(values: Float64Array, before: number): Float64Array {
  const returns = new Float64Array(values.length)
  let previous = before
  for (let i = 0; i < values.length; i++) {
    const value = at(values, i)
    returns[i] = previous > 0 ? value / previous - 1 : 0
    previous = value
  }
  return returns
}

/** The growth of 1: the last value / the value before the first. Null without values, or if that value is not above 0. */
function computeGrowth(values: Float64Array, before: number): number | null {
  return values.length > 0 && before > 0 ? at(values, values.length - 1) / before : null
}

/** Total return R = V_end / V_start − 1, as a share of the starting value. Null if that is unknown or 0. */
export function computeTotalReturn(values: Float64Array, before: number): number | null {
  const grown = computeGrowth(values, before)
  return grown === null ? null : grown - 1
}

/**
 * Compound annual growth rate, (V_end / V_start)^(365 / days) − 1, as a share per year (CFA Institute, Global Investment
 * Performance Standards, 2020: no return of less than a year is annualised). Null under 365 days.
 */
export function computeCagr(values: Float64Array, before: number): number | null {
  const grown = computeGrowth(values, before)
  return grown === null || values.length < DAYS_A_YEAR ? null : grown ** (DAYS_A_YEAR / values.length) - 1
}

/** An account's value just before a flow, and the flow: positive for money paid in, negative for money taken out. */
export interface Valuation {
  readonly value: number
  readonly flow: number
}

/**
 * The time-weighted return (Bank Administration Institute, Measuring the Investment Performance of Pension Funds, 1968; CFA
 * Institute, Global Investment Performance Standards, 2020): Π v_{i+1} / (v_i + f_i) − 1. Flows do not change it. Oldest first,
 * the last with the current value. Times without money are left out. Null if there never was any.
 */
export function computeTimeWeightedReturn(valuations: readonly Valuation[]): number | null {
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
