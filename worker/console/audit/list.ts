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
import { type NamedRow, readNames, toAuditEntry } from './names.ts'

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
        const [page] = await readTogether(call.db, readNamed(call, below ?? after, rows))
        return page.map((row) => ({ ...row, entry: toAuditEntry(row) }))
      },
      positionOf: ({ at, seq }) => ({ at, seq }),
    })
  }
  const [found] = await readTogether(call.db, readNamed(call, after, limit + 1))
  const { rows, headers } = takePage(call, found, limit, ({ at, seq }) => ({ at, seq }))
  return ok(rows.map(toAuditEntry), headers)
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
  Number: ({ seq }) => String(seq),
  Id: ({ id }) => id,
  Actor: ({ actor }) => actor,
  Action: ({ action }) => action,
  Subject: ({ subject }) => subject,
  Detail: ({ detail }) => detail,
}

function readNamed(
  { db, query, actor }: Pick<ActorCall, 'db' | 'actor'> & { query: Filters },
  after: Position | null,
  rows: number,
) {
  return readNames(readAuditLog(db, query, actor.id, after, rows).getSQL())
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
  // Each half reads one page of an index.
  const id = selectSubjectId(person)
  const halves = [eq(auditLog.actor, id), eq(auditLog.subject, id)].map(
    (isTheirs) => sql`SELECT seq FROM (${selectPage(and(matches, isTheirs))})`,
  )
  return selectPage(sql`${auditLog.seq} IN (${sql.join(halves, sql` UNION `)})`)
}

/** The id of the record with this reference or of the account with this e-mail address, or the input if it already is an id. */
function selectSubjectId(subject: string): SQL {
  return sql`coalesce((SELECT id FROM requests WHERE ref = ${subject}), (SELECT id FROM kyc_submissions WHERE ref = ${subject}), (SELECT id FROM contact_messages WHERE ref = ${subject}), (SELECT id FROM unit_orders WHERE ref = ${subject}), (SELECT id FROM users WHERE email = ${normalizeEmail(subject) ?? ''}), ${subject})`
}
