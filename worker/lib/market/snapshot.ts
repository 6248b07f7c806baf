import { inArray } from 'drizzle-orm'
import type { MarketCoin, TrendingCoin } from '../../../src/contract/investing/market.ts'
import type { Database } from '../database.ts'
import { marketSnapshots } from '../tables/market.ts'
import { SAMPLE_COINS, SAMPLE_TRENDING } from './sample.ts'

/** Received prices that are not yet plausible, by coin. */
export type PendingPrices = Readonly<Record<string, number>>

/** The source while no provider has answered. */
export const SAMPLE_SOURCE = 'sample'

/** The last stored version of one list of the market. */
export interface Snapshot<T> {
  readonly rows: readonly T[]
  /** The service that sent it, or `sample`. */
  readonly source: string
  readonly atMs: number
  /** Received prices that are not plausible yet. */
  readonly held: PendingPrices
}

export interface Market {
  readonly coins: Snapshot<MarketCoin>
  readonly trending: Snapshot<TrendingCoin>
}

/** The market that everybody sees: the stored snapshot, else the bundled sample. One round trip. */
export async function loadMarketSnapshot({
  db,
  nowMs,
}: {
  readonly db: Database
  readonly nowMs: number
}): Promise<Market> {
  return toMarket(await readMarket(db), nowMs)
}

/** The read behind `readMarket`, for a batch. */
export function readMarket(db: Database) {
  return db
    .select()
    .from(marketSnapshots)
    .where(inArray(marketSnapshots.name, ['coins', 'trending']))
}

/** The rows of `readMarket` as a market. The sample is always current. */
export function toMarket(rows: readonly (typeof marketSnapshots.$inferSelect)[], nowMs: number): Market {
  const getSnapshot = <T>(name: 'coins' | 'trending', sample: readonly T[]): Snapshot<T> => {
    const row = rows.find((snapshotRow) => snapshotRow.name === name)
    return row === undefined
      ? { rows: sample, source: SAMPLE_SOURCE, atMs: nowMs, held: {} }
      : {
          rows: parseJson<T[]>(row.body),
          source: row.source,
          atMs: row.at,
          held: parseJson<PendingPrices>(row.held),
        }
  }
  return { coins: getSnapshot('coins', SAMPLE_COINS), trending: getSnapshot('trending', SAMPLE_TRENDING) }
}

// A snapshot was checked against the contract before it was stored.
function parseJson<T>(json: string): T {
  return JSON.parse(json) as T
}
