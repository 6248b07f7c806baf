import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import { toDayName } from '../metrics/dailyEquity.ts'
import { createEmptyCandles } from './candlesCsv.ts'
import { computeMedian } from './liquidity.ts'
import { type Candles, MarketError } from './market.ts'

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const

/**
 * Joins the daily bars of one asset from several venues into one series. Each venue continues it from the day after the last bar of the
 * one before; its earlier bars are left out. `seams` has the first day of each later venue. Throws a `MarketError` if days are missing
 * between two venues.
 */
export function joinSegments(segments: readonly Candles[]): Candles {
  const [first, ...others] = segments
  if (first === undefined) throw new MarketError('empty', 'A series needs at least one segment.')
  return others.reduce(joinTwo, first)
}

function joinTwo(former: Candles, later: Candles): Candles {
  const last = at(former.time, former.time.length - 1)
  const from = later.time.findIndex((opens) => opens > last)
  if (from < 0) return former
  const seam = at(later.time, from)
  if (seam - last !== DAY_MS) {
    throw new MarketError(
      'gap',
      `One venue ends on ${formatDay(last)}, the next begins on ${formatDay(seam)}.`,
    )
  }
  const joined = createEmptyCandles(former.time.length + later.time.length - from)
  for (const name of COLUMNS) {
    joined[name].set(former[name])
    joined[name].set(later[name].subarray(from), former.time.length)
  }
  return { ...joined, seams: [...(former.seams ?? []), seam] }
}

/** How far two venues' closes are apart. Shares: 0.001 is 0.1 %. */
export interface Seam {
  /** The last day of the former venue, and the later venue's close on it / the former's, minus 1. */
  readonly day: string
  readonly difference: number
  /** The days with a bar of both, and the share of them on which the closes are within 0.5 %. */
  readonly days: number
  readonly within: number
  /** The median distance of the closes. */
  readonly median: number
}

const NEAR = 0.005

/**
 * Compares the closes of two venues on the days that both have. Highs and lows are a venue's own and are not compared. Null if the later
 * venue has no bar on the last day of the former.
 */
export function measureSeam(former: Candles, later: Candles): Seam | null {
  const closes = new Map(Array.from(later.time, (opens, bar) => [opens, at(later.close, bar)]))
  const differences: number[] = []
  let latest: number | null = null
  for (let bar = 0; bar < former.time.length; bar++) {
    const close = closes.get(at(former.time, bar))
    latest = close === undefined ? null : close / at(former.close, bar) - 1
    if (latest !== null) differences.push(latest)
  }
  if (latest === null) return null
  const distances = Float64Array.from(differences, Math.abs)
  return {
    day: formatDay(at(former.time, former.time.length - 1)),
    difference: latest,
    days: differences.length,
    within: distances.filter((distance) => distance <= NEAR).length / differences.length,
    median: computeMedian(distances),
  }
}

function formatDay(ms: number): string {
  return toDayName(ms / DAY_MS)
}
