import { desc, eq, getTableColumns, lte, type SQL, sql } from 'drizzle-orm'
import type {
  AuditVerdict,
  BrokenLine,
  verifyAuditLog as endpoint,
} from '../../../src/contract/console/audit.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { type Database, readTogether, selectRows, selectValues } from '../../lib/database.ts'
import { refuseField } from '../../lib/errors.ts'
import { auditBlocks, auditLog, auditUnsealed } from '../../lib/tables/platform.ts'
import { compareLines, GENESIS, hashRows, MOST_NAMED, readEntries, sealHash } from './compare.ts'

type Block = typeof auditBlocks.$inferSelect

// Ten thousand lines with their seals fit easily into memory.
const PAGE_BLOCKS = 20
const PAGE_ROWS = 20_000

/** Verifies one page of the audit log. Continues after a line that an earlier answer checked. */
export async function verifyAuditLog(call: CallOf<typeof endpoint>) {
  const { after, seq, hash } = call.query
  if ((seq === undefined) !== (hash === undefined))
    refuseField(seq === undefined ? 'seq' : 'hash', 'Give both, seq and hash, of a mailed head')
  const verdict = await verifyPage(call.db, after)
  if (seq === undefined || hash === undefined) return ok(verdict)
  const head = await isSealed(call.db, Number(seq), hash)
  return ok({ ...verdict, ok: verdict.ok && head, head })
}

/**
 * Whether a seal with exactly this hash ends at this line and matches its own list. Whether it continues earlier seals, and
 * whether the lines match it, is checked page by page.
 */
async function isSealed(db: Database, lastSeq: number, hash: string): Promise<boolean> {
  const [block] = await db.select().from(auditBlocks).where(eq(auditBlocks.lastSeq, lastSeq))
  if (block?.hash !== hash) return false
  return (await sealHash(block.previousHash, block.entries)) === hash
}

/**
 * Compares a page of the audit log with its seals; after the last block also compares the unsealed lines with their second
 * copy. `after` is 0 or the line that an earlier page checked to.
 */
export async function verifyPage(db: Database, after: number): Promise<AuditVerdict> {
  const page = await readPage(db, after)
  const broken: BrokenLine[] = []
  const found = await hashRows(page.rows)
  const written = new Map<number, string>()
  let { hash: previousHash, lastSeq } = page.before
  for (const block of page.blocks) {
    const isSealed =
      block.previousHash === previousHash &&
      (await sealHash(block.previousHash, block.entries)) === block.hash &&
      hasMatchingEnds(block)
    if (!isSealed) broken.push({ seq: block.firstSeq, why: 'seal' })
    for (const [seq, digest] of readEntries(block.entries)) written.set(seq, digest)
    previousHash = block.hash
    lastSeq = block.lastSeq
  }
  broken.push(...compareLines(written, found, page.before.lastSeq + 1, lastSeq))
  const sealed = written.size
  if (page.isLast) {
    const waiting = await hashRows(page.waiting)
    const newest = await hashRows(page.newest)
    const last = Math.max(page.numbered, ...waiting.keys(), ...newest.keys(), lastSeq)
    broken.push(...compareLines(waiting, newest, lastSeq + 1, last))
    lastSeq = last
  }
  return {
    ok: broken.length === 0,
    checkedTo: lastSeq,
    complete: page.isLast,
    sealed,
    unsealed: page.isLast ? page.newest.length : 0,
    broken: broken.slice(0, MOST_NAMED),
  }
}

function hasMatchingEnds({ entries, firstSeq, lastSeq }: Block): boolean {
  const named = [...readEntries(entries).keys()]
  return named[0] === firstSeq && named.at(-1) === lastSeq
}

/** Reads blocks with their lines, and the lines after the newest block, from one state of the database. */
async function readPage(db: Database, after: number) {
  const before = selectRows(getTableColumns(auditBlocks))
    .from(auditBlocks)
    .where(lte(auditBlocks.lastSeq, after))
    .orderBy(desc(auditBlocks.lastSeq))
    .limit(1)
  const from = sql`coalesce((SELECT lastSeq FROM ${before}), 0)`
  const blocks = selectRows(getTableColumns(auditBlocks))
    .from(auditBlocks)
    .where(sql`last_seq > ${from}`)
    .orderBy(auditBlocks.lastSeq)
    .limit(PAGE_BLOCKS)
  const newestSeal = sql<number>`coalesce((SELECT max(last_seq) FROM audit_blocks), 0)`
  const [[last], sealing, rows, [end], newest, waiting, [counter]] = await readTogether(
    db,
    before,
    blocks,
    readLines(
      auditLog,
      sql`seq > CASE ${from} WHEN 0 THEN ${Number.MIN_SAFE_INTEGER} ELSE ${from} END
        AND seq <= (SELECT max(lastSeq) FROM ${blocks})`,
    ),
    selectValues({ seq: newestSeal }),
    readLines(auditLog, sql`seq > ${newestSeal}`),
    readLines(auditUnsealed, sql`seq > ${newestSeal}`),
    // SQLite keeps the highest number it assigned, even after that row is deleted.
    selectRows({ seq: sql<number>`seq` }).from(sql`sqlite_sequence`).where(sql`name = 'audit_log'`),
  )
  return {
    before: { hash: last?.hash ?? GENESIS, lastSeq: last?.lastSeq ?? 0 },
    blocks: sealing,
    rows,
    newest,
    waiting,
    numbered: newest.length + waiting.length < PAGE_ROWS ? (counter?.seq ?? 0) : 0,
    isLast: (sealing.at(-1)?.lastSeq ?? last?.lastSeq ?? 0) === (end?.seq ?? 0),
  }
}

function readLines(table: typeof auditLog | typeof auditUnsealed, where: SQL) {
  const { seq, id, at, actor, action, subject, detail } = table
  return selectRows({ seq, id, at, actor, action, subject, detail })
    .from(table)
    .where(where)
    .orderBy(seq)
    .limit(PAGE_ROWS)
}
