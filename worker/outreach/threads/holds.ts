import { sql } from 'drizzle-orm'
import type { Statement } from '../../lib/database.ts'

/**
 * SQL that brings the cases of whoever has this address back to the queues, because they wrote. It only shows an operator the case again,
 * so the address need not be proven.
 */
export function endHolds(email: string, nowMs: number): Statement {
  return sql`
    UPDATE case_holds SET ended_at = ${nowMs}
    WHERE ended_at IS NULL AND investor = (SELECT id FROM users WHERE email = ${email.toLowerCase()})`
}
