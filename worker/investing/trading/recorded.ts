import { type SQL, sql } from 'drizzle-orm'
import type { Linked, Recorded } from '../../../src/contract/investing/strategyRecord.ts'
import { isoDay } from '../../lib/days.ts'

/** What is public of a valuation, as the table has it. */
export interface ValuationRow {
  readonly format: 1 | 2
  readonly strategy: string
  readonly day: number
  readonly kind: 'open' | 'close'
  readonly unitPrice: number
  readonly priceReturn: number | null
  readonly weights: string
  readonly recordedAt: number
  readonly commitment: string | null
  readonly previous: string
  readonly hash: string
}

/** SQL of a row's public columns, of the valuation `v`. */
export const RECORDED_COLUMNS: SQL = sql`
  v.format, v.strategy, v.day, v.kind, v.unit_price AS unitPrice, v.price_return AS priceReturn, v.weights,
  v.recorded_at AS recordedAt, v.commitment, v.previous, v.hash`

/** The valuation as everybody is told of it; of format 2, as it is hashed. */
export function recordedOf(row: ValuationRow): Recorded | Linked {
  const { format, strategy, kind, unitPrice, priceReturn, weights, recordedAt, commitment, previous, hash } =
    row
  const named = { strategy, day: isoDay(row.day), kind, unitPrice, recordedAt, previous, hash }
  // The weights of an older row are those of its pool, and so not only the rules'.
  if (format === 1) return { ...named, format, return: null, weights: null, commitment: null }
  return {
    ...named,
    format,
    return: priceReturn ?? 0,
    weights: JSON.parse(weights) as Record<string, number>,
    commitment: commitment ?? '',
  }
}
