import { and, desc, eq, gte, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { type AuditEntry, listAuditLog as endpoint } from '../../../src/contract/console/audit.ts'
import type { QueryOf } from '../../../src/contract/endpoint.ts'
import { ok, route } from '../../http/call.ts'
import { type Columns, listFile } from '../../http/csv.ts'
import { iso, openCursor, type Position, pageOf } from '../../http/paging.ts'
import { type Database, reading, readTogether } from '../../lib/database.ts'
import { auditLog } from '../../lib/tables/platform.ts'
import type { AuditRow } from '../../platform/audit/compare.ts'

type Filters = Pick<QueryOf<typeof endpoint>, 'actor' | 'subject' | 'action' | 'from' | 'to' | 'line'>

/**
 * Lists the audit log, newest first, filtered by actor, subject, action and time. Time, actor and action each use a range of an
 * index; a subject has few lines. `format=csv` streams every matching line.
 */
export const listAuditLog = route(endpoint, async (call) => {
  const { limit, cursor, format } = call.query
  const after = openCursor(cursor)
  if (format === 'csv') {
    await call.commit({ audit: [{ action: 'audit_log.exported', subject: call.actor.id }] })
    return listFile(call, 'audit-log', {
      columns: COLUMNS,
      read: (below, rows) => Promise.resolve(readAuditLog(call.db, call.query, below ?? after, rows)),
      positionOf: ({ at, seq }) => ({ at, seq }),
    })
  }
  const [found] = await readTogether(call.db, reading<NamedRow>(named(call, after, limit + 1)))
  const { rows, headers } = pageOf(call, found, limit, ({ at, seq }) => ({ at, seq }))
  return ok(rows.map(entryOf), headers)
})

// All columns that the seal covers.
const COLUMNS: Columns<AuditRow> = {
  Number: ({ seq }) => String(seq),
  Id: ({ id }) => id,
  'Time (UTC)': ({ at }) => iso(at),
  Actor: ({ actor }) => actor,
  Action: ({ action }) => action,
  Subject: ({ subject }) => subject,
  Detail: ({ detail }) => detail,
}

interface NamedRow extends AuditRow {
  readonly actorName: string | null
  readonly kind: NonNullable<AuditEntry['about']>['kind'] | null
  readonly ref: string | null
  readonly person: string | null
  readonly name: string | null
}

function entryOf({ id, seq, at, actor, actorName, action, subject, ...about }: NamedRow): AuditEntry {
  const { kind, ref, person, name } = about
  return {
    _id: id,
    line: seq,
    at: iso(at),
    actor,
    actorName,
    action,
    subject,
    about: kind === null ? null : { kind, ref, person, name },
  }
}

/** A page of lines with the names behind their ids. The log itself stores no names. */
function named({ db, query }: { db: Database; query: Filters }, after: Position | null, rows: number): SQL {
  return sql`
    SELECT a.*, actor.display_name AS actorName,
           coalesce(su.role, r.kind, CASE WHEN k.id IS NOT NULL THEN 'kyc' WHEN p.id IS NOT NULL THEN 'proposal'
             WHEN i.id IS NOT NULL THEN 'invitation' WHEN rk.id IS NOT NULL THEN 'reviewer_key'
             WHEN w.id IS NOT NULL THEN 'wallet' WHEN m.id IS NOT NULL THEN 'message' END) AS kind,
           coalesce(r.ref, k.ref, m.ref) AS ref,
           coalesce(su.id, r.investor, k.user_id, p.investor, p.operator, rk.user_id) AS person,
           coalesce(su.display_name, whose.display_name, i.name) AS name
    FROM (${readAuditLog(db, query, after, rows).getSQL()}) a
    LEFT JOIN users actor ON actor.id = a.actor
    LEFT JOIN users su ON su.id = a.subject
    LEFT JOIN requests r ON r.id = a.subject
    LEFT JOIN kyc_submissions k ON k.id = a.subject
    LEFT JOIN proposals p ON p.id = a.subject
    LEFT JOIN operator_invitations i ON i.id = a.subject
    LEFT JOIN reviewer_keys rk ON rk.id = a.subject
    LEFT JOIN wallets w ON w.id = a.subject
    LEFT JOIN contact_messages m ON m.id = a.subject
    LEFT JOIN users whose ON whose.id = coalesce(r.investor, k.user_id, p.investor, p.operator, rk.user_id)
    ORDER BY a.at DESC, a.seq DESC`
}

/** Lines as stored, without names. */
function readAuditLog(
  db: Database,
  { actor, subject, action, from, to, line }: Filters,
  below: Position | null,
  rows: number,
) {
  return db
    .select()
    .from(auditLog)
    .where(
      and(
        // SQLite uses only the first half for the index seek.
        below === null
          ? undefined
          : and(lte(auditLog.at, below.at), or(lt(auditLog.at, below.at), lt(auditLog.seq, below.seq))),
        actor === undefined ? undefined : eq(auditLog.actor, actor),
        subject === undefined ? undefined : eq(auditLog.subject, idOf(subject)),
        action === undefined ? undefined : eq(auditLog.action, action),
        from === undefined ? undefined : gte(auditLog.at, from),
        to === undefined ? undefined : lte(auditLog.at, to),
        line === undefined ? undefined : eq(auditLog.seq, Number(line)),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.seq))
    .limit(rows)
}

/** The id of the record with this reference, or the input if it already is an id. */
function idOf(subject: string): SQL {
  return sql`coalesce((SELECT id FROM requests WHERE ref = ${subject}), (SELECT id FROM kyc_submissions WHERE ref = ${subject}), (SELECT id FROM contact_messages WHERE ref = ${subject}), ${subject})`
}
