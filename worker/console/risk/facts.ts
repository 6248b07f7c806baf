import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import { DAY_MS } from '../../../src/time.ts'
import type { ActorCall } from '../../http/call.ts'
import { selectRows } from '../../lib/database.ts'
import { users } from '../../lib/tables/people.ts'
import { TWO_PERSON_LIMIT } from '../cases/alone.ts'
import { canReadConfidential } from '../cases/confidential.ts'
import { selectReferralTraits } from './referral.ts'
import {
  CHANGED_WITHIN_MS,
  IN_AND_OUT_MS,
  type RiskKind,
  UNDER_LIMIT_MS,
  UNDER_LIMIT_SHARE,
} from './rules.ts'

/** The usual amount is the largest of this many last payouts. */
const USUAL_SAMPLE = 20
/** A destination is known if one of this many last withdrawals was paid to it. A confirmed destination alone is not known. */
const KNOWN_SAMPLE = 50
/** Deposits filed longer ago than this are ignored, even if they were credited recently. */
const CREDITED_MAX_AGE_MS = 14 * DAY_MS
/** Others who share a destination, a receipt or a browser, and events after a report, are counted up to this number. */
const MOST_SHARED = 100
/** The other amounts just under a limit that a case links. */
const MOST_LINKED = 5
/** The newest documents of a person that are compared. */
const MOST_DOCUMENTS = 5
/** The newest browsers of a person that are compared. */
const MOST_DEVICES = 20

/** SQL of the amount in cents up to which a proved deposit is credited without an operator: the setting or its default. */
const AUTOMATIC_CREDIT = sql`coalesce(
  (SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'automaticCredit'),
  ${sql.raw(String(SETTINGS.automaticCredit.default))})`

/** The cases `c` with these ids: who and when, whether it is open, and when it ended. `reference` is the named transaction. */
const CASES: Readonly<Record<RiskKind, (ids: SQL, nowMs: number) => SQL>> = {
  deposits: (ids) => selectRequests(ids, sql`r.status = 'pending'`, sql`p.txid`),
  withdrawals: (ids) => selectRequests(ids, sql`r.status IN ('pending', 'approved')`, sql`NULL`),
  kyc: (ids) => sql`
    SELECT k.id, k.user_id AS investor, NULL AS kind, 0 AS amount, k.created_at AS at, k.seq, k.status = 'pending' AS isOpen,
      k.decided_at AS endedAt, NULL AS reference FROM kyc_submissions k WHERE k.id IN (${ids})`,
  recoveries: (ids) => sql`
    SELECT l.id, l.investor, NULL AS kind, 0 AS amount, l.filed_at AS at, l.seq, l.ended_at IS NULL AS isOpen,
      l.ended_at AS endedAt, NULL AS reference FROM factor_recoveries l WHERE l.id IN (${ids})`,
  payments: (ids) => sql`
    SELECT id, investor, NULL AS kind, coalesce(amount, 0) AS amount, seen_at AS at, 2 * seq AS seq,
      state = 'undone' OR (state = 'queued' AND closed_at IS NULL) AS isOpen, closed_at AS endedAt, reference
      FROM payments WHERE id IN (${ids})
    UNION ALL SELECT id, investor, NULL, 0, seen_at, 2 * seq + 1, closed_at IS NULL, closed_at, reference
      FROM unknown_receipts WHERE id IN (${ids})`,
  // An account is judged as it is now.
  investors: (ids, nowMs) => sql`
    SELECT i.id, i.id AS investor, NULL AS kind, 0 AS amount, ${nowMs} AS at, i.seq, i.closed_at IS NULL AS isOpen,
      NULL AS endedAt, NULL AS reference FROM users i WHERE i.id IN (${ids})`,
}

function selectRequests(ids: SQL, isOpen: SQL, reference: SQL): SQL {
  return sql`
    SELECT r.id, r.investor, r.kind, r.amount, r.created_at AS at, r.seq, ${isOpen} AS isOpen,
      iif(${isOpen}, NULL, (SELECT max(e.at) FROM request_events e WHERE e.request = r.id)) AS endedAt, ${reference} AS reference
    FROM requests r LEFT JOIN deposit_details p ON p.request = r.id WHERE r.id IN (${ids})`
}

/** SQL of a linked fact for `linkedFact` in rules.ts: the first of `rows`, each with `investor` or `id`, and how many there are. */
function linkPerson(rows: SQL): SQL<string | null> {
  return sql`(
    SELECT json_object('kind', 'investor', 'id', o.id, 'text', o.display_name, 'count', x.people)
    FROM (SELECT min(investor) AS id, count(DISTINCT investor) AS people FROM (${rows} LIMIT ${MOST_SHARED}) WHERE investor <> c.investor) x
    JOIN users o ON o.id = x.id)`
}

/** The same for requests: credited deposits come first, then those of other people. `rows` have `request`. */
function linkRequest(rows: SQL): SQL<string | null> {
  return sql`(
    SELECT json_object('kind', iif(o.queue = 'deposits', 'deposit', 'withdrawal'), 'id', o.id,
      'text', o.ref || ', ' || (SELECT display_name FROM users WHERE id = o.investor), 'count', count(*) OVER (),
      'isCredited', o.status = 'approved')
    FROM (SELECT DISTINCT request FROM (${rows} LIMIT ${MOST_SHARED}) WHERE request <> c.id) x
    CROSS JOIN requests o ON o.id = x.request WHERE o.status <> 'cancelled'
    ORDER BY o.status = 'approved' DESC, o.investor = c.investor, o.seq LIMIT 1)`
}

/**
 * Reads the facts of cases of one kind, by a query of their ids. Each fact costs one seek or a short index range, so a case costs the same
 * whatever its history. With `areOpen`, only open cases. A fact for `only` some kinds is null for the others, whose rules do not read it.
 */
export function readRiskFacts(
  kind: RiskKind,
  ids: SQL,
  { actor, nowMs }: Pick<ActorCall, 'actor' | 'nowMs'>,
  areOpen = false,
) {
  const u = alias(users, 'u')
  const isPayout = kind === 'withdrawals'
  /** Read for these cases alone. */
  const only = <Fact>(isRead: boolean, fact: SQL<Fact>) => (isRead ? fact : sql<Fact>`NULL`)
  const since = (ms: number) => sql`c.at - ${ms}`
  // Names the index, because SQLite would read a count from an index of all rows.
  const filedBetween = (from: SQL, until: SQL) => sql`
    FROM requests o INDEXED BY requests_history_by_kind WHERE o.investor = c.investor
      AND o.kind IN (${isPayout ? sql`'withdrawal', 'online-service-withdrawal'` : sql`'deposit'`})
      AND o.created_at > ${from} AND o.created_at <= ${until} AND +o.status NOT IN ('cancelled', 'rejected')`
  const filedSince = (ms: number) => sql`${filedBetween(since(ms), sql`c.at`)} AND +o.seq <= c.seq`
  const paid = sql`
    SELECT o.id, o.amount, o.created_at FROM requests o
    WHERE o.investor = c.investor AND o.status = 'completed' AND o.created_at <= c.at AND +o.seq < c.seq
    ORDER BY o.created_at DESC, o.seq DESC`
  const credited = sql`
    FROM requests o JOIN request_events e ON e.request = o.id AND e.status = 'approved'
    WHERE o.investor = c.investor AND o.kind = 'deposit' AND o.status = 'approved'
      AND o.created_at > ${since(CREDITED_MAX_AGE_MS)} AND o.created_at <= c.at AND e.at > ${since(IN_AND_OUT_MS)} AND e.at <= c.at`
  const isUnder = (limit: SQL) => sql`o.asked BETWEEN ${limit} * ${UNDER_LIMIT_SHARE} AND ${limit}`
  // Later ones too: an operator opens the oldest of them first.
  const underLimit = sql`${filedBetween(since(UNDER_LIMIT_MS), sql`c.at + ${UNDER_LIMIT_MS}`)}
    AND (${isUnder(TWO_PERSON_LIMIT)} ${isPayout ? sql`` : sql`OR ${isUnder(AUTOMATIC_CREDIT)}`})`
  const didLately = (action: SQL) => sql<number | null>`(
    SELECT max(a.at) FROM audit_log a WHERE a.actor = c.investor AND a.at > ${since(CHANGED_WITHIN_MS)} AND ${action})`
  const firstFactorAt = sql`(
    SELECT min(f.at) FROM (
      SELECT enabled_at AS at FROM second_factors WHERE user_id = c.investor
      UNION ALL SELECT min(created_at) FROM passkeys WHERE user_id = c.investor) f)`
  const lostFactor = (isEnded: SQL) => sql<string | null>`(
    SELECT json_object('kind', 'recovery', 'id', l.id, 'text', coalesce('the report, ' || l.outcome, 'the report'), 'at', l.filed_at) FROM factor_recoveries l
    WHERE l.investor = c.investor AND l.filed_at IS NOT NULL AND ${isEnded} AND l.id <> c.id ORDER BY l.seq DESC LIMIT 1)`
  // Rejected and cancelled withdrawals count: a thief's request stays a sign after an operator refused it.
  const withdrawnAfter = sql`
    SELECT o.id, o.ref, o.amount, o.status, o.created_at FROM requests o INDEXED BY requests_history_by_kind WHERE o.investor = c.investor
      AND o.kind IN ('withdrawal', 'online-service-withdrawal') AND o.created_at > c.at AND o.created_at <= coalesce(c.endedAt, ${nowMs})
    LIMIT ${MOST_SHARED}`
  const signedInAfter = sql`
    SELECT s.created_at FROM sessions s
    WHERE s.user_id = c.investor AND s.created_at > c.at AND s.created_at <= coalesce(c.endedAt, ${nowMs}) LIMIT ${MOST_SHARED}`
  const isRequest = isPayout || kind === 'deposits'
  // A transaction has 64 characters; its outputs follow after a colon. `;` follows `:`.
  const named = sql`substr(c.reference, 1, 64)`
  return selectRows({
    id: sql<string>`c.id`,
    seq: sql<number>`c.seq`,
    ref: only(isRequest, sql<string | null>`(SELECT ref FROM requests WHERE id = c.id)`),
    amountCents: sql<number>`c.amount`,
    filedAt: sql<number>`c.at`,
    isOpen: sql<0 | 1>`c.isOpen`,
    /** Now, or the end of the case: later events do not count. */
    untilMs: sql<number>`coalesce(c.endedAt, ${nowMs})`,
    /** JSON of the weights that two administrators set. */
    settings: sql<string | null>`(SELECT value FROM settings WHERE key = 'risk')`,
    lockedAt: u.lockedAt,
    frozenNowAt: u.frozenAt,
    frozenReason: u.frozenReason,
    /** Null for operators who may not read it. */
    silentAt: sql<number | null>`(SELECT f.begun_at FROM silent_freezes f
      WHERE f.investor = c.investor AND f.ended_at IS NULL AND ${canReadConfidential(actor.id)})`,
    /** When it was last frozen. */
    frozenAt: sql<number | null>`coalesce(u.frozen_at, (
      SELECT max(a.at) FROM audit_log a WHERE a.action = 'investor.frozen' AND a.subject = c.investor))`,
    lostFactorOpen: lostFactor(sql`l.ended_at IS NULL`),
    lostFactorEnded: lostFactor(sql`l.ended_at IS NOT NULL`),
    /** The first withdrawal after the report; the count and the cents are of all, `paid` of those that were paid. */
    withdrawnAfterReport: only(
      kind === 'recoveries',
      sql<string | null>`(
      SELECT json_object('kind', 'withdrawal', 'id', x.id, 'text', x.ref, 'count', count(*), 'at', min(x.created_at), 'cents', sum(x.amount),
        'paid', sum(iif(x.status = 'completed', x.amount, 0)))
      FROM (${withdrawnAfter}) x HAVING count(*) > 0)`,
    ),
    signedInAfterReport: only(
      kind === 'recoveries',
      sql<string | null>`(
      SELECT json_object('kind', 'investor', 'id', u.id, 'text', u.display_name, 'count', count(*), 'at', min(x.created_at))
      FROM (${signedInAfter}) x HAVING count(*) > 0)`,
    ),
    passwordChangedAt: didLately(sql`+a.action = 'password.changed'`),
    addressChangedAt: didLately(sql`+a.action = 'address.saved'`),
    nameChangedAt: didLately(
      sql`+a.action = 'profile.changed' AND json_extract(a.detail, '$.fields') LIKE '%name%'`,
    ),
    /** Setting up the first factor is no change. */
    factorChangedAt:
      didLately(sql`(+a.action IN ('two_factor.disabled', 'two_factor.recovery_codes_renewed', 'passkey.removed')
      OR +a.action IN ('two_factor.enabled', 'passkey.added') AND a.at > ${firstFactorAt})`),
    emailChangedAt: sql<
      number | null
    >`(SELECT max(e.completed_at) FROM email_changes e WHERE e.user_id = c.investor)`,
    /** When a forgotten password was last reset by mail. */
    recoveredAt: sql<number | null>`(SELECT max(t.used_at) FROM email_tokens t
      WHERE t.user_id = c.investor AND t.purpose = 'reset-password')`,
    /** When the browser of the request was first seen; null without a device cookie. */
    deviceSeenAt: sql<number | null>`(SELECT v.first_seen_at FROM sessions s
      JOIN devices v ON v.user_id = s.user_id AND v.device_hash = s.device_hash WHERE s.id = d.session_id AND s.user_id = c.investor)`,
    deviceShared: linkPerson(sql`
      SELECT v.user_id AS investor FROM (SELECT device_hash FROM devices WHERE user_id = c.investor LIMIT ${MOST_DEVICES}) m
      CROSS JOIN devices v ON v.device_hash = m.device_hash AND v.user_id <> c.investor`),
    /** The first document of another person with the same picture as one of the investor's, and how many there are. */
    documentShared: sql<string | null>`(
      SELECT json_object('kind', 'kyc', 'id', o.id, 'text', o.ref || ', ' || (SELECT display_name FROM users WHERE id = o.user_id),
        'count', count(*) OVER ())
      FROM (
        SELECT x.* FROM (
          SELECT picture_hash FROM kyc_submissions
          WHERE user_id = c.investor AND sample = 0 AND picture_hash IS NOT NULL ORDER BY seq DESC LIMIT ${MOST_DOCUMENTS}) m
        CROSS JOIN kyc_submissions x ON x.picture_hash = m.picture_hash AND x.picture_hash IS NOT NULL AND x.user_id <> c.investor AND x.sample = 0
        LIMIT ${MOST_SHARED}) o
      ORDER BY o.seq LIMIT 1)`,
    /** The person who invited the investor, if the calling operator approved that person's identity. */
    invitedByOwn: sql<string | null>`(
      SELECT json_object('kind', 'investor', 'id', o.id, 'text', o.display_name) FROM users o
      JOIN kyc_submissions k ON k.user_id = o.id AND k.kind = 'identity' AND k.status = 'approved' WHERE o.id = u.referred_by AND k.decided_by = ${actor.id})`,
    referralTraits: selectReferralTraits(sql`c.investor`, sql`u.referred_by`),
    investor: sql<string>`c.investor`,
    accountOpenedAt: u.createdAt,
    /** As the investor wrote it, which may change at any time. */
    displayName: u.displayName,
    /** On the identity document, as its reviewer read it; null if none was recorded. */
    documentName: sql<string | null>`(SELECT k.document_name FROM kyc_submissions k
      WHERE k.user_id = c.investor AND k.kind = 'identity' AND +k.status IN ('approved', 'pending'))`,
    /** When an identity was approved; null if none is. */
    identityApprovedAt: sql<number | null>`(SELECT coalesce(k.decided_at, k.created_at) FROM kyc_submissions k
      WHERE k.user_id = c.investor AND k.kind = 'identity' AND +k.status = 'approved')`,
    country: u.country,
    bankCountry: sql<string | null>`json_extract(d.bank, '$.country')`,
    /** A possible hit on the sanctions list that is not cleared. */
    sanctionsHit: sql<string | null>`(
      SELECT json_object('kind', 'sanctions', 'id', h.id, 'text', h.entries ->> '$[0].name', 'count', json_array_length(h.entries), 'at', h.found_at)
      FROM sanctions_hits h WHERE h.investor = c.investor AND h.found_at <= coalesce(c.endedAt, ${nowMs})
        AND coalesce(h.cleared_at, ${nowMs} + 1) > coalesce(c.endedAt, ${nowMs}) ORDER BY h.seq DESC LIMIT 1)`,
    /** Debt after a reversed credit. */
    owedCents: sql<number>`coalesce((SELECT -balance FROM accounts WHERE id = c.investor || ':owed'), 0)`,
    heldUntil: sql<number | null>`d.held_until`,
    /** The holder of the bank account. */
    holderName: sql<string | null>`nullif(json_extract(d.bank, '$.accountHolderName'), '')`,
    /** When a withdrawal later paid to this destination was last requested; null if there is none. */
    destinationUsedAt: only(
      isPayout,
      sql<number | null>`(SELECT max(p.created_at) FROM (${paid} LIMIT ${KNOWN_SAMPLE}) p
      JOIN withdrawal_details x ON x.request = p.id WHERE x.destination_hash = d.destination_hash)`,
    ),
    /** When the destination was saved in the address book. */
    destinationSavedAt: sql<number | null>`(SELECT s.created_at FROM saved_addresses s
      WHERE s.destination_hash = d.destination_hash AND s.investor = c.investor)`,
    destinationShared: only(
      isPayout,
      linkPerson(sql`
      SELECT k.investor FROM known_destinations k WHERE k.account_hash = coalesce(d.account_hash, d.destination_hash)
      UNION ALL SELECT s.investor FROM saved_addresses s WHERE s.destination_hash = d.destination_hash
      -- A stop forgets destinations, and a thief may withdraw from another account too.
      UNION ALL SELECT DISTINCT o.investor FROM withdrawal_details x JOIN requests o ON o.id = x.request WHERE x.address = d.address`),
    ),
    /** Payouts before this request; the next field is the largest of the last ones. */
    paidBefore: only(isPayout, sql<number>`(SELECT count(*) FROM (${paid} LIMIT ${USUAL_SAMPLE}))`),
    paidMostCents: only(
      isPayout,
      sql<number>`(SELECT coalesce(max(amount), 0) FROM (${paid} LIMIT ${USUAL_SAMPLE}))`,
    ),
    availableCents: only(
      isPayout,
      sql<number>`coalesce((SELECT balance FROM accounts WHERE id = c.investor || ':available'), 0)`,
    ),
    grantedCents: only(
      isPayout,
      sql<number>`coalesce((SELECT -balance FROM accounts WHERE id = c.investor || ':granted'), 0)`,
    ),
    /** Credited within `IN_AND_OUT_MS` before the request. */
    creditedCents: only(isPayout, sql<number>`(SELECT coalesce(sum(o.amount), 0) ${credited})`),
    creditedAt: only(isPayout, sql<number | null>`(SELECT max(e.at) ${credited})`),
    /** Filed within a day up to and including this one, without cancelled and rejected ones. */
    dayCount: only(isPayout, sql<number>`(SELECT count(*) ${filedSince(DAY_MS)})`),
    dayCents: only(isPayout, sql<number>`(SELECT coalesce(sum(o.amount), 0) ${filedSince(DAY_MS)})`),
    underLimitCount: only(isRequest, sql<number>`(SELECT count(*) ${underLimit})`),
    underLimitCents: only(isRequest, sql<number>`(SELECT coalesce(sum(o.asked), 0) ${underLimit})`),
    /** JSON of the others. */
    underLimitOthers: only(
      isRequest,
      sql<string>`(
      SELECT json_group_array(json_object('kind', ${isPayout ? sql`'withdrawal'` : sql`'deposit'`}, 'id', l.id, 'text', l.ref))
      FROM (SELECT o.id, o.ref ${underLimit} AND o.id <> c.id ORDER BY o.created_at LIMIT ${MOST_LINKED}) l)`,
    ),
    creditedBefore: only(
      kind === 'deposits',
      sql<0 | 1>`EXISTS (
      SELECT 1 FROM requests o WHERE o.investor = c.investor AND o.kind = 'deposit' AND o.status = 'approved'
        AND o.created_at <= c.at AND +o.seq < c.seq)`,
    ),
    receiptSentBefore: only(
      kind === 'deposits',
      linkRequest(sql`
      SELECT x.request FROM deposit_details p CROSS JOIN deposit_details x ON x.receipt_hash = p.receipt_hash AND x.sample = 0
      WHERE p.request = c.id AND p.receipt_hash <> '' AND x.receipt_hash IS NOT NULL`),
    ),
    referenceUsed: only(
      !isPayout,
      linkRequest(sql`
      SELECT e.request FROM request_events e
      WHERE length(${named}) = 64 AND e.reference_key >= ${named} AND e.reference_key < ${named} || ';' AND e.reference_key IS NOT NULL
      UNION ALL SELECT x.request FROM deposit_details x WHERE x.txid = c.reference AND x.txid IS NOT NULL`),
    ),
  })
    .from(sql`(${CASES[kind](ids, nowMs)}) c`)
    .innerJoin(u, sql`u.id = c.investor`)
    .leftJoin(sql`withdrawal_details d`, sql`d.request = c.id`)
    .where(areOpen ? sql`c.isOpen` : sql`1`)
}
