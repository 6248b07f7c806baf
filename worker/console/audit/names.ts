import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { getActionLabel } from '../../../src/contract/auditActions.ts'
import type { AuditEntry } from '../../../src/contract/console/audit.ts'
import { PROPOSAL_LABELS } from '../../../src/contract/console/proposals.ts'
import { describeProposal } from '../../../src/contract/console/proposalWords.ts'
import { getSettingFacts, SETTING_KEYS } from '../../../src/contract/console/settingList.ts'
import { isolate } from '../../../src/contract/isolate.ts'
import { COIN_LABELS, NETWORK_LABELS } from '../../../src/contract/money/coins.ts'
import type { Chain } from '../../../src/contract/money/payments.ts'
import type { TrxType } from '../../../src/contract/money/transactions.ts'
import { formatUsd, toUsd } from '../../../src/contract/money.ts'
import { toIso } from '../../http/paging.ts'
import { selectAssetName } from '../../ledger/custody.ts'
import { type RowOf, selectRows } from '../../lib/database.ts'
import { getStrategyName } from '../../lib/strategyName.ts'
import { kycSubmissions, reviewerKeys, sanctionsHits } from '../../lib/tables/kyc.ts'
import { investorNotes, operatorInvitations, proposals } from '../../lib/tables/operators.ts'
import { contactMessages } from '../../lib/tables/outreach.ts'
import { payments, unknownReceipts, watchWallets } from '../../lib/tables/payments.ts'
import { payouts } from '../../lib/tables/payouts.ts'
import { factorRecoveries, users } from '../../lib/tables/people.ts'
import { requests, wallets } from '../../lib/tables/requests.ts'
import { strategies, unitOrders } from '../../lib/tables/strategies.ts'
import { parseProposal, type readProposals, toProposalRow } from '../proposals/proposal.ts'
import { describeDetail, formatValue, selectDetailSubjects } from './details.ts'

type About = NonNullable<AuditEntry['about']>
type Role = NonNullable<AuditEntry['actorRole']>

/** A line with the names and facts behind its ids, as they are today. */
export type NamedRow = RowOf<typeof readNames>

/** Actions whose notes begin with their own name. The line already has it, so that only the reason is shown. */
const REPEATED = sql`'screening.cleared', 'investor.frozen', 'investor.unfrozen', 'investor.unlock_first'`
const REJECTED = sql`(SELECT e.note FROM request_events e WHERE e.request = r.id AND e.status = 'rejected')`

/** Adds the names to lines, in one query for all of them: each is found by its key. The log itself stores no names. */
export function readNames(lines: SQL) {
  const [actor, su, whose] = [alias(users, 'actor'), alias(users, 'su'), alias(users, 'whose')]
  const [r, pr, o] = [alias(requests, 'r'), alias(requests, 'pr'), alias(unitOrders, 'o')]
  const [k, rk, p] = [alias(kycSubmissions, 'k'), alias(reviewerKeys, 'rk'), alias(proposals, 'p')]
  const [i, w, ww] = [alias(operatorInvitations, 'i'), alias(wallets, 'w'), alias(watchWallets, 'ww')]
  const [m, po, s] = [alias(contactMessages, 'm'), alias(payouts, 'po'), alias(strategies, 's')]
  const [fr, pm, n] = [alias(factorRecoveries, 'fr'), alias(payments, 'pm'), alias(investorNotes, 'n')]
  const [cause, ur, sh] = [
    alias(proposals, 'cause'),
    alias(unknownReceipts, 'ur'),
    alias(sanctionsHits, 'sh'),
  ]
  const subject = sql<string>`a.subject`
  return selectRows({
    ...{ seq: sql<number>`a.seq`, id: sql<string>`a.id`, at: sql<number>`a.at`, actor: sql<string>`a.actor` },
    ...{ action: sql<string>`a.action`, subject, detail: sql<string>`a.detail` },
    actorName: sql<string | null>`CASE WHEN actor.erased_at IS NULL THEN actor.display_name END`,
    actorRole: actor.role,
    kind: sql<About['kind'] | null>`
      coalesce(su.role, CASE r.queue WHEN 'deposits' THEN 'deposit' WHEN 'withdrawals' THEN 'withdrawal' END,
        CASE WHEN k.id IS NOT NULL THEN 'kyc' WHEN p.id IS NOT NULL THEN 'proposal'
        WHEN i.id IS NOT NULL THEN 'invitation' WHEN rk.id IS NOT NULL THEN 'reviewer_key'
        WHEN w.id IS NOT NULL THEN 'wallet' WHEN ww.id IS NOT NULL THEN 'watch_wallet' WHEN m.id IS NOT NULL THEN 'message'
        WHEN po.id IS NOT NULL THEN 'payout' WHEN fr.id IS NOT NULL THEN 'factor_recovery' WHEN sh.id IS NOT NULL THEN 'sanctions' WHEN coalesce(pm.id, ur.id) IS NOT NULL THEN 'payment' WHEN o.id IS NOT NULL THEN 'order' WHEN s.slug IS NOT NULL THEN 'strategy'
        WHEN a.action = 'settings.changed' THEN 'setting' END)`,
    ref: sql<string | null>`coalesce(r.ref, k.ref, o.ref, m.ref, pr.ref)`,
    cents: sql<number | null>`coalesce(r.amount, o.cents, p.amount, pr.amount, pm.amount, (
      SELECT sum(ir.amount) FROM payout_items pi JOIN requests ir ON ir.id = pi.request WHERE pi.payout = po.id))`,
    person: whose.id,
    role: whose.role,
    name: sql<string | null>`CASE WHEN whose.erased_at IS NULL THEN whose.display_name END`,
    /** Of an invited operator, or of the sender of a contact message. */
    writtenName: sql<string | null>`coalesce(i.name, m.name)`,
    network: w.network,
    /** Of a watch-only wallet or a payout. */
    chain: sql<Chain | null>`coalesce(ww.chain, po.chain)`,
    requestKind: r.kind,
    reason: sql<
      string | null
    >`coalesce(iif(a.action IN (${REPEATED}), substr(n.text, instr(n.text, ': ') + 2), n.text),
      CASE a.action WHEN 'proposal.approved' THEN p.own_check WHEN 'factor_recovery.approved' THEN cause.own_check
        WHEN 'kyc.final_proposed' THEN k.final_reason WHEN 'kyc.rejected' THEN k.reason
        WHEN 'deposit.rejected' THEN ${REJECTED} WHEN 'withdrawal.rejected' THEN ${REJECTED} END,
      p.reason, cause.reason)`,
    strategy: sql<string | null>`coalesce(s.slug, o.strategy)`,
    proposalKind: p.kind,
    /** The proposal that a change of settings or an entry of the treasury carries out. */
    cause: sql<string | null>`iif(a.action IN ('settings.changed', 'treasury.booked'), cause.id, NULL)`,
    subjects: selectDetailSubjects(sql`a.detail`),
    /** Where a difference or an entry of the treasury is. */
    place: sql<
      string | null
    >`iif(a.action GLOB 'treasury.*', (SELECT name || ', ' || ${selectAssetName(sql`asset`)} FROM custody_places WHERE id = a.subject), NULL)`,
  })
    .from(sql`(${lines}) a`)
    .leftJoin(actor, sql`actor.id = a.actor AND actor.id <> 'system'`)
    .leftJoin(su, eq(su.id, subject))
    .leftJoin(r, eq(r.id, subject))
    .leftJoin(o, eq(o.id, subject))
    .leftJoin(k, eq(k.id, subject))
    .leftJoin(p, eq(p.id, subject))
    .leftJoin(pr, eq(pr.id, p.request))
    .leftJoin(i, eq(i.id, subject))
    .leftJoin(rk, eq(rk.id, subject))
    .leftJoin(w, eq(w.id, subject))
    .leftJoin(ww, eq(ww.id, subject))
    .leftJoin(m, eq(m.id, subject))
    .leftJoin(po, eq(po.id, subject))
    .leftJoin(s, eq(s.slug, subject))
    .leftJoin(fr, eq(fr.id, subject))
    .leftJoin(sh, eq(sh.id, subject))
    .leftJoin(pm, eq(pm.id, subject))
    .leftJoin(ur, eq(ur.id, subject))
    .leftJoin(n, sql`n.id = json_extract(iif(json_valid(a.detail), a.detail, '{}'), '$.note')`)
    .leftJoin(cause, sql`cause.id = json_extract(iif(json_valid(a.detail), a.detail, '{}'), '$.proposal')`)
    .leftJoin(
      whose,
      sql`whose.id = coalesce(su.id, r.investor, o.investor, k.user_id, p.investor, pr.investor,
        fr.investor, sh.investor, pm.investor, ur.investor, p.operator, CASE p.kind WHEN 'reviewer_key' THEN p.proposed_by END, rk.user_id)`,
    )
    .orderBy(sql`a.at DESC, a.seq DESC`)
}

/** What proposals are about, by id, in the words of their list. */
type ProposalWords = ReadonlyMap<string, string>

/** A proposal that cannot be read is left out: a line is shown even so. */
export function describeProposals(rows: readonly RowOf<typeof readProposals>[]): ProposalWords {
  return new Map(
    rows.flatMap((row): [string, string][] => {
      try {
        return [[row.id, describeProposal(toProposalRow(parseProposal(row)))]]
      } catch {
        return []
      }
    }),
  )
}

/** A line as the API answers it. */
export function toAuditEntry(row: NamedRow, proposalWords: ProposalWords): AuditEntry {
  const { id, seq, at, actor, actorRole, action, subject } = row
  const detail = parseDetail(row.detail)
  const cause = proposalWords.get(typeof detail.proposal === 'string' ? detail.proposal : '')
  return {
    _id: id,
    line: seq,
    at: toIso(at),
    actor,
    actorName: getActorName(row),
    actorRole,
    action,
    label: describeAction(action, detail, cause),
    subject,
    reason: row.reason,
    facts: [
      ...(row.place === null ? [] : [{ label: 'Place', value: row.place, subject: null }]),
      ...listSubjectFacts(action, subject),
      ...describeDetail(detail, row.subjects),
    ],
    detail,
    about: describeSubject(row, detail, proposalWords.get(subject) ?? cause),
  }
}

/** The words of an action. An entry of the treasury has its own. */
function describeAction(action: string, { final }: Detail, cause: string | undefined): string {
  if (action === 'kyc.rejected' && final === true) return 'Rejected an identity for good'
  const label = getActionLabel(action)
  return action === 'treasury.booked' && cause !== undefined ? `${label}: ${cause}` : label
}

/** Subjects that have no page of their own. */
const SUBJECT_LABELS: Readonly<Record<string, string>> = {
  'month.closed': 'Month',
  'trading.stopped': 'Exchange',
  'trading.resumed': 'Exchange',
  'venue.transferred': 'Exchange',
}

function listSubjectFacts(action: string, subject: string): AuditEntry['facts'] {
  const label = SUBJECT_LABELS[action]
  return label === undefined ? [] : [{ label, value: formatValue(subject), subject: null }]
}

const OTHER_ACTORS: Readonly<Record<string, string>> = {
  system: 'The system',
  owner: 'The database owner',
  visitor: 'A visitor',
}

function getActorName({ actor, actorName, actorRole }: NamedRow): string {
  if (actorRole !== null) return getPersonName(actorName, actorRole)
  return OTHER_ACTORS[actor] ?? 'A deleted account'
}

// A null name means that the person was erased.
function getPersonName(name: string | null, role: Role): string {
  return name ?? `A former ${role}`
}

const NOUNS: Readonly<Record<Exclude<About['kind'], Role>, string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  payout: 'Payout',
  factor_recovery: 'Lost second factor',
  sanctions: 'Case',
  payment: 'Payment',
  order: 'Order',
  kyc: 'Identity document',
  proposal: 'Proposal',
  invitation: 'Invitation',
  reviewer_key: 'Document key',
  wallet: 'Receiving wallet',
  watch_wallet: 'Watch-only wallet',
  strategy: 'Strategy',
  setting: 'Setting',
  message: 'Message',
}

const REQUEST_NOUNS: Readonly<Record<TrxType, string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  'online-service-withdrawal': 'Bank withdrawal',
}

function isPerson(kind: About['kind']): kind is Role {
  return kind === 'investor' || kind === 'operator'
}

function describeSubject(
  row: NamedRow,
  detail: Detail,
  proposalWords: string | undefined,
): AuditEntry['about'] {
  const { kind, person, role, name } = row
  if (kind === null) return null
  const owner =
    person === null || role === null ? null : { _id: person, role, name: getPersonName(name, role) }
  if (row.proposalKind !== null && proposalWords) {
    const label = `Proposal: ${proposalWords}`
    return { kind, label, person: owner }
  }
  if (kind === 'setting' && proposalWords) return { kind, label: proposalWords, person: null }
  const facts = listFacts(row, detail)
  const words = isPerson(kind)
    ? (owner?.name ?? '')
    : row.requestKind === null
      ? NOUNS[kind]
      : REQUEST_NOUNS[row.requestKind]
  const label = `${words}${row.ref === null ? '' : ` ${row.ref}`}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
  return { kind, label, person: owner }
}

/** What tells a subject from others of its kind. The amount is the recorded one, or else that of today. */
function listFacts({ kind, subject, cents, ...row }: NamedRow, { amountCents }: Detail): string[] {
  const amount = typeof amountCents === 'number' ? amountCents : cents
  return [
    row.proposalKind === null ? null : PROPOSAL_LABELS[row.proposalKind],
    row.strategy === null ? null : getStrategyName(row.strategy),
    row.network === null ? null : NETWORK_LABELS[row.network],
    row.chain === null ? null : COIN_LABELS[row.chain],
    kind === 'setting' ? getSettingLabel(subject) : null,
    row.writtenName === null ? null : isolate(row.writtenName),
    amount === null ? null : formatUsd(toUsd(amount)),
  ].filter((fact) => fact !== null)
}

// A line is shown even if its subject is no known setting.
function getSettingLabel(key: string): string {
  const known = SETTING_KEYS.find((settingKey) => settingKey === key)
  return known === undefined ? key : getSettingFacts(known).label
}

type Detail = AuditEntry['detail']

// A line is shown even if the database does not contain valid JSON for it.
function parseDetail(json: string): Detail {
  try {
    const facts: unknown = JSON.parse(json)
    return typeof facts === 'object' && facts !== null ? (facts as Detail) : {}
  } catch {
    return {}
  }
}
