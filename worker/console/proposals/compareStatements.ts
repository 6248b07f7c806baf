import { type SQL, sql } from 'drizzle-orm'
import { formatIsoDay } from '../../lib/days.ts'

/** The table with its columns, for an insertion. */
export const RECONCILIATION = sql`reconciliations (day, place, books, proven, proven_at, at)`

/** SQL of the books of a place at a time, in the smallest unit of its asset. */
export function selectBooks(place: SQL, at: SQL): SQL {
  return sql`coalesce((
    SELECT balance FROM place_entries WHERE place = ${place} AND at <= ${at} ORDER BY at DESC, seq DESC LIMIT 1), 0)`
}

/**
 * Compares the newest statement of each place `l` under a condition with the books at its time, unless that was done. The row has the
 * statement's day, so that statements of several days can be compared on one day. A corrected statement has the day of the comparison,
 * and waits for the next day if that is taken.
 */
export function compareStatements(nowMs: number, where: SQL): SQL {
  const day = formatIsoDay(nowMs)
  const statementDay = sql`date(s.at / 1000, 'unixepoch')`
  return sql`INSERT INTO ${RECONCILIATION}
    SELECT iif(r.day >= ${statementDay}, ${day}, ${statementDay}), l.id, ${selectBooks(sql`l.id`, sql`s.at`)}, s.units, s.at, ${nowMs}
    FROM custody_places l
      JOIN custody_statements s ON s.proposal = (
        SELECT proposal FROM custody_statements WHERE place = l.id ORDER BY at DESC, decided_at DESC LIMIT 1)
      LEFT JOIN reconciliations r ON r.place = l.id AND r.day = (SELECT max(day) FROM reconciliations WHERE place = l.id)
    WHERE ${where} AND (r.at IS NULL OR (r.day < ${day} AND r.at < s.decided_at))`
}
