import { type SQL, sql } from 'drizzle-orm'
import { AUDIT_FORMS, type AuditForm, findActionWords } from '../../../src/contract/auditWords.ts'
import type { AuditEntry } from '../../../src/contract/console/audit.ts'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import { getSettingFacts, SETTING_KEYS } from '../../../src/contract/console/settingList.ts'
import { listKeys } from '../../../src/contract/console/settingValues.ts'
import { COIN_LABELS, NETWORK_LABELS, type Network } from '../../../src/contract/money/coins.ts'
import type { Chain } from '../../../src/contract/money/payments.ts'
import { toUsd } from '../../../src/contract/money.ts'
import { parseRoles } from '../../../src/contract/roles.ts'
import { toIso } from '../../http/paging.ts'
import { getStrategyName } from '../../investing/trading/notices.ts'
import type { AuditRow } from '../../platform/audit/compare.ts'

type About = NonNullable<AuditEntry['about']>

/** A line with the names and facts behind its ids, as they are today. */
export interface NamedRow extends AuditRow {
  readonly actorName: string | null
  readonly actorRole: AuditEntry['actorRole']
  readonly kind: About['kind'] | null
  readonly ref: string | null
  readonly cents: number | null
  readonly person: string | null
  readonly role: About['role']
  readonly name: string | null
  readonly network: Network | null
  /** Of a watch-only wallet. */
  readonly chain: Chain | null
  /** Of a contact message. */
  readonly sender: string | null
  readonly strategy: string | null
  readonly orderKind: 'allocate' | 'redeem' | null
  readonly proposalKind: Proposal['kind'] | null
  readonly payload: string | null
  /** Of the request that a proposal reverses. */
  readonly reversed: string | null
}

/** Adds the names to lines, in one query for all of them: each is found by its key. The log itself stores no names. */
export function withNames(lines: SQL): SQL {
  return sql`
    SELECT a.*, CASE WHEN actor.erased_at IS NULL THEN actor.display_name END AS actorName, actor.role AS actorRole,
           coalesce(su.role, r.kind, CASE WHEN k.id IS NOT NULL THEN 'kyc' WHEN p.id IS NOT NULL THEN 'proposal'
             WHEN i.id IS NOT NULL THEN 'invitation' WHEN rk.id IS NOT NULL THEN 'reviewer_key'
             WHEN w.id IS NOT NULL THEN 'wallet' WHEN ww.id IS NOT NULL THEN 'watch_wallet' WHEN m.id IS NOT NULL THEN 'message'
             WHEN po.id IS NOT NULL THEN 'payout' WHEN o.id IS NOT NULL THEN 'order' END) AS kind,
           coalesce(r.ref, k.ref, o.ref, m.ref) AS ref, coalesce(r.amount, o.cents, p.amount, pr.amount) AS cents,
           whose.id AS person, whose.role AS role,
           coalesce(CASE WHEN whose.erased_at IS NULL THEN whose.display_name END, i.name, pi.name) AS name,
           w.network, ww.chain, m.name AS sender, o.strategy, o.kind AS orderKind, p.kind AS proposalKind, p.payload,
           pr.kind AS reversed
    FROM (${lines}) a
    LEFT JOIN users actor ON actor.id = a.actor AND actor.id <> 'system'
    LEFT JOIN users su ON su.id = a.subject
    LEFT JOIN requests r ON r.id = a.subject
    LEFT JOIN unit_orders o ON o.id = a.subject
    LEFT JOIN kyc_submissions k ON k.id = a.subject
    LEFT JOIN proposals p ON p.id = a.subject
    LEFT JOIN requests pr ON pr.id = p.request
    LEFT JOIN operator_invitations pi ON pi.proposal = p.id
    LEFT JOIN operator_invitations i ON i.id = a.subject
    LEFT JOIN reviewer_keys rk ON rk.id = a.subject
    LEFT JOIN wallets w ON w.id = a.subject
    LEFT JOIN watch_wallets ww ON ww.id = a.subject
    LEFT JOIN contact_messages m ON m.id = a.subject
    LEFT JOIN payouts po ON po.id = a.subject
    LEFT JOIN users whose ON whose.id = coalesce(su.id, r.investor, o.investor, k.user_id, p.investor, pr.investor,
      p.operator, CASE p.kind WHEN 'reviewer_key' THEN p.proposed_by END, rk.user_id)
    ORDER BY a.at DESC, a.seq DESC`
}

/** A line as the API answers it. */
export function toAuditEntry(row: NamedRow): AuditEntry {
  const { id, seq, at, actor, actorName, actorRole, action, subject } = row
  const detail = parseFacts(row.detail)
  return {
    _id: id,
    line: seq,
    at: toIso(at),
    actor,
    actorName,
    actorRole,
    action,
    subject,
    detail,
    about: deriveAbout(row, detail),
  }
}

function deriveAbout(row: NamedRow, detail: Facts): AuditEntry['about'] {
  const { ref, cents, person, role, name } = row
  const kind = row.kind ?? getKeyedKind(row)
  if (kind === null) return null
  const recorded = detail.amountCents
  const amount = typeof recorded === 'number' ? recorded : cents
  return {
    kind,
    form: deriveForm(row),
    ref,
    amount: amount === null ? null : toUsd(amount),
    label: getSubjectLabel(row, kind, detail),
    person,
    role,
    name,
  }
}

/** Settings and strategies are not found by an id in a table: the subject is their name. */
function getKeyedKind({ action }: NamedRow): 'setting' | 'strategy' | null {
  const about = findActionWords(action)?.about
  return about === 'setting' || about === 'strategy' ? about : null
}

function deriveForm({ orderKind, proposalKind, payload }: NamedRow): AuditForm | null {
  if (proposalKind === null) return orderKind
  const { action } = parseFacts(payload ?? '')
  const changes = proposalKind === 'operator' || proposalKind === 'strategy'
  const form = changes ? `${proposalKind}_${action}` : proposalKind
  return AUDIT_FORMS.find((known) => known === form) ?? null
}

function getSubjectLabel(row: NamedRow, kind: About['kind'], detail: Facts): string | null {
  switch (kind) {
    case 'wallet':
      return getNetworkLabel(row.network)
    case 'watch_wallet':
      return getChainLabel(row.chain)
    case 'message':
      return row.sender
    case 'order':
      return row.strategy && getStrategyName(row.strategy)
    case 'strategy':
      return getStrategyName(row.subject)
    case 'setting':
      return getSettingLabel(row.subject)
    case 'operator':
      return typeof detail.roles === 'string' ? parseRoles(detail.roles).join(', ') : null
    case 'proposal':
      return getProposalLabel(row)
    default:
      return null
  }
}

function getProposalLabel({ proposalKind, payload, reversed }: NamedRow): string | null {
  const proposed = parseFacts(payload ?? '')
  switch (proposalKind) {
    case 'wallet':
      return getNetworkLabel(proposed.network)
    case 'watch_wallet':
    case 'watch_wallet_retirement':
      return getChainLabel(proposed.chain)
    case 'strategy':
      return getStrategyName(String(proposed.strategy))
    case 'announcement':
      return String(proposed.subject)
    case 'reversal':
      return reversed
    case 'settings': {
      const [only, ...others] = listKeys(proposed)
      return only !== undefined && others.length === 0
        ? `the setting “${getSettingLabel(only)}”`
        : `${others.length + 1} settings`
    }
    default:
      return null
  }
}

function getChainLabel(chain: unknown): string | null {
  return chain === 'bitcoin' || chain === 'ethereum' ? COIN_LABELS[chain] : null
}

function getNetworkLabel(network: unknown): string | null {
  return NETWORK_LABELS[network as Network] ?? null
}

// A line is shown even if its subject is no known setting.
function getSettingLabel(key: string): string {
  const known = SETTING_KEYS.find((settingKey) => settingKey === key)
  return known === undefined ? key : getSettingFacts(known).label
}

type Facts = Readonly<Record<string, unknown>>

// A line is shown even if the database does not contain valid JSON for it.
function parseFacts(json: string): Facts {
  try {
    const facts: unknown = JSON.parse(json)
    return typeof facts === 'object' && facts !== null ? (facts as Facts) : {}
  } catch {
    return {}
  }
}
