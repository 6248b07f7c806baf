import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import {
  type Database,
  parseStored,
  type RowOf,
  readTogether,
  selectRows,
  selectValues,
} from '../../lib/database.ts'
import { custodyAssets, custodyBalances } from '../../lib/tables/ledger.ts'
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

const checkpoint = z.object({
  transfer: z.number(),
  /** Verified up to an entry. Units by asset are text, because they exceed the range of a number. */
  custody: z.object({ entry: z.number(), units: z.record(z.string(), z.string()) }),
  atMs: z.number(),
})
type Checkpoint = z.output<typeof checkpoint>
type VerifiedCustody = Checkpoint['custody']

/**
 * Checks everything posted and decided since the last clean run, in one round trip that sees one state of the database. A
 * finding keeps the checkpoint in place, so the next run finds it again until it is fixed.
 */
export async function checkRecent(db: Database, stored: string | null, nowMs: number): Promise<CheckResult> {
  // Decisions from before the first run are left to the daily scan, which reads in pages.
  const from: Checkpoint =
    stored === null ? { transfer: 0, custody: NO_CUSTODY, atMs: nowMs } : parseStored(checkpoint, stored)
  const newest = sql`(SELECT coalesce(max(seq), ${from.transfer}) FROM (
    SELECT seq FROM transfers WHERE seq > ${from.transfer} ORDER BY seq LIMIT ${PAGE}))`
  const owners = sql`
    SELECT substr(from_account, 1, instr(from_account, ':') - 1) FROM transfers
    WHERE seq > ${from.transfer} AND seq <= ${newest}`
  const sinceMs = from.atMs - OVERLAP_MS
  const decided = sql`SELECT request FROM request_events WHERE at >= ${sinceMs}`
  const [reached, custody, ...findings] = await readTogether(
    db,
    selectValues({ transfer: sql<number>`${newest}` }),
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

export const NO_CUSTODY: VerifiedCustody = { entry: 0, units: {} }

/** Each asset's balance, and the sum of its entries since the last verified state. */
export function readCustody({ entry }: VerifiedCustody) {
  const [a, b] = [alias(custodyAssets, 'a'), alias(custodyBalances, 'b')]
  return selectRows({
    asset: a.asset,
    balance: sql<string | null>`CAST(b.balance AS TEXT)`,
    newest: sql<number>`(SELECT coalesce(max(seq), 0) FROM custody_entries)`,
    entries: sql<number>`(SELECT count(*) FROM custody_entries WHERE seq > ${entry})`,
    since: sql<string>`CAST((
      SELECT coalesce(sum(quantity), 0) FROM custody_entries e WHERE e.asset = a.asset AND e.seq > ${entry}) AS TEXT)`,
  })
    .from(a)
    .leftJoin(b, eq(b.asset, a.asset))
}

/** Compares balances with entries. Returns findings and the newly verified state. */
export function compareCustody(
  verified: VerifiedCustody,
  rows: readonly RowOf<typeof readCustody>[],
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
