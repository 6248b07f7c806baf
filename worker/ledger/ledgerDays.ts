import { sql } from 'drizzle-orm'
import { buildQuery, type Database, type RowQuery, readTogether, selectRows } from '../lib/database.ts'
import { formatIsoDay } from '../lib/days.ts'
import { ledgerDays } from '../lib/tables/treasury.ts'

/** The sum of all accounts of one kind. */
interface KindCents {
  readonly kind: string
  readonly cents: number
}

/** Keeps the ledger's sums of a day, once. Reads every account, from one snapshot with the newest transfer. */
export async function keepLedgerDay(db: Database, nowMs: number): Promise<void> {
  const day = formatIsoDay(nowMs)
  const [kept] = await db.select({ day: ledgerDays.day }).from(ledgerDays).where(sql`day >= ${day}`).limit(1)
  if (kept !== undefined) return
  const [kinds, [newest]] = await readTogether(
    db,
    readKinds(),
    buildQuery<{ seq: number }>(sql`SELECT coalesce(max(seq), 0) AS seq FROM transfers`),
  )
  const sums = kinds.map(({ kind, debits, credits }) => ({ kind, cents: debits - credits }))
  await db
    .insert(ledgerDays)
    .values({ day, at: nowMs, transfer: newest?.seq ?? 0, kinds: JSON.stringify(sums satisfies KindCents[]) })
    .onConflictDoNothing()
}

/**
 * Reads the sums by kind at a time: those of the day before it, and the transfers since. At most a day of transfers is read. No rows
 * before the first day that was kept.
 */
export function readKindsAt(atMs: number): RowQuery<KindCents> {
  const since = sql`transfers WHERE seq > (SELECT transfer FROM kept) AND seq <= (SELECT next FROM kept) AND at <= ${atMs}`
  return buildQuery(sql`
    WITH kept AS MATERIALIZED (
      SELECT transfer, kinds, coalesce((
        SELECT n.transfer FROM ledger_days n WHERE n.day > d.day ORDER BY n.day LIMIT 1), (SELECT max(seq) FROM transfers)) AS next
      FROM ledger_days d WHERE at <= ${atMs} ORDER BY day DESC LIMIT 1)
    SELECT kind, sum(cents) AS cents FROM (
      SELECT k.value ->> 'kind' AS kind, k.value ->> 'cents' AS cents FROM kept, json_each(kept.kinds) k
      UNION ALL SELECT a.kind, m.cents FROM (
        SELECT from_account AS account, -amount AS cents FROM ${since}
        UNION ALL SELECT to_account, amount FROM ${since}) m JOIN accounts a ON a.id = m.account)
    GROUP BY kind ORDER BY kind`)
}

/** Sums by kind of account. The cost grows with the number of accounts, not with their history. */
export function readKinds(accounts = sql`accounts`) {
  return selectRows({
    kind: sql<string>`kind`,
    debits: sql<number>`sum(max(balance, 0))`,
    credits: sql<number>`sum(max(-balance, 0))`,
  })
    .from(accounts)
    .groupBy(sql`kind`)
    .orderBy(sql`kind`)
}
