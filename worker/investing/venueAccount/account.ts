import { sql } from 'drizzle-orm'
import { type Database, runBatch } from '../../lib/database.ts'
import { requireTradingKey, VenueFailure } from '../venues/client.ts'
import type { Venue } from '../venues/venue.ts'
import { compareWithBooks } from './compare.ts'
import { loadHighestFee } from './fee.ts'
import { followOrders, readUnfinished } from './follow.ts'
import { sendDue } from './sendDue.ts'

/** Our account at a venue. */
export interface Account {
  readonly db: Database
  readonly venue: Venue
  readonly now: () => number
}

/**
 * One run of an account's work: asks for the state of sent orders, sends the next ones, and compares the venue's balances with our
 * books. It may be killed anywhere and run twice at once: the database decides which orders may be sent, and how a trade is
 * booked. Throws the failure of a client, after the account is marked as unreachable.
 */
export async function processAccount(account: Account): Promise<void> {
  try {
    await runAccountWork(account)
  } catch (error) {
    // Without the database, this fails too. The first failure says why.
    await markUnreachable(account, describeFailure(error)).catch(() => undefined)
    throw error
  }
}

async function runAccountWork(account: Account): Promise<void> {
  const { db, venue } = account
  // First, because signatures have times.
  const skewMs = await measureSkew(account)
  await requireTradingKey(venue)
  const status = await venue.status()
  const highestFee = await loadHighestFee(account)
  const { found, waits: followed } = await followOrders(account, await readUnfinished(db, venue.name))
  const waits =
    Math.abs(skewMs) <= MOST_SKEW_MS
      ? await sendDue(account, status, highestFee)
      : [`The clocks differ by ${Math.round(skewMs / 1000)} seconds`]
  await compareWithBooks(account, found, [...followed, ...waits], highestFee)
}

/** A venue whose clock differs more gets no orders, because their deadlines would be wrong. Lists are requested from that much earlier. */
export const MOST_SKEW_MS = 2 * 60_000

/** How far the venue's clock is ahead of ours, assuming that the answer took as long as the question. */
async function measureSkew({ venue, now }: Account): Promise<number> {
  const before = now()
  const theirs = await venue.time()
  return Math.round(theirs - (before + now()) / 2)
}

/** Why an account cannot be asked, in words; only those of our clients, which contain no secret. */
function describeFailure(error: unknown): string {
  return error instanceof VenueFailure ? error.message : 'Its answers cannot be used'
}

/** The count of differences stays, so that two with a failure between them are two in a row. */
async function markUnreachable({ db, venue, now }: Account, reason: string): Promise<void> {
  const nowMs = now()
  const finding = JSON.stringify({ differences: [], found: [reason], waits: [], unfinished: 0 })
  await runBatch(db, [
    sql`
      INSERT INTO venue_checks (venue, at, state, since, finding)
      VALUES (${venue.name}, ${nowMs}, 'unreachable', ${nowMs}, ${finding})
      ON CONFLICT (venue) DO UPDATE SET at = excluded.at, state = excluded.state, finding = excluded.finding,
        since = CASE venue_checks.state WHEN excluded.state THEN venue_checks.since ELSE excluded.since END`,
  ])
}
