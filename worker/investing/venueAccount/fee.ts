import { eq, sql } from 'drizzle-orm'
import { runBatch } from '../../lib/database.ts'
import { venueFees } from '../../lib/tables/venues.ts'
import type { Account } from './account.ts'
import { TRADED_COINS } from './names.ts'

/** How long a fee counts before the venue is asked again. */
const FRESH_MS = 60 * 60_000
/**
 * Added to the account's fee when an order is planned, because the fee may rise before the venue is asked again. It is more than the
 * largest step between two tiers, 0.45 % at Coinbase.
 */
const MARGIN_MILLIONTHS = 5_000

/** The highest fee that an order is planned with, as a share of its value. The account's own fee is stored with the time when it was asked. */
export async function loadHighestFee({ db, venue, now }: Account): Promise<number> {
  const [known] = await db.select().from(venueFees).where(eq(venueFees.venue, venue.name))
  if (known !== undefined && now() - known.askedAt < FRESH_MS) return addMargin(known.takerMillionths)
  const takerMillionths = await venue.takerFee(TRADED_COINS)
  await runBatch(db, [
    db
      .insert(venueFees)
      .values({ venue: venue.name, takerMillionths, askedAt: now() })
      .onConflictDoUpdate({
        target: venueFees.venue,
        set: { takerMillionths: sql`excluded.taker_millionths`, askedAt: sql`excluded.asked_at` },
      }),
  ])
  return addMargin(takerMillionths)
}

function addMargin(takerMillionths: number): number {
  return (takerMillionths + MARGIN_MILLIONTHS) / 1e6
}
