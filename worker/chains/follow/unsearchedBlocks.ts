import { and, eq, sql } from 'drizzle-orm'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { type Database, type Statement, selectRows, splitIntoJsonParts } from '../../lib/database.ts'
import { unsearchedBlocks } from '../../lib/tables/payments.ts'

/** Failures after which a block is reported. It is tried again all the same, less often. */
const FAILURES_TO_REPORT = 3
const RETRY_MS = 10 * 60_000
/** Blocks that one tick tries again. */
const RETRIES_A_TICK = 2

/** Blocks of a chain to try again now, those that waited longest first. */
export async function readUnsearched(db: Database, chain: Chain, nowMs: number) {
  const { height, hash, failures, triedAt } = unsearchedBlocks
  return await db
    .select({ height, hash })
    .from(unsearchedBlocks)
    .where(sql`chain = ${chain} AND ${triedAt} < ${nowMs}
      AND (${failures} < ${FAILURES_TO_REPORT} OR ${triedAt} <= ${nowMs - RETRY_MS})`)
    .orderBy(triedAt, height)
    .limit(RETRIES_A_TICK)
}

/** Notes that blocks could not be searched, and why. The search goes on after them. */
export function recordUnsearched(
  chain: Chain,
  blocks: readonly { readonly height: number; readonly hash: string | null; readonly fault: string | null }[],
  nowMs: number,
): Statement[] {
  const rows = blocks.map(({ height, hash, fault }) => ({ height, hash, fault }))
  return splitIntoJsonParts(rows).map(
    (part) => sql`
      INSERT INTO unsearched_blocks (chain, height, hash, failures, fault, failed_at, tried_at)
      SELECT ${chain}, r.value ->> 'height', r.value ->> 'hash', 1, r.value ->> 'fault', ${nowMs}, ${nowMs}
      FROM json_each(${part}) r WHERE true
      ON CONFLICT (chain, height) DO UPDATE SET
        hash = excluded.hash, failures = failures + 1, fault = excluded.fault, tried_at = excluded.tried_at`,
  )
}

/** Raises the alarm once for each block that could not be searched for the third time. */
export async function reportUnsearched(db: Database, nowMs: number): Promise<void> {
  const blocks = await db
    .select()
    .from(unsearchedBlocks)
    .where(and(eq(unsearchedBlocks.failures, FAILURES_TO_REPORT), eq(unsearchedBlocks.triedAt, nowMs)))
  for (const { chain, height, fault } of blocks) {
    const problem = 'A block could not be searched for payments.'
    console.error(JSON.stringify({ level: 'alarm', chain, block: height, problem, fault }))
  }
}

/** Blocks that were searched after all. */
export function deleteUnsearched(chain: Chain, blocks: readonly { readonly height: number }[]): Statement[] {
  const heights = JSON.stringify(blocks.map(({ height }) => height))
  return [
    sql`DELETE FROM unsearched_blocks WHERE chain = ${chain} AND height IN (SELECT value FROM json_each(${heights}))`,
  ]
}

/** Blocks that could not be searched often enough to be reported, the oldest first. */
export function readUnsearchedBlocks(most: number) {
  const { chain, height, fault, failures, failedAt } = unsearchedBlocks
  return selectRows({ chain, height, fault, failures, failedAt })
    .from(unsearchedBlocks)
    .where(sql`failures >= ${FAILURES_TO_REPORT}`)
    .orderBy(failedAt, height)
    .limit(most)
}
