import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ohlc, walk } from './markets.ts'

/** Real prices, if they exist outside the repository. */
const FOLDER = join(import.meta.dirname, '../../../../shared/data')

/** Otherwise fixed random walks with about the same length and volatility. */
const INSTEAD: Readonly<Record<string, () => Ohlc[]>> = {
  GOOG: () => walk(2_148, 2004, 0.0007, 0.03),
  BTCUSD: () => walk(145, 14, 0.01, 0.3),
  EURUSD: () => walk(5_000, 2017, 0, 0.002),
}

/**
 * Daily bars of a share, monthly ones of a coin, hourly ones of a currency. Bars are numbered, not dated, because markets that
 * close at night and months of different lengths have no even grid.
 */
export function series(name: 'GOOG' | 'BTCUSD' | 'EURUSD'): Ohlc[] {
  const path = join(FOLDER, `${name}.csv`)
  if (!existsSync(path)) return INSTEAD[name]?.() ?? []
  const [, ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [, open, high, low, close] = line.split(',').map(Number)
    return [open ?? 0, high ?? 0, low ?? 0, close ?? 0]
  })
}
