import { at } from '../at.ts'

/** A fall below an earlier peak. Days count from 0 at the first value. −1 is the starting capital before it. */
export interface Drawdown {
  /** Negative: −0.25 is a loss of a quarter. */
  readonly depth: number
  readonly peak: number
  readonly trough: number
  /** The first day on which the peak was reached again, or null. */
  readonly recovered: number | null
}

/**
 * Drawdown on each day: v_i / max(before, v_0 … v_i) − 1, between −1 and 0 (M. Magdon-Ismail and A. Atiya, Maximum Drawdown, Risk 17,
 * 2004). The starting capital is the first peak.
 */
export function computeDrawdowns(values: Float64Array, before: number): Float64Array {
  const under = new Float64Array(values.length)
  let peak = before
  for (let i = 0; i < values.length; i++) {
    peak = Math.max(peak, at(values, i))
    under[i] = peak > 0 ? at(values, i) / peak - 1 : 0
  }
  return under
}

/** The largest drawdown. 0 without any fall. */
export function computeMaximumDrawdown(values: Float64Array, before: number): number {
  let lowest = 0
  const under = computeDrawdowns(values, before)
  for (let i = 0; i < under.length; i++) lowest = Math.min(lowest, at(under, i))
  return lowest
}

/** The share of days that close below an earlier peak; 0 without a day. */
export function computeUnderWaterShare(values: Float64Array, before: number): number {
  const under = computeDrawdowns(values, before)
  return under.length === 0 ? 0 : under.filter((depth) => depth < 0).length / under.length
}

/** Every fall from a peak until that peak is reached again, deepest first. Equal ones are in order of time. */
export function listFalls(values: Float64Array, before: number): readonly Drawdown[] {
  const found: Drawdown[] = []
  let peak = before
  let peakDay = -1
  let trough: number | null = null
  for (let day = 0; day < values.length; day++) {
    const value = at(values, day)
    if (value < peak) {
      if (trough === null || value < at(values, trough)) trough = day
      continue
    }
    if (trough !== null)
      found.push({ depth: at(values, trough) / peak - 1, peak: peakDay, trough, recovered: day })
    peak = value
    peakDay = day
    trough = null
  }
  if (trough !== null)
    found.push({ depth: at(values, trough) / peak - 1, peak: peakDay, trough, recovered: null })
  return found.sort((a, b) => a.depth - b.depth)
}

/** The longest time in days from a peak to its recovery, or to the last value. 0 without any fall. */
export function computeLongestUnderWater(all: readonly Drawdown[], days: number): number {
  return all.reduce((longest, fall) => Math.max(longest, countDaysUnderWater(fall, days)), 0)
}

/** Days from the peak to its recovery, or to the last day if it has not recovered. */
export function countDaysUnderWater(fall: Drawdown, days: number): number {
  return (fall.recovered ?? days - 1) - fall.peak
}
