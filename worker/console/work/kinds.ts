import { count, type SQL, sql } from 'drizzle-orm'
import { type getWaiting, MOST_COUNTED } from '../../../src/contract/console/overview.ts'
import { getWorkKind, WORK_KIND_NAMES, type WorkKind } from '../../../src/contract/console/work.ts'
import { isRepresentative } from '../../chains/payments/dust.ts'
import type { CallOf } from '../../http/call.ts'
import { answerWithTag } from '../../http/tagged.ts'
import { IS_UNDONE } from '../../ledger/balances.ts'
import { type RowOf, readTogether, selectRows, selectValues } from '../../lib/database.ts'

/** Rows that wait for an operator, with the columns `id` and `created_at`: since when they wait. */
interface WaitingRows {
  readonly from: SQL
  /** What sorts the oldest first. */
  readonly oldestFirst: SQL
}

/** SQL condition on a pending case's id: whom it waits for. True without a filter. */
export function isWaitingFor(whom: 'operator' | 'payment' | undefined, id: SQL): SQL {
  if (whom === undefined) return sql`1`
  return whom === 'payment' ? awaitsPayment(id) : sql`NOT ${awaitsPayment(id)}`
}

/** SQL condition on a deposit's id: it goes to the investor's own address, and its chain has not proved the payment yet. */
function awaitsPayment(request: SQL): SQL {
  return sql`(
    EXISTS (SELECT 1 FROM deposit_details d JOIN deposit_addresses a ON a.address = d.payment_to WHERE d.request = ${request})
    AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.request = ${request}))`
}

/** SQL condition on a withdrawal's id: it may not be paid at this time (epoch milliseconds). */
export function isDelayedUntilAfter(request: SQL, atMs: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM withdrawal_details h WHERE h.request = ${request} AND h.held_until > ${atMs})`
}

const NOW = sql`unixepoch('subsec') * 1000`

const WAITING: Readonly<Record<WorkKind, WaitingRows>> = {
  deposit: {
    from: sql`requests WHERE queue = 'deposits' AND status = 'pending'
      AND NOT EXISTS (SELECT 1 FROM credit_approvals c WHERE c.request = requests.id)
      AND NOT ${awaitsPayment(sql`requests.id`)}`,
    oldestFirst: sql`created_at`,
  },
  second_credit: {
    // A credit deletes its first approval, so that few are here.
    from: sql`(
      SELECT r.id, r.created_at FROM credit_approvals c CROSS JOIN requests r WHERE r.id = c.request AND r.status = 'pending')`,
    oldestFirst: sql`created_at`,
  },
  withdrawal: {
    from: sql`requests WHERE queue = 'withdrawals' AND status = 'pending'`,
    oldestFirst: sql`created_at`,
  },
  payout: {
    from: sql`requests WHERE queue = 'withdrawals' AND status = 'approved' AND NOT ${isDelayedUntilAfter(sql`requests.id`, NOW)}`,
    oldestFirst: sql`created_at`,
  },
  release: {
    // The first condition is that of the index.
    from: sql`(SELECT id, built_at AS created_at FROM payouts WHERE state IN ('built', 'released') AND state = 'built' ORDER BY seq)`,
    oldestFirst: sql`created_at`,
  },
  kyc: { from: sql`kyc_submissions WHERE status = 'pending'`, oldestFirst: sql`seq` },
  factor_recovery: {
    // A proposed removal waits under the proposals. An approved one waits until it takes effect.
    from: sql`(
      SELECT r.id, r.filed_at AS created_at FROM factor_recoveries r
      WHERE r.filed_at IS NOT NULL AND r.ended_at IS NULL AND r.effective_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM proposals p WHERE p.investor = r.investor AND p.kind = 'factor_recovery' AND p.status = 'pending'
          AND json_extract(p.payload, '$.recovery') = r.id))`,
    oldestFirst: sql`created_at`,
  },
  lock_lift: {
    // The owner asks by a message, because nobody can sign in to a locked account. After the first approval it waits for the second.
    from: sql`(
      SELECT id, asked_at AS created_at FROM (
        SELECT u.id, coalesce(
          (SELECT l.at FROM lock_liftings l WHERE l.investor = u.id AND l.locked_at = u.locked_at AND l.step = 1),
          (SELECT min(m.opened_at) FROM contact_messages m
           WHERE m.email = u.email AND m.opened_at >= u.locked_at AND m.status <> 'closed')) AS asked_at
        FROM users u WHERE u.locked_at IS NOT NULL AND u.closed_at IS NULL)
      WHERE asked_at IS NOT NULL)`,
    oldestFirst: sql`created_at`,
  },
  message: {
    // A reopened thread waits since it was reopened.
    from: sql`(SELECT id, opened_at, opened_at AS created_at FROM contact_messages WHERE status = 'open')`,
    oldestFirst: sql`opened_at`,
  },
  proposal: {
    from: sql`proposals WHERE status = 'pending' AND kind <> 'reversal'`,
    oldestFirst: sql`seq`,
  },
  reversal: {
    from: sql`proposals WHERE status = 'pending' AND kind = 'reversal'`,
    oldestFirst: sql`seq`,
  },
  payment: {
    from: sql`(
      SELECT id, seen_at AS created_at FROM payments WHERE state = 'queued' AND closed_at IS NULL AND ${isRepresentative()}
      UNION ALL SELECT id, seen_at FROM payments WHERE ${IS_UNDONE}
      UNION ALL SELECT id, seen_at FROM unknown_receipts WHERE closed_at IS NULL)`,
    oldestFirst: sql`created_at`,
  },
  disagreement: {
    from: sql`(SELECT name AS id, coalesce(told_at, at) AS created_at FROM self_checks WHERE ok = 0)`,
    oldestFirst: sql`created_at`,
  },
}

/** SQL of the target of a kind, in hours: the setting or its default. */
function selectTargetHours(kind: WorkKind): SQL<number> {
  return sql`coalesce(
    (SELECT json_extract(value, ${`$.${kind}`}) FROM settings WHERE key = 'targets'), ${sql.raw(String(getWorkKind(kind).hours))})`
}

/** The target of each kind, in hours. */
export function selectTargets() {
  const targets = WORK_KIND_NAMES.map((kind) => [kind, selectTargetHours(kind)])
  return selectValues(Object.fromEntries(targets) as Record<WorkKind, SQL<number>>)
}

/** SQL of the time (epoch milliseconds) at which a case is overdue that waits since `since`. */
export function selectDueAt(kind: WorkKind, since: SQL): SQL<number> {
  return sql`${since} + ${selectTargetHours(kind)} * 3600000`
}

/** SQL of the ids and times of the rows that wait longest. */
export function selectOldest(kind: WorkKind, most: number): SQL {
  const { from, oldestFirst } = WAITING[kind]
  return sql`SELECT id, created_at FROM ${from} ORDER BY ${oldestFirst} LIMIT ${most}`
}

/** SQL of the ids and times of waiting rows among `ids`, a query of the column `case_id`. CROSS JOIN keeps SQLite from reading all that wait. */
export function selectWaitingAmong(kind: WorkKind, ids: SQL): SQL {
  return sql`
    SELECT w.id, w.created_at FROM (${ids}) h CROSS JOIN (SELECT id, created_at FROM ${WAITING[kind].from}) w WHERE w.id = h.case_id`
}

/** How many cases of each kind wait. Reads a few rows per waiting case, however many were decided before. */
export async function showWaiting(call: CallOf<typeof getWaiting>) {
  const counts = WORK_KIND_NAMES.map((kind) => [
    kind,
    sql`(SELECT count(*) FROM (SELECT 1 FROM ${WAITING[kind].from} LIMIT ${MOST_COUNTED}))`,
  ])
  const [rows] = await readTogether(call.db, selectValues(Object.fromEntries(counts)))
  // `no-store`, like every answer to a signed-in user. A client that polls can send the ETag.
  return answerWithTag(call, JSON.stringify(rows[0]), { 'Cache-Control': 'no-store' })
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
    overdue: sql<number>`coalesce(sum(${selectDueAt(kind, sql`created_at`)} <= ${nowMs}), 0)`,
    targetHours: selectTargetHours(kind),
  }).from(sql`(${selectOldest(kind, MOST_COUNTED)})`)
}
