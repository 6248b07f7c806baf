import { sql } from 'drizzle-orm'
import { type DecisionKind, FEWEST_DECISIONS } from '../../../src/contract/money/decisionTimes.ts'
import { DAY_MS } from '../../../src/time.ts'
import { type Database, runBatch } from '../../lib/database.ts'
import { decisionTimes } from '../../lib/tables/requests.ts'

const WINDOW_DAYS = 90
/** The most events, documents and messages per measurement, newest first. */
const MOST_READ = 50_000

const KINDS: readonly DecisionKind[] = ['deposits', 'withdrawals', 'payouts', 'identity', 'messages']

/**
 * Measures once a day (UTC) how long decisions took. It covers the 90 days up to the last midnight, so that the figures do not
 * depend on the time of the run.
 *
 * A time runs from filing to the decision: a deposit credited or rejected, a withdrawal approved or rejected, a withdrawal recorded
 * as paid, a document approved or rejected, a message first answered or closed. Cancellations by the owner, reversals, and rejections after an
 * approval do not count. Neither do decisions of the practice reviewer. Of n times in ascending order, the median is number ⌈n/2⌉ and the 95th percentile number ⌈95n/100⌉: the
 * nearest-rank method (https://en.wikipedia.org/wiki/Percentile#The_nearest-rank_method), which gives a time that occurred.
 * Fewer than 20 times give no figure. Of more than 50,000 events only the newest count, and the window starts with them.
 */
export async function measureDecisionTimes(db: Database, nowMs: number): Promise<void> {
  const untilMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  const sinceMs = untilMs - WINDOW_DAYS * DAY_MS
  const [measured] = await db.select().from(decisionTimes).limit(1)
  if (measured?.until === untilMs) return
  await runBatch(db, [db.delete(decisionTimes), insertMeasured(sinceMs, untilMs)])
}

function insertMeasured(sinceMs: number, untilMs: number) {
  const matchWindow = (column: string) =>
    sql`${sql.raw(column)} >= ${sinceMs} AND ${sql.raw(column)} < ${untilMs}`
  return sql`
    INSERT INTO decision_times (kind, since, until, decisions, median_ms, p95_ms)
    WITH
      events AS MATERIALIZED (
        SELECT request, status, at FROM request_events
        WHERE ${matchWindow('at')} AND actor <> 'practice' ORDER BY at DESC LIMIT ${MOST_READ}),
      documents AS MATERIALIZED (
        SELECT decided_at AS at, created_at FROM kyc_submissions
        WHERE decided_at IS NOT NULL AND ${matchWindow('decided_at')} AND decided_by IS NOT 'practice'
        ORDER BY decided_at DESC LIMIT ${MOST_READ}),
      answered AS MATERIALIZED (
        SELECT handled_at AS at, created_at FROM contact_messages
        WHERE handled_at IS NOT NULL AND asked_by IS NULL AND ${matchWindow('handled_at')} ORDER BY handled_at DESC LIMIT ${MOST_READ}),
      taken (kind, took) AS (
        SELECT CASE WHEN r.queue = 'deposits' THEN 'deposits' WHEN e.status = 'completed' THEN 'payouts' ELSE 'withdrawals' END,
          e.at - r.created_at
        FROM events e JOIN requests r ON r.id = e.request
        WHERE e.status IN ('approved', 'completed') OR e.status = 'rejected' AND NOT EXISTS (
          SELECT 1 FROM request_events f WHERE f.request = e.request AND f.status = 'approved')
        UNION ALL SELECT 'identity', at - created_at FROM documents
        UNION ALL SELECT 'messages', at - created_at FROM answered),
      ranked AS (
        SELECT kind, took, count(*) OVER (PARTITION BY kind) AS n,
          row_number() OVER (PARTITION BY kind ORDER BY took) AS place
        FROM taken),
      begun (source, at) AS (
        SELECT 'requests', min(at) FROM events HAVING count(*) = ${MOST_READ}
        UNION ALL SELECT 'identity', min(at) FROM documents HAVING count(*) = ${MOST_READ}
        UNION ALL SELECT 'messages', min(at) FROM answered HAVING count(*) = ${MOST_READ})
    SELECT k.value,
      coalesce((SELECT b.at FROM begun b
        WHERE b.source = CASE WHEN k.value IN ('identity', 'messages') THEN k.value ELSE 'requests' END), ${sinceMs}),
      ${untilMs}, count(r.took),
      max(CASE WHEN r.n >= ${FEWEST_DECISIONS} AND r.place = (r.n + 1) / 2 THEN r.took END),
      max(CASE WHEN r.n >= ${FEWEST_DECISIONS} AND r.place = (r.n * 95 + 99) / 100 THEN r.took END)
    FROM json_each(${JSON.stringify(KINDS)}) k LEFT JOIN ranked r ON r.kind = k.value
    GROUP BY k.value`
}
