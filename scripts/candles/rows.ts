import { DAY_MS } from '../../src/time.ts'
import type { Bar } from '../../worker/investing/candles/parse.ts'

/** Why a line is kept apart. The last three are decided in `merge.ts`. */
export const DOUBTS = [
  'malformed line',
  'time is not 00:00 UTC',
  'day in the future',
  'price is not a number',
  'price is 0 or less',
  'low above open or close',
  'high below open or close',
  'volume is not a number',
  'volume below 0',
  'contradictory duplicate',
  'unconfirmed jump',
  'spike',
  'corrected by a later download',
] as const

export type Doubt = (typeof DOUBTS)[number]

/** A line that is kept apart: its cells from time to volume, and why. */
export interface DoubtfulLine {
  readonly cells: readonly string[]
  readonly reason: Doubt
}

/** The rows of a download or an answer. */
export interface ReceivedRows {
  /** In order, each day once. Volumes have six significant digits. */
  readonly bars: readonly Bar[]
  readonly doubtful: readonly DoubtfulLine[]
  /** How many lines only repeated another one. */
  readonly duplicates: number
  /** Today's bar is not finished, so it is left out. */
  readonly hasToday: boolean
}

/** `time,open,high,low,close,volume,trades` */
const COLUMNS = 7
const SECONDS = /^\d{1,12}$/
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i
/** Longer cells of doubtful lines, and longer malformed lines, are cut to this length. */
const MOST_CHARACTERS = 200

/** Reads Kraken's rows, each with seven cells: seconds, open, high, low, close, volume and number of trades. */
export function readRows(rows: Iterable<readonly string[]>, nowMs: number): ReceivedRows {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const byDay = new Map<number, Bar[]>()
  const doubtful: DoubtfulLine[] = []
  let duplicates = 0
  let hasToday = false
  for (const row of rows) {
    const read = readRow(row, today)
    if (read === null) hasToday = true
    else if ('reason' in read) doubtful.push(read)
    else {
      const others = byDay.get(read.day) ?? []
      if (others.some((known) => isIdentical(read, known))) duplicates++
      else byDay.set(read.day, [...others, read])
    }
  }
  const bars: Bar[] = []
  for (const [, candidates] of [...byDay].sort(([a], [b]) => a - b)) {
    const [bar] = candidates
    if (bar !== undefined && candidates.length === 1) bars.push(bar)
    // We cannot tell which of them is right.
    else doubtful.push(...candidates.map((candidate) => toDoubtfulLine(candidate, 'contradictory duplicate')))
  }
  return { bars, doubtful, duplicates, hasToday }
}

/** A bar as a line that is kept apart. */
export function toDoubtfulLine(bar: Bar, reason: Doubt): DoubtfulLine {
  return { cells: [toIsoDay(bar.day), ...listFigures(bar).map(String)], reason }
}

/** `2024-02-29` */
export function toIsoDay(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}

/** Null for today's row. */
function readRow(row: readonly string[], today: number): Bar | DoubtfulLine | null {
  const [time = '', ...cells] = row
  if (row.length !== COLUMNS || !SECONDS.test(time))
    return { cells: [limitText(row.join(',')), '', '', '', '', ''], reason: 'malformed line' }
  const day = Number(time) * 1000
  if (day === today) return null
  const [open = NaN, high = NaN, low = NaN, close = NaN, volume = NaN] = cells.slice(0, 5).map(parseFigure)
  const bar = { day, open, high, low, close, volume: Number(volume.toPrecision(6)) }
  const reason = day % DAY_MS !== 0 ? 'time is not 00:00 UTC' : findDoubt(bar, today)
  if (reason === null) return bar
  const when = day % DAY_MS === 0 && day < FAR_FUTURE ? toIsoDay(day) : time
  return { cells: [when, ...cells.slice(0, 5).map(limitText)], reason }
}

/** `Date` writes years above 9999 with a sign. */
const FAR_FUTURE = Date.UTC(10_000, 0, 1)

function findDoubt({ day, open, high, low, close, volume }: Bar, today: number): Doubt | null {
  const prices = [open, high, low, close]
  if (day > today) return 'day in the future'
  if (prices.some(Number.isNaN)) return 'price is not a number'
  if (Number.isNaN(volume)) return 'volume is not a number'
  if (prices.some((price) => price <= 0)) return 'price is 0 or less'
  if (low > Math.min(open, close)) return 'low above open or close'
  if (high < Math.max(open, close)) return 'high below open or close'
  return volume < 0 ? 'volume below 0' : null
}

function parseFigure(cell: string): number {
  const value = NUMBER.test(cell) ? Number(cell) : Number.NaN
  return Number.isFinite(value) ? value : Number.NaN
}

// Half of a character could not be written and read again.
function limitText(text: string): string {
  return text.slice(0, MOST_CHARACTERS).toWellFormed()
}

function isIdentical(left: Bar, right: Bar): boolean {
  const figures = listFigures(right)
  return listFigures(left).every((value, index) => value === figures[index])
}

function listFigures({ open, high, low, close, volume }: Bar): number[] {
  return [open, high, low, close, volume]
}
