import { type SQL, sql } from 'drizzle-orm'
import {
  type getWork as endpoint,
  MOST_WORK,
  WORK_SCOPES,
  type WorkItem,
  type WorkKind,
} from '../../../src/contract/console/work.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { parseRoles, ROLES_OF, ROLES_OF_PROPOSALS, type Role } from '../../../src/contract/roles.ts'
import { isRepresentative } from '../../chains/payments/dust.ts'
import type { Actor } from '../../http/actor.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { buildQuery, type RowQuery, readTogether } from '../../lib/database.ts'
import { TWO_PERSON_LIMIT } from '../cases/alone.ts'
import {
  type AssignedFacts,
  parseAssignment,
  selectAssigned,
  selectAssignedCases,
} from '../cases/assignments.ts'
import { parseProposal, readProposals, toProposalRow } from '../proposals/proposal.ts'

/** Open cases, oldest first, in one round trip: the oldest of each queue by its index, and the caller's own. */
export async function listWork(call: CallOf<typeof endpoint>) {
  const { db, actor, nowMs } = call
  const own = selectAssignedCases(call)
  const [deposits, withdrawals, payouts, kyc, messages, payments, proposals] = await readTogether(
    db,
    readDeposits(own),
    readWithdrawals(sql`'withdrawal'`, sql`'pending'`, own),
    readWithdrawals(sql`'payout'`, sql`'approved'`, own),
    readKyc(own),
    readMessages(),
    readPayments(),
    readProposals(sql`p.status = 'pending'`, MOST_WORK, sql`p.seq`),
  )
  const items = [...deposits, ...withdrawals, ...payouts, ...kyc, ...messages, ...payments].map((facts) =>
    toWorkItem(facts, actor, nowMs),
  )
  const proposed = proposals.map((row): WorkItem => {
    const proposal = toProposalRow(parseProposal(row))
    const { _id, createdAt, investor, amount, proposedBy, kind } = proposal
    const isMine = proposedBy._id !== actor.id && hasRole(actor, ROLES_OF_PROPOSALS[kind])
    return {
      _id,
      kind: 'proposal',
      createdAt,
      ref: null,
      person: investor?.name ?? null,
      amount: amount ?? null,
      about: null,
      first: proposedBy,
      aboveLimit: false,
      heldUntil: null,
      assigned: null,
      proposal,
      waitsFor: isMine ? 'you' : 'others',
    }
  })
  const oldestFirst = [...items, ...proposed].toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  return ok({ at: toIso(nowMs), items: oldestFirst })
}

interface WorkFacts extends AssignedFacts {
  readonly kind: Exclude<WorkKind, 'proposal'>
  readonly id: string
  readonly ref: string | null
  readonly person: string
  readonly amount: number | null
  readonly about: string | null
  readonly createdAt: number
  readonly first: string | null
  readonly firstName: string | null
  readonly aboveLimit: 0 | 1
  readonly heldUntil: number | null
}

function toWorkItem(facts: WorkFacts, actor: Actor, nowMs: number): WorkItem {
  const { amount, first } = facts
  const heldUntil = facts.heldUntil !== null && facts.heldUntil > nowMs ? facts.heldUntil : null
  return {
    _id: facts.id,
    kind: facts.kind,
    createdAt: toIso(facts.createdAt),
    ref: facts.ref,
    person: facts.person,
    amount: amount === null ? null : toUsd(amount),
    about: facts.about,
    first: first === null ? null : { _id: first, name: facts.firstName ?? '' },
    aboveLimit: facts.aboveLimit === 1,
    heldUntil: toIsoOrNull(heldUntil),
    assigned: parseAssignment(facts, { nowMs }),
    waitsFor: heldUntil !== null && facts.kind === 'payout' ? 'hold' : deriveDecider(facts, actor),
  }
}

/** Counts the limit for one amount alone. When the decision is sent, the server also counts the amounts decided that day. */
function deriveDecider({ kind, first, aboveLimit }: WorkFacts, actor: Actor): 'you' | 'others' {
  if (!hasRole(actor, ROLES_OF[WORK_SCOPES[kind]])) return 'others'
  const isFirst = first === actor.id
  return isFirst && (kind === 'deposit' || aboveLimit === 1) ? 'others' : 'you'
}

function hasRole({ operatorRoles }: Actor, roles: readonly Role[]): boolean {
  return parseRoles(operatorRoles).some((role) => roles.includes(role))
}

/**
 * A condition on `requests r`, in order: one of the oldest in the queue, or one of the caller's own cases. The unary plus keeps SQLite from
 * reading the whole queue by its index instead.
 */
function isOldestOrOwn(queue: SQL, status: SQL, own: SQL): SQL {
  return sql`r.id IN (
    SELECT id FROM (
      SELECT id FROM requests WHERE queue = ${queue} AND status = ${status} ORDER BY created_at LIMIT ${MOST_WORK})
    UNION ${own}) AND +r.queue = ${queue} AND +r.status = ${status} ORDER BY +r.created_at`
}

function readDeposits(own: SQL): RowQuery<WorkFacts> {
  return buildQuery(sql`
    SELECT 'deposit' AS kind, r.id, r.ref, u.display_name AS person, coalesce(c.amount, r.asked) AS amount, NULL AS about,
           r.created_at AS createdAt, c.operator AS first, f.display_name AS firstName,
           coalesce(c.amount, r.asked) > ${TWO_PERSON_LIMIT} AS aboveLimit, NULL AS heldUntil,
           ${selectAssigned(sql`r.id`)} AS assigned
    FROM requests r JOIN users u ON u.id = r.investor
    LEFT JOIN credit_approvals c ON c.request = r.id LEFT JOIN users f ON f.id = c.operator
    WHERE ${isOldestOrOwn(sql`'deposits'`, sql`'pending'`, own)}`)
}

function readWithdrawals(kind: SQL, status: SQL, own: SQL): RowQuery<WorkFacts> {
  return buildQuery(sql`
    SELECT ${kind} AS kind, r.id, r.ref, u.display_name AS person, r.amount, NULL AS about,
           r.created_at AS createdAt, e.actor AS first, f.display_name AS firstName,
           r.amount > ${TWO_PERSON_LIMIT} AS aboveLimit, d.held_until AS heldUntil,
           ${selectAssigned(sql`r.id`)} AS assigned
    FROM requests r JOIN users u ON u.id = r.investor LEFT JOIN withdrawal_details d ON d.request = r.id
    LEFT JOIN request_events e ON e.request = r.id AND e.status = 'approved' LEFT JOIN users f ON f.id = e.actor
    WHERE ${isOldestOrOwn(sql`'withdrawals'`, status, own)}`)
}

function readKyc(own: SQL): RowQuery<WorkFacts> {
  return buildQuery(sql`
    SELECT 'kyc' AS kind, k.id, k.ref, u.display_name AS person, NULL AS amount, NULL AS about,
           k.created_at AS createdAt, NULL AS first, NULL AS firstName, 0 AS aboveLimit, NULL AS heldUntil,
           ${selectAssigned(sql`k.id`)} AS assigned
    FROM kyc_submissions k JOIN users u ON u.id = k.user_id
    WHERE +k.status = 'pending' AND k.id IN (
      SELECT id FROM (SELECT id FROM kyc_submissions WHERE status = 'pending' ORDER BY seq LIMIT ${MOST_WORK})
      UNION ${own})
    ORDER BY +k.seq`)
}

function readMessages(): RowQuery<WorkFacts> {
  return buildQuery(sql`
    SELECT 'message' AS kind, m.id, m.ref, m.name AS person, NULL AS amount,
           substr(coalesce((SELECT e.text FROM thread_entries e WHERE e.thread = m.id AND e.operator IS NULL
             ORDER BY e.place DESC LIMIT 1), m.message), 1, 120) AS about,
           m.opened_at AS createdAt, NULL AS first, NULL AS firstName, 0 AS aboveLimit, NULL AS heldUntil,
           NULL AS assigned
    FROM contact_messages m WHERE m.status = 'open' ORDER BY m.opened_at LIMIT ${MOST_WORK}`)
}

function readPayments(): RowQuery<WorkFacts> {
  const open = (from: SQL) => sql`
    SELECT id, investor, seen_at FROM (SELECT id, investor, seen_at FROM ${from} ORDER BY seen_at LIMIT ${MOST_WORK})`
  return buildQuery(sql`
    SELECT 'payment' AS kind, p.id, NULL AS ref, u.display_name AS person, NULL AS amount, NULL AS about, p.seen_at AS createdAt,
           NULL AS first, NULL AS firstName, 0 AS aboveLimit, NULL AS heldUntil, NULL AS assigned
    FROM (
      ${open(sql`payments WHERE state = 'queued' AND closed_at IS NULL AND ${isRepresentative()}`)}
      UNION ALL ${open(sql`payments WHERE state = 'undone'`)}
      UNION ALL ${open(sql`unknown_receipts WHERE closed_at IS NULL`)}
    ) p JOIN users u ON u.id = p.investor ORDER BY p.seen_at LIMIT ${MOST_WORK}`)
}
