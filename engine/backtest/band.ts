import type { Band } from './backtestResult.ts'

/** The growth of 1 at five percentiles. The number in a name is the confidence level. */
export interface BandLines {
  readonly lower99: number
  readonly lower95: number
  readonly median: number
  readonly upper95: number
  readonly upper99: number
}

/**
 * The band's lines after `days` (0 or more, may be fractional). Interpolates the logarithm over the square root of
 * time. After the last day, drift grows with time and spread with its square root.
 */
export function computeBandLines(band: Band, days: number): BandLines {
  const [lower99, lower95, median, upper95, upper99] = computeBandRow(band, Math.max(0, days)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return { lower99, lower95, median, upper95, upper99 }
}

function computeBandRow(band: Band, days: number): number[] {
  const after = band.days.findIndex((known) => known >= days)
  if (after < 0) return computeRowBeyondBand(band, days)
  const right = toLogs(band, after)
  const rightDay = band.days[after] as number
  if (rightDay === days) return right.map(Math.exp)
  const leftDay = after > 0 ? (band.days[after - 1] as number) : 0
  const left = after > 0 ? toLogs(band, after - 1) : right.map(() => 0)
  const part = (Math.sqrt(days) - Math.sqrt(leftDay)) / (Math.sqrt(rightDay) - Math.sqrt(leftDay))
  return right.map((value, line) => Math.exp((left[line] as number) * (1 - part) + value * part))
}

function computeRowBeyondBand(band: Band, days: number): number[] {
  const last = band.days.length - 1
  const known = toLogs(band, last)
  const middle = known[2] as number
  const times = days / (band.days[last] as number)
  return known.map((value) => Math.exp(middle * times + (value - middle) * Math.sqrt(times)))
}

function toLogs(band: Band, row: number): number[] {
  return (band.lines[row] as readonly number[]).map(Math.log)
}
