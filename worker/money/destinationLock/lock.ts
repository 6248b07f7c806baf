import { type SQL, sql } from 'drizzle-orm'
import { type DestinationLock, LOCK_HOURS } from '../../../src/contract/money/destinationLock.ts'
import { toIso } from '../../http/paging.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { destinationLocks } from '../../lib/tables/requests.ts'

export const LOCK_MS = LOCK_HOURS * 3_600_000

/** An investor's lock, if it is on at `nowMs`. */
export function readLock(investor: SQL | string, nowMs: number) {
  return selectRows({ onSince: destinationLocks.onSince, offAskedAt: destinationLocks.offAskedAt })
    .from(destinationLocks)
    .where(sql`investor = ${investor} AND ${isLockOn(nowMs)}`)
}

/** SQL: whether the row of `destination_locks` is on at `nowMs`. */
export function isLockOn(nowMs: number): SQL {
  return sql`(off_asked_at IS NULL OR off_asked_at > ${nowMs - LOCK_MS})`
}

export type LockRow = RowOf<typeof readLock>

export function toLock({ onSince, offAskedAt }: LockRow): DestinationLock {
  return { since: toIso(onSince), offFrom: offAskedAt === null ? null : toIso(offAskedAt + LOCK_MS) }
}

/** From when the lock allows an address, in epoch milliseconds: those saved before it at once. Null if it is not saved. */
export function computeUsableFrom({
  onSince,
  savedAt,
}: {
  readonly onSince: number
  readonly savedAt: number | null
}): number | null {
  return savedAt === null ? null : savedAt <= onSince ? savedAt : savedAt + LOCK_MS
}
