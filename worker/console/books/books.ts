import { sql } from 'drizzle-orm'
import * as overviewContract from '../../../src/contract/console/overview.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { createRoute, ok } from '../../http/call.ts'
import type { Asset } from '../../ledger/custody.ts'
import { buildQuery, type Database, type RowQuery, readTogether, runBatch } from '../../lib/database.ts'
import { countedBooks } from '../../lib/tables/platform.ts'

/** Above this number of accounts the cron counts them, instead of each request for the overview. */
const MOST_LIVE = 5_000
const EVERY_MINUTES = 10

/** Custody of one asset, as text, because a JavaScript number is exact only up to 2^53. */
export interface AssetHolding {
  readonly asset: Asset
  readonly unit: string
  readonly units: string
}

interface Books {
  readonly atMs: number
  readonly custody: readonly AssetHolding[]
  readonly kinds: readonly KindSums[]
}

/**
 * Counts the ledger's sums and custody every ten minutes, from one snapshot, if there are too many accounts for the overview to
 * read. With fewer accounts no sums are stored and the overview counts them itself.
 * @param most the highest number of accounts that the overview counts itself
 */
export async function countBooks(db: Database, nowMs: number, most = MOST_LIVE): Promise<void> {
  if (Math.floor(nowMs / 60_000) % EVERY_MINUTES !== 0) return
  const [[accounts], [counted]] = await readTogether(
    db,
    buildQuery<{ count: number }>(
      sql`SELECT count(*) AS count FROM (SELECT 1 FROM accounts LIMIT ${most + 1})`,
    ),
    readCounted(),
  )
  if ((accounts?.count ?? 0) <= most) {
    if (counted !== undefined) await runBatch(db, [sql`DELETE FROM ${countedBooks}`])
    return
  }
  const [kinds, custody] = await readTogether(db, readKinds(), readCustody())
  const books = { at: nowMs, kinds: JSON.stringify(kinds), custody: JSON.stringify(custody) }
  await db
    .insert(countedBooks)
    .values({ only: 1, ...books })
    .onConflictDoUpdate({ target: countedBooks.only, set: books })
}

/** The row that the cron counted; no row if the overview counts. */
export function readCounted(): RowQuery<typeof countedBooks.$inferSelect> {
  return buildQuery(sql`SELECT only, at, kinds, custody FROM ${countedBooks}`)
}

export function parseBooks(row: typeof countedBooks.$inferSelect | undefined): Books | null {
  if (row === undefined) return null
  return {
    atMs: row.at,
    custody: JSON.parse(row.custody) as AssetHolding[],
    kinds: JSON.parse(row.kinds) as KindSums[],
  }
}

export function readCustody(): RowQuery<AssetHolding> {
  return buildQuery(sql`
    SELECT a.asset, a.unit, CAST(b.balance AS TEXT) AS units
    FROM custody_assets a JOIN custody_balances b ON b.asset = a.asset`)
}

/** As `readKinds`, but reads no account if the cron has counted them. */
export function readKindsUnlessCounted(): RowQuery<KindSums> {
  return readKinds(sql`(SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${countedBooks})) CROSS JOIN accounts`)
}

export const showTrialBalance = createRoute(overviewContract.getTrialBalance, async (call) => {
  const [counted, live] = await readTogether(call.db, readCounted(), readKindsUnlessCounted())
  const kinds = parseBooks(counted[0])?.kinds ?? live
  const accounts = kinds.map(({ kind, debits, credits }) => ({ kind, balance: toUsd(debits - credits) }))
  return ok({ ...computeTrialBalance(kinds), accounts })
})

/** The sums of all accounts of one kind, in cents. */
export interface KindSums {
  readonly kind: string
  readonly debits: number
  readonly credits: number
}

/** Sums by kind of account. The cost grows with the number of accounts, not with their history. */
function readKinds(accounts = sql`accounts`): RowQuery<KindSums> {
  return buildQuery(sql`
    SELECT kind, sum(max(balance, 0)) AS debits, sum(max(-balance, 0)) AS credits
    FROM ${accounts} GROUP BY kind ORDER BY kind`)
}

/** Both sides in USD. Each investor's books sum to zero, so the total must be zero too. */
export function computeTrialBalance(kinds: readonly KindSums[]) {
  let debits = 0
  let credits = 0
  for (const kind of kinds) {
    debits += kind.debits
    credits += kind.credits
  }
  return { debits: toUsd(debits), credits: toUsd(credits), balanced: debits === credits }
}
