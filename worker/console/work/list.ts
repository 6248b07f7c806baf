import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import {
  type getWork as endpoint,
  MOST_WORK,
  WORK_SCOPES,
  type WorkItem,
} from '../../../src/contract/console/work.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { getReadScope, ROLES_OF_PROPOSALS } from '../../../src/contract/roles.ts'
import { isRepresentative } from '../../chains/payments/dust.ts'
import type { Actor } from '../../http/actor.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { hasRole, hasScope } from '../../http/scopes.ts'
import { IS_UNDONE } from '../../ledger/balances.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { creditApprovals } from '../../lib/tables/operators.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'
import { users } from '../../lib/tables/people.ts'
import { requestEvents, requests, withdrawalDetails } from '../../lib/tables/requests.ts'
import { TWO_PERSON_LIMIT } from '../cases/alone.ts'
import { parseAssignment, selectAssigned, selectAssignedCases } from '../cases/assignments.ts'
import { parseProposal, readProposals, toProposalRow } from '../proposals/proposal.ts'

/** Open cases, oldest first, in one round trip: the oldest of each queue by its index, and the caller's own. */
export async function listWork(call: CallOf<typeof endpoint>) {
  const { db, actor, nowMs } = call
  const own = selectAssignedCases(call)
  const [deposits, withdrawals, payouts, kyc, messages, payments, proposals] = await readTogether(
    db,
    readDeposits(own),
    readWithdrawals('withdrawal', 'pending', own),
    readWithdrawals('payout', 'approved', own),
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
  const oldestFirst = [...items, ...proposed]
    .filter(({ kind }) => hasScope(actor, getReadScope(WORK_SCOPES[kind])))
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
  return ok({ at: toIso(nowMs), items: oldestFirst })
}

type WorkFacts = RowOf<
  typeof readDeposits | typeof readWithdrawals | typeof readKyc | typeof readMessages | typeof readPayments
>

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
  if (!hasScope(actor, WORK_SCOPES[kind])) return 'others'
  const isFirst = first === actor.id
  return isFirst && (kind === 'deposit' || aboveLimit === 1) ? 'others' : 'you'
}

/**
 * A condition on `requests r`, in order: one of the oldest in the queue, or one of the caller's own cases. The unary plus keeps SQLite from
 * reading the whole queue by its index instead.
 */
function isOldestOrOwn(queue: SQL, status: SQL, own: SQL): SQL {
  return sql`r.id IN (
    SELECT id FROM (
      SELECT id FROM requests WHERE queue = ${queue} AND status = ${status} ORDER BY created_at LIMIT ${MOST_WORK})
    UNION ${own}) AND +r.queue = ${queue} AND +r.status = ${status}`
}

const [r, u, f] = [alias(requests, 'r'), alias(users, 'u'), alias(users, 'f')]

/** The facts that only some kinds of case have. */
const NO_FACTS = {
  ref: sql<string | null>`NULL`,
  amount: sql<number | null>`NULL`,
  about: sql<string | null>`NULL`,
  first: sql<string | null>`NULL`,
  firstName: sql<string | null>`NULL`,
  aboveLimit: sql<0 | 1>`0`,
  heldUntil: sql<number | null>`NULL`,
  assigned: sql<string | null>`NULL`,
}

function readDeposits(own: SQL) {
  const c = alias(creditApprovals, 'c')
  return selectRows({
    ...NO_FACTS,
    kind: sql<'deposit'>`'deposit'`,
    ...{ id: r.id, ref: r.ref, person: u.displayName, createdAt: r.createdAt },
    amount: sql<number>`coalesce(c.amount, r.asked)`,
    ...{ first: c.operator, firstName: f.displayName },
    aboveLimit: sql<0 | 1>`coalesce(c.amount, r.asked) > ${TWO_PERSON_LIMIT}`,
    assigned: selectAssigned(sql`r.id`),
  })
    .from(r)
    .innerJoin(u, eq(u.id, r.investor))
    .leftJoin(c, eq(c.request, r.id))
    .leftJoin(f, eq(f.id, c.operator))
    .where(isOldestOrOwn(sql`'deposits'`, sql`'pending'`, own))
    .orderBy(sql`+r.created_at`)
}

function readWithdrawals(kind: 'withdrawal' | 'payout', status: 'pending' | 'approved', own: SQL) {
  const [d, e] = [alias(withdrawalDetails, 'd'), alias(requestEvents, 'e')]
  return selectRows({
    ...NO_FACTS,
    kind: sql<typeof kind>`${kind}`,
    ...{ id: r.id, ref: r.ref, person: u.displayName, createdAt: r.createdAt, amount: r.amount },
    ...{ first: e.actor, firstName: f.displayName, heldUntil: d.heldUntil },
    aboveLimit: sql<0 | 1>`r.amount > ${TWO_PERSON_LIMIT}`,
    assigned: selectAssigned(sql`r.id`),
  })
    .from(r)
    .innerJoin(u, eq(u.id, r.investor))
    .leftJoin(d, eq(d.request, r.id))
    .leftJoin(e, and(eq(e.request, r.id), eq(e.status, 'approved')))
    .leftJoin(f, eq(f.id, e.actor))
    .where(isOldestOrOwn(sql`'withdrawals'`, sql.raw(`'${status}'`), own))
    .orderBy(sql`+r.created_at`)
}

function readKyc(own: SQL) {
  const k = alias(kycSubmissions, 'k')
  return selectRows({
    ...NO_FACTS,
    kind: sql<'kyc'>`'kyc'`,
    ...{ id: k.id, ref: k.ref, person: u.displayName, createdAt: k.createdAt },
    assigned: selectAssigned(sql`k.id`),
  })
    .from(k)
    .innerJoin(u, eq(u.id, k.userId))
    .where(sql`+k.status = 'pending' AND k.id IN (
      SELECT id FROM (SELECT id FROM kyc_submissions WHERE status = 'pending' ORDER BY seq LIMIT ${MOST_WORK})
      UNION ${own})`)
    .orderBy(sql`+k.seq`)
}

function readMessages() {
  const m = alias(contactMessages, 'm')
  return selectRows({
    ...NO_FACTS,
    kind: sql<'message'>`'message'`,
    ...{ id: m.id, ref: m.ref, person: m.name, createdAt: m.openedAt },
    about: sql<string>`substr(coalesce((SELECT e.text FROM thread_entries e WHERE e.thread = m.id AND e.operator IS NULL
      ORDER BY e.place DESC LIMIT 1), m.message), 1, 120)`,
  })
    .from(m)
    .where(sql`m.status = 'open'`)
    .orderBy(m.openedAt)
    .limit(MOST_WORK)
}

function readPayments() {
  const open = (from: SQL) => sql`
    SELECT id, investor, seen_at FROM (SELECT id, investor, seen_at FROM ${from} ORDER BY seen_at LIMIT ${MOST_WORK})`
  return selectRows({
    ...NO_FACTS,
    kind: sql<'payment'>`'payment'`,
    ...{ id: sql<string>`p.id`, person: u.displayName, createdAt: sql<number>`p.seen_at` },
  })
    .from(sql`(
      ${open(sql`payments WHERE state = 'queued' AND closed_at IS NULL AND ${isRepresentative()}`)}
      UNION ALL ${open(sql`payments WHERE ${IS_UNDONE}`)}
      UNION ALL ${open(sql`unknown_receipts WHERE closed_at IS NULL`)}
    ) p`)
    .innerJoin(u, sql`u.id = p.investor`)
    .orderBy(sql`p.seen_at`)
    .limit(MOST_WORK)
}
