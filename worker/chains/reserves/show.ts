import { inArray, type SQLWrapper } from 'drizzle-orm'
import type { PublishedRoot } from '../../../src/contract/money/liabilities.ts'
import { toIso } from '../../http/paging.ts'
import { formatQuantity } from '../../ledger/custody.ts'
import type { Database } from '../../lib/database.ts'
import { reserves } from '../../lib/tables/payouts.ts'

/** Reads the counted reserves of days; `days` lists them or selects them. */
export function readReserves(db: Database, days: string[] | SQLWrapper) {
  return db.select().from(reserves).where(inArray(reserves.day, days)).orderBy(reserves.asset)
}

/** The rows of `readReserves` by day. */
export function groupReservesByDay(
  rows: readonly (typeof reserves.$inferSelect)[],
): Map<string, PublishedRoot['reserves']> {
  const byDay = new Map<string, PublishedRoot['reserves']>()
  for (const { day, asset, chain, units, booked, height, blockHash, stopsPayouts, at } of rows)
    byDay.set(day, [
      ...(byDay.get(day) ?? []),
      {
        asset,
        chain,
        onChain: formatQuantity(asset, BigInt(units)),
        booked: formatQuantity(asset, BigInt(booked)),
        difference: formatQuantity(asset, BigInt(units) - BigInt(booked)),
        stopsPayouts: stopsPayouts === 1,
        block: { height, hash: blockHash },
        at: toIso(at),
      },
    ])
  return byDay
}
