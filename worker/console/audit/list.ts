import { and, desc, eq, gte, lt, lte, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { CONFIDENTIAL_ACTIONS } from '../../../src/contract/auditActions.ts'
import type { AuditEntry, listAuditLog as endpoint } from '../../../src/contract/console/audit.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { normalizeEmail } from '../../../src/contract/fields.ts'
import { type ActorCall, type CallOf, ok } from '../../http/call.ts'
import { type Columns, listFile } from '../../http/csv.ts'
import { openCursor, type Position, takePage, toIso } from '../../http/paging.ts'
import { type Database, readTogether } from '../../lib/database.ts'
import { auditLog } from '../../lib/tables/platform.ts'
import { canReadConfidential } from '../cases/confidential.ts'
import { readProposals } from '../proposals/proposal.ts'
import { describeProposals, type NamedRow, readNames, toAuditEntry } from './names.ts'

type Filters = Pick<
  QueryOf<typeof endpoint>,
  'actor' | 'subject' | 'person' | 'action' | 'from' | 'to' | 'line'
>

/**
 * Lists the audit log, newest first, filtered by actor, subject, action and time. Time, actor and action each use a range of an
 * index; a subject has few lines. Confidential lines are only for their readers. `format=csv` streams every matching line.
 */
export async function listAuditLog(call: CallOf<typeof endpoint>) {
  const { limit, cursor, format } = call.query
  const after = openCursor(cursor)
  if (format === 'csv') {
    await call.commit({ audit: [{ action: 'audit_log.exported', subject: call.actor.id }] })
    return listFile(call, 'audit-log', {
      columns: COLUMNS,
      read: async (below, rows) => {
        const page = await readPage(call, below ?? after, rows)
        return page.rows.map((row) => ({ ...row, entry: toAuditEntry(row, page.proposals) }))
      },
      positionOf: ({ at, seq }) => ({ at, seq }),
    })
  }
  const page = await readPage(call, after, limit + 1)
  const { rows, headers } = takePage(call, page.rows, limit, ({ at, seq }) => ({ at, seq }))
  return ok(
    rows.map((row) => toAuditEntry(row, page.proposals)),
    headers,
  )
}

// The words of the console, then all columns that the seal covers, as recorded.
const COLUMNS: Columns<NamedRow & { readonly entry: AuditEntry }> = {
  'Time (UTC)': ({ at }) => toIso(at),
  'Done by': ({ entry }) => entry.actorName,
  What: ({ entry }) => entry.label,
  About: ({ entry }) => entry.about?.label ?? '',
  Person: ({ entry }) => entry.about?.person?.name ?? '',
  Reason: ({ entry }) => entry.reason ?? '',
  Details: ({ entry }) => entry.facts.map(({ label, value }) => `${label}: ${value}`).join('; '),
  Line: ({ seq }) => String(seq),
  'Recorded id': ({ id }) => id,
  'Recorded actor': ({ actor }) => actor,
  'Recorded action': ({ action }) => action,
  'Recorded subject': ({ subject }) => subject,
  'Recorded details': ({ detail }) => detail,
}

/** A page of lines with their names, and what their proposals say. */
async function readPage(
  { db, query, actor }: Pick<ActorCall, 'db' | 'actor'> & { query: Filters },
  after: Position | null,
  rows: number,
) {
  const [page] = await readTogether(db, readNames(readAuditLog(db, query, actor.id, after, rows).getSQL()))
  const ids = new Set(
    page.flatMap(({ kind, subject, cause }) =>
      kind === 'proposal' ? [subject] : cause === null ? [] : [cause],
    ),
  )
  if (ids.size === 0) return { rows: page, proposals: describeProposals([]) }
  const selected = sql`p.id IN (SELECT value FROM json_each(${JSON.stringify([...ids])}))`
  const [proposals] = await readTogether(db, readProposals(selected, ids.size))
  return { rows: page, proposals: describeProposals(proposals) }
}

/** Lines as stored, without names. */
function readAuditLog(
  db: Database,
  { actor, subject, person, action, from, to, line }: Filters,
  reader: string,
  below: Position | null,
  rows: number,
) {
  const matches = and(
    // SQLite uses only the first half for the index seek.
    below === null
      ? undefined
      : and(lte(auditLog.at, below.at), or(lt(auditLog.at, below.at), lt(auditLog.seq, below.seq))),
    actor === undefined ? undefined : eq(auditLog.actor, actor),
    subject === undefined ? undefined : eq(auditLog.subject, selectSubjectId(subject)),
    action === undefined ? undefined : eq(auditLog.action, action),
    from === undefined ? undefined : gte(auditLog.at, from),
    to === undefined ? undefined : lte(auditLog.at, to),
    line === undefined ? undefined : eq(auditLog.seq, Number(line)),
    or(notInArray(auditLog.action, [...CONFIDENTIAL_ACTIONS]), canReadConfidential(reader)),
  )
  const selectPage = (where: SQL | undefined) =>
    db.select().from(auditLog).where(where).orderBy(desc(auditLog.at), desc(auditLog.seq)).limit(rows)
  if (person === undefined) return selectPage(matches)
  const id = selectSubjectId(person)
  // The indexes are named so that the cost depends on the person's own lines, not on the length of the log.
  const selectHalf = (index: string, isTheirs: SQL) =>
    sql`SELECT seq FROM (SELECT seq FROM audit_log INDEXED BY ${sql.raw(index)} WHERE ${and(matches, isTheirs)} ORDER BY at DESC, seq DESC LIMIT ${rows})`
  const byPerson = selectHalf('audit_log_by_actor_and_time', eq(auditLog.actor, id))
  const aboutPerson = selectHalf(
    'audit_log_by_subject',
    sql`audit_log.subject IN (${selectPersonSubjects(id)})`,
  )
  return selectPage(sql`${auditLog.seq} IN (${byPerson} UNION ${aboutPerson})`)
}

/**
 * The ids of a person and of everything that is theirs: the subjects whose lines `readNames` answers with this person, and their plans
 * and saved addresses. Each part is a range of an index; proposals of keys are found by the keys. D1 joins at most five selects.
 */
function selectPersonSubjects(id: SQL): SQL {
  const owned = (table: string, column = 'investor') =>
    sql.raw(`SELECT t.id FROM person JOIN ${table} t ON t.${column} = person.id`)
  const join = (parts: readonly SQL[]) => sql`SELECT id FROM (${sql.join([...parts], sql` UNION ALL `)})`
  const money = ['requests', 'unit_orders', 'plans', 'saved_addresses', 'payments']
  const identity = ['unknown_receipts', 'factor_recoveries', 'sanctions_hits', 'proposals']
  return sql`WITH person (id) AS MATERIALIZED (SELECT ${id}) ${sql.join(
    [
      sql`SELECT id FROM person`,
      join(money.map((table) => owned(table))),
      join([...identity.map((table) => owned(table)), owned('kyc_submissions', 'user_id')]),
      join([
        owned('reviewer_keys', 'user_id'),
        owned('proposals', 'operator'),
        sql`SELECT k.proposal FROM person JOIN reviewer_keys k ON k.user_id = person.id`,
        sql`SELECT t.id FROM person JOIN requests r ON r.investor = person.id JOIN proposals t ON t.request = r.id`,
      ]),
    ],
    sql` UNION ALL `,
  )}`
}

/** The id of the record with this reference or of the account with this e-mail address, or the input if it already is an id. */
function selectSubjectId(subject: string): SQL {
  return sql`coalesce((SELECT id FROM requests WHERE ref = ${subject}), (SELECT id FROM kyc_submissions WHERE ref = ${subject}), (SELECT id FROM contact_messages WHERE ref = ${subject}), (SELECT id FROM unit_orders WHERE ref = ${subject}), (SELECT id FROM users WHERE email = ${normalizeEmail(subject) ?? ''}), ${subject})`
}
