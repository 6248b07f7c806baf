import { sql } from 'drizzle-orm'
import { type Database, reading, readTogether } from '../../lib/database.ts'
import { compareCustody, NO_CUSTODY, readCustody, type VerifiedCustody } from './custody.ts'
import {
  findInBonuses,
  findInBooks,
  findInDebts,
  findInPositions,
  findInRequests,
  findInTransfers,
} from './findings.ts'
import type { Checked } from './run.ts'

const PAGE = 2_000
// Clocks of two machines differ; looking twice does no harm.
const OVERLAP_MS = 3_600_000

interface Checkpoint {
  readonly transfer: number
  readonly custody: VerifiedCustody
  readonly atMs: number
}

/**
 * Checks what was posted and decided since the last check that found nothing wrong: one round trip that sees one state of the
 * database. With a finding the checkpoint stays, so that it is found again until it is gone.
 */
export async function checkRecent(db: Database, stored: string | null, nowMs: number): Promise<Checked> {
  // Decisions from before the first check are for the daily scan, which goes through them in pages.
  const from: Checkpoint =
    stored === null ? { transfer: 0, custody: NO_CUSTODY, atMs: nowMs } : (JSON.parse(stored) as Checkpoint)
  const newest = sql`(SELECT coalesce(max(seq), ${from.transfer}) FROM (
    SELECT seq FROM transfers WHERE seq > ${from.transfer} ORDER BY seq LIMIT ${PAGE}))`
  const owners = sql`
    SELECT substr(from_account, 1, instr(from_account, ':') - 1) FROM transfers
    WHERE seq > ${from.transfer} AND seq <= ${newest}`
  const sinceMs = from.atMs - OVERLAP_MS
  const decided = sql`SELECT request FROM request_events WHERE at >= ${sinceMs}`
  const [reached, custody, ...findings] = await readTogether(
    db,
    reading<{ transfer: number }>(sql`SELECT ${newest} AS transfer`),
    readCustody(from.custody),
    ...findInBooks(owners),
    ...findInPositions(owners),
    ...findInTransfers(from.transfer, newest),
    ...findInRequests(decided),
    ...findInBonuses(sinceMs),
    ...findInDebts(),
  )
  const compared = compareCustody(from.custody, custody)
  const all = [...findings.flatMap((rows) => rows.map(({ finding }) => finding)), ...compared.findings]
  if (all.length > 0) return { findings: all, checkpoint: JSON.stringify(from) }
  const next: Checkpoint = {
    transfer: reached[0]?.transfer ?? from.transfer,
    custody: compared.verified,
    atMs: nowMs,
  }
  return { findings: [], checkpoint: JSON.stringify(next) }
}
