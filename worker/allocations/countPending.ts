import { sql } from 'drizzle-orm'
import { type Read, reading } from '../lib/database.ts'

/** How many orders an investor has pending: at most 20. */
export function countPending(investor: string): Read<{ count: number }> {
  return reading<{ count: number }>(
    sql`SELECT count(*) AS count FROM unit_orders WHERE investor = ${investor} AND status = 'pending'`,
  )
}
