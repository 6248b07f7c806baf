import { sql } from 'drizzle-orm'
import { type ActorCall, type Answer, ok } from '../../lib/call.ts'
import { type Database, reading, readTogether } from '../../lib/database.ts'
import { type AuditRow, blockHash, GENESIS } from './chain.ts'

export interface Verdict {
  readonly ok: boolean
  /** Rows in blocks that were recomputed. */
  readonly sealed: number
  /** Rows that no block covers yet. */
  readonly unsealed: number
  /** The first row of the first block that does not match; `block <n>` when none of its rows is left. */
  readonly brokenAt?: string
}

/** Recomputes the hash chain of the audit log. */
export async function verifyAuditLog(call: ActorCall): Promise<Answer<Verdict>> {
  return ok(await verify(call.db))
}

interface Block {
  readonly seq: number
  readonly first_seq: number
  readonly last_seq: number
  readonly previous_hash: string
  readonly hash: string
}

// So many rows fit into memory many times over; a day's blocks are often fewer.
const PAGE_ROWS = 5000

async function verify(db: Database): Promise<Verdict> {
  let previousHash = GENESIS
  let lastSeq = 0
  let lastBlock = 0
  let sealed = 0
  for (;;) {
    const page = sql`
      SELECT * FROM audit_blocks
      WHERE seq > ${lastBlock} AND (
        last_seq <= ${lastSeq + PAGE_ROWS} OR seq = (SELECT min(seq) FROM audit_blocks WHERE seq > ${lastBlock}))
      ORDER BY seq LIMIT ${PAGE_ROWS}`
    // Rows that stand where no block looks, below the first or between two, count to the block that follows them.
    const [blocks, rows] = await readTogether(
      db,
      reading<Block>(page),
      reading<AuditRow>(sql`
        SELECT seq, id, at, actor, action, subject, detail FROM audit_log
        WHERE seq > ${lastBlock === 0 ? Number.MIN_SAFE_INTEGER : lastSeq} AND seq <= (SELECT max(last_seq) FROM (${page})) ORDER BY seq`),
    )
    if (blocks.length === 0) return { ok: true, sealed, unsealed: await countAfter(db, lastSeq) }
    for (const block of blocks) {
      const end = rows.findIndex((row) => row.seq > block.last_seq)
      const covered = rows.splice(0, end === -1 ? rows.length : end)
      const matches =
        block.previous_hash === previousHash && (await blockHash(previousHash, covered)) === block.hash
      if (!matches) {
        const brokenAt = covered[0]?.id ?? `block ${block.seq}`
        return { ok: false, sealed, unsealed: await countAfter(db, block.last_seq), brokenAt }
      }
      sealed += covered.length
      previousHash = block.hash
      lastSeq = block.last_seq
      lastBlock = block.seq
    }
  }
}

async function countAfter(db: Database, lastSeq: number): Promise<number> {
  const [[counted]] = await readTogether(
    db,
    reading<{ rows: number }>(sql`SELECT count(*) AS rows FROM audit_log WHERE seq > ${lastSeq}`),
  )
  return counted?.rows ?? 0
}
