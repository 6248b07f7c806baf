import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Candles } from '../engine/market/market.ts'
import { drawUniform, mulberry32 } from '../engine/random.ts'

/** Series of real market prices, kept outside the repository. */
export const PRICE_SERIES = ['GOOG', 'BTCUSD', 'EURUSD'] as const
export type PriceSeries = (typeof PRICE_SERIES)[number]

const HOUR_MS = 3_600_000
/** The length of one bar. */
export const INTERVAL_MS: Readonly<Record<PriceSeries, number>> = {
  GOOG: 24 * HOUR_MS,
  BTCUSD: 30 * 24 * HOUR_MS,
  EURUSD: HOUR_MS,
}

/** Returns the series. If its file is missing, it returns a simulated one of the same length from a fixed seed, so tests still run. */
export function priceSeries(name: PriceSeries): Candles {
  const file = join(import.meta.dirname, '../../shared/data', `${name}.csv`)
  return columns(existsSync(file) ? parsed(readFileSync(file, 'utf8')) : simulated(name))
}

type Row = readonly [time: number, open: number, high: number, low: number, close: number, volume: number]

function parsed(csv: string): Row[] {
  return csv
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [time = '', ...figures] = line.split(',')
      const [open = 0, high = 0, low = 0, close = 0, volume = 0] = figures.map(Number)
      return [
        Date.parse(`${time.padEnd(19, ' 00:00:00').slice(0, 19).replace(' ', 'T')}Z`),
        open,
        high,
        low,
        close,
        volume,
      ]
    })
}

const LENGTHS: Readonly<Record<PriceSeries, number>> = { GOOG: 2148, BTCUSD: 156, EURUSD: 5000 }

function simulated(name: PriceSeries): Row[] {
  const numbers = mulberry32(PRICE_SERIES.indexOf(name) + 1)
  const random = () => drawUniform(numbers)
  let close = 100
  return Array.from({ length: LENGTHS[name] }, (_, bar): Row => {
    const open = close * (1 + (random() - 0.5) * 0.004)
    close = open * (1 + (random() + random() + random() - 1.49) * 0.03)
    const high = Math.max(open, close) * (1 + random() * 0.01)
    const low = Math.min(open, close) * (1 - random() * 0.01)
    return [
      Date.UTC(2012, 0, 2) + bar * INTERVAL_MS[name],
      open,
      high,
      low,
      close,
      Math.floor(random() * 1e6),
    ]
  })
}

function columns(rows: readonly Row[]): Candles {
  const column = (place: number) => Float64Array.from(rows, (row) => row[place] ?? 0)
  return {
    time: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  }
}
