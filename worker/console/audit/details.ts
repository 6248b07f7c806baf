import { sql } from 'drizzle-orm'
import type { AuditEntry, AuditSubject } from '../../../src/contract/console/audit.ts'
import { PROPOSAL_LABELS } from '../../../src/contract/console/proposals.ts'
import { getWorkKind, WORK_KIND_NAMES } from '../../../src/contract/console/work.ts'
import { mailDateText } from '../../../src/contract/dates.ts'
import { COIN_LABELS, NETWORK_LABELS } from '../../../src/contract/money/coins.ts'
import { formatUsd, toUsd } from '../../../src/contract/money.ts'
import { formatNumber } from '../../../src/contract/numbers.ts'
import { type Database, NO_ROWS, type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import { getStrategyName } from '../../lib/strategyName.ts'

type Detail = AuditEntry['detail']
type Fact = AuditEntry['facts'][number]

export type RecordedLine = Pick<AuditEntry, 'action' | 'subject' | 'detail'>

/** What the ids in the details of lines stand for, by id. */
export type DetailSubjects = ReadonlyMap<string, RowOf<typeof readSubjects>>

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Reads what the ids in the details of lines stand for, in one round trip; none without an id. */
export async function readDetailSubjects(
  db: Database,
  lines: readonly RecordedLine[],
): Promise<DetailSubjects> {
  const ids = new Set(
    lines.flatMap(({ action, subject, detail }) => [
      ...Object.values(detail).filter(isId),
      ...(action.startsWith('treasury.') ? [subject] : []),
    ]),
  )
  const [rows] = await readTogether(db, ids.size === 0 ? NO_ROWS : readSubjects([...ids]))
  return new Map((rows as RowOf<typeof readSubjects>[]).map((row) => [row.id, row]))
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

function readSubjects(ids: readonly string[]) {
  return selectRows({
    id: sql<string>`i.value`,
    kind: sql<AuditSubject | null>`coalesce(u.role, CASE r.queue WHEN 'deposits' THEN 'deposit' WHEN 'withdrawals' THEN 'withdrawal' END,
      CASE WHEN p.id IS NOT NULL THEN 'proposal' WHEN o.id IS NOT NULL THEN 'order' WHEN m.id IS NOT NULL THEN 'message'
        WHEN po.id IS NOT NULL THEN 'payout' WHEN pm.id IS NOT NULL THEN 'payment' END)`,
    /** A name, a reference, or the kind of a proposal. */
    name: sql<string | null>`coalesce(iif(u.erased_at IS NULL, u.display_name, NULL), r.ref, o.ref, m.ref)`,
    proposal: sql<keyof typeof PROPOSAL_LABELS | null>`p.kind`,
    place: sql<string | null>`l.name || ', ' || upper(l.asset)`,
  }).from(sql`json_each(${JSON.stringify(ids)}) i
    LEFT JOIN users u ON u.id = i.value LEFT JOIN requests r ON r.id = i.value LEFT JOIN proposals p ON p.id = i.value
    LEFT JOIN unit_orders o ON o.id = i.value LEFT JOIN contact_messages m ON m.id = i.value
    LEFT JOIN custody_places l ON l.id = i.value LEFT JOIN payouts po ON po.id = i.value LEFT JOIN payments pm ON pm.id = i.value`)
}

/** The details of a line in words, with what their ids stand for. An id of nothing that is shown anywhere is left out. */
export function describeDetail(line: RecordedLine, subjects: DetailSubjects): Fact[] {
  const place = subjects.get(line.subject)?.place
  return [
    ...(place ? [{ label: 'Place', value: place, subject: null }] : []),
    ...describeValues(line.detail, subjects),
  ]
}

function describeValues(detail: Detail, subjects: DetailSubjects): Fact[] {
  return Object.entries(detail).flatMap(([key, value]): Fact[] => {
    const label = LABELS[key] ?? toSentenceCase(key)
    if (value === null || value === '') return []
    if (isId(value)) {
      const found = subjects.get(value)
      return found?.kind
        ? [{ label, value: nameSubject(found), subject: { kind: found.kind, _id: value } }]
        : []
    }
    return [{ label, value: (FORMATS[key] ?? formatValue)(value), subject: null }]
  })
}

function nameSubject({ kind, name, proposal }: RowOf<typeof readSubjects>): string {
  if (proposal !== null) return PROPOSAL_LABELS[proposal]
  return (
    name ?? (kind === 'investor' || kind === 'operator' ? `A former ${kind}` : toSentenceCase(kind ?? ''))
  )
}

/** Labels that are not the words of their keys. */
const LABELS: Readonly<Record<string, string>> = {
  amountCents: 'Amount',
  to: 'Assigned to',
  on: 'Date',
  owner: 'Holder',
  txid: 'Transaction',
  height: 'Block',
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
  fields: listWords,
  txid: String,
  hash: String,
  fingerprint: String,
  year: String,
}

function lookUp(labels: Readonly<Record<string, string>>, value: unknown): string {
  return labels[String(value)] ?? formatValue(value)
}

/** Codes that are separated by spaces: "new_factor, unknown device". */
function listWords(value: unknown): string {
  const words = String(value)
    .split(' ')
    .map((word) => toSentenceCase(word).toLowerCase())
  return toCapital(words.join(', '))
}

function formatValue(value: unknown): string {
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
