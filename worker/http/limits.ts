import { type SQL, sql } from 'drizzle-orm'
import type { Limit } from '../../src/contract/endpoint.ts'
import { buildQuery, type RowQuery } from '../lib/database.ts'
import { refuse } from '../lib/errors.ts'
import { toNetworkAddress } from '../lib/networkAddress.ts'
import { countInWindow } from '../lib/rateCounters.ts'

export interface CounterRow {
  readonly used: number
  readonly window_start: number
}

/** Counts one use by an account. No row without an account. */
export function countForAccount(limit: Limit, account: string | SQL, nowMs: number): RowQuery<CounterRow> {
  return buildQuery(sql`
    INSERT INTO rate_counters (key, window_start, used)
    SELECT ${`${limit.name}:account:`} || id, ${nowMs}, 1 FROM users WHERE id = ${account}
    ${returnCount(limit)}`)
}

/** Counts one use by a key. No row without a key. */
export function countForKey(limit: Limit, key: SQL, nowMs: number): RowQuery<CounterRow> {
  return buildQuery(sql`
    INSERT INTO rate_counters (key, window_start, used)
    SELECT ${`${limit.name}:key:`} || id, ${nowMs}, 1 FROM read_keys WHERE id = ${key}
    ${returnCount(limit)}`)
}

/** Counts one use by a network address (IPv6 by /64). */
export function countForAddress(limit: Limit, address: string, nowMs: number): RowQuery<CounterRow> {
  const key = `${limit.name}:address:${toNetworkAddress(address)}`
  return buildQuery(sql`
    INSERT INTO rate_counters (key, window_start, used) VALUES (${key}, ${nowMs}, 1) ${returnCount(limit)}`)
}

function returnCount({ windowSeconds }: Limit) {
  return sql.raw(`${countInWindow(windowSeconds * 1000)} RETURNING used, window_start`)
}

/** Refuses with 429 and the seconds left if a counter passed its limit. */
export function assertWithin(limit: Limit, counter: CounterRow | undefined, nowMs: number): void {
  if (counter && counter.used > limit.max) {
    refuse('too_many_requests', {
      retryAfterSeconds: Math.ceil((counter.window_start + limit.windowSeconds * 1000 - nowMs) / 1000),
    })
  }
}
