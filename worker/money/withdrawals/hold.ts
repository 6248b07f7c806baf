import { sql } from 'drizzle-orm'
import type { ActorCall } from '../../http/call.ts'
import type { Statement } from '../../lib/database.ts'
import { knownDestinations } from '../../lib/tables/requests.ts'
import type { Facts } from './facts.ts'
import type { Wish } from './wish.ts'

/** How long after its first confirmation a destination is not paid that no second factor confirmed, or one of an account that changed lately. */
const HOLD_MS = 24 * 3_600_000

/**
 * The moment before which a withdrawal is not paid, in epoch milliseconds; null where it may be paid at once. A new
 * destination waits for a day; a known one for the moment that was set then, as long as it is still to come. A proof that
 * lifts the hold ends it for this withdrawal and later ones. Those that were filed before keep theirs, because what was
 * filed never changes: they can be cancelled while they are pending, and asked for again.
 */
export function heldUntil(
  facts: Pick<Facts, 'destinationKnown' | 'destinationHeldUntil'>,
  lifts: boolean,
  nowMs: number,
): number | null {
  if (lifts) return null
  if (!facts.destinationKnown) return nowMs + HOLD_MS
  const { destinationHeldUntil: until } = facts
  return until !== null && until > nowMs ? until : null
}

/**
 * Makes the destination known, on hold until a moment where it is new. A known one keeps its moment, unless the proof lifts
 * the hold. Should others have set another moment meanwhile, the database refuses what is filed in the same batch.
 */
export function makeDestinationKnown(
  { db, actor, nowMs }: ActorCall,
  { destination }: Wish,
  until: number | null,
  lifts: boolean,
): Statement {
  return db
    .insert(knownDestinations)
    .values({
      investor: actor.id,
      destinationHash: destination.hash,
      accountHash: destination.details.accountHash,
      confirmedAt: nowMs,
      heldUntil: until,
    })
    .onConflictDoUpdate({
      target: [knownDestinations.investor, knownDestinations.destinationHash],
      set: { confirmedAt: nowMs, heldUntil: lifts ? null : sql`held_until` },
    })
}
