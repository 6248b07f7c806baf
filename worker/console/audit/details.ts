import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { AUDIT_SUBJECTS, type AuditEntry } from '../../../src/contract/console/audit.ts'
import { PROPOSAL_LABELS } from '../../../src/contract/console/proposals.ts'
import { RISK_RULES } from '../../../src/contract/console/risk.ts'
import { getWorkKind, WORK_KIND_NAMES } from '../../../src/contract/console/work.ts'
import { mailDateText } from '../../../src/contract/dates.ts'
import { COIN_LABELS, NETWORK_LABELS } from '../../../src/contract/money/coins.ts'
import { formatUsd, toUsd } from '../../../src/contract/money.ts'
import { formatNumber } from '../../../src/contract/numbers.ts'
import { parseStored } from '../../lib/database.ts'
import { getStrategyName } from '../../lib/strategyName.ts'

type Detail = AuditEntry['detail']
type Fact = AuditEntry['facts'][number]

/** What an id in the details of a line stands for. */
const detailSubject = z.object({
  id: z.string(),
  kind: z.nullable(z.enum(AUDIT_SUBJECTS)),
  /** A name or a reference. */
  name: z.nullable(z.string()),
  /** The kind of a proposal. */
  proposal: z.nullable(z.string()),
})
type DetailSubject = z.output<typeof detailSubject>

/** SQL of JSON: what each id in the values of `detail`, which is JSON, stands for. */
export function selectDetailSubjects(detail: SQL): SQL<string> {
  return sql`(SELECT json_group_array(json_object('id', d.value, 'kind', coalesce(u.role,
      CASE r.queue WHEN 'deposits' THEN 'deposit' WHEN 'withdrawals' THEN 'withdrawal' END,
      CASE WHEN p.id IS NOT NULL THEN 'proposal' WHEN o.id IS NOT NULL THEN 'order' WHEN m.id IS NOT NULL THEN 'message'
        WHEN po.id IS NOT NULL THEN 'payout' WHEN pm.id IS NOT NULL THEN 'payment' END),
      'name', coalesce(iif(u.erased_at IS NULL, u.display_name, NULL), r.ref, o.ref, m.ref), 'proposal', p.kind))
    FROM json_each(iif(json_valid(${detail}), ${detail}, '{}')) d
      LEFT JOIN users u ON u.id = d.value LEFT JOIN requests r ON r.id = d.value LEFT JOIN proposals p ON p.id = d.value
      LEFT JOIN unit_orders o ON o.id = d.value LEFT JOIN contact_messages m ON m.id = d.value
      LEFT JOIN payouts po ON po.id = d.value LEFT JOIN payments pm ON pm.id = d.value
    WHERE d.type = 'text' AND length(d.value) = 36)`
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * The details of a line in words, with what their ids stand for. `subjects` is the JSON of `selectDetailSubjects`. An id of nothing that
 * the console shows is left out.
 */
export function describeDetail(detail: Detail, subjects: string): Fact[] {
  const known = parseStored(z.array(detailSubject), subjects)
  return Object.entries(detail).flatMap(([key, value]): Fact[] => {
    const label = LABELS[key] ?? toSentenceCase(key)
    if (value === null || value === '' || UNSHOWN.has(key)) return []
    if (typeof value !== 'string' || !ID.test(value))
      return [{ label, value: (FORMATS[key] ?? formatValue)(value), subject: null }]
    const found = known.find(({ id }) => id === value)
    return found?.kind
      ? [{ label, value: nameSubject(found), subject: { kind: found.kind, _id: value } }]
      : []
  })
}

function nameSubject({ kind, name, proposal }: DetailSubject): string {
  if (proposal !== null) return lookUp(PROPOSAL_LABELS, proposal)
  return (
    name ?? (kind === 'investor' || kind === 'operator' ? `A former ${kind}` : toSentenceCase(kind ?? ''))
  )
}

/** What only a program compares, and numbers that no screen has. */
const UNSHOWN: ReadonlySet<string> = new Set(['listHash', 'hash', 'difference'])

/** Labels that are not the words of their keys. */
const LABELS: Readonly<Record<string, string>> = {
  amountCents: 'Amount',
  to: 'Assigned to',
  on: 'Date',
  owner: 'Holder',
  txid: 'Transaction',
  height: 'Block',
  list: 'Sanctions list',
  listDate: 'Of the day',
  selected: 'Selected rows',
  searched: 'With a search text',
  withdraws: 'Withdrawn at once',
  sealedBy: 'Encrypted by',
  final: 'For good',
  sample: 'Our sample',
  persistent: 'Stays until read',
  proof: 'Confirmed with',
  reasons: 'Confirmed because',
  fields: 'What changed',
}

const KINDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(WORK_KIND_NAMES.map((kind) => [kind, toCapital(getWorkKind(kind).one)])),
  ...PROPOSAL_LABELS,
}

const FORMATS: Readonly<Record<string, (value: unknown) => string>> = {
  amountCents: (value) => (typeof value === 'number' ? formatUsd(toUsd(value)) : formatValue(value)),
  kind: (value) => KINDS[String(value)] ?? formatValue(value),
  network: (value) => lookUp(NETWORK_LABELS, value),
  chain: (value) => lookUp(COIN_LABELS, value),
  coin: (value) => lookUp(COIN_LABELS, value),
  asset: (value) => lookUp(COIN_LABELS, value),
  strategy: (value) => getStrategyName(String(value)),
  heldUntil: (value) => (typeof value === 'number' ? mailDateText(value) : formatValue(value)),
  roles: listWords,
  reasons: listWords,
  signs: (value) => String(value).split(' ').map(nameSign).join('; '),
  fields: listWords,
  txid: String,
  fingerprint: String,
  year: String,
}

function lookUp(labels: Readonly<Record<string, string>>, value: unknown): string {
  return labels[String(value)] ?? formatValue(value)
}

/** A sign of a former version has only its code. */
function nameSign(sign: string): string {
  const rules: Readonly<Record<string, { readonly title: string }>> = RISK_RULES
  return rules[sign]?.title ?? formatValue(sign)
}

/** Codes that are separated by spaces: "new_factor, unknown device". */
function listWords(value: unknown): string {
  const words = String(value)
    .split(' ')
    .map((word) => toSentenceCase(word).toLowerCase())
  return toCapital(words.join(', '))
}

export function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^[a-z]+(?:[_-][a-z]+)*$/.test(value) ? toSentenceCase(value) : value
}

/** `second_operator` and `secondOperator` as "Second operator". */
function toSentenceCase(code: string): string {
  return toCapital(code.replace(/[_-]/g, ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
}

function toCapital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
