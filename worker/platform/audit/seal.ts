import { desc, getTableColumns, lte, sql } from 'drizzle-orm'
import { type Database, readTogether, runBatch, selectRows } from '../../lib/database.ts'
import { auditBlocks, auditUnsealed } from '../../lib/tables/platform.ts'
import { hasBudget } from '../../lib/workBudget.ts'
import { formatEntries, GENESIS, hashRows, sealHash } from './compare.ts'

const BLOCK_ROWS = 500
const BLOCKS_A_RUN = 20
/** Of a block. */
const STATEMENTS = 4

/**
 * Seals new lines of the audit log in blocks of up to 500, each chained to the one before. Runs every minute. It seals the
 * second copy made at writing, so a line that was changed, deleted or inserted since then differs from its seal. UNIQUE on the
 * previous hash lets only one of two simultaneous runs win, so the chain cannot fork.
 * @returns the number of lines sealed
 */
export async function sealAuditLog(db: Database, nowMs: number): Promise<number> {
  let sealed = 0
  for (let block = 0; block < BLOCKS_A_RUN && hasBudget(db, STATEMENTS); block++) {
    const [[last], rows] = await readTogether(
      db,
      selectRows({ hash: auditBlocks.hash }).from(auditBlocks).orderBy(desc(auditBlocks.seq)).limit(1),
      selectRows(getTableColumns(auditUnsealed))
        .from(auditUnsealed)
        .where(sql`seq > coalesce((SELECT max(last_seq) FROM audit_blocks), 0)`)
        .orderBy(auditUnsealed.seq)
        .limit(BLOCK_ROWS),
    )
    const [first] = rows
    const end = rows.at(-1)
    if (first === undefined || end === undefined) break
    const previousHash = last?.hash ?? GENESIS
    const entries = formatEntries(await hashRows(rows))
    await runBatch(db, [
      db.insert(auditBlocks).values({
        firstSeq: first.seq,
        lastSeq: end.seq,
        previousHash,
        hash: await sealHash(previousHash, entries),
        entries,
        sealedAt: nowMs,
      }),
      db.delete(auditUnsealed).where(lte(auditUnsealed.seq, end.seq)),
    ])
    sealed += rows.length
    if (rows.length < BLOCK_ROWS) break
  }
  return sealed
}
