import { sql } from 'drizzle-orm'
import { type Database, reading, readTogether } from '../../lib/database.ts'
import { auditBlocks } from '../../lib/tables.ts'
import { type AuditRow, blockHash, GENESIS } from './chain.ts'

const BLOCK_ROWS = 500
const BLOCKS_A_RUN = 20

/**
 * Seals what the audit log gained since the last block, in blocks of up to 500 rows, each bound to the one before. Called
 * each minute. Two runs at once cannot fork the chain: UNIQUE on the previous hash lets one of them win.
 * @returns how many rows were sealed
 */
export async function sealAuditLog(db: Database, nowMs: number): Promise<number> {
  let sealed = 0
  for (let block = 0; block < BLOCKS_A_RUN; block++) {
    const [[last], rows] = await readTogether(
      db,
      reading<{ hash: string }>(sql`SELECT hash FROM audit_blocks ORDER BY seq DESC LIMIT 1`),
      reading<AuditRow>(sql`
        SELECT seq, id, at, actor, action, subject, detail FROM audit_log
        WHERE seq > coalesce((SELECT max(last_seq) FROM audit_blocks), 0) ORDER BY seq LIMIT ${BLOCK_ROWS}`),
    )
    const [first] = rows
    const end = rows.at(-1)
    if (first === undefined || end === undefined) break
    const previousHash = last?.hash ?? GENESIS
    await db.insert(auditBlocks).values({
      firstSeq: first.seq,
      lastSeq: end.seq,
      previousHash,
      hash: await blockHash(previousHash, rows),
      sealedAt: nowMs,
    })
    sealed += rows.length
    if (rows.length < BLOCK_ROWS) break
  }
  return sealed
}
