import type { Limit } from '../../src/contract/endpoint.ts'
import { refuse } from '../lib/errors.ts'
import { networkOf } from '../lib/networkOf.ts'
import { countInWindow } from '../lib/rateCounters.ts'
import { IDLE_MS, LIVE_SESSION, type SessionKey } from './actor.ts'

// The window comes from the contract, never from a client, so it is safe in SQL.
const upsert = (limit: Limit) => `${countInWindow(limit.windowSeconds * 1000)} RETURNING used, window_start`

/** Counts one use by the account of a live session, in the session's batch. No row without a session. */
export function countForSession(
  binding: D1Database,
  limit: Limit,
  key: SessionKey,
  nowMs: number,
): D1PreparedStatement {
  return binding
    .prepare(
      `INSERT INTO rate_counters (key, window_start, used)
       SELECT ?5 || s.user_id, ?3, 1 FROM sessions s WHERE ${LIVE_SESSION} ${upsert(limit)}`,
    )
    .bind(key.id, key.secretHash, nowMs, nowMs - IDLE_MS, `${limit.name}:account:`)
}

/** Counts one use by a network address (IPv6 by /64) and refuses above the limit. One round trip. */
export async function countForAddress(
  binding: D1Database,
  limit: Limit,
  address: string,
  nowMs: number,
): Promise<void> {
  const row = await binding
    .prepare(`INSERT INTO rate_counters (key, window_start, used) VALUES (?1, ?2, 1) ${upsert(limit)}`)
    .bind(`${limit.name}:address:${networkOf(address)}`, nowMs)
    .first<CounterRow>()
  assertWithin(limit, row, nowMs)
}

export interface CounterRow {
  used: number
  window_start: number
}

/** Refuses with 429 and the seconds left if a counter passed its limit. */
export function assertWithin(limit: Limit, row: CounterRow | null | undefined, nowMs: number): void {
  if (row && row.used > limit.max) {
    refuse('too_many_requests', {
      retryAfterSeconds: Math.ceil((row.window_start + limit.windowSeconds * 1000 - nowMs) / 1000),
    })
  }
}
