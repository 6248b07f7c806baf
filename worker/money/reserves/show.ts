import { inArray, type SQLWrapper } from 'drizzle-orm'
import type { PublishedRoot } from '../../../src/contract/money/liabilities.ts'
import { iso } from '../../http/paging.ts'
import { quantityOf } from '../../ledger/custody.ts'
import type { Database } from '../../lib/database.ts'
import { reserves } from '../../lib/tables/payouts.ts'

/** Reads the counted reserves of days; `days` lists them or selects them. */
export function readReserves(db: Database, days: string[] | SQLWrapper) {
  return db.select().from(reserves).where(inArray(reserves.day, days)).orderBy(reserves.asset)
}

/** The rows of `readReserves` by day. */
export function reservesByDay(
  rows: readonly (typeof reserves.$inferSelect)[],
): Map<string, PublishedRoot['reserves']> {
  const byDay = new Map<string, PublishedRoot['reserves']>()
  for (const { day, asset, chain, units, booked, height, blockHash, stopsPayouts, at } of rows)
    byDay.set(day, [
      ...(byDay.get(day) ?? []),
      {
        asset,
        chain,
        onChain: quantityOf(asset, BigInt(units)),
        booked: quantityOf(asset, BigInt(booked)),
        difference: quantityOf(asset, BigInt(units) - BigInt(booked)),
        stopsPayouts: stopsPayouts === 1,
        block: { height, hash: blockHash },
        at: iso(at),
      },
    ])
  return byDay
}
