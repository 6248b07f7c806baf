import { type SQL, sql } from 'drizzle-orm'
import { getActionLabel } from '../../../src/contract/auditActions.ts'
import type { AuditEntry } from '../../../src/contract/console/audit.ts'
import { PROPOSAL_LABELS, type Proposal } from '../../../src/contract/console/proposals.ts'
import { getSettingFacts, SETTING_KEYS } from '../../../src/contract/console/settingList.ts'
import { isolate } from '../../../src/contract/isolate.ts'
import { COIN_LABELS, NETWORK_LABELS, type Network } from '../../../src/contract/money/coins.ts'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { formatUsd, toUsd } from '../../../src/contract/money.ts'
import { toIso } from '../../http/paging.ts'
import { getStrategyName } from '../../investing/trading/notices.ts'
import type { AuditRow } from '../../platform/audit/compare.ts'

type About = NonNullable<AuditEntry['about']>
type Role = NonNullable<AuditEntry['actorRole']>

/** A line with the names and facts behind its ids, as they are today. */
export interface NamedRow extends AuditRow {
  readonly actorName: string | null
  readonly actorRole: Role | null
  readonly kind: About['kind'] | null
  readonly ref: string | null
  readonly cents: number | null
  readonly person: string | null
  readonly role: Role | null
  readonly name: string | null
  /** Of an invited operator, or of the sender of a contact message. */
  readonly writtenName: string | null
  readonly network: Network | null
  /** Of a watch-only wallet. */
  readonly chain: Chain | null
  readonly strategy: string | null
  readonly proposalKind: Proposal['kind'] | null
}

/** Adds the names to lines, in one query for all of them: each is found by its key. The log itself stores no names. */
export function withNames(lines: SQL): SQL {
  return sql`
    SELECT a.*, CASE WHEN actor.erased_at IS NULL THEN actor.display_name END AS actorName, actor.role AS actorRole,
           coalesce(su.role, CASE r.queue WHEN 'deposits' THEN 'deposit' WHEN 'withdrawals' THEN 'withdrawal' END,
             CASE WHEN k.id IS NOT NULL THEN 'kyc' WHEN p.id IS NOT NULL THEN 'proposal'
             WHEN i.id IS NOT NULL THEN 'invitation' WHEN rk.id IS NOT NULL THEN 'reviewer_key'
             WHEN w.id IS NOT NULL THEN 'wallet' WHEN ww.id IS NOT NULL THEN 'watch_wallet' WHEN m.id IS NOT NULL THEN 'message'
             WHEN po.id IS NOT NULL THEN 'payout' WHEN o.id IS NOT NULL THEN 'order' WHEN s.slug IS NOT NULL THEN 'strategy'
             WHEN a.action = 'settings.changed' THEN 'setting' END) AS kind,
           coalesce(r.ref, k.ref, o.ref, m.ref) AS ref, coalesce(r.amount, o.cents, p.amount) AS cents,
           whose.id AS person, whose.role AS role, CASE WHEN whose.erased_at IS NULL THEN whose.display_name END AS name,
           coalesce(i.name, m.name) AS writtenName, w.network, ww.chain, coalesce(s.slug, o.strategy) AS strategy,
           p.kind AS proposalKind
    FROM (${lines}) a
    LEFT JOIN users actor ON actor.id = a.actor AND actor.id <> 'system'
    LEFT JOIN users su ON su.id = a.subject
    LEFT JOIN requests r ON r.id = a.subject
    LEFT JOIN unit_orders o ON o.id = a.subject
    LEFT JOIN kyc_submissions k ON k.id = a.subject
    LEFT JOIN proposals p ON p.id = a.subject
    LEFT JOIN requests pr ON pr.id = p.request
    LEFT JOIN operator_invitations i ON i.id = a.subject
    LEFT JOIN reviewer_keys rk ON rk.id = a.subject
    LEFT JOIN wallets w ON w.id = a.subject
    LEFT JOIN watch_wallets ww ON ww.id = a.subject
    LEFT JOIN contact_messages m ON m.id = a.subject
    LEFT JOIN payouts po ON po.id = a.subject
    LEFT JOIN strategies s ON s.slug = a.subject
    LEFT JOIN users whose ON whose.id = coalesce(su.id, r.investor, o.investor, k.user_id, p.investor, pr.investor,
      p.operator, CASE p.kind WHEN 'reviewer_key' THEN p.proposed_by END, rk.user_id)
    ORDER BY a.at DESC, a.seq DESC`
}

/** A line as the API answers it. */
export function toAuditEntry(row: NamedRow): AuditEntry {
  const { id, seq, at, actor, actorRole, action, subject } = row
  const detail = parseDetail(row.detail)
  return {
    _id: id,
    line: seq,
    at: toIso(at),
    actor,
    actorName: getActorName(row),
    actorRole,
    action,
    label: getActionLabel(action),
    subject,
    detail,
    about: describeSubject(row, detail),
  }
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

function describeSubject(row: NamedRow, detail: Detail): AuditEntry['about'] {
  const { kind, person, role, name } = row
  if (kind === null) return null
  const owner =
    person === null || role === null ? null : { _id: person, role, name: getPersonName(name, role) }
  if (kind === 'investor' || kind === 'operator') return { kind, label: owner?.name ?? '', person: owner }
  const facts = listFacts(row, detail)
  const label = `${NOUNS[kind]}${row.ref === null ? '' : ` ${row.ref}`}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
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
