import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import { roundToSixDigits } from '../backtest/sixDigits.ts'
import type { Candles, Market } from './market.ts'
import { SIMULATED_ASSETS } from './simulatedAssets.ts'
import { type Path, PRICES_A_DAY, SIMULATED_START, simulatePaths } from './simulatedPaths.ts'

/** Published backtests use the days from `SIMULATED_START` up to, but excluding, this one. */
export const TESTED_UNTIL = Date.UTC(2026, 6, 1)

/**
 * Daily bars of simulated assets, in the given order, that opened at `fromMs` or later and closed by `untilMs`. Throws
 * for an unknown asset, and for days before `SIMULATED_START`.
 */
export function buildSimulatedMarket(assets: readonly string[], fromMs: number, untilMs: number): Market {
  const first = Math.ceil((fromMs - SIMULATED_START) / DAY_MS)
  const count = Math.max(0, toDayIndex(untilMs) - first)
  if (first < 0) throw new RangeError('The simulated market begins later')
  const paths = assets.map((asset) => getPath(asset, first + count))
  const time = Float64Array.from({ length: count }, (_, day) => SIMULATED_START + (first + day) * DAY_MS)
  return { intervalMs: DAY_MS, time, assets, candles: paths.map((path) => buildCandles(path, first, time)) }
}

/**
 * The price of a simulated asset at a time: the day's open at 00:00 UTC, then interpolated between its four-hourly
 * prices. Always within that day's low and high.
 */
export function computeSimulatedPrice(asset: string, atMs: number): number {
  const day = toDayIndex(atMs)
  if (day < 0) throw new RangeError('The simulated market begins later')
  const { prices } = getPath(asset, day + 1)
  const moves = ((atMs - SIMULATED_START) / DAY_MS - day) * (PRICES_A_DAY - 1)
  const move = Math.floor(moves)
  const from = at(prices, day * PRICES_A_DAY + move)
  return roundToSixDigits(from + (at(prices, day * PRICES_A_DAY + move + 1) - from) * (moves - move))
}

function toDayIndex(atMs: number): number {
  return Math.floor((atMs - SIMULATED_START) / DAY_MS)
}

/** Cached with a spare year. A longer simulation begins with the same days. */
let cachedPaths: readonly Path[] = []
let cachedDays = 0
const SPARE_DAYS = 366
const MOST_DAYS = 100_000

function getPath(asset: string, days: number): Path {
  if (!(days <= MOST_DAYS)) throw new RangeError('The simulated market ends earlier')
  if (days > cachedDays) {
    cachedDays = days + SPARE_DAYS
    cachedPaths = simulatePaths(cachedDays)
  }
  const path = cachedPaths[SIMULATED_ASSETS.findIndex(({ id }) => id === asset)]
  if (!path) throw new RangeError(`No simulated asset is called ${asset}`)
  return path
}

/** Copies, so that callers cannot change the cache. */
function buildCandles({ prices, volume }: Path, first: number, time: Float64Array): Candles {
  const days = time.length
  const [open, high, low, close] = [0, 1, 2, 3].map(() => new Float64Array(days)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  for (let day = 0; day < days; day++) {
    const from = (first + day) * PRICES_A_DAY
    let highest = 0
    let lowest = Number.POSITIVE_INFINITY
    for (let step = 0; step < PRICES_A_DAY; step++) {
      const price = at(prices, from + step)
      if (price > highest) highest = price
      if (price < lowest) lowest = price
    }
    open[day] = at(prices, from)
    high[day] = highest
    low[day] = lowest
    close[day] = at(prices, from + PRICES_A_DAY - 1)
  }
  return { time: time.slice(), open, high, low, close, volume: volume.slice(first, first + days) }
}
