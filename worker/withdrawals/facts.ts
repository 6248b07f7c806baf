import { sql } from 'drizzle-orm'
import type { StoredFactor } from '../auth/secondFactor.ts'
import { limitsApply } from '../env.ts'
import { accountId } from '../ledger/accounts.ts'
import type { ActorCall } from '../lib/call.ts'
import { reading, readTogether } from '../lib/database.ts'
import { readMinimums } from '../requests/minimums.ts'
import { countOpen } from '../requests/open.ts'
import { type TriedCode, tryCodes } from './codes.ts'
import { type Counter, countTry, readMailCounter } from './limits.ts'
import { SHARE_WINDOW_MS } from './reasons.ts'
import type { Wish } from './wish.ts'

/** What the decision about a withdrawal depends on. Amounts are cents. */
export interface Facts {
  readonly minimums: readonly { value: string }[]
  readonly open: readonly { open: number }[]
  readonly availableCents: number
  readonly filedCents: number
  readonly destinationKnown: boolean
  /** Nothing is paid to this known destination before; null where nothing has to wait. */
  readonly destinationHeldUntil: number | null
  readonly mails: Counter | undefined
  readonly tried: readonly TriedCode[]
  readonly tries: Counter | undefined
  readonly factor: WithdrawalFactor | undefined
}

/** The second factor, and until when it is in doubt. */
type WithdrawalFactor = StoredFactor & { readonly doubtedUntil: number | null }

/**
 * Reads the facts in one round trip. Where a code came along, the same round trip counts the try before anything is
 * compared, so that tries at once count one by one.
 */
export async function readFacts(call: ActorCall, wish: Wish): Promise<Facts> {
  const { db, actor, nowMs, env } = call
  const { destination, amountCents, code } = wish
  const standing = [
    readMinimums(),
    countOpen(actor.id, 'withdrawals'),
    reading<{ balance: number }>(
      sql`SELECT balance FROM accounts WHERE id = ${accountId(actor.id, 'available')}`,
    ),
    reading<{ cents: number }>(sql`
      SELECT coalesce(sum(amount), 0) AS cents FROM requests
      WHERE investor = ${actor.id} AND kind IN ('withdrawal', 'online-service-withdrawal')
        AND created_at > ${nowMs - SHARE_WINDOW_MS} AND status NOT IN ('cancelled', 'rejected')`),
    reading<{ held_until: number | null }>(sql`
      SELECT held_until FROM known_destinations
      WHERE investor = ${actor.id} AND destination_hash = ${destination.hash}`),
    readMailCounter(actor.id),
  ] as const
  const [minimums, open, available, filed, known, mails, tried = [], factor = [], tries = []] =
    code === null
      ? await readTogether(db, ...standing)
      : await readTogether(
          db,
          ...standing,
          tryCodes({ investor: actor.id, amountCents, destinationHash: destination.hash }, nowMs),
          reading<WithdrawalFactor>(sql`
            SELECT secret_sealed AS secretSealed, last_step AS lastStep, doubted_until AS doubtedUntil FROM second_factors
            WHERE user_id = ${actor.id} AND enabled_at IS NOT NULL`),
          countTry(actor.id, nowMs, actor.twoFactor && limitsApply(env)),
        )
  return {
    minimums,
    open,
    availableCents: available[0]?.balance ?? 0,
    filedCents: filed[0]?.cents ?? 0,
    destinationKnown: known.length > 0,
    destinationHeldUntil: known[0]?.held_until ?? null,
    mails: mails[0],
    tried,
    factor: factor[0],
    tries: tries[0],
  }
}
