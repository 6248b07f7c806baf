import { DAY_MS } from '../../../src/time.ts'
import type { World } from '../lane/world.ts'
import type { Model } from '../model.ts'

/** What the rules look at: the platform, the model, and how far the last check read. */
export interface Checked {
  readonly world: World
  readonly model: Model
  /** The last row that was checked before; 0 in the last check of a run, which reads everything. */
  readonly after: Readonly<Record<Journal, number>>
  /** Epoch milliseconds before which everything was checked; 0 in the last check of a run. */
  readonly afterMs: number
  /** Whether the run is over: failures have stopped, and everybody had time to finish. */
  readonly isLast: boolean
}

/** Tables that only grow. Their new rows are checked each week, all rows once at the end. */
export const JOURNALS = [
  'transfers',
  'requests',
  'custody_entries',
  'unit_movements',
  'unit_orders',
  'pool_fills',
  'proposals',
  'audit_log',
  'outbox',
] as const
export type Journal = (typeof JOURNALS)[number]

/** A promise of the platform. Returns what breaks it, or null. It reads the database past the Worker. */
export type Rule = (at: Checked) => Promise<string | null>
export type Rules = Readonly<Record<string, Rule>>

/** Rows of a query that must find none. */
export function none(sql: string): Rule {
  return async ({ world }) => foundIn(await world.database.rows(sql))
}

/** Rows of a query about a journal's new rows, which must find none. `?1` is the last row that was checked before. */
export function noneSince(journal: Journal, sql: string): Rule {
  return async ({ world, after }) => foundIn(await world.database.rows(sql, after[journal]))
}

/** The same about what happened since a time. `?1` is that time. */
export function noneSinceTime(sql: string): Rule {
  return async ({ world, afterMs }) => foundIn(await world.database.rows(sql, afterMs))
}

/** A rule that holds once the run is over. */
export function atLast(rule: Rule): Rule {
  return async (at) => (at.isLast ? rule(at) : null)
}

/** The first findings as one line; null for none. */
function foundIn(rows: readonly unknown[]): string | null {
  return rows.length === 0 ? null : JSON.stringify(rows.slice(0, 3))
}

/**
 * Before this time, everything that cron does must be done. It runs around midnight and at noon, and a later run repeats what
 * failed. In a storm of failures, most runs do not reach their end.
 */
export function overdueMs({ world, isLast }: Checked): number {
  return world.now() - (isLast || world.isCalm() ? 1.5 : 14) * DAY_MS
}
