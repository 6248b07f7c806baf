import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../../../src/time.ts'
import { buildQuery, type RowQuery } from '../../../lib/database.ts'
import { CHANGED_WITHIN_MS, IN_AND_OUT_MS, type RiskFacts } from './signals.ts'

/** The usual amount is the largest of this many last payouts. */
const USUAL_SAMPLE = 20
/** A destination is known if one of this many last withdrawals was paid to it. A confirmed destination alone is not known. */
const KNOWN_SAMPLE = 50
/** Deposits filed longer ago than this are ignored, even if they were credited recently. */
const CREDITED_MAX_AGE_MS = 14 * DAY_MS
/** Investors who share a destination are counted up to this number. */
const MOST_SHARED = 100

/** `RiskFacts` as read from the database. The rest follows from the request's status. */
export type StoredRisk = Omit<RiskFacts, 'amountCents' | 'filedAt' | 'isOpen' | 'heldUntil' | 'untilMs'>

/** Reads the inputs of one withdrawal's signals. Each figure costs one seek or a short index range. */
export function readRisk(id: string): RowQuery<StoredRisk> {
  const computeSinceSql = (ms: number) => sql`r.created_at - ${ms}`
  // Names the index, because SQLite would read a count from an index of all rows.
  const filedWithinADay = sql`
    FROM requests o INDEXED BY requests_history_by_kind WHERE o.investor = r.investor AND o.kind IN ('withdrawal', 'online-service-withdrawal')
      AND o.created_at > ${computeSinceSql(DAY_MS)} AND o.created_at <= r.created_at AND +o.seq <= r.seq
      AND +o.status NOT IN ('cancelled', 'rejected')`
  const paid = sql`(
    SELECT o.amount FROM requests o
    WHERE o.investor = r.investor AND o.status = 'completed' AND o.created_at <= r.created_at AND +o.seq < r.seq
    ORDER BY o.created_at DESC, o.seq DESC LIMIT ${USUAL_SAMPLE})`
  const credited = sql`
    FROM requests o JOIN request_events e ON e.request = o.id AND e.status = 'approved'
    WHERE o.investor = r.investor AND o.kind = 'deposit' AND o.status = 'approved'
      AND o.created_at > ${computeSinceSql(CREDITED_MAX_AGE_MS)} AND o.created_at <= r.created_at
      AND e.at > ${computeSinceSql(IN_AND_OUT_MS)} AND e.at <= r.created_at`
  return buildQuery(sql`
    SELECT
      (SELECT max(p.created_at) FROM (
        SELECT o.id, o.created_at FROM requests o
        WHERE o.investor = r.investor AND o.status = 'completed' AND o.created_at <= r.created_at AND +o.seq < r.seq
        ORDER BY o.created_at DESC, o.seq DESC LIMIT ${KNOWN_SAMPLE}) p
        JOIN withdrawal_details x ON x.request = p.id
        WHERE x.destination_hash = d.destination_hash) AS destinationUsedAt,
      (SELECT s.created_at FROM saved_addresses s
        WHERE s.destination_hash = d.destination_hash AND s.investor = r.investor) AS destinationSavedAt,
      (SELECT count(DISTINCT investor) FROM (
        SELECT k.investor FROM known_destinations k WHERE k.account_hash = coalesce(d.account_hash, d.destination_hash)
        UNION ALL SELECT s.investor FROM saved_addresses s WHERE s.destination_hash = d.destination_hash
        -- A stop forgets destinations, and a thief may withdraw from another account too.
        UNION ALL SELECT DISTINCT o.investor FROM withdrawal_details x JOIN requests o ON o.id = x.request
          WHERE x.address = d.address
        LIMIT ${MOST_SHARED})
        WHERE investor <> r.investor) AS destinationShared,
      (SELECT max(a.at) FROM audit_log a
        WHERE a.actor = r.investor AND a.at > ${computeSinceSql(CHANGED_WITHIN_MS)}
          AND +a.action = 'password.changed') AS passwordChangedAt,
      (SELECT max(c.completed_at) FROM email_changes c WHERE c.user_id = r.investor) AS emailChangedAt,
      (SELECT max(a.at) FROM audit_log a
        WHERE a.actor = r.investor AND a.at > ${computeSinceSql(CHANGED_WITHIN_MS)}
          AND +a.action IN ('two_factor.enabled', 'two_factor.disabled', 'two_factor.recovery_codes_renewed',
            'passkey.added', 'passkey.removed')) AS factorChangedAt,
      (SELECT max(t.used_at) FROM email_tokens t
        WHERE t.user_id = r.investor AND t.purpose = 'reset-password') AS recoveredAt,
      (SELECT v.first_seen_at FROM sessions s
        JOIN devices v ON v.user_id = s.user_id AND v.device_hash = s.device_hash
        WHERE s.id = d.session_id AND s.user_id = r.investor) AS deviceSeenAt,
      u.created_at AS accountOpenedAt, u.display_name AS displayName,
      (SELECT k.document_name FROM kyc_submissions k
        WHERE k.user_id = r.investor AND +k.status IN ('approved', 'pending')) AS documentName,
      nullif(json_extract(d.bank, '$.accountHolderName'), '') AS holderName,
      (SELECT coalesce(k.decided_at, k.created_at) FROM kyc_submissions k
        WHERE k.user_id = r.investor AND +k.status = 'approved') AS identityApprovedAt,
      (SELECT count(*) FROM ${paid}) AS paidBefore,
      (SELECT coalesce(max(amount), 0) FROM ${paid}) AS paidMostCents,
      coalesce((SELECT balance FROM accounts WHERE id = r.investor || ':available'), 0) AS availableCents,
      coalesce((SELECT -balance FROM accounts WHERE id = r.investor || ':granted'), 0) AS grantedCents,
      coalesce((SELECT -balance FROM accounts WHERE id = r.investor || ':owed'), 0) AS owedCents,
      (SELECT coalesce(sum(o.amount), 0) ${credited}) AS creditedCents,
      (SELECT max(e.at) ${credited}) AS creditedAt,
      (SELECT count(*) ${filedWithinADay}) AS dayCount,
      (SELECT coalesce(sum(o.amount), 0) ${filedWithinADay}) AS dayCents,
      coalesce(u.frozen_at, (SELECT max(a.at) FROM audit_log a
        WHERE a.action = 'investor.frozen' AND +a.subject = r.investor)) AS frozenAt
    FROM requests r JOIN users u ON u.id = r.investor JOIN withdrawal_details d ON d.request = r.id
    WHERE r.id = ${id} AND r.queue = 'withdrawals'`)
}
