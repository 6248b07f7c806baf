import { count, eq, getTableColumns, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type * as overviewContract from '../../../src/contract/console/overview.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { ASSETS, type Asset } from '../../ledger/custody.ts'
import { readKinds, readKindsAt } from '../../ledger/ledgerDays.ts'
import { type Database, parseStored, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { refuseField } from '../../lib/errors.ts'
import { custodyAssets, custodyBalances } from '../../lib/tables/ledger.ts'
import { countedBooks } from '../../lib/tables/platform.ts'

/** Above this number of accounts the cron counts them, instead of each request for the overview. */
const MOST_LIVE = 5_000
const EVERY_MINUTES = 10

/** Custody of one asset, as text, because a JavaScript number is exact only up to 2^53. */
const assetHolding = z.object({ asset: z.enum(ASSETS), unit: z.string(), units: z.string() })
export type AssetHolding = z.output<typeof assetHolding>

/** The sums of all accounts of one kind, in cents. */
const kindSums = z.object({ kind: z.string(), debits: z.number(), credits: z.number() })
export type KindSums = z.output<typeof kindSums>

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
    selectRows({ count: count() }).from(sql`(SELECT 1 FROM accounts LIMIT ${most + 1})`),
    readCounted(),
  )
  if ((accounts?.count ?? 0) <= most) {
    if (counted !== undefined) await db.delete(countedBooks)
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
export function readCounted() {
  return selectRows(getTableColumns(countedBooks)).from(countedBooks)
}

export function parseBooks(row: RowOf<typeof readCounted> | undefined): Books | null {
  if (row === undefined) return null
  return {
    atMs: row.at,
    custody: parseStored(z.array(assetHolding), row.custody),
    kinds: parseStored(z.array(kindSums), row.kinds),
  }
}

export function readCustody() {
  const [a, b] = [alias(custodyAssets, 'a'), alias(custodyBalances, 'b')]
  return selectRows({ asset: sql<Asset>`a.asset`, unit: a.unit, units: sql<string>`CAST(b.balance AS TEXT)` })
    .from(a)
    .innerJoin(b, eq(b.asset, a.asset))
}

/** As `readKinds`, but reads no account if the cron has counted them. */
export function readKindsUnlessCounted() {
  return readKinds(sql`(SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${countedBooks})) CROSS JOIN accounts`)
}

export async function showTrialBalance(call: CallOf<typeof overviewContract.getTrialBalance>) {
  const { at } = call.query
  if (at !== undefined && at < call.nowMs) {
    const [kinds] = await readTogether(call.db, readKindsAt(at))
    if (kinds.length === 0) return refuseField('at', 'We keep daily sums only since a later day')
    const sums = kinds.map(({ kind, cents }) => ({
      kind,
      debits: Math.max(cents, 0),
      credits: Math.max(-cents, 0),
    }))
    return ok(toTrialBalance(sums))
  }
  const [counted, live] = await readTogether(call.db, readCounted(), readKindsUnlessCounted())
  return ok(toTrialBalance(parseBooks(counted[0])?.kinds ?? live))
}

function toTrialBalance(kinds: readonly KindSums[]) {
  const accounts = kinds.map(({ kind, debits, credits }) => ({ kind, balance: toUsd(debits - credits) }))
  return { ...computeTrialBalance(kinds), accounts }
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
