import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import type { CaseStep } from '../../../src/contract/console/cases.ts'
import {
  type getProposal,
  listProposals,
  PROPOSAL_LABELS,
  type Proposal,
} from '../../../src/contract/console/proposals.ts'
import { describeProposal } from '../../../src/contract/console/proposalWords.ts'
import { describeStatus } from '../../../src/contract/console/requestWords.ts'
import { MOST_JUDGED } from '../../../src/contract/console/risk.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { parseRoles } from '../../../src/contract/roles.ts'
import { site } from '../../../src/site.ts'
import { listWalletWarnings } from '../../chains/watchWallets/signers.ts'
import { type ActorCall, type Answer, type CallOf, ok } from '../../http/call.ts'
import { formatDecimal } from '../../http/csv.ts'
import { buildFilters } from '../../http/filters.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { buildSeqPage, createQueue } from '../../http/queue.ts'
import { buildDecisionColumns, toStep } from '../../http/steps.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { type Asset, formatQuantity } from '../../ledger/custody.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { type Database, type RowOf, readTogether, type Statement, selectRows } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { operatorInvitations, proposals as proposalTable } from '../../lib/tables/operators.ts'
import { announcements } from '../../lib/tables/outreach.ts'
import { users } from '../../lib/tables/people.ts'
import { requests } from '../../lib/tables/requests.ts'
import { selectAccepted, withAccepted } from '../cases/accepted.ts'
import { toInvestor } from '../cases/requests.ts'
import { matchNameSql } from '../cases/search.ts'
import { isAssignedTo, parseWork, selectWork } from '../cases/workState.ts'
import { type Recovery, readRecoveries, toRecoveryRow } from '../factorRecoveries/recoveries.ts'
import type { acceptRisk } from '../risk/accept.ts'
import { limitToFormat, pageByRisk, RISK_COLUMNS } from '../risk/queue.ts'
import { deriveRisks } from '../risk/rules.ts'
import { selectBooks } from './compareStatements.ts'
import { type ProposalSubject, proposalSubject } from './payloads.ts'
import { computeReversalEffect, readReversalEffects } from './reversalEffects.ts'
import { getJudgedId, readProposalRisks } from './risk.ts'
import { describeChanges } from './settings.ts'
import { describeTreasuryAct } from './treasury.ts'
import { describeVenueAct } from './venue.ts'

/** The proposals `p` under a condition with the people, the request and the settings involved, newest first unless told otherwise. */
export function readProposals(where: SQL, limit: number, by = sql`p.seq DESC`) {
  const [p, r, i] = [alias(proposalTable, 'p'), alias(requests, 'r'), alias(operatorInvitations, 'i')]
  const [a, b, u, w, o] = [
    alias(users, 'a'),
    alias(users, 'b'),
    alias(users, 'u'),
    alias(users, 'w'),
    alias(users, 'o'),
  ]
  return selectRows({
    ...getTableColumns(p),
    proposedByName: a.displayName,
    decidedByName: b.displayName,
    investorName: u.displayName,
    investorEmail: u.email,
    /** JSON of the reversed request. */
    request: sql<string>`json_object('id', r.id, 'ref', r.ref, 'kind', r.kind, 'status', r.status, 'amount', r.amount,
      'investor', r.investor, 'investorName', w.display_name, 'investorEmail', w.email)`,
    operatorName: sql<string | null>`coalesce(o.display_name, i.name)`,
    operatorEmail: sql<string | null>`coalesce(o.email, i.email)`,
    /** JSON of the people who would hold keys. */
    people: sql<string>`CASE p.kind WHEN 'key_holders' THEN (
      SELECT json_group_array(json_object('_id', h.id, 'name', h.display_name)) FROM json_each(p.payload, '$.keys') k
      JOIN users h ON h.id = json_extract(k.value, '$.holder')) ELSE '[]' END`,
    accepted: selectAccepted(sql`p.id`),
    currentSettings: sql<string>`(SELECT json_group_object(key, json(value)) FROM settings)`,
    work: selectWork(
      sql`CASE WHEN p.status <> 'pending' THEN NULL WHEN p.kind IN ('reversal', 'factor_recovery') THEN p.kind ELSE 'proposal' END`,
      sql`iif(p.kind = 'factor_recovery', json_extract(p.payload, '$.recovery'), p.id)`,
      sql`p.created_at`,
    ),
  })
    .from(p)
    .innerJoin(a, eq(a.id, p.proposedBy))
    .leftJoin(b, eq(b.id, p.decidedBy))
    .leftJoin(u, eq(u.id, p.investor))
    .leftJoin(r, eq(r.id, p.request))
    .leftJoin(w, eq(w.id, r.investor))
    .leftJoin(o, eq(o.id, p.operator))
    .leftJoin(i, eq(i.proposal, p.id))
    .where(where)
    .orderBy(by)
    .limit(limit)
}

/** The ids of pending proposals under a condition on `proposals`. */
export function readPendingProposals(where: SQL) {
  return selectRows({ id: proposalTable.id }).from(proposalTable).where(sql`status = 'pending' AND ${where}`)
}

/** The payloads of pending proposals `p` of a kind, with their proposers. */
export function readPendingPayloads(kind: Proposal['kind']) {
  const [p, u] = [alias(proposalTable, 'p'), alias(users, 'u')]
  return selectRows({
    id: p.id,
    payload: p.payload,
    createdAt: p.createdAt,
    proposedBy: p.proposedBy,
    proposedByName: u.displayName,
  })
    .from(p)
    .innerJoin(u, eq(u.id, p.proposedBy))
    .where(sql`p.status = 'pending' AND p.kind = ${kind}`)
}

type ProposalRow = RowOf<typeof readProposals>

/** A proposal that another operator decides, and what its kind is about. */
export type ProposalFacts = ProposalSubject &
  Pick<
    ProposalRow,
    | 'id'
    | 'status'
    | 'createdAt'
    | 'proposedBy'
    | 'proposedByName'
    | 'decidedBy'
    | 'decidedByName'
    | 'decidedAt'
    | 'reason'
    | 'rejection'
    | 'ownCheck'
    | 'accepted'
    | 'work'
  >

export type ProposalOfKind<Kind extends Proposal['kind']> = Extract<ProposalFacts, { kind: Kind }>

export function parseProposal(row: ProposalRow): ProposalFacts {
  const { id, status, createdAt, proposedBy, proposedByName, decidedBy, decidedByName, decidedAt } = row
  const subject = z.parse(proposalSubject, {
    ...row,
    payload: JSON.parse(row.payload),
    current: JSON.parse(row.currentSettings),
    request: JSON.parse(row.request),
    people: JSON.parse(row.people),
  })
  const decision = {
    decidedBy,
    decidedByName,
    decidedAt,
    reason: row.reason,
    rejection: row.rejection,
    ownCheck: row.ownCheck,
    accepted: row.accepted,
  }
  return { ...subject, ...decision, id, status, createdAt, proposedBy, proposedByName, work: row.work }
}

/** One proposal, which every operator may read. */
export async function showProposal(call: CallOf<typeof getProposal>) {
  const { db, params } = call
  const id = params.id ?? ''
  const recoveryId = sql`SELECT json_extract(payload, '$.recovery') FROM proposals
    WHERE id = ${id} AND kind = 'factor_recovery' AND status = 'pending'`
  const [[row], effects, [sending], [recovery], [statement], recoveries, investors] = await readTogether(
    db,
    readProposals(sql`p.id = ${id}`, 1),
    readReversalEffects(sql`${id}`),
    selectRows({ mails: announcements.mails, finishedAt: announcements.finishedAt })
      .from(announcements)
      .where(eq(announcements.proposal, id)),
    readRecoveries(sql`r.id IN (${recoveryId})`, 1),
    readPendingStatement(id),
    ...readProposalRisks(sql`${id}`, call),
  )
  if (row === undefined) return refuse('not_found')
  const facts = parseProposal(row)
  return ok({
    ...toProposalRow(facts),
    ...parseWork(facts, call),
    risk: deriveRisks({ recoveries, investors }).get(getJudgedId(facts) ?? ''),
    ...(effects.length > 0 && { effects: effects.map(computeReversalEffect) }),
    ...(sending && { sending: { mails: sending.mails, finishedAt: toIsoOrNull(sending.finishedAt) } }),
    ...(recovery && { recovery: pickRecovery(recovery, call) }),
    ...(statement && { comparison: describeComparison(statement) }),
  })
}

/** A pending statement and the books of its place at its time. Quantities are text, because they may exceed the range of a number. */
function readPendingStatement(id: string) {
  const take = (path: string) => sql`json_extract(payload, ${path})`
  const books = selectBooks(take('$.to.place'), take('$.at'))
  return selectRows({
    asset: sql<Asset>`${take('$.to.asset')}`,
    books: sql<string>`CAST(${books} AS TEXT)`,
    difference: sql<string>`CAST(${take('$.to.units')} - ${books} AS TEXT)`,
  })
    .from(proposalTable)
    .where(sql`id = ${id} AND status = 'pending' AND kind = 'treasury' AND ${take('$.action')} = 'statement'`)
}

function describeComparison({ asset, books, difference }: RowOf<typeof readPendingStatement>) {
  return {
    books: formatQuantity(asset, BigInt(books)),
    difference: formatQuantity(asset, BigInt(difference)),
  }
}

function pickRecovery(recovery: Recovery, call: ActorCall): Proposal['recovery'] {
  const { _id, phone, document } = toRecoveryRow(recovery, call)
  return { _id, phone, document }
}

/** A new proposal, with the rows that are written with it. */
export type NewProposal = ProposalSubject & {
  readonly reason: string | null
  readonly alongside?: (proposal: string) => readonly Statement[]
  readonly audit?: ReturnType<typeof acceptRisk>['audit']
}

/** Files a proposal of the actor and answers its row. */
export async function fileProposal(
  call: ActorCall,
  { alongside, audit = [], ...subject }: NewProposal,
  answered: (row: Proposal) => Answer<Proposal>,
): Promise<Answer<Proposal>> {
  const proposal = newProposal(call, subject)
  const { kind, investor, request, payload } = toColumns(proposal)
  // All proposals share one route, so the factor proof is bound to kind, person, amount and content.
  const act = { amountCents: getMovedCents(proposal), about: [kind, investor, request, payload].join(' ') }
  await assertFactor(call, act)
  return commitWithFactor(call, act, {
    statements: [insertProposal(call.db, proposal), ...(alongside?.(proposal.id) ?? [])],
    audit: [{ action: 'proposal.created', subject: proposal.id, detail: { kind } }, ...audit],
    answer: answered(toProposalRow(proposal)),
  })
}

/** A new pending proposal of the actor. */
export function newProposal(
  { actor, nowMs }: ActorCall,
  subject: ProposalSubject & { readonly reason: string | null },
): ProposalFacts {
  return {
    ...subject,
    id: newId(),
    status: 'pending',
    createdAt: nowMs,
    proposedBy: actor.id,
    proposedByName: actor.displayName,
    decidedBy: null,
    decidedByName: null,
    decidedAt: null,
    rejection: null,
    ownCheck: null,
    accepted: '[]',
    work: null,
  }
}

export function insertProposal(db: Database, facts: ProposalFacts): Statement {
  return db.insert(proposalTable).values(toColumns(facts))
}

function toColumns(facts: ProposalFacts) {
  const { id, kind, createdAt, proposedBy, reason } = facts
  return {
    ...{ id, kind, createdAt, proposedBy, reason },
    payload: 'payload' in facts ? JSON.stringify(facts.payload) : '{}',
    amount: kind === 'bonus' ? facts.amount : null,
    investor: 'investor' in facts ? facts.investor : null,
    request: kind === 'reversal' ? facts.request.id : null,
    operator: kind === 'operator' ? facts.operator : null,
  }
}

/** The money that a proposal moves, in cents: the bonus, or the amount of the reversed request. */
export function getMovedCents(facts: ProposalFacts): number {
  return facts.kind === 'bonus' ? facts.amount : facts.kind === 'reversal' ? facts.request.amount : 0
}

export function toProposalRow(facts: ProposalFacts): Proposal {
  return {
    _id: facts.id,
    kind: facts.kind,
    status: facts.status,
    createdAt: toIso(facts.createdAt),
    proposedBy: { _id: facts.proposedBy, name: facts.proposedByName },
    steps: toProposalSteps(facts),
    reason: facts.reason,
    rejection: facts.rejection,
    ...describeSubject(facts),
  }
}

function toProposalSteps({ createdAt, proposedBy, proposedByName, ...decision }: ProposalFacts): CaseStep[] {
  const { status, decidedBy, decidedByName, decidedAt, ownCheck } = decision
  const steps = [
    toStep('proposed', createdAt, proposedBy, proposedByName),
    ...(status === 'pending' || decidedAt === null
      ? []
      : [toStep(status, decidedAt, decidedBy, decidedByName, ownCheck)]),
  ]
  return withAccepted(steps, decision)
}

function describeSubject(facts: ProposalFacts): Partial<Proposal> {
  switch (facts.kind) {
    case 'bonus':
      return { investor: toInvestor(facts), amount: toUsd(facts.amount) }
    case 'wallet':
      return { wallet: { ...facts.payload, simulated: site.mode === 'simulated' } }
    case 'settings':
      return describeChanges(facts)
    case 'reversal': {
      const { id, ref, kind, amount } = facts.request
      return {
        request: { _id: id, ref, trxType: kind, amount: toUsd(amount), investor: toInvestor(facts.request) },
      }
    }
    case 'announcement':
    case 'service_notice':
      return { announcement: facts.payload }
    case 'operator': {
      const { payload, operator, operatorName, operatorEmail } = facts
      return {
        operator: {
          action: payload.action,
          _id: operator,
          name: operatorName,
          email: operatorEmail,
          ...('roles' in payload && { roles: parseRoles(payload.roles) }),
        },
      }
    }
    case 'strategy': {
      const { strategy, action } = facts.payload
      return { strategy: { _id: strategy, name: getStrategyName(strategy), action } }
    }
    case 'reviewer_key': {
      const { key, ...reviewerKey } = facts.payload
      return { reviewerKey: { _id: key, ...reviewerKey } }
    }
    case 'identity_reopening':
    case 'factor_recovery':
      return { investor: toInvestor(facts) }
    case 'watch_wallet':
      return { watchWallet: { ...facts.payload, warnings: listWalletWarnings(facts.payload) } }
    case 'watch_wallet_retirement':
      return { retired: facts.payload }
    case 'venue':
      return { venue: describeVenueAct(facts.payload) }
    case 'payout_resumption':
      return {}
    case 'treasury':
      return { treasury: describeTreasuryAct(facts.payload) }
    case 'month_close':
      return { month: { month: facts.payload.month, hash: facts.payload.hash } }
    case 'key_holders': {
      const { wallet, chain, keys } = facts.payload
      const findPerson = (id: string | null) => facts.people.find(({ _id }) => _id === id) ?? null
      return {
        keyHolders: {
          ...{ wallet, chain },
          keys: keys.map(({ keyName, holder }) => ({ keyName, holder: findPerson(holder) })),
        },
      }
    }
  }
}

function matchStatus(status: QueryOf<typeof listProposals>['status']): SQL {
  if (status === undefined) return sql`1`
  return status === 'waiting'
    ? sql`(p.status = 'pending' AND p.kind <> 'factor_recovery')`
    : sql`p.status = ${status}`
}

/** Acts that need a second operator. */
export const proposalQueue = createQueue(listProposals, {
  read: async (call, after, rows) => {
    const { status, query, order, assigned, format, risk } = call.query
    const isByRisk = risk !== undefined || order === 'risk'
    const { isAfter, by } = isByRisk
      ? buildSeqPage(sql`p.seq`, 'oldest', null)
      : buildSeqPage(sql`p.seq`, order, after)
    const { indexed } = buildFilters(call.query, {
      id: sql`p.id`,
      at: sql`p.created_at`,
      investor: sql`coalesce(p.investor, r.investor)`,
    })
    const where = sql`
      ${matchStatus(status)} AND ${isByRisk ? sql`p.status = 'pending'` : sql`1`} AND ${isAfter}
      AND ${query === undefined ? sql`1` : matchQuerySql(query)} AND ${indexed} AND ${isAssignedTo(assigned, sql`p.id`, call)}`
    const page = readProposals(where, isByRisk ? MOST_JUDGED : rows, by)
    const ids = sql`SELECT id FROM ${page}`
    const [found, ...judged] = await readTogether(call.db, page, ...readProposalRisks(ids, call))
    const [recoveries, investors] = judged.map((rows) => rows.map((row) => limitToFormat(row, format)))
    const risks = deriveRisks({ recoveries, investors })
    const cases = found.map((row) => {
      const facts = parseProposal(row)
      return { ...facts, risk: risks.get(getJudgedId(facts) ?? ''), seq: row.seq }
    })
    return isByRisk ? pageByRisk(call.query, after, rows, cases) : cases
  },
  row: (facts, call) => ({ ...toProposalRow(facts), ...parseWork(facts, call), risk: facts.risk }),
  file: {
    name: 'proposals',
    columns: {
      Id: (row) => row.id,
      'Proposed (UTC)': (row) => toIso(row.createdAt),
      Kind: (row) => PROPOSAL_LABELS[row.kind],
      About: (row) => describeProposal(toProposalRow(row)),
      Status: (row) => describeStatus(row.status),
      ...RISK_COLUMNS,
      ...buildDecisionColumns(toProposalSteps),
      Reason: (row) => row.reason ?? '',
      'Rejected because': (row) => row.rejection ?? '',
      Investor: (row) =>
        row.kind === 'reversal' ? row.request.investorName : 'investorName' in row ? row.investorName : '',
      'Reversed request': (row) => (row.kind === 'reversal' ? row.request.ref : ''),
      'Amount (USD)': (row) => {
        const cents = getMovedCents(row)
        return cents === 0 ? '' : formatDecimal(cents)
      },
      Operator: (row) => (row.kind === 'operator' ? (row.operatorName ?? '') : ''),
    },
  },
})

// Proposals are few, so they are scanned until a page is full.
function matchQuerySql(query: string): SQL {
  const names = [
    'a.display_name_folded',
    'u.display_name_folded',
    'w.display_name_folded',
    'o.display_name_folded',
  ]
  const others = ['u.email', 'w.email', 'o.email', 'i.name', 'i.email']
  const parts = [
    ...names.map((name) => matchNameSql(sql.raw(name), query)),
    ...others.map((column) => sql`instr(lower(${sql.raw(column)}), ${query.toLowerCase()}) > 0`),
  ]
  return sql`(
    p.id = ${query} OR p.request = ${query} OR substr(r.ref, 1, ${query.length}) = ${query.toUpperCase()}
    OR ${sql.join(parts, sql` OR `)})`
}
