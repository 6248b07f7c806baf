import { DAY_MS } from '../../src/time.ts'
import { at } from '../at.ts'
import { type Candles, MarketError } from './market.ts'

export const CANDLES_HEADER = 'time,open,high,low,close,volume'

const COLUMNS = CANDLES_HEADER.split(',').length
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?$/
const FIGURE = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/

/**
 * Parses bars from CSV: the header, then one line per bar, with a UTC date (`2024-02-29`) or time
 * (`2024-02-29T13:00:00Z`). Throws a `MarketError` with the line number for anything else. `align` checks continuity
 * and prices.
 */
export function parseCandles(text: string): Candles {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (lines[0] !== CANDLES_HEADER) throw createLineError(1, `the header must be ${CANDLES_HEADER}`)
  const length = lines.length - 1
  const columns = createEmptyCandles(length)
  for (let bar = 0; bar < length; bar++) {
    const line = bar + 2
    const cells = lines[bar + 1]?.split(',') ?? []
    if (cells.length !== COLUMNS) throw createLineError(line, `${cells.length} cells instead of ${COLUMNS}`)
    const [time = '', open = '', high = '', low = '', close = '', volume = ''] = cells
    columns.time[bar] = parseMoment(time, line)
    columns.open[bar] = parseFigure(open, line)
    columns.high[bar] = parseFigure(high, line)
    columns.low[bar] = parseFigure(low, line)
    columns.close[bar] = parseFigure(close, line)
    columns.volume[bar] = parseFigure(volume, line)
  }
  return columns
}

/** Writes bars as CSV. `parseCandles` restores exactly the same numbers. */
export function writeCandles({ time, open, high, low, close, volume }: Candles): string {
  const lines = [CANDLES_HEADER]
  for (let bar = 0; bar < time.length; bar++) {
    const iso = new Date(at(time, bar)).toISOString()
    const when = at(time, bar) % DAY_MS === 0 ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`
    lines.push([when, at(open, bar), at(high, bar), at(low, bar), at(close, bar), at(volume, bar)].join(','))
  }
  return `${lines.join('\n')}\n`
}

/** Columns of `length` bars, all 0. */
export function createEmptyCandles(length: number): Omit<Candles, 'seams'> {
  return {
    time: new Float64Array(length),
    open: new Float64Array(length),
    high: new Float64Array(length),
    low: new Float64Array(length),
    close: new Float64Array(length),
    volume: new Float64Array(length),
  }
}

function parseMoment(cell: string, line: number): number {
  const ms = TIME.test(cell) ? Date.parse(cell) : Number.NaN
  // Date.parse reads February 30 as March 1.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(cell.slice(0, 19))) {
    throw createLineError(line, `"${cell}" is no UTC date or moment`)
  }
  return ms
}

function parseFigure(cell: string, line: number): number {
  if (!FIGURE.test(cell)) throw createLineError(line, `"${cell}" is no figure`)
  return Number(cell)
}

function createLineError(line: number, what: string): MarketError {
  return new MarketError('text', `Line ${line}: ${what}.`)
}
