import { sql } from 'drizzle-orm'
import type { OrderKind } from '../../../src/contract/investing/allocations.ts'
import { type Read, reading } from '../../lib/database.ts'

/** How many orders of a kind an investor has pending: at most 20. */
export function countPending(investor: string, kind: OrderKind): Read<{ count: number }> {
  return reading<{ count: number }>(
    sql`SELECT count(*) AS count FROM unit_orders WHERE investor = ${investor} AND kind = ${kind} AND status = 'pending'`,
  )
}
