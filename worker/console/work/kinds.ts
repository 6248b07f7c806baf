import { count, type SQL, sql } from 'drizzle-orm'
import { type getWaiting, MOST_COUNTED } from '../../../src/contract/console/overview.ts'
import { WORK_KIND_NAMES, type WorkKind } from '../../../src/contract/console/work.ts'
import { isRepresentative } from '../../chains/payments/dust.ts'
import type { CallOf } from '../../http/call.ts'
import { answerWithTag } from '../../http/tagged.ts'
import { IS_UNDONE } from '../../ledger/balances.ts'
import { readPause } from '../../ledger/payoutPause.ts'
import { type RowOf, readTogether, selectRows, selectValues } from '../../lib/database.ts'
import { SELECT_UNLOCKING } from '../cases/unlocking.ts'
import { awaitsPayment, isOnHold, selectPayableFrom, selectTargetHours, sumHeld } from '../cases/workState.ts'
import { IS_HIT_FROZEN } from '../sanctions/hits.ts'

/** The open cases of a kind. */
interface OpenCases {
  /** A query in parentheses with the columns `id` and `created_at`: since when a case is open. */
  readonly from: SQL
  /** The column that sorts the oldest first by an index; `created_at` by default. */
  readonly oldestFirst?: string
  /** The condition, on the id `w.id`, of those that wait for something else than an operator. */
  readonly unless?: SQL
}

/** SQL condition on a withdrawal's id: it may not be paid at this time (epoch milliseconds). */
export function isDelayedUntilAfter(request: SQL, atMs: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM withdrawal_details h WHERE h.request = ${request} AND h.held_until > ${atMs})`
}

/** SQL condition on the id of a payout that is not released: only other operators hold the keys that did not sign yet. */
export function waitsForOtherHolders(payout: SQL, operator: string): SQL<0 | 1> {
  return sql<0 | 1>`NOT EXISTS (
    SELECT 1 FROM payouts p JOIN watch_wallets l ON l.id = p.wallet JOIN proposals o ON o.id = l.proposal
      JOIN json_each(o.payload, '$.signatures') s LEFT JOIN key_holders h ON h.wallet = p.wallet AND h.key = s.key
    WHERE p.id = ${payout} AND coalesce(h.holder, ${operator}) = ${operator} AND NOT EXISTS (
      SELECT 1 FROM payout_key_signatures k WHERE k.payout = p.id AND k.key = s.key
        AND k.version = (SELECT max(version) FROM payout_transactions WHERE payout = p.id)))`
}

const NOW = sql`unixepoch('subsec') * 1000`

/** Where the cases of each kind are. A new kind is one entry here and one in `WORK_KINDS`. */
const OPEN: Readonly<Record<WorkKind, OpenCases>> = {
  deposit: {
    from: sql`(SELECT id, created_at FROM requests WHERE queue = 'deposits' AND status = 'pending'
      AND NOT EXISTS (SELECT 1 FROM credit_approvals c WHERE c.request = requests.id))`,
    unless: awaitsPayment(sql`w.id`),
  },
  second_credit: {
    // A credit deletes its first approval, so that few are here.
    from: sql`(
      SELECT r.id, r.created_at FROM credit_approvals c CROSS JOIN requests r WHERE r.id = c.request AND r.status = 'pending')`,
  },
  withdrawal: {
    from: sql`(SELECT id, created_at FROM requests WHERE queue = 'withdrawals' AND status = 'pending')`,
  },
  payout: {
    from: sql`(SELECT r.id, r.created_at AS filed_at, ${selectPayableFrom(sql`r.id`)} AS created_at
      FROM requests r WHERE r.queue = 'withdrawals' AND r.status = 'approved')`,
    oldestFirst: 'filed_at',
    unless: isDelayedUntilAfter(sql`w.id`, NOW),
  },
  release: {
    // The first condition is that of the index.
    from: sql`(SELECT id, built_at AS created_at FROM payouts WHERE state IN ('built', 'released') AND state = 'built' ORDER BY seq)`,
  },
  kyc: {
    from: sql`(SELECT id, seq, created_at FROM kyc_submissions WHERE status = 'pending')`,
    oldestFirst: 'seq',
  },
  expired_document: {
    from: sql`(SELECT id, document_expires_on, (unixepoch(document_expires_on) + 86400) * 1000 AS created_at FROM kyc_submissions INDEXED BY kyc_expired
      WHERE status = 'approved' AND document_expires_on IS NOT NULL AND document_expires_on < date('now'))`,
    oldestFirst: 'document_expires_on',
  },
  factor_recovery: {
    // Until both reviewers approved it. Its proposal is no case of its own.
    from: sql`(SELECT id, filed_at AS created_at FROM factor_recoveries
      WHERE filed_at IS NOT NULL AND ended_at IS NULL AND effective_at IS NULL)`,
  },
  sanctions_hit: {
    from: sql`(SELECT id, seq, found_at AS created_at FROM sanctions_hits WHERE cleared_at IS NULL)`,
    oldestFirst: 'seq',
    // A confirmed one waits for the authority.
    unless: sql`EXISTS (SELECT 1 FROM sanctions_hits h WHERE h.id = w.id AND ${IS_HIT_FROZEN})`,
  },
  lock_lift: { from: SELECT_UNLOCKING },
  message: {
    // A reopened thread waits since it was reopened.
    from: sql`(SELECT id, opened_at, opened_at AS created_at FROM contact_messages WHERE status = 'open')`,
    oldestFirst: 'opened_at',
  },
  proposal: {
    from: sql`(SELECT id, seq, created_at FROM proposals WHERE status = 'pending' AND kind NOT IN ('reversal', 'factor_recovery'))`,
    oldestFirst: 'seq',
  },
  reversal: {
    from: sql`(SELECT id, seq, created_at FROM proposals WHERE status = 'pending' AND kind = 'reversal')`,
    oldestFirst: 'seq',
  },
  payment: {
    from: sql`(
      SELECT id, seen_at AS created_at FROM payments WHERE state = 'queued' AND closed_at IS NULL AND ${isRepresentative()}
      UNION ALL SELECT id, seen_at FROM payments WHERE ${IS_UNDONE}
      UNION ALL SELECT id, seen_at FROM unknown_receipts WHERE closed_at IS NULL)`,
  },
  difference: {
    from: sql`(SELECT CAST(seq AS TEXT) AS id, seq, at AS created_at FROM custody_differences WHERE cleared_at IS NULL)`,
    oldestFirst: 'seq',
  },
  disagreement: {
    from: sql`(SELECT name AS id, coalesce(told_at, at) AS created_at FROM self_checks WHERE ok = 0)`,
  },
}

/** A kind as SQL. Not as a parameter, of which a statement has at most 100. */
export function quoteKind(kind: WorkKind): SQL {
  return sql.raw(`'${kind}'`)
}

/** SQL of the kind, id and time of a case that is open, also of one that waits for somebody else. Not a UNION, of which D1 allows few. */
export function selectOpen(id: string): SQL {
  const selectIfOpen = (kind: WorkKind, columns: SQL) =>
    sql`(SELECT ${columns} FROM ${OPEN[kind].from} w WHERE w.id = ${id})`
  const kinds = WORK_KIND_NAMES.map((kind) => selectIfOpen(kind, quoteKind(kind)))
  const times = WORK_KIND_NAMES.map((kind) => selectIfOpen(kind, sql`w.created_at`))
  return sql`SELECT * FROM (
    SELECT ${id} AS id, coalesce(${sql.join(kinds, sql`, `)}) AS kind, coalesce(${sql.join(times, sql`, `)}) AS created_at)
    WHERE kind IS NOT NULL`
}

/** SQL of the ids of waiting cases `w` and since when, without their time on hold. */
function selectWaiting(kind: WorkKind): SQL {
  const { from, unless } = OPEN[kind]
  return sql`
    SELECT w.id, w.created_at + ${sumHeld(quoteKind(kind), sql`w.id`)} AS created_at FROM ${from} w
    WHERE NOT ${isOnHold(quoteKind(kind), sql`w.id`)} ${unless === undefined ? sql`` : sql`AND NOT ${unless}`}`
}

/** The same, of those that wait longest. */
export function selectOldest(kind: WorkKind, most: number): SQL {
  return sql`${selectWaiting(kind)} ORDER BY w.${sql.raw(OPEN[kind].oldestFirst ?? 'created_at')} LIMIT ${most}`
}

/** The same, among `ids`: a query of the column `case_id`. CROSS JOIN keeps SQLite from reading all that wait. */
export function selectWaitingAmong(kind: WorkKind, ids: SQL): SQL {
  return sql`SELECT q.id, q.created_at FROM (${ids}) h CROSS JOIN (${selectWaiting(kind)}) q WHERE q.id = h.case_id`
}

/** How many cases of each kind wait, without payouts that only others can sign. Reads a few rows per waiting case, however many were decided before. */
export async function showWaiting(call: CallOf<typeof getWaiting>) {
  const counts = WORK_KIND_NAMES.map((kind) => [
    kind,
    sql`(SELECT count(*) FROM (${selectWaiting(kind)}
      ${kind === 'release' ? sql`AND NOT ${waitsForOtherHolders(sql`w.id`, call.actor.id)}` : sql``} LIMIT ${MOST_COUNTED}))`,
  ])
  const [[found], pauses] = await readTogether(call.db, selectValues(Object.fromEntries(counts)), readPause())
  // `no-store`, like every answer to a signed-in user. A client that polls can send the ETag.
  return answerWithTag(call, JSON.stringify({ ...found, payoutsPaused: pauses.length > 0 }), {
    'Cache-Control': 'no-store',
  })
}

export type WaitingKind = RowOf<typeof readWaitingKind>

/** How many cases of each kind wait, since when, and how many are overdue. */
export function readWaiting(nowMs: number) {
  return WORK_KIND_NAMES.map((kind) => readWaitingKind(kind, nowMs))
}

function readWaitingKind(kind: WorkKind, nowMs: number) {
  return selectRows({
    name: sql<WorkKind>`${kind}`,
    count: count(),
    oldest: sql<number | null>`min(created_at)`,
    overdue: sql<number>`coalesce(sum(created_at + ${selectTargetHours(quoteKind(kind))} * 3600000 <= ${nowMs}), 0)`,
    targetHours: selectTargetHours(quoteKind(kind)),
  }).from(sql`(${selectOldest(kind, MOST_COUNTED)})`)
}
