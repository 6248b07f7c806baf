import { at } from '../../../engine/at.ts'
import type { Candles, Market } from '../../../engine/market/market.ts'
import type { Standing } from '../../../engine/run.ts'
import { DAY_MS } from '../../../src/time.ts'
import type { Database } from '../../lib/database.ts'
import { getUnlimitedDatabase } from '../../lib/workBudget.ts'
import { toCandles } from './columns.ts'
import type { Bar } from './parse.ts'
import { buildMarketFromBars, type Newest, readBars, readCandles } from './read.ts'

/** What an instance of the Worker has read of one database. */
interface MarketCache {
  readonly markets: Map<string, Market>
  /** The bars of single assets, for markets that share them. */
  readonly bars: Map<string, readonly Bar[]>
}

// Stored bars never change, so an instance of the Worker reads each only once from its database.
const kept = new WeakMap<D1Database, MarketCache>()

// The states of the runs on a market. A market with more bars shares them with the one that it continues.
const standings = new WeakMap<Market, Map<string, Standing>>()

/** The states of the runs on a market, by the runs' keys. */
export function getStandings(market: Market): Map<string, Standing> {
  const known = standings.get(market) ?? new Map<string, Standing>()
  standings.set(market, known)
  return known
}

/** Lets the runs on a market continue on `longer`, which begins with the same bars. Returns `longer`. */
export function bindStandings<Longer extends Market>(market: Market, longer: Longer): Longer {
  standings.set(longer, getStandings(market))
  return longer
}

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
  const binding = getUnlimitedDatabase(db.$client)
  const { markets, bars } = kept.get(binding) ?? { markets: new Map(), bars: new Map() }
  kept.set(binding, { markets, bars })
  const key = JSON.stringify([market, assets])
  const known = markets.get(key)
  const following = known === undefined ? null : await readExtendedMarket(db, market, known, untilDay, newest)
  // Bars that are not as stored any more are read again.
  if (known !== undefined && following === null) bars.clear()
  const read = following ?? (await readWhole(db, bars, market, assets, untilDay))
  markets.set(key, read)
  return read
}

/** Reads all bars of the assets, except those that another market has read until that day. */
async function readWhole(
  db: Database,
  kept: MarketCache['bars'],
  market: string,
  assets: readonly string[],
  untilDay: number,
): Promise<Market> {
  const buildBarsKey = (asset: string) => JSON.stringify([market, asset])
  const missing = assets.filter((asset) => kept.get(buildBarsKey(asset))?.at(-1)?.day !== untilDay - DAY_MS)
  const read = missing.length === 0 ? new Map() : await readBars(db, market, missing, 0, untilDay)
  for (const [asset, bars] of read) kept.set(buildBarsKey(asset), bars)
  const bars = new Map(assets.map((asset) => [asset, kept.get(buildBarsKey(asset)) ?? []]))
  return buildMarketFromBars(bars, { market, assets, fromMs: null, untilMs: untilDay })
}

/**
 * Known bars and those stored since. Null if the newest known bar is no longer stored like that, as after restoring a backup, or
 * is not before the day.
 */
async function readExtendedMarket(
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
    findNewestBars(newest, known.assets, lastDay, untilDay) ??
    (await readCandles(db, market, known.assets, lastDay, untilDay))
  const isSame = known.candles.every((columns, asset) =>
    COLUMNS.every((name) => columns[name][last] === newer.candles[asset]?.[name][0]),
  )
  if (!isSame) return null
  if (newer.time.length === 1) return known
  const time = joinColumns(known.time, newer.time)
  return bindStandings(known, {
    ...known,
    time,
    candles: known.candles.map((columns, asset): Candles => {
      const following = newer.candles[asset] ?? columns
      const column = (name: (typeof COLUMNS)[number]) => joinColumns(columns[name], following[name])
      return {
        time,
        open: column('open'),
        high: column('high'),
        low: column('low'),
        close: column('close'),
        volume: column('volume'),
      }
    }),
  })
}

/** The bars from a day on; null if some of them are not among the newest. */
function findNewestBars(
  newest: Newest['closed'],
  assets: readonly string[],
  fromDay: number,
  untilDay: number,
): Pick<Market, 'time' | 'candles'> | null {
  const days = (untilDay - fromDay) / DAY_MS
  const bars = assets.map((asset) => (newest.get(asset) ?? []).filter(({ day }) => day >= fromDay))
  if (bars.some((assetBars) => assetBars.length !== days)) return null
  const candles = bars.map(toCandles)
  return { time: candles[0]?.time ?? new Float64Array(), candles }
}

const COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const

/** The first column, and the second one after its first value, which both have. */
function joinColumns(first: Float64Array, second: Float64Array): Float64Array {
  const both = new Float64Array(first.length + second.length - 1)
  both.set(first)
  both.set(second.subarray(1), first.length)
  return both
}
