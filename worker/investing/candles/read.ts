import { sql } from 'drizzle-orm'
import { align } from '../../../engine/align.ts'
import { emptyCandles } from '../../../engine/candlesCsv.ts'
import { type Market, MarketError } from '../../../engine/market.ts'
import { DAY_MS } from '../../../engine/metrics/dailyEquity.ts'
import { type Database, prepare } from '../../lib/database.ts'

/** Bars that are needed and not stored: nothing may be traded by what is there without them. */
export class MissingCandles extends Error {
  constructor(what: string) {
    super(`E_CANDLES_MISSING ${what}`)
  }
}

/**
 * The stored daily bars of a market's assets, in the order asked for: those that opened at `fromMs` or later and have closed by
 * `untilMs`; null begins with the first day that all of them have. Throws `MissingCandles` where a day is not there for one
 * of them, the first and the last included. One read, whose rows are the bars.
 */
export async function readCandles(
  db: Database,
  market: string,
  assets: readonly string[],
  fromMs: number | null,
  untilMs: number,
): Promise<Market> {
  const untilDay = Math.floor(untilMs / DAY_MS) * DAY_MS
  const rows = await prepare(
    db,
    sql`
      SELECT asset, day, open, high, low, close, volume FROM candles
      WHERE market = ${market} AND asset IN (SELECT value FROM json_each(${JSON.stringify(assets)}))
        AND day >= ${fromMs ?? 0} AND day < ${untilDay}
      ORDER BY asset, day`,
  ).raw<Row>()
  const byAsset = Map.groupBy(rows, ([asset]) => asset)
  const firstDays = assets.map((asset) => byAsset.get(asset)?.[0]?.[1] ?? Number.POSITIVE_INFINITY)
  const firstDay = fromMs === null ? Math.max(...firstDays) : Math.ceil(fromMs / DAY_MS) * DAY_MS
  const days = (untilDay - firstDay) / DAY_MS
  const named = assets.map((asset) => {
    const bars = (byAsset.get(asset) ?? []).filter(([, day]) => day >= firstDay)
    if (bars.length !== days || days < 1)
      throw new MissingCandles(`${market} ${asset}: ${bars.length} of ${days} days`)
    return { asset, candles: columnsOf(bars) }
  })
  try {
    return align(named, DAY_MS)
  } catch (error) {
    throw error instanceof MarketError ? new MissingCandles(`${market}: ${error.message}`) : error
  }
}

/** What is known of the day that is going on. */
export interface Current {
  /** Epoch milliseconds of its 00:00 UTC. */
  readonly day: number
  readonly open: number
  readonly last: number
  /** When the last price was told. */
  readonly atMs: number
}

/** The current bar of each asset that one is known of, which may be a former day's while its market does not answer. */
export async function readCurrent(
  db: Database,
  market: string,
  assets: readonly string[],
): Promise<ReadonlyMap<string, Current>> {
  const rows = await db.all<Current & { asset: string }>(sql`
      SELECT asset, day, open, last, at AS atMs FROM current_candles
      WHERE market = ${market} AND asset IN (SELECT value FROM json_each(${JSON.stringify(assets)}))`)
  return new Map(rows.map(({ asset, ...current }) => [asset, current]))
}

/**
 * What each asset opened at on a day, in the order asked for: of its closed bar, or of the current one. Null while that of one
 * of them is not known.
 */
export async function readOpens(
  db: Database,
  market: string,
  assets: readonly string[],
  day: number,
): Promise<Float64Array | null> {
  const rows = await db.all<{ asset: string; open: number }>(sql`
      SELECT value AS asset, COALESCE(
        (SELECT open FROM candles WHERE market = ${market} AND asset = value AND day = ${day}),
        (SELECT open FROM current_candles WHERE market = ${market} AND asset = value AND day = ${day})
      ) AS open
      FROM json_each(${JSON.stringify(assets)}) ORDER BY key`)
  return rows.some(({ open }) => open === null) ? null : Float64Array.from(rows, ({ open }) => open)
}

type Row = [
  asset: string,
  day: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
]

function columnsOf(bars: readonly Row[]) {
  const columns = emptyCandles(bars.length)
  for (const [bar, [, day, open, high, low, close, volume]] of bars.entries()) {
    columns.time[bar] = day
    columns.open[bar] = open
    columns.high[bar] = high
    columns.low[bar] = low
    columns.close[bar] = close
    columns.volume[bar] = volume
  }
  return columns
}
