import { and, eq, sql } from 'drizzle-orm'
import type { ActorCall } from '../../http/call.ts'
import type { Factors, SentProof } from '../../http/factorProof.ts'
import { type ChallengeScope, hashContext } from '../../identity/factors/challenges.ts'
import { readProof, selectFactorColumns } from '../../identity/factors/factors.ts'
import { type MailedTry, readMailedLimit, tryCodes } from '../../identity/mailedCodes/codes.ts'
import { type Counter, readMailCounter, waitFor } from '../../identity/mailedCodes/mailCode.ts'
import { readCash } from '../../ledger/balances.ts'
import { buildQuery, type RowQuery, readTogether, type Statement, selectRows } from '../../lib/database.ts'
import { hasRateLimits } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { hasSecondFactor } from '../../lib/hasSecondFactor.ts'
import { countInWindow } from '../../lib/rateCounters.ts'
import { knownDestinations, requests } from '../../lib/tables/requests.ts'
import { countOpen, readMinimums } from '../requests/limits.ts'
import { SHARE_WINDOW_MS } from './decide.ts'
import type { Destination } from './destination.ts'

/** A requested withdrawal, not yet decided. */
export interface NewWithdrawal {
  readonly kind: 'withdrawal' | 'online-service-withdrawal'
  readonly amountCents: number
  readonly destination: Destination
  /** The proof that was sent, without blanks and hyphens in a code. */
  readonly proof: SentProof
}

/** The facts that the decision depends on. Amounts in cents. */
export interface Facts {
  readonly minimums: readonly { value: string }[]
  readonly open: readonly { open: number }[]
  readonly availableCents: number
  readonly owedCents: number
  readonly filedCents: number
  readonly destinationKnown: boolean
  /** Until when a known destination is delayed; null if it is not. */
  readonly destinationDelayedUntil: number | null
  readonly mails: Counter | undefined
  readonly mailed: MailedTry
  readonly tries: Counter | undefined
  readonly factors: WithdrawalFactors
}

/** The amount and destination that a proof confirms, and the proof that was sent. */
export type ProofSubject = Pick<NewWithdrawal, 'amountCents' | 'proof'> & {
  readonly destination: Pick<Destination, 'hash'>
}

/** The facts that a proof is checked against. */
export type ProofFacts = Pick<Facts, 'mails' | 'mailed' | 'tries' | 'factors'>

/** The second factors, and the time of the last security change. */
type WithdrawalFactors = Factors & { readonly securityChangedAtMs: number | null }

const NO_FACTORS: WithdrawalFactors = {
  secretSealed: null,
  lastStep: 0,
  recoveryHash: null,
  refusedUntil: null,
  ownerEmail: '',
  ownerName: '',
  ownerRole: 'investor',
  passkeys: '[]',
  isChallengeOpen: 0,
  securityChangedAtMs: null,
}

/**
 * Reads the facts in one round trip. If a proof was sent, the same round trip counts the try before the proof is compared, so
 * that parallel tries all count.
 */
export async function readFacts(call: ActorCall, withdrawal: NewWithdrawal): Promise<Facts> {
  const { db, actor, nowMs, env } = call
  const { destination, amountCents } = withdrawal
  const { investor, destinationHash, heldUntil } = knownDestinations
  const reads = [
    readMinimums(),
    countOpen(actor.id, 'withdrawals'),
    readCash(actor.id),
    selectRows({ cents: sql<number>`coalesce(sum(amount), 0)` })
      .from(requests)
      .where(sql`investor = ${actor.id} AND kind IN ('withdrawal', 'online-service-withdrawal')
        AND created_at > ${nowMs - SHARE_WINDOW_MS} AND status NOT IN ('cancelled', 'rejected')`),
    selectRows({ heldUntil })
      .from(knownDestinations)
      .where(and(eq(investor, actor.id), eq(destinationHash, destination.hash))),
    readMailCounter(actor.id),
    await readFactors(call, withdrawal),
  ] as const
  const bound = { investor: actor.id, amountCents, destinationHash: destination.hash }
  const [minimums, open, available, filed, destinations, mails, factors, [limit], codes = [], tries = []] =
    isProofGiven(withdrawal)
      ? await readTogether(
          db,
          ...reads,
          ...tryCodes(env, bound, nowMs),
          ...(hasRateLimits(env) ? [countTry(actor.id, nowMs)] : []),
        )
      : await readTogether(db, ...reads, readMailedLimit(env, actor.id, nowMs))
  return {
    minimums,
    open,
    availableCents: available[0]?.availableCents ?? 0,
    owedCents: available[0]?.owedCents ?? 0,
    filedCents: filed[0]?.cents ?? 0,
    destinationKnown: destinations.length > 0,
    destinationDelayedUntil: destinations[0]?.heldUntil ?? null,
    mails: mails[0],
    mailed: { limit, codes },
    tries: tries[0],
    factors: factors[0] ?? NO_FACTORS,
  }
}

/** Reads the facts of a proof and something further in one round trip, and counts a try as `readFacts` does. */
export async function readProofFacts<Row>(
  call: ActorCall,
  asked: ProofSubject,
  further: RowQuery<Row>,
): Promise<ProofFacts & { readonly further: readonly Row[] }> {
  const { db, actor, nowMs, env } = call
  const { destination, amountCents } = asked
  const reads = [readMailCounter(actor.id), await readFactors(call, asked), further] as const
  const bound = { investor: actor.id, amountCents, destinationHash: destination.hash }
  const [mails, factors, rows, [limit], codes = [], tries = []] = isProofGiven(asked)
    ? await readTogether(
        db,
        ...reads,
        ...tryCodes(env, bound, nowMs),
        ...(hasRateLimits(env) ? [countTry(actor.id, nowMs)] : []),
      )
    : await readTogether(db, ...reads, readMailedLimit(env, actor.id, nowMs))
  return {
    mails: mails[0],
    factors: factors[0] ?? NO_FACTORS,
    mailed: { limit, codes },
    tries: tries[0],
    further: rows,
  }
}

async function readFactors(
  { actor, nowMs, env }: ActorCall,
  asked: ProofSubject,
): Promise<RowQuery<WithdrawalFactors>> {
  const scope = await buildChallengeScope(actor.id, asked)
  return buildQuery<WithdrawalFactors>(sql`
    SELECT ${selectFactorColumns(env, asked.proof, scope, nowMs)}, u.security_changed_at AS securityChangedAtMs
    FROM users u WHERE u.id = ${actor.id}`)
}

/** Reads the proof in a body. */
export function readSentProof(body: { code?: string | undefined; passkey?: unknown }): Promise<SentProof> {
  return readProof({ code: body.code?.replace(/[\s-]/g, '') || undefined, passkey: body.passkey })
}

/** Whether a code or a passkey's answer was sent, right or wrong. */
export function isProofGiven({ proof }: Pick<ProofSubject, 'proof'>): boolean {
  return proof.isPasskey || proof.code !== undefined
}

/** The scope of a passkey's challenge: exactly this amount to this destination. */
export async function buildChallengeScope(
  userId: string,
  { amountCents, destination }: ProofSubject,
): Promise<ChallengeScope> {
  return { userId, purpose: 'withdrawal', context: await hashContext(amountCents, destination.hash) }
}

/** The most wrong codes in a window, for an account with a second factor. */
const TRIES = { max: 10, windowMs: 15 * 60_000 }
const buildTriesKey = (userId: string) => `codes:account:${userId}`

/** Counts a try of an account with a second factor before the code is compared; `takeOffTry` undoes it for a right code. */
function countTry(userId: string, nowMs: number): RowQuery<Counter> {
  return buildQuery<Counter>(sql`
    INSERT INTO rate_counters (key, window_start, used)
    SELECT ${buildTriesKey(userId)}, ${nowMs}, 1 FROM users u WHERE u.id = ${userId} AND ${sql.raw(hasSecondFactor('u.id'))}
    ${sql.raw(countInWindow(TRIES.windowMs))} RETURNING used, window_start`)
}

/** Uncounts a try with a right code, in the batch of the withdrawal. */
export function takeOffTry(userId: string): Statement {
  return sql`UPDATE rate_counters SET used = max(0, used - 1) WHERE key = ${buildTriesKey(userId)}`
}

/** Refuses a try above the limit. */
export function assertMayTry(counter: Counter | undefined, nowMs: number): void {
  if (counter !== undefined && counter.used > TRIES.max)
    refuse('too_many_requests', waitFor(counter, TRIES, nowMs))
}
