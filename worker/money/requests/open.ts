import { sql } from 'drizzle-orm'
import { MAX_OPEN_REQUESTS } from '../../../src/contract/money/transactions.ts'
import { type Read, reading } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'

/** How many requests of a queue an investor has open, and what they amount to. */
export interface Open {
  readonly open: number
  readonly cents: number
}

/** Counts an investor's open requests of a queue over the partial index `requests_open`, whose terms it repeats. */
export function countOpen(investor: string, queue: 'deposits' | 'withdrawals'): Read<Open> {
  return reading<Open>(sql`
    SELECT count(*) AS open, coalesce(sum(amount), 0) AS cents FROM requests
    WHERE investor = ${investor} AND queue = ${queue}
      AND status IN ('pending', 'approved') AND NOT (queue = 'deposits' AND status = 'approved')`)
}

/** Refuses one request too many. */
export function assertMayOpen(rows: readonly { open: number }[]): void {
  if ((rows[0]?.open ?? 0) >= MAX_OPEN_REQUESTS) refuse('too_many_open')
}
