import { inArray, lte, type SQLWrapper, sql } from 'drizzle-orm'
import type { PublishedRoot } from '../../../src/contract/money/liabilities.ts'
import type { Database } from '../../lib/database.ts'
import { formatDecimal } from '../../lib/decimalText.ts'
import { type Env, isMoneyReal } from '../../lib/env.ts'
import { liabilityDays } from '../../lib/tables/liabilities.ts'
import { venueTransfers } from '../../lib/tables/venues.ts'

/** In 10⁻⁸ of the asset, as text, because a sum may exceed `Number.MAX_SAFE_INTEGER`. */
const moved = sql<string>`CAST(sum(${venueTransfers.quantity}) AS TEXT)`

/**
 * Reads the quantities that two operators had moved to exchanges when the balances of these days were read, less those moved back.
 * Later trades of strategies are left out, because they would show the investors' deposits and withdrawals (docs/decisions/0028).
 */
export function readAtVenues(db: Database, days: string[] | SQLWrapper) {
  const { venue, asset } = venueTransfers
  return db
    .select({ day: liabilityDays.day, venue, asset, quantity: moved })
    .from(liabilityDays)
    .innerJoin(venueTransfers, lte(venueTransfers.at, liabilityDays.at))
    .where(inArray(liabilityDays.day, days))
    .groupBy(liabilityDays.day, venue, asset)
    .having(sql`sum(${venueTransfers.quantity}) <> 0`)
    .orderBy(venue, asset)
}

/** The rows of `readAtVenues` by day. */
export function groupAtVenuesByDay(
  rows: readonly { day: string; venue: string; asset: string; quantity: string }[],
  env: Env,
): Map<string, PublishedRoot['atVenues']> {
  const isSimulated = !isMoneyReal(env)
  const byDay = new Map<string, PublishedRoot['atVenues']>()
  for (const { day, venue, asset, quantity } of rows)
    byDay.set(day, [
      ...(byDay.get(day) ?? []),
      { venue, asset, quantity: formatDecimal(BigInt(quantity), 8), isSimulated },
    ])
  return byDay
}
