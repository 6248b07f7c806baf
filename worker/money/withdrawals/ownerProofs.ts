import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { isRecentChange } from '../../identity/credentials/recentChange.ts'

/** SQL: when an investor last proved that a destination is their own; null if they did not. */
export function selectProvedAt(
  investor: SQLWrapper | string,
  destinationHash: SQLWrapper | string,
): SQL<number | null> {
  return sql<number | null>`(SELECT max(proof.proved_at) FROM owner_proofs proof
    WHERE proof.investor = ${investor} AND proof.destination_hash = ${destinationHash})`
}

/**
 * Whether a proof lifts the delay of a new destination. A thief can prove their own wallet, so it has to be younger than the last
 * security change, and that change older than 72 hours. Triggers apply the same rules.
 */
export function isProofTrusted(
  provedAtMs: number | null,
  securityChangedAtMs: number | null,
  nowMs: number,
): boolean {
  return (
    provedAtMs !== null &&
    provedAtMs > (securityChangedAtMs ?? 0) &&
    !isRecentChange(securityChangedAtMs, nowMs)
  )
}
