import { at } from '../../../engine/at.ts'
import type { Candles, Market } from '../../../engine/market.ts'
import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import type { Database } from '../../lib/database.ts'
import { columnsOf } from './columns.ts'
import { type Newest, readCandles } from './read.ts'

// Stored bars never change, so an instance of the Worker reads each only once from its database.
const kept = new WeakMap<D1Database, Map<string, Market>>()

/**
 * All closed bars of a market's assets before a day (epoch milliseconds of its 00:00 UTC), from the first day that all have.
 * Returns the same object until there are new bars. Does not read again what `newest` has. Throws `MissingCandles` as `readCandles`
 * does.
 */
export async function readClosed(
  db: Database,
  market: string,
  assets: readonly string[],
  untilDay: number,
  newest?: Newest['closed'],
): Promise<Market> {
  const markets = kept.get(db.$client) ?? new Map<string, Market>()
  kept.set(db.$client, markets)
  const key = JSON.stringify([market, assets])
  const known = markets.get(key)
  const read =
    (known === undefined ? null : await continued(db, market, known, untilDay, newest)) ??
    (await readCandles(db, market, assets, null, untilDay))
  markets.set(key, read)
  return read
}

/**
 * Known bars and those stored since. Null if the newest known bar is no longer stored like that, as after restoring a backup, or
 * is not before the day.
 */
async function continued(
  db: Database,
  market: string,
  known: Market,
  untilDay: number,
  newest: Newest['closed'] = new Map(),
): Promise<Market | null> {
  const last = known.time.length - 1
  const lastDay = at(known.time, last)
  if (lastDay >= untilDay) return null
  const newer =
    newestBars(newest, known.assets, lastDay, untilDay) ??
    (await readCandles(db, market, known.assets, lastDay, untilDay))
  const isSame = known.candles.every((columns, asset) =>
    COLUMNS.every((name) => columns[name][last] === newer.candles[asset]?.[name][0]),
  )
  if (!isSame) return null
  if (newer.time.length === 1) return known
  const time = joined(known.time, newer.time)
  return {
    ...known,
    time,
    candles: known.candles.map((columns, asset): Candles => {
      const following = newer.candles[asset] ?? columns
      const column = (name: (typeof COLUMNS)[number]) => joined(columns[name], following[name])
      return {
        time,
        open: column('open'),
        high: column('high'),
        low: column('low'),
        close: column('close'),
        volume: column('volume'),
      }
    }),
  }
}

/** The bars from a day on; null if some of them are not among the newest. */
function newestBars(
  newest: Newest['closed'],
  assets: readonly string[],
  fromDay: number,
  untilDay: number,
): Pick<Market, 'time' | 'candles'> | null {
  const days = (untilDay - fromDay) / DAY_MS
  const bars = assets.map((asset) => (newest.get(asset) ?? []).filter(({ day }) => day >= fromDay))
  if (bars.some((each) => each.length !== days)) return null
  const candles = bars.map(columnsOf)
  return { time: candles[0]?.time ?? new Float64Array(), candles }
}

const COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const

/** The first column, and the second one after its first value, which both have. */
function joined(first: Float64Array, second: Float64Array): Float64Array {
  const both = new Float64Array(first.length + second.length - 1)
  both.set(first)
  both.set(second.subarray(1), first.length)
  return both
}
