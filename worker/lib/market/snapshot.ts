import { inArray } from 'drizzle-orm'
import * as z from 'zod/mini'
import {
  type MarketCoin,
  marketCoin,
  type TrendingCoin,
  trendingCoin,
} from '../../../src/contract/investing/market.ts'
import { type Database, parseStored } from '../database.ts'
import { marketSnapshots } from '../tables/market.ts'
import { SAMPLE_COINS, SAMPLE_TRENDING } from './sample.ts'

/** Received prices that are not yet plausible, by coin. */
const pendingPrices = z.record(z.string(), z.number())
export type PendingPrices = Readonly<z.output<typeof pendingPrices>>

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
  const getSnapshot = <T>(
    name: 'coins' | 'trending',
    schema: z.ZodMiniType<T>,
    sample: readonly T[],
  ): Snapshot<T> => {
    const row = rows.find((snapshotRow) => snapshotRow.name === name)
    if (row === undefined) return { rows: sample, source: SAMPLE_SOURCE, atMs: nowMs, held: {} }
    const { body, source, at: atMs, held } = row
    return { rows: parseStored(z.array(schema), body), source, atMs, held: parseStored(pendingPrices, held) }
  }
  return {
    coins: getSnapshot('coins', marketCoin, SAMPLE_COINS),
    trending: getSnapshot('trending', trendingCoin, SAMPLE_TRENDING),
  }
}
