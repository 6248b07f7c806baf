import type { Database } from '../../lib/database.ts'
import { requireTradingKey } from '../venues/client.ts'
import type { Venue } from '../venues/venue.ts'
import { compareWithBooks } from './compare.ts'
import { followOrders, readUnfinished } from './follow.ts'
import { sendDue } from './sendDue.ts'

/** Our account at a venue. */
export interface Account {
  readonly db: Database
  readonly venue: Venue
  readonly now: () => number
}

/**
 * One run of an account's work: asks what became of the orders that were sent, sends the next ones, and compares what the venue holds
 * with our books. It may be killed anywhere and run twice at once: the database decides what may be sent, and what a trade is booked
 * as. Throws the failure of a client.
 */
export async function workAccount(account: Account): Promise<void> {
  const { db, venue } = account
  // First, because signatures have times.
  const skewMs = await measureSkew(account)
  await requireTradingKey(venue)
  const status = await venue.status()
  const found = await followOrders(account, await readUnfinished(db, venue.name))
  const waits =
    Math.abs(skewMs) <= MOST_SKEW_MS
      ? await sendDue(account, status)
      : [`The clocks differ by ${Math.round(skewMs / 1000)} seconds`]
  await compareWithBooks(account, found, waits)
}

/** A venue whose clock differs more gets no orders, because their deadlines would mean nothing. The lists are asked for from as much earlier. */
export const MOST_SKEW_MS = 2 * 60_000

/** How far the venue's clock is ahead of ours, assuming that the answer took as long as the question. */
async function measureSkew({ venue, now }: Account): Promise<number> {
  const before = now()
  const theirs = await venue.time()
  return Math.round(theirs - (before + now()) / 2)
}
