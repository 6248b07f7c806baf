import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../src/time.ts'

/** Milliseconds of a day in a statement. D1 binds a number as REAL, and a division by it would keep its fraction. */
export const DAY_MS_SQL = sql.raw(String(DAY_MS))

/** A time's date in UTC, ISO 8601: 2026-11-21. */
export function formatIsoDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
