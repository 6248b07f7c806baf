import { sql } from 'drizzle-orm'
import type { ActorCall } from '../../http/call.ts'
import type { Factors } from '../../http/factorProof.ts'
import { factorColumns } from '../../identity/factors/factors.ts'
import { type TriedCode, tryCodes } from '../../identity/mailedCodes/codes.ts'
import { type Counter, readMailCounter } from '../../identity/mailedCodes/limits.ts'
import { readCash } from '../../ledger/balances.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { limitsApply } from '../../lib/env.ts'
import { readMinimums } from '../requests/minimums.ts'
import { countOpen } from '../requests/open.ts'
import { countTry } from './limits.ts'
import { SHARE_WINDOW_MS } from './reasons.ts'
import { askedOf, isProofGiven, type Wish } from './wish.ts'

/** What the decision about a withdrawal depends on. Amounts are cents. */
export interface Facts {
  readonly minimums: readonly { value: string }[]
  readonly open: readonly { open: number }[]
  readonly availableCents: number
  readonly owedCents: number
  readonly filedCents: number
  readonly destinationKnown: boolean
  /** Nothing is paid to this known destination before; null where nothing has to wait. */
  readonly destinationHeldUntil: number | null
  readonly mails: Counter | undefined
  readonly tried: readonly TriedCode[]
  readonly tries: Counter | undefined
  readonly factors: WithdrawalFactors
}

/** The second factors, and when they, the password or the e-mail address last changed. */
type WithdrawalFactors = Factors & { readonly securityChangedAtMs: number | null }

const NONE: WithdrawalFactors = {
  secretSealed: null,
  lastStep: 0,
  recoveryHash: null,
  refusedUntil: null,
  ownerEmail: '',
  ownerName: '',
  ownerRole: 'investor',
  passkeys: '[]',
  isAsked: 0,
  securityChangedAtMs: null,
}

/**
 * Reads the facts in one round trip. Where a proof came along, the same round trip counts the try before anything is
 * compared, so that tries at once count one by one.
 */
export async function readFacts(call: ActorCall, wish: Wish): Promise<Facts> {
  const { db, actor, nowMs, env } = call
  const { destination, amountCents, proof } = wish
  const standing = [
    readMinimums(),
    countOpen(actor.id, 'withdrawals'),
    readCash(actor.id),
    reading<{ cents: number }>(sql`
      SELECT coalesce(sum(amount), 0) AS cents FROM requests
      WHERE investor = ${actor.id} AND kind IN ('withdrawal', 'online-service-withdrawal')
        AND created_at > ${nowMs - SHARE_WINDOW_MS} AND status NOT IN ('cancelled', 'rejected')`),
    reading<{ held_until: number | null }>(sql`
      SELECT held_until FROM known_destinations
      WHERE investor = ${actor.id} AND destination_hash = ${destination.hash}`),
    readMailCounter(actor.id),
    reading<WithdrawalFactors>(sql`
      SELECT ${factorColumns(env, proof, await askedOf(actor.id, wish), nowMs)},
             u.security_changed_at AS securityChangedAtMs
      FROM users u WHERE u.id = ${actor.id}`),
  ] as const
  const [minimums, open, available, filed, known, mails, factors, tried = [], tries = []] = isProofGiven(wish)
    ? await readTogether(
        db,
        ...standing,
        tryCodes({ investor: actor.id, amountCents, destinationHash: destination.hash }, nowMs),
        countTry(actor.id, nowMs, actor.twoFactor && limitsApply(env)),
      )
    : await readTogether(db, ...standing)
  return {
    minimums,
    open,
    availableCents: available[0]?.availableCents ?? 0,
    owedCents: available[0]?.owedCents ?? 0,
    filedCents: filed[0]?.cents ?? 0,
    destinationKnown: known.length > 0,
    destinationHeldUntil: known[0]?.held_until ?? null,
    mails: mails[0],
    tried,
    tries: tries[0],
    factors: factors[0] ?? NONE,
  }
}
