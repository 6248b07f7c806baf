import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { DAY_MS } from '../../../../src/time.ts'
import { selectRows } from '../../../lib/database.ts'
import { users } from '../../../lib/tables/people.ts'
import { requests, withdrawalDetails } from '../../../lib/tables/requests.ts'
import { CHANGED_WITHIN_MS, IN_AND_OUT_MS } from './signals.ts'

/** The usual amount is the largest of this many last payouts. */
const USUAL_SAMPLE = 20
/** A destination is known if one of this many last withdrawals was paid to it. A confirmed destination alone is not known. */
const KNOWN_SAMPLE = 50
/** Deposits filed longer ago than this are ignored, even if they were credited recently. */
const CREDITED_MAX_AGE_MS = 14 * DAY_MS
/** Investors who share a destination are counted up to this number. */
const MOST_SHARED = 100

/**
 * Reads the inputs of one withdrawal's signals, without those that follow from the request's status. Each figure costs one seek or a short
 * index range.
 */
export function readRisk(id: string) {
  const [r, u, d] = [alias(requests, 'r'), alias(users, 'u'), alias(withdrawalDetails, 'd')]
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
  return selectRows({
    destinationUsedAt: sql<number | null>`(SELECT max(p.created_at) FROM (
        SELECT o.id, o.created_at FROM requests o
        WHERE o.investor = r.investor AND o.status = 'completed' AND o.created_at <= r.created_at AND +o.seq < r.seq
        ORDER BY o.created_at DESC, o.seq DESC LIMIT ${KNOWN_SAMPLE}) p
        JOIN withdrawal_details x ON x.request = p.id
        WHERE x.destination_hash = d.destination_hash)`,
    destinationSavedAt: sql<number | null>`(SELECT s.created_at FROM saved_addresses s
        WHERE s.destination_hash = d.destination_hash AND s.investor = r.investor)`,
    destinationShared: sql<number>`(SELECT count(DISTINCT investor) FROM (
        SELECT k.investor FROM known_destinations k WHERE k.account_hash = coalesce(d.account_hash, d.destination_hash)
        UNION ALL SELECT s.investor FROM saved_addresses s WHERE s.destination_hash = d.destination_hash
        -- A stop forgets destinations, and a thief may withdraw from another account too.
        UNION ALL SELECT DISTINCT o.investor FROM withdrawal_details x JOIN requests o ON o.id = x.request
          WHERE x.address = d.address
        LIMIT ${MOST_SHARED})
        WHERE investor <> r.investor)`,
    passwordChangedAt: sql<number | null>`(SELECT max(a.at) FROM audit_log a
        WHERE a.actor = r.investor AND a.at > ${computeSinceSql(CHANGED_WITHIN_MS)}
          AND +a.action = 'password.changed')`,
    emailChangedAt: sql<
      number | null
    >`(SELECT max(c.completed_at) FROM email_changes c WHERE c.user_id = r.investor)`,
    factorChangedAt: sql<number | null>`(SELECT max(a.at) FROM audit_log a
        WHERE a.actor = r.investor AND a.at > ${computeSinceSql(CHANGED_WITHIN_MS)}
          AND +a.action IN ('two_factor.enabled', 'two_factor.disabled', 'two_factor.recovery_codes_renewed',
            'passkey.added', 'passkey.removed'))`,
    recoveredAt: sql<number | null>`(SELECT max(t.used_at) FROM email_tokens t
        WHERE t.user_id = r.investor AND t.purpose = 'reset-password')`,
    deviceSeenAt: sql<number | null>`(SELECT v.first_seen_at FROM sessions s
        JOIN devices v ON v.user_id = s.user_id AND v.device_hash = s.device_hash
        WHERE s.id = d.session_id AND s.user_id = r.investor)`,
    accountOpenedAt: u.createdAt,
    displayName: u.displayName,
    documentName: sql<string | null>`(SELECT k.document_name FROM kyc_submissions k
        WHERE k.user_id = r.investor AND +k.status IN ('approved', 'pending'))`,
    holderName: sql<string | null>`nullif(json_extract(d.bank, '$.accountHolderName'), '')`,
    identityApprovedAt: sql<number | null>`(SELECT coalesce(k.decided_at, k.created_at) FROM kyc_submissions k
        WHERE k.user_id = r.investor AND +k.status = 'approved')`,
    paidBefore: sql<number>`(SELECT count(*) FROM ${paid})`,
    paidMostCents: sql<number>`(SELECT coalesce(max(amount), 0) FROM ${paid})`,
    availableCents: sql<number>`coalesce((SELECT balance FROM accounts WHERE id = r.investor || ':available'), 0)`,
    grantedCents: sql<number>`coalesce((SELECT -balance FROM accounts WHERE id = r.investor || ':granted'), 0)`,
    owedCents: sql<number>`coalesce((SELECT -balance FROM accounts WHERE id = r.investor || ':owed'), 0)`,
    creditedCents: sql<number>`(SELECT coalesce(sum(o.amount), 0) ${credited})`,
    creditedAt: sql<number | null>`(SELECT max(e.at) ${credited})`,
    dayCount: sql<number>`(SELECT count(*) ${filedWithinADay})`,
    dayCents: sql<number>`(SELECT coalesce(sum(o.amount), 0) ${filedWithinADay})`,
    frozenAt: sql<number | null>`coalesce(u.frozen_at, (SELECT max(a.at) FROM audit_log a
        WHERE a.action = 'investor.frozen' AND +a.subject = r.investor))`,
  })
    .from(r)
    .innerJoin(u, eq(u.id, r.investor))
    .innerJoin(d, eq(d.request, r.id))
    .where(sql`r.id = ${id} AND r.queue = 'withdrawals'`)
}
