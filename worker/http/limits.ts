import type { Limit } from '../../src/contract/endpoint.ts'
import { refuse } from '../lib/errors.ts'
import { toNetworkAddress } from '../lib/networkAddress.ts'
import { countInWindow } from '../lib/rateCounters.ts'
import { LIVE_SESSION, listSessionValues, type SessionKey } from './actor.ts'
import { refuseIfSql } from './firstTrip.ts'

// The limit comes from the contract, never from a client, so it is safe in SQL.
const countUseSql = ({ windowSeconds, max }: Limit, guarded: boolean) =>
  `${countInWindow(windowSeconds * 1000)} RETURNING used, window_start ${refuseIfSql(`used > ${max}`, guarded)}`

/** Counts one use by the account of a live session. No row without a session. */
export function countForSession(
  binding: D1Database,
  limit: Limit,
  key: SessionKey,
  nowMs: number,
  guarded: boolean,
): D1PreparedStatement {
  return binding
    .prepare(
      `INSERT INTO rate_counters (key, window_start, used)
       SELECT ?6 || s.user_id, ?3, 1 FROM sessions s WHERE ${LIVE_SESSION} ${countUseSql(limit, guarded)}`,
    )
    .bind(...listSessionValues(key, nowMs), `${limit.name}:account:`)
}

/** Counts one use by a network address (IPv6 by /64). */
export function countForAddress(
  binding: D1Database,
  limit: Limit,
  address: string,
  nowMs: number,
  guarded: boolean,
): D1PreparedStatement {
  return binding
    .prepare(
      `INSERT INTO rate_counters (key, window_start, used) VALUES (?1, ?2, 1) ${countUseSql(limit, guarded)}`,
    )
    .bind(`${limit.name}:address:${toNetworkAddress(address)}`, nowMs)
}

interface CounterRow {
  used: number
  window_start: number
}

/** Refuses with 429 and the seconds left if a counter passed its limit. */
export function assertWithin(limit: Limit, counted: D1Result | undefined, nowMs: number): void {
  const row = counted?.results[0] as CounterRow | undefined
  if (row && row.used > limit.max) {
    refuse('too_many_requests', {
      retryAfterSeconds: Math.ceil((row.window_start + limit.windowSeconds * 1000 - nowMs) / 1000),
    })
  }
}
