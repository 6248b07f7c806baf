import { type SQL, sql } from 'drizzle-orm'
import {
  getProposal,
  listProposals,
  type OperatorAction,
  type Proposal,
  type StrategyAction,
} from '../../../src/contract/console/proposals.ts'
import type { NewsTopic } from '../../../src/contract/identity/preferences.ts'
import type { Coin, Network } from '../../../src/contract/money/coins.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { parseRoles } from '../../../src/contract/roles.ts'
import { site } from '../../../src/site.ts'
import type { AuditEntry } from '../../http/audit.ts'
import { type ActorCall, type Answer, createRoute, ok } from '../../http/call.ts'
import { formatDecimal } from '../../http/csv.ts'
import { toIso, toIsoOrNull } from '../../http/paging.ts'
import { buildSeqPage, createQueue } from '../../http/queue.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { getStrategyName } from '../../investing/trading/notices.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { buildQuery, type Database, type RowQuery, readTogether, type Statement } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'
import { proposals as proposalTable } from '../../lib/tables/operators.ts'
import type { RequestFacts } from '../cases/requests.ts'
import { matchNameSql } from '../cases/search.ts'
import { computeReversalEffect, readReversalEffects } from './reversalEffects.ts'
import { describeChanges, parseProposedSettings } from './settings.ts'
import { parseVenueAct } from './venue.ts'

/** A proposal that another operator decides, with the names of the people involved. Amounts in cents. */
export interface ProposalFacts {
  readonly id: string
  readonly kind: Proposal['kind']
  readonly status: 'pending' | 'approved' | 'rejected'
  readonly createdAt: number
  readonly proposedBy: string
  readonly proposedByName: string
  readonly decidedBy: string | null
  readonly decidedByName: string | null
  readonly decidedAt: number | null
  readonly reason: string | null
  readonly rejection: string | null
  /** JSON whose form depends on the kind: a wallet, settings, an announcement, and so on. */
  readonly payload: string
  readonly amount: number | null
  /** The investor who gets a bonus, or who lost a second factor. */
  readonly investor: string | null
  readonly investorName: string | null
  readonly investorEmail: string | null
  /** The request that a reversal reverses. */
  readonly request: string | null
  readonly requestRef: string | null
  readonly requestKind: RequestFacts['kind'] | null
  readonly requestAmount: number | null
  readonly requestInvestor: string | null
  readonly requestInvestorName: string | null
  readonly requestInvestorEmail: string | null
  /** The operator whose access changes; null for an invitation. */
  readonly operator: string | null
  /** The operator's or invited person's name, while the invitation is stored. */
  readonly operatorName: string | null
  readonly operatorEmail: string | null
  /** The current settings as JSON by key. */
  readonly currentSettings: string | null
}

interface ProposedWallet {
  readonly walletName: Coin
  readonly network: Network
  readonly address: string
}

/** A mail to everyone who subscribes to its topic. */
interface Announcement {
  readonly topic: NewsTopic
  readonly subject: string
  readonly text: string
}

/** The proposer's own key, as `addReviewerKey` wrote it. */
export interface ProposedKey {
  readonly key: string
  readonly recipient: string
  readonly fingerprint: string
  readonly method: 'passphrase' | 'passkey'
}

/** Proposals `p` under a condition, newest first unless told otherwise. */
export function readProposals(
  where: SQL,
  limit: number,
  by = sql`p.seq DESC`,
): RowQuery<ProposalFacts & { readonly seq: number }> {
  return buildQuery(sql`
    SELECT p.seq, p.id, p.kind, p.status, p.created_at AS createdAt, p.proposed_by AS proposedBy,
           a.display_name AS proposedByName, p.decided_by AS decidedBy, b.display_name AS decidedByName,
           p.decided_at AS decidedAt, p.reason, p.rejection, p.payload, p.amount, p.investor,
           u.display_name AS investorName, u.email AS investorEmail, p.request, r.ref AS requestRef,
           r.kind AS requestKind, r.amount AS requestAmount, r.investor AS requestInvestor,
           w.display_name AS requestInvestorName, w.email AS requestInvestorEmail, p.operator,
           coalesce(o.display_name, i.name) AS operatorName, coalesce(o.email, i.email) AS operatorEmail,
           (SELECT json_group_object(key, json(value)) FROM settings) AS currentSettings
    FROM proposals p JOIN users a ON a.id = p.proposed_by LEFT JOIN users b ON b.id = p.decided_by
    LEFT JOIN users u ON u.id = p.investor LEFT JOIN requests r ON r.id = p.request LEFT JOIN users w ON w.id = r.investor
    LEFT JOIN users o ON o.id = p.operator LEFT JOIN operator_invitations i ON i.proposal = p.id
    WHERE ${where} ORDER BY ${by} LIMIT ${limit}`)
}

/** One proposal, which every operator may read. */
export const showProposal = createRoute(getProposal, async ({ db, params }) => {
  const id = params.id ?? ''
  const [[facts], effects] = await readTogether(
    db,
    readProposals(sql`p.id = ${id}`, 1),
    readReversalEffects(sql`${id}`),
  )
  if (facts === undefined) return refuse('not_found')
  return ok({
    ...toProposalRow(facts),
    ...(effects.length > 0 && { effects: effects.map(computeReversalEffect) }),
  })
})

type NewFacts = Pick<ProposalFacts, 'kind'> & Partial<ProposalFacts>

/** A new proposal, with the rows and audit entries written with it. */
export interface NewProposal extends NewFacts {
  readonly alongside?: (proposal: string) => readonly Statement[]
  readonly alsoAudit?: readonly AuditEntry[]
}

/** Files a proposal of the actor and answers its row. */
export async function fileProposal(
  call: ActorCall,
  { alongside, alsoAudit = [], ...facts }: NewProposal,
  answered: (row: Proposal) => Answer<Proposal>,
): Promise<Answer<Proposal>> {
  const { kind, investor, request, amount, requestAmount, payload } = facts
  // All proposals share one route, so the factor proof is bound to kind, person, amount and content.
  const act = {
    amountCents: amount ?? requestAmount ?? 0,
    about: [kind, investor, request, payload].join(' '),
  }
  await assertFactor(call, act)
  const proposal = newProposal(call, facts)
  return commitWithFactor(call, act, {
    statements: [insertProposal(call.db, proposal), ...(alongside?.(proposal.id) ?? [])],
    audit: [...alsoAudit, { action: 'proposal.created', subject: proposal.id, detail: { kind } }],
    answer: answered(toProposalRow(proposal)),
  })
}

/** A new pending proposal of the actor. */
export function newProposal({ actor, nowMs }: ActorCall, facts: NewFacts): ProposalFacts {
  return {
    id: newId(),
    status: 'pending',
    createdAt: nowMs,
    proposedBy: actor.id,
    proposedByName: actor.displayName,
    decidedBy: null,
    decidedByName: null,
    decidedAt: null,
    reason: null,
    rejection: null,
    payload: '{}',
    amount: null,
    investor: null,
    investorName: null,
    investorEmail: null,
    request: null,
    requestRef: null,
    requestKind: null,
    requestAmount: null,
    requestInvestor: null,
    requestInvestorName: null,
    requestInvestorEmail: null,
    operator: null,
    operatorName: null,
    operatorEmail: null,
    currentSettings: null,
    ...facts,
  }
}

export function insertProposal(db: Database, facts: ProposalFacts): Statement {
  const { id, kind, createdAt, proposedBy, reason, investor, amount, request, payload, operator } = facts
  return db
    .insert(proposalTable)
    .values({ id, kind, createdAt, proposedBy, reason, investor, amount, request, payload, operator })
}

export function toProposalRow(facts: ProposalFacts): Proposal {
  const { kind, decidedBy, decidedByName, decidedAt, investor, amount, request } = facts
  return {
    _id: facts.id,
    kind,
    status: facts.status,
    createdAt: toIso(facts.createdAt),
    proposedBy: { _id: facts.proposedBy, name: facts.proposedByName },
    decidedBy: decidedBy === null ? null : { _id: decidedBy, name: decidedByName ?? '' },
    decidedAt: toIsoOrNull(decidedAt),
    reason: facts.reason,
    rejection: facts.rejection,
    ...(investor !== null && {
      investor: { _id: investor, name: facts.investorName ?? '', email: facts.investorEmail ?? '' },
    }),
    ...(amount !== null && { amount: toUsd(amount) }),
    ...(request !== null && {
      request: {
        _id: request,
        ref: facts.requestRef ?? '',
        trxType: facts.requestKind ?? 'deposit',
        amount: toUsd(facts.requestAmount ?? 0),
        investor: {
          _id: facts.requestInvestor ?? '',
          name: facts.requestInvestorName ?? '',
          email: facts.requestInvestorEmail ?? '',
        },
      },
    }),
    ...(kind === 'wallet' && {
      wallet: { ...parseWalletPayload(facts), simulated: site.mode === 'simulated' },
    }),
    ...(kind === 'announcement' && { announcement: parseAnnouncementPayload(facts) }),
    ...(kind === 'settings' && describeChanges(parseProposedSettings(facts), parsePendingSettings(facts))),
    ...(kind === 'operator' && { operator: toOperatorDetail(facts) }),
    ...(kind === 'strategy' && { strategy: toStrategyDetail(facts) }),
    ...(kind === 'reviewer_key' && { reviewerKey: toReviewerKeyDetail(facts) }),
    ...(kind === 'venue' && { venue: parseVenueAct(facts) }),
    ...(kind === 'watch_wallet' && { watchWallet: parseWatchWalletPayload(facts) }),
    ...(kind === 'watch_wallet_retirement' && { retired: parseRetirementPayload(facts) }),
  }
}

type HasPayload = Pick<ProposalFacts, 'payload'>

/** The parsed payload. It was written from the contract's schema and never changes. */
export function parsePayload<Payload>({ payload }: HasPayload): Payload {
  return JSON.parse(payload) as Payload
}

export function parseWalletPayload(facts: HasPayload): ProposedWallet {
  const { walletName, network, address } = parsePayload<ProposedWallet>(facts)
  return { walletName, network, address }
}

export function parseWatchWalletPayload(facts: HasPayload): NonNullable<Proposal['watchWallet']> {
  return parsePayload<NonNullable<Proposal['watchWallet']>>(facts)
}

export function parseRetirementPayload(facts: HasPayload): NonNullable<Proposal['retired']> {
  return parsePayload<NonNullable<Proposal['retired']>>(facts)
}

export function parseAnnouncementPayload(facts: HasPayload): Announcement {
  const { topic, subject, text } = parsePayload<Announcement>(facts)
  return { topic, subject, text }
}

/** The strategy that a proposal resumes or stops. */
export function parseStrategyPayload(facts: HasPayload): {
  readonly strategy: string
  readonly action: StrategyAction
} {
  return parsePayload(facts)
}

/** The payload of a proposal about an operator. */
export interface ProposedChange {
  readonly action: OperatorAction
  /** Separated by spaces. */
  readonly roles?: string
  readonly invitation?: string
}

function toStrategyDetail(facts: ProposalFacts): Proposal['strategy'] {
  const { strategy, action } = parseStrategyPayload(facts)
  return { _id: strategy, name: getStrategyName(strategy), action }
}

// After a decision, the current settings no longer show the values before the change.
function parsePendingSettings({ status, currentSettings }: ProposalFacts): object | null {
  return status === 'pending' && currentSettings !== null ? (JSON.parse(currentSettings) as object) : null
}

function toOperatorDetail(facts: ProposalFacts): Proposal['operator'] {
  const { action, roles } = parsePayload<ProposedChange>(facts)
  return {
    action,
    _id: facts.operator,
    name: facts.operatorName,
    email: facts.operatorEmail,
    ...(roles !== undefined && { roles: parseRoles(roles) }),
  }
}

function toReviewerKeyDetail(facts: HasPayload): Proposal['reviewerKey'] {
  const { key, recipient, fingerprint, method } = parsePayload<ProposedKey>(facts)
  return { _id: key, recipient, fingerprint, method }
}

/** Acts that need a second operator. */
export const proposals = createQueue(listProposals, {
  read: async ({ db, query: { status, query, order } }, after, rows) => {
    const { isAfter, by } = buildSeqPage(sql`p.seq`, order, after)
    const where = sql`
      ${status ? sql`p.status = ${status}` : sql`1`} AND ${isAfter}
      AND ${query === undefined ? sql`1` : matchQuerySql(query)}`
    return (await readTogether(db, readProposals(where, rows, by)))[0]
  },
  row: (facts) => toProposalRow(facts),
  file: {
    name: 'proposals',
    columns: {
      Id: (row) => row.id,
      'Proposed (UTC)': (row) => toIso(row.createdAt),
      Kind: (row) => row.kind,
      Status: (row) => row.status,
      'Proposed by': (row) => row.proposedByName,
      'Decided by': (row) => row.decidedByName ?? '',
      'Decided (UTC)': (row) => (row.decidedAt === null ? '' : toIso(row.decidedAt)),
      Reason: (row) => row.reason ?? '',
      'Rejected because': (row) => row.rejection ?? '',
      Investor: (row) => row.investorName ?? row.requestInvestorName ?? '',
      'Reversed request': (row) => row.requestRef ?? '',
      'Amount (USD)': (row) => {
        const amount = row.amount ?? row.requestAmount
        return amount === null ? '' : formatDecimal(amount)
      },
      Operator: (row) => row.operatorName ?? '',
    },
  },
  waiting: { proposals: { from: sql`proposals WHERE status = 'pending'`, oldestFirst: sql`seq` } },
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
