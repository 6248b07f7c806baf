import { and, eq, sql } from 'drizzle-orm'
import type { Factors, SentProof } from '../../http/factorProof.ts'
import { type ChallengeScope, hashContext } from '../../identity/factors/challenges.ts'
import { readProof, selectFactorColumns } from '../../identity/factors/factors.ts'
import {
  type Bound,
  type MailedLimit,
  type MailedTry,
  readUsedLinks,
  type TriedCode,
  tryCodes,
} from '../../identity/mailedCodes/codes.ts'
import { type Counter, readMailCounter, waitFor } from '../../identity/mailedCodes/mailCode.ts'
import { readCash } from '../../ledger/balances.ts'
import {
  buildQuery,
  type Database,
  NO_ROWS,
  type RowQuery,
  type RowsOf,
  readTogether,
  type Statement,
  selectRows,
  selectValues,
} from '../../lib/database.ts'
import { type Env, hasRateLimits } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { hasSecondFactor } from '../../lib/hasSecondFactor.ts'
import { countInWindow } from '../../lib/rateCounters.ts'
import { knownDestinations, requests } from '../../lib/tables/requests.ts'
import { type LockRow, readLock } from '../destinationLock/lock.ts'
import { countOpen, readMinimums, readUnprovedAllowance } from '../requests/limits.ts'
import { SHARE_WINDOW_MS } from './decide.ts'
import type { Destination } from './destination.ts'
import { selectProvedAt } from './ownerProofs.ts'

/** A proof as it was sent, and the only request that it can confirm. */
export interface ProofSubject {
  readonly sent: SentProof
  /** The scope of a mailed code. */
  readonly bound: Bound
  /** The scope of a passkey's challenge. */
  readonly scope: ChallengeScope
}

/** A requested withdrawal, not yet decided. */
export interface NewWithdrawal extends ProofSubject {
  readonly kind: 'withdrawal' | 'online-service-withdrawal'
  readonly amountCents: number
  readonly destination: Destination
}

/** The fields of a body that carry a proof. */
export interface ProofFields {
  readonly code?: string | undefined
  readonly passkey?: unknown
}

/** Reads the proof in a body, which confirms exactly this amount to this destination. */
export async function readProofSubject(bound: Bound, { code, passkey }: ProofFields): Promise<ProofSubject> {
  const { investor, amountCents, destinationHash } = bound
  return {
    sent: await readProof({ code: code?.replace(/[\s-]/g, '') || undefined, passkey }),
    bound,
    scope: {
      userId: investor,
      purpose: 'withdrawal',
      context: await hashContext(amountCents, destinationHash),
    },
  }
}

/** An investor's withdrawal with the proof in the body. */
export async function buildWithdrawal(
  investor: string,
  withdrawal: Pick<NewWithdrawal, 'kind' | 'amountCents' | 'destination'>,
  body: ProofFields,
): Promise<NewWithdrawal> {
  const { amountCents, destination } = withdrawal
  const bound = { investor, amountCents, destinationHash: destination.hash }
  return { ...withdrawal, ...(await readProofSubject(bound, body)) }
}

/** Whether a code or a passkey's answer was sent, right or wrong. */
export function isProofGiven({ sent }: ProofSubject): boolean {
  return sent.isPasskey || sent.code !== undefined
}

/** The facts that a proof is checked against. */
export interface ProofFacts {
  readonly mails: Counter | undefined
  readonly mailed: MailedTry
  readonly tries: Counter | undefined
  readonly factors: Factors
  readonly securityChangedAtMs: number | null
}

/** The facts that the decision depends on. Amounts in cents. */
export interface Facts extends ProofFacts {
  readonly minimums: readonly { value: string }[]
  readonly open: readonly { open: number }[]
  readonly availableCents: number
  /** The part of it that is frozen, because its payments are no longer on their chain. */
  readonly undoneCents: number
  readonly owedCents: number
  /** What may be withdrawn without a proof of address; null if any amount. */
  readonly unprovedCents: number | null
  /** Filed in the last 24 hours, without this one and without cancelled and rejected ones. */
  readonly filedCents: number
  readonly destinationKnown: boolean
  /** Until when a known destination is delayed; null if it is not. */
  readonly destinationDelayedUntil: number | null
  /** Whether the destination is in the investor's address book. */
  readonly isSaved: boolean
  /** When the investor proved that the destination is their own; null if they did not. */
  readonly provedAt: number | null
  /** The lock "only saved destinations", if it is on, and when this destination was saved. */
  readonly lock: (LockRow & { readonly savedAt: number | null }) | null
}

/** Reads the facts in one round trip, and counts a try as `buildProofReads` does. */
export async function readFacts(
  db: Database,
  env: Env,
  withdrawal: NewWithdrawal,
  nowMs: number,
): Promise<Facts> {
  const { investor } = withdrawal.bound
  const { hash: destinationHash } = withdrawal.destination
  const [minimums, open, [cash], [unproved], [filed], [known], [lock], [own], ...proofRows] =
    await readTogether(
      db,
      readMinimums(),
      countOpen(investor, 'withdrawals'),
      readCash(investor),
      readUnprovedAllowance(investor),
      selectRows({ cents: sql<number>`coalesce(sum(amount), 0)` })
        .from(requests)
        .where(sql`investor = ${investor} AND kind IN ('withdrawal', 'online-service-withdrawal')
        AND created_at > ${nowMs - SHARE_WINDOW_MS} AND status NOT IN ('cancelled', 'rejected')`),
      selectRows({ heldUntil: knownDestinations.heldUntil })
        .from(knownDestinations)
        .where(
          and(
            eq(knownDestinations.investor, investor),
            eq(knownDestinations.destinationHash, destinationHash),
          ),
        ),
      readLock(investor, nowMs),
      selectValues({
        savedAt: sql<number | null>`(SELECT created_at FROM saved_addresses
          WHERE investor = ${investor} AND destination_hash = ${destinationHash})`,
        provedAt: selectProvedAt(investor, destinationHash),
      }),
      ...buildProofReads(env, withdrawal, nowMs),
    )
  return {
    ...parseProofRows(proofRows),
    minimums,
    open,
    availableCents: cash?.availableCents ?? 0,
    undoneCents: cash?.undoneCents ?? 0,
    owedCents: cash?.owedCents ?? 0,
    unprovedCents: unproved?.cents ?? null,
    filedCents: filed?.cents ?? 0,
    destinationKnown: known !== undefined,
    destinationDelayedUntil: known?.heldUntil ?? null,
    isSaved: own?.savedAt != null,
    provedAt: own?.provedAt ?? null,
    lock: lock === undefined ? null : { ...lock, savedAt: own?.savedAt ?? null },
  }
}

/** The second factors, and the time of the last security change. */
type FactorRow = Factors & { readonly securityChangedAtMs: number | null }

type ProofReads = readonly [
  mails: RowQuery<Counter>,
  factors: RowQuery<FactorRow>,
  limit: RowQuery<MailedLimit>,
  codes: RowQuery<TriedCode>,
  tries: RowQuery<Counter>,
]

/**
 * Reads of the facts of a proof, for `readTogether`. If a proof was sent, they count the try before the proof is compared, so
 * that parallel tries all count. If none was sent, they find the mailed codes whose link was used.
 */
export function buildProofReads(env: Env, subject: ProofSubject, nowMs: number): ProofReads {
  const { sent, bound, scope } = subject
  const { investor } = bound
  const mails = readMailCounter(investor)
  const factors = buildQuery<FactorRow>(sql`
    SELECT ${selectFactorColumns(env, sent, scope, nowMs)}, u.security_changed_at AS securityChangedAtMs
    FROM users u WHERE u.id = ${investor}`)
  if (!isProofGiven(subject)) return [mails, factors, ...readUsedLinks(env, bound, nowMs), NO_ROWS]
  const tries = hasRateLimits(env) ? countTry(investor, nowMs) : NO_ROWS
  return [mails, factors, ...tryCodes(env, bound, nowMs), tries]
}

/** The facts in the rows of `buildProofReads`. */
export function parseProofRows([[mails], [row], [limit], codes, [tries]]: RowsOf<ProofReads>): ProofFacts {
  if (row === undefined) throw new Error('unreachable: the actor is a user')
  return {
    mails,
    mailed: { limit, codes },
    tries,
    factors: row,
    securityChangedAtMs: row.securityChangedAtMs,
  }
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
