import { sql } from 'drizzle-orm'
import { buildQuery, type Database, type RowQuery, readTogether } from '../../lib/database.ts'
import {
  findInBonuses,
  findInBooks,
  findInDebts,
  findInPositions,
  findInRequests,
  findInTransfers,
} from './findings.ts'
import type { CheckResult } from './run.ts'

const PAGE = 2_000
// Clocks of two machines differ; checking twice does no harm.
const OVERLAP_MS = 3_600_000

interface Checkpoint {
  readonly transfer: number
  readonly custody: VerifiedCustody
  readonly atMs: number
}

/**
 * Checks everything posted and decided since the last clean run, in one round trip that sees one state of the database. A
 * finding keeps the checkpoint in place, so the next run finds it again until it is fixed.
 */
export async function checkRecent(db: Database, stored: string | null, nowMs: number): Promise<CheckResult> {
  // Decisions from before the first run are left to the daily scan, which reads in pages.
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
    buildQuery<{ transfer: number }>(sql`SELECT ${newest} AS transfer`),
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

/** Custody verified up to an entry. Units by asset are text, because they exceed the range of a number. */
interface VerifiedCustody {
  readonly entry: number
  readonly units: Readonly<Record<string, string>>
}

export const NO_CUSTODY: VerifiedCustody = { entry: 0, units: {} }

interface CustodyRow {
  readonly asset: string
  readonly balance: string | null
  readonly since: string
  readonly newest: number
  readonly entries: number
}

/** Each asset's balance, and the sum of its entries since the last verified state. */
export function readCustody({ entry }: VerifiedCustody): RowQuery<CustodyRow> {
  return buildQuery(sql`
    SELECT a.asset, CAST(b.balance AS TEXT) AS balance,
      (SELECT coalesce(max(seq), 0) FROM custody_entries) AS newest,
      (SELECT count(*) FROM custody_entries WHERE seq > ${entry}) AS entries,
      CAST((SELECT coalesce(sum(quantity), 0) FROM custody_entries e WHERE e.asset = a.asset AND e.seq > ${entry}) AS TEXT) AS since
    FROM custody_assets a LEFT JOIN custody_balances b ON b.asset = a.asset`)
}

/** Compares balances with entries. Returns findings and the newly verified state. */
export function compareCustody(
  verified: VerifiedCustody,
  rows: readonly CustodyRow[],
): { findings: string[]; verified: VerifiedCustody } {
  const findings: string[] = []
  const units: Record<string, string> = {}
  for (const { asset, balance, since } of rows) {
    const expected = (BigInt(verified.units[asset] ?? '0') + BigInt(since)).toString()
    if (balance !== expected) findings.push(`Custody of ${asset} is ${balance}, its entries say ${expected}`)
    units[asset] = expected
  }
  const newest = rows[0]?.newest ?? 0
  if (rows.some(({ entries }) => entries !== newest - verified.entry))
    findings.push('Custody entries are missing')
  return { findings, verified: { entry: newest, units } }
}
