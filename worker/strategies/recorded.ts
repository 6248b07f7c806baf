import { type SQL, sql } from 'drizzle-orm'
import type { Recorded } from '../../src/contract/strategyRecord.ts'
import { dayOf } from './readStrategies.ts'

/** A valuation as the table has it. */
export interface ValuationRow extends Omit<Recorded, 'day' | 'weights'> {
  readonly day: number
  readonly weights: string
}

/** SQL of a row's columns, of the valuation `v`. */
export const RECORDED_COLUMNS: SQL = sql`
  v.strategy, v.day, v.kind, v.unit_price AS unitPrice, v.issue_price AS issuePrice, v.redeem_price AS redeemPrice, v.weights,
  v.recorded_at AS recordedAt, v.previous, v.hash`

/** The valuation as it is hashed and told to everybody. */
export function recordedOf(row: ValuationRow): Recorded {
  const { strategy, kind, unitPrice, issuePrice, redeemPrice, recordedAt, previous, hash } = row
  return {
    strategy,
    day: dayOf(row.day),
    kind,
    unitPrice,
    issuePrice,
    redeemPrice,
    weights: JSON.parse(row.weights) as Record<string, number>,
    recordedAt,
    previous,
    hash,
  }
}
