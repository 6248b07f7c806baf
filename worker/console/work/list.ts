import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { MessageTopic } from '../../../src/contract/console/messages.ts'
import { WORK_KINDS, type WorkKind } from '../../../src/contract/console/work.ts'
import {
  type getWork as endpoint,
  MOST_WORK,
  type WorkItem,
} from '../../../src/contract/console/workItems.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { getReadScope, ROLES_OF_PROPOSALS } from '../../../src/contract/roles.ts'
import type { Actor } from '../../http/actor.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { hasRole, hasScope } from '../../http/scopes.ts'
import { NO_ROWS, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { creditApprovals, proposals } from '../../lib/tables/operators.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'
import { users } from '../../lib/tables/people.ts'
import { requestEvents, requests } from '../../lib/tables/requests.ts'
import { hasCredited, hasIdentified, TWO_PERSON_LIMIT } from '../cases/alone.ts'
import { parseWork, selectAssignedCases, selectWork, sumHeld } from '../cases/workState.ts'
import { TOPIC } from '../messages/thread.ts'
import { parseProposal, readProposals, toProposalRow } from '../proposals/proposal.ts'
import { getJudgedId, selectJudged } from '../proposals/risk.ts'
import { readRiskFacts } from '../risk/facts.ts'
import { deriveRisks, type RiskKind } from '../risk/rules.ts'
import { quoteKind, selectOldest, selectWaitingAmong, waitsForOtherHolders } from './kinds.ts'

/** Waiting cases, messages with a topic first, then by due time, in one round trip: the oldest of each kind, and the caller's own cases. */
export async function listWork(call: CallOf<typeof endpoint>) {
  const { db, actor, nowMs } = call
  const own = selectAssignedCases(call)
  const selectCases = (kind: WorkKind) => sql`(
    SELECT * FROM (${selectOldest(kind, MOST_WORK)}) UNION SELECT * FROM (${selectWaitingAmong(kind, own)})) w`
  const readsRisk = hasScope(actor, 'operator:investors.money')
  const selectIds = (...kinds: readonly WorkKind[]) =>
    sql.join(
      kinds.map((kind) => sql`SELECT id FROM ${selectCases(kind)}`),
      sql` UNION ALL `,
    )
  const readRisks = (kind: RiskKind, ...ids: readonly SQL[]) =>
    readsRisk ? readRiskFacts(kind, sql.join([...ids], sql` UNION ALL `), call, true) : NO_ROWS
  const ofProposals = selectIds('proposal', 'reversal')
  const judged = selectJudged(ofProposals)
  const [proposed, deposits, withdrawals, identities, recoveries, payments, accounts, ...kinds] =
    await readTogether(
      db,
      readProposals(sql`p.id IN (${ofProposals})`, 4 * MOST_WORK, sql`p.seq`),
      readRisks('deposits', selectIds('deposit', 'second_credit')),
      readRisks('withdrawals', selectIds('withdrawal', 'payout')),
      readRisks('kyc', selectIds('kyc')),
      readRisks('recoveries', selectIds('factor_recovery')),
      readRisks('payments', selectIds('payment')),
      readRisks(
        'investors',
        selectIds('lock_lift'),
        sql`SELECT investor FROM sanctions_hits WHERE id IN (${selectIds('sanctions_hit')})`,
        judged.investors,
      ),
      readDeposits('deposit', selectCases('deposit')),
      readDeposits('second_credit', selectCases('second_credit')),
      readWithdrawals('withdrawal', selectCases('withdrawal'), actor),
      readWithdrawals('payout', selectCases('payout'), actor),
      readPayouts(selectCases('release'), actor),
      readKyc('kyc', selectCases('kyc')),
      readKyc('expired_document', selectCases('expired_document')),
      readOfInvestors(
        'factor_recovery',
        selectCases('factor_recovery'),
        sql`(SELECT investor FROM factor_recoveries WHERE id = w.id)`,
      ),
      readOfInvestors(
        'sanctions_hit',
        selectCases('sanctions_hit'),
        sql`(SELECT investor FROM sanctions_hits WHERE id = w.id)`,
      ),
      readOfInvestors('lock_lift', selectCases('lock_lift'), sql`w.id`),
      readMessages(selectCases('message')),
      readOfInvestors(
        'payment',
        selectCases('payment'),
        sql`coalesce((SELECT investor FROM payments WHERE id = w.id), (SELECT investor FROM unknown_receipts WHERE id = w.id))`,
      ),
      readPlain('disagreement', selectCases('disagreement'), sql`w.id`),
      readPlain(
        'difference',
        selectCases('difference'),
        sql`(SELECT coalesce(l.name, d.place) FROM custody_differences d LEFT JOIN custody_places l ON l.id = d.place
        WHERE d.seq = CAST(w.id AS INTEGER))`,
      ),
    )
  const risks = deriveRisks({
    ...{ deposits, withdrawals, kyc: identities, recoveries, payments },
    investors: accounts,
  })
  const items = kinds.flat().map((facts) => toWorkItem(facts, risks.get(facts.judged), actor, nowMs))
  const pending = proposed.map((row): WorkItem => {
    const facts = parseProposal(row)
    const proposal = toProposalRow(facts)
    const { assigned, dueAt } = parseWork(facts, call)
    const { _id, createdAt, investor, amount, proposedBy, kind } = proposal
    const isMine = proposedBy._id !== actor.id && hasRole(actor, ROLES_OF_PROPOSALS[kind])
    return {
      _id,
      kind: kind === 'reversal' ? 'reversal' : 'proposal',
      createdAt,
      dueAt: dueAt ?? createdAt,
      ref: null,
      person: investor?.name ?? null,
      amount: amount ?? null,
      about: null,
      first: proposedBy,
      aboveLimit: false,
      assigned,
      proposal,
      waitsFor: isMine ? 'you' : 'others',
      risk: risks.get(getJudgedId(facts) ?? ''),
    }
  })
  const dueFirst = [...items, ...pending]
    .filter(({ kind }) => hasScope(actor, getReadScope(WORK_KINDS[kind].scope)))
    .toSorted((a, b) => Number(!a.topic) - Number(!b.topic) || a.dueAt.localeCompare(b.dueAt))
  return ok({ at: toIso(nowMs), items: dueFirst })
}

type WorkFacts = RowOf<
  | typeof readDeposits
  | typeof readWithdrawals
  | typeof readPayouts
  | typeof readKyc
  | typeof readOfInvestors
  | typeof readMessages
  | typeof readPlain
>

function toWorkItem(facts: WorkFacts, risk: WorkItem['risk'], actor: Actor, nowMs: number): WorkItem {
  const { amount, first } = facts
  return {
    _id: facts.id,
    kind: facts.kind,
    createdAt: toIso(facts.createdAt),
    dueAt: parseWork(facts, { nowMs }).dueAt ?? toIso(facts.createdAt),
    ref: facts.ref,
    person: facts.person,
    amount: amount === null ? null : toUsd(amount),
    about: facts.about,
    topic: facts.topic,
    first: first === null ? null : { _id: first, name: facts.firstName ?? '' },
    aboveLimit: facts.aboveLimit === 1,
    assigned: parseWork(facts, { nowMs }).assigned,
    waitsFor: deriveDecider(facts, risk, actor),
    risk,
  }
}

/** Counts the limit for one amount alone. When the decision is sent, the server also counts the amounts decided that day. */
function deriveDecider(
  { kind, first, aboveLimit, isOthers }: WorkFacts,
  risk: WorkItem['risk'],
  actor: Actor,
): 'you' | 'others' {
  if (isOthers === 1 || !hasScope(actor, WORK_KINDS[kind].scope)) return 'others'
  const needsAnother = kind !== 'payout' || aboveLimit === 1 || risk?.level === 'high'
  return first === actor.id && needsAnother ? 'others' : 'you'
}

const [r, u, f] = [alias(requests, 'r'), alias(users, 'u'), alias(users, 'f')]

/** The facts of a waiting row `w`. A kind replaces those that it has. */
function buildFacts<Kind extends WorkKind>(kind: Kind) {
  return {
    kind: sql<Kind>`${kind}`,
    id: sql<string>`w.id`,
    /** The id by which its risk is read. */
    judged: sql<string>`w.id`,
    createdAt: sql<number>`w.created_at`,
    ref: sql<string | null>`NULL`,
    person: sql<string | null>`NULL`,
    amount: sql<number | null>`NULL`,
    about: sql<string | null>`NULL`,
    topic: sql<MessageTopic | null>`NULL`,
    first: sql<string | null>`NULL`,
    firstName: sql<string | null>`NULL`,
    aboveLimit: sql<0 | 1>`0`,
    /** Only other operators can do it. */
    isOthers: sql<0 | 1>`0`,
    work: selectWork(quoteKind(kind), sql`w.id`, sql`w.created_at - ${sumHeld(quoteKind(kind), sql`w.id`)}`),
  }
}

function readDeposits(kind: 'deposit' | 'second_credit', rows: SQL) {
  const c = alias(creditApprovals, 'c')
  return selectRows({
    ...buildFacts(kind),
    ...{ ref: r.ref, person: u.displayName },
    amount: sql<number>`coalesce(c.amount, r.asked)`,
    ...{ first: c.operator, firstName: f.displayName },
    aboveLimit: sql<0 | 1>`coalesce(c.amount, r.asked) > ${TWO_PERSON_LIMIT}`,
  })
    .from(rows)
    .innerJoin(r, sql`r.id = w.id`)
    .innerJoin(u, eq(u.id, r.investor))
    .leftJoin(c, eq(c.request, r.id))
    .leftJoin(f, eq(f.id, c.operator))
}

function readWithdrawals(kind: 'withdrawal' | 'payout', rows: SQL, { id }: Actor) {
  const e = alias(requestEvents, 'e')
  return selectRows({
    ...buildFacts(kind),
    ...{ ref: r.ref, person: u.displayName, amount: r.amount },
    ...{ first: e.actor, firstName: f.displayName },
    aboveLimit: sql<0 | 1>`r.amount > ${TWO_PERSON_LIMIT}`,
    isOthers: sql<0 | 1>`e.actor IS ${id}
      AND (${hasCredited(id, sql`r.investor`)} OR ${hasIdentified(id, sql`r.investor`)})`,
  })
    .from(rows)
    .innerJoin(r, sql`r.id = w.id`)
    .innerJoin(u, eq(u.id, r.investor))
    .leftJoin(e, and(eq(e.request, r.id), eq(e.status, 'approved')))
    .leftJoin(f, eq(f.id, e.actor))
}

/** Who built a payout may also release it, so nobody is first. It waits for the holders of the keys that did not sign. */
function readPayouts(rows: SQL, actor: Actor) {
  return selectRows({
    ...buildFacts('release'),
    isOthers: waitsForOtherHolders(sql`w.id`, actor.id),
    amount: sql<number | null>`(
      SELECT sum(q.amount) FROM payout_items i JOIN requests q ON q.id = i.request WHERE i.payout = w.id)`,
  }).from(rows)
}

function readKyc(kind: 'kyc' | 'expired_document', rows: SQL) {
  const k = alias(kycSubmissions, 'k')
  // Of a rejection for good, which another reviewer confirms.
  const first = { first: k.finalBy, firstName: f.displayName }
  return selectRows({ ...buildFacts(kind), ...{ ref: k.ref, person: u.displayName }, ...first })
    .from(rows)
    .innerJoin(k, sql`k.id = w.id`)
    .innerJoin(u, eq(u.id, k.userId))
    .leftJoin(f, eq(f.id, k.finalBy))
}

function readMessages(rows: SQL) {
  const m = alias(contactMessages, 'm')
  return selectRows({
    ...buildFacts('message'),
    ...{ ref: m.ref, person: m.name, topic: TOPIC },
    about: sql<string>`substr(coalesce((SELECT e.text FROM thread_entries e WHERE e.thread = m.id AND e.operator IS NULL
      ORDER BY e.place DESC LIMIT 1), m.message), 1, 120)`,
  })
    .from(rows)
    .innerJoin(m, sql`m.id = w.id`)
}

/** Kinds whose rows name only the investor. Two operators unlock an account or remove a second factor: `first` is who began. */
function readOfInvestors(
  kind: 'factor_recovery' | 'sanctions_hit' | 'lock_lift' | 'payment',
  rows: SQL,
  investor: SQL,
) {
  const p = alias(proposals, 'p')
  return selectRows({
    ...buildFacts(kind),
    judged: sql<string>`iif(${kind} = 'sanctions_hit', u.id, w.id)`,
    person: u.displayName,
    ...{ first: sql<string | null>`coalesce(l.operator, p.proposed_by)`, firstName: f.displayName },
  })
    .from(rows)
    .innerJoin(u, sql`u.id = ${investor}`)
    .leftJoin(
      sql`lock_liftings l`,
      sql`${kind} = 'lock_lift' AND l.investor = u.id AND l.locked_at = u.locked_at AND l.step = 1`,
    )
    .leftJoin(
      p,
      sql`${kind} = 'factor_recovery' AND p.kind = ${kind} AND p.investor = u.id AND p.status = 'pending'
        AND json_extract(p.payload, '$.recovery') = w.id`,
    )
    .leftJoin(f, sql`f.id = coalesce(l.operator, p.proposed_by)`)
}

/** Kinds that concern no investor. `about` names the case. */
function readPlain(kind: 'disagreement' | 'difference', rows: SQL, about: SQL) {
  return selectRows({ ...buildFacts(kind), about: sql<string>`${about}` }).from(rows)
}
