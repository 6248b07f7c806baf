import { eq, sql } from 'drizzle-orm'
import { buildMarket } from '../../../engine/market/align.ts'
import { type Market, MarketError } from '../../../engine/market/market.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Database, prepare, readTogether, selectRows } from '../../lib/database.ts'
import { candles, currentCandles } from '../../lib/tables/market.ts'
import { toCandles } from './columns.ts'
import type { Bar } from './parse.ts'

const { day, open, high, low, close, volume } = candles
/** The columns of a stored bar. */
export const BAR = { day, open, high, low, close, volume }

/** Needed bars are not stored. No strategy may trade on the remaining bars. */
export class MissingCandles extends Error {
  constructor(what: string) {
    super(`E_CANDLES_MISSING ${what}`)
  }
}

/**
 * Reads stored daily bars of a market's assets, in the given order: bars that opened at `fromMs` or later and closed by `untilMs`.
 * Null starts on the first day that all assets have. Throws `MissingCandles` if an asset lacks any of these days. One query.
 */
export async function readCandles(
  db: Database,
  market: string,
  assets: readonly string[],
  fromMs: number | null,
  untilMs: number,
): Promise<Market> {
  return buildMarketFromBars(await readBars(db, market, assets, fromMs ?? 0, untilMs), {
    market,
    assets,
    fromMs,
    untilMs,
  })
}

/** Reads each asset's stored bars that opened at `fromMs` or later and closed by `untilMs`, in one query. */
export async function readBars(
  db: Database,
  market: string,
  assets: readonly string[],
  fromMs: number,
  untilMs: number,
): Promise<Map<string, Bar[]>> {
  const rows = await prepare(
    db,
    sql`
      SELECT asset, day, open, high, low, close, volume FROM candles
      WHERE market = ${market} AND asset IN (SELECT value FROM json_each(${JSON.stringify(assets)}))
        AND day >= ${fromMs} AND day < ${toDayStart(untilMs)}
      ORDER BY asset, day`,
  ).raw<Row>()
  const bars = new Map<string, Bar[]>(assets.map((asset) => [asset, []]))
  for (const [asset, day, open, high, low, close, volume] of rows)
    bars.get(asset)?.push({ day, open, high, low, close, volume })
  return bars
}

interface CandleRange {
  readonly market: string
  readonly assets: readonly string[]
  readonly fromMs: number | null
  readonly untilMs: number
}

/** Bars by asset as one market, like `readCandles`. */
export function buildMarketFromBars(
  byAsset: ReadonlyMap<string, readonly Bar[]>,
  { market, assets, fromMs, untilMs }: CandleRange,
): Market {
  const firstDays = assets.map((asset) => byAsset.get(asset)?.[0]?.day ?? Number.POSITIVE_INFINITY)
  const firstDay = fromMs === null ? Math.max(...firstDays) : Math.ceil(fromMs / DAY_MS) * DAY_MS
  const days = (toDayStart(untilMs) - firstDay) / DAY_MS
  const named = assets.map((asset) => {
    const bars = (byAsset.get(asset) ?? []).filter(({ day }) => day >= firstDay)
    if (bars.length !== days || days < 1)
      throw new MissingCandles(`${market} ${asset}: ${bars.length} of ${days} days`)
    return { asset, candles: toCandles(bars) }
  })
  try {
    return buildMarket(named, DAY_MS)
  } catch (error) {
    throw error instanceof MarketError ? new MissingCandles(`${market}: ${error.message}`) : error
  }
}

function toDayStart(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}

/** An asset's prices of the current day. */
export interface Current {
  /** Epoch milliseconds of its 00:00 UTC. */
  readonly day: number
  readonly open: number
  readonly last: number
  /** When the last price arrived. */
  readonly atMs: number
}

const CURRENT = {
  asset: currentCandles.asset,
  day: currentCandles.day,
  open: currentCandles.open,
  last: currentCandles.last,
  atMs: currentCandles.at,
}

/** The current bar of each asset that has one. It may be from an earlier day while its market does not answer. */
export async function readCurrent(
  db: Database,
  market: string,
  assets: readonly string[],
): Promise<ReadonlyMap<string, Current>> {
  const rows = await db
    .select(CURRENT)
    .from(currentCandles)
    .where(sql`market = ${market} AND asset IN (SELECT value FROM json_each(${JSON.stringify(assets)}))`)
  return new Map(rows.map(({ asset, ...current }) => [asset, current]))
}

/** A market's newest prices, by asset. */
export interface Newest {
  /** Its closed bars of the last `NEWEST_DAYS` days. */
  readonly closed: ReadonlyMap<string, readonly Bar[]>
  readonly current: ReadonlyMap<string, Current>
}

const NEWEST_DAYS = 2

/** Reads the newest prices of all of a market's assets before a day (epoch milliseconds of its 00:00 UTC), in one round trip. */
export async function readNewest(db: Database, market: string, untilDay: number): Promise<Newest> {
  const [closed, current] = await readTogether(
    db,
    // CROSS JOIN keeps this order: one look-up for each asset.
    selectRows({ asset: candles.asset, ...BAR })
      .from(currentCandles)
      .crossJoin(candles)
      .where(sql`current_candles.market = ${market} AND candles.market = current_candles.market
        AND candles.asset = current_candles.asset
        AND candles.day >= ${untilDay - NEWEST_DAYS * DAY_MS} AND candles.day < ${untilDay}`)
      .orderBy(currentCandles.asset, candles.day),
    selectRows(CURRENT).from(currentCandles).where(eq(currentCandles.market, market)),
  )
  return {
    closed: Map.groupBy(closed, ({ asset }) => asset),
    current: new Map(current.map(({ asset, ...prices }) => [asset, prices])),
  }
}

/**
 * Each asset's opening price on a day, in the given order, from its closed or its current bar. Null if any of them is unknown.
 */
export async function readOpens(
  db: Database,
  market: string,
  assets: readonly string[],
  day: number,
): Promise<Float64Array | null> {
  const [rows] = await readTogether(
    db,
    selectRows({
      open: sql<number | null>`coalesce(
        (SELECT open FROM candles WHERE market = ${market} AND asset = value AND day = ${day}),
        (SELECT open FROM current_candles WHERE market = ${market} AND asset = value AND day = ${day}))`,
    })
      .from(sql`json_each(${JSON.stringify(assets)})`)
      .orderBy(sql`key`),
  )
  const opens = rows.flatMap(({ open }) => open ?? [])
  return opens.length < rows.length ? null : Float64Array.from(opens)
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
