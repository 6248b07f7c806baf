import { DAY_MS } from '../../../src/time.ts'
import { ProviderFailure } from '../market/provider.ts'

/** A UTC day's prices in US dollars, and how many units were traded. */
export interface Bar {
  /** Epoch milliseconds of its 00:00 UTC. */
  readonly day: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** The bars that a provider sent for one asset. */
export interface ReceivedBars {
  /** Closed bars in order, each day once. Days may be missing. */
  readonly closed: readonly Bar[]
  /** Today's bar: its close is the last price. */
  readonly current: Bar | null
  /** The number of malformed rows, and of days sent twice with different prices. */
  readonly dropped: number
}

/** The most rows in one answer. */
const MOST_ROWS = 1000
const MOST_PRICE = 1e15
const MOST_VOLUME = 1e18

/**
 * Reads bars in any order. Drops malformed rows and future days. A bar has closed once a later one is received: an answer
 * cached before midnight still has yesterday's unfinished bar.
 */
export function parseBars(
  rows: unknown,
  barOf: (row: readonly unknown[]) => Bar,
  fromDay: number,
  nowMs: number,
): ReceivedBars {
  if (!Array.isArray(rows)) throw new ProviderFailure('returned no bars')
  if (rows.length > MOST_ROWS) throw new ProviderFailure('returned more bars than requested')
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const byDay = new Map<number, Bar | null>()
  let dropped = 0
  for (const row of rows) {
    const bar = Array.isArray(row) ? barOf(row) : null
    if (bar === null || !isBar(bar) || bar.day > today) {
      dropped++
      continue
    }
    const knownBar = byDay.get(bar.day)
    if (knownBar === undefined) byDay.set(bar.day, bar)
    else if (knownBar === null || !isSameBar(bar, knownBar)) {
      // It is unknown which of the two is right, so the day is requested again.
      byDay.set(bar.day, null)
      dropped++
    }
  }
  const newest = Math.max(...byDay.keys())
  const bars = [...byDay.values()].filter((bar) => bar !== null && bar.day >= fromDay) as Bar[]
  return {
    closed: bars.filter(({ day }) => day < newest).sort((a, b) => a.day - b.day),
    current: bars.find(({ day }) => day === today) ?? null,
    dropped,
  }
}

/** Whether two bars have the same prices. The volume may be corrected later. */
export function isSameBar(bar: Bar, otherBar: Bar): boolean {
  return (['open', 'high', 'low', 'close'] as const).every((price) => bar[price] === otherBar[price])
}

/** A decimal number that came as text, NaN for anything else. */
export function parseDecimal(text: unknown): number {
  return typeof text === 'string' && /^\d{1,20}(?:\.\d{1,20})?$/.test(text) ? Number(text) : Number.NaN
}

/** A JSON number, NaN for anything else. */
export function parseNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN
}

function isBar({ day, open, high, low, close, volume }: Bar): boolean {
  return (
    Number.isSafeInteger(day) &&
    day >= 0 &&
    day % DAY_MS === 0 &&
    low > 0 &&
    low <= Math.min(open, close) &&
    high >= Math.max(open, close) &&
    high < MOST_PRICE &&
    volume >= 0 &&
    volume < MOST_VOLUME
  )
}
