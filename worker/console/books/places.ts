import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { OperatorOverview } from '../../../src/contract/console/overview.ts'
import { getMarket } from '../../investing/candles/markets.ts'
import { ASSET_DECIMALS } from '../../ledger/custody.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { formatDecimal } from '../../lib/decimalText.ts'
import { venueBalances } from '../../lib/tables/venues.ts'
import type { AssetHolding } from './books.ts'

/** The quantity moved to an exchange, and the quantity expected there after the trades since. 10⁻⁸, as text. */
export function readVenues() {
  const b = alias(venueBalances, 'b')
  return selectRows({
    venue: b.venue,
    asset: b.asset,
    held: sql<string>`CAST(b.quantity AS TEXT)`,
    moved: sql<string>`CAST((
      SELECT coalesce(sum(quantity), 0) FROM venue_transfers WHERE venue = b.venue AND asset = b.asset) AS TEXT)`,
  })
    .from(b)
    .orderBy(b.venue, b.asset)
}

/** The unit in which places are compared: custody counts ether in 10⁻⁹, exchanges everything in 10⁻⁸. */
const DECIMALS = 9

/** Splits custody by its places. A transfer to an exchange lowers the treasury by the transferred quantity. */
export function splitCustody(
  custody: readonly AssetHolding[],
  venues: readonly RowOf<typeof readVenues>[],
  isSimulated: boolean,
): OperatorOverview['places'] {
  const treasury = new Map<string, bigint>()
  for (const { asset, units } of custody)
    treasury.set(asset, BigInt(units) * 10n ** BigInt(DECIMALS - ASSET_DECIMALS[asset]))
  for (const { asset, moved } of venues)
    treasury.set(asset, (treasury.get(asset) ?? 0n) - toBillionths(moved))
  const toPlaceRow = (place: string, name: string, asset: string, quantity: bigint, held: bigint) => ({
    ...{ place, name, asset, isSimulated },
    quantity: formatDecimal(quantity, DECIMALS),
    held: formatDecimal(held, DECIMALS),
  })
  return [
    ...[...treasury]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([asset, quantity]) => toPlaceRow('treasury', 'Treasury', asset, quantity, quantity)),
    ...venues.map(({ venue, asset, moved, held }) =>
      toPlaceRow(venue, getMarket(venue).name, asset, toBillionths(moved), toBillionths(held)),
    ),
  ]
}

/** A quantity in 10⁻⁸ as 10⁻⁹. */
function toBillionths(quantity: string): bigint {
  return BigInt(quantity) * 10n
}
