import type { DatabaseSync } from 'node:sqlite'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { buildErasure } from '../../worker/identity/closing/retention.ts'
import { deleteAtClosing } from '../../worker/identity/personalData/list.ts'
import { openDatabase } from '../../worker/lib/database.ts'
import type { ErasureList } from './erased.ts'
import { toSqlLiteral, type Value } from './rows.ts'

/**
 * Repeats the erasures, account closures and document shreddings that happened after a backup, with the Worker's own statements.
 * Run them without triggers, because the older state may still contain money or sessions of these persons.
 *
 * @returns the statements, the keys of files to delete, and notes for the operator
 */
export function planErasures(database: DatabaseSync, erased: ErasureList, nowMs: number) {
  const statements: string[] = []
  const files: string[] = []
  const notes: string[] = []
  for (const { id, atMs } of erased.documents) {
    const document = findRow(database, UNSHREDDED_DOCUMENT, id)
    if (document === null) continue
    files.push(String(document.file_key))
    statements.push(buildShreddingSql(`id = ${toSqlLiteral(id)}`, atMs))
  }
  for (const { id, atMs } of [...erased.persons, ...erased.closed]) {
    const person = findRow(database, 'SELECT email, closed_at, erased_at FROM users WHERE id = ?', id)
    if (person === null || person.erased_at !== null) continue
    const isErased = erased.persons.some((gone) => gone.id === id)
    const holds = findRow(database, OWN_MONEY, id)?.cents
    if (Number(holds) !== 0)
      notes.push(`The books of ${id}, whose account is closed, hold ${holds} cents in this backup: look why.`)
    if (person.closed_at === null)
      statements.push(
        ...deleteAtClosing(id).map(renderSql),
        `UPDATE users SET closed_at = ${toSqlLiteral(atMs)} WHERE id = ${toSqlLiteral(id)}`,
        `UPDATE kyc_submissions SET status = 'rejected', reason = 'The account was closed', decided_at = ${toSqlLiteral(atMs)}
         WHERE user_id = ${toSqlLiteral(id)} AND status = 'pending'`,
      )
    if (!isErased) continue
    files.push(...listRows(database, FILES_OF, id, id).map(({ key }) => String(key)))
    statements.push(
      buildShreddingSql(`user_id = ${toSqlLiteral(id)}`, atMs),
      ...buildErasure(NO_DATABASE, { id, email: String(person.email) }, nowMs).map(renderSql),
    )
  }
  // The trigger that queues audit lines for sealing does not run here.
  if (statements.length > 0) statements.push(QUEUE_FOR_SEAL)
  return { statements, files: [...new Set(files)], notes }
}

const QUEUE_FOR_SEAL = `INSERT INTO audit_unsealed (seq, id, at, actor, action, subject, detail)
  SELECT seq, id, at, actor, action, subject, detail FROM audit_log
  WHERE seq > coalesce((SELECT max(seq) FROM audit_unsealed), (SELECT max(last_seq) FROM audit_blocks), 0)`
const UNSHREDDED_DOCUMENT = 'SELECT file_key FROM kyc_submissions WHERE id = ? AND shredded_at IS NULL'
const OWN_MONEY = `SELECT coalesce(sum(abs(balance)), 0) AS cents FROM accounts
  WHERE owner = ? AND kind NOT IN ('paid_in', 'granted', 'paid_out', 'result', 'fees')`
const FILES_OF = `SELECT d.receipt_key AS key FROM deposit_details d JOIN requests r ON r.id = d.request WHERE r.investor = ?
  UNION SELECT file_key FROM kyc_submissions WHERE user_id = ? AND shredded_at IS NULL`

// Only builds statements; there is no database to run them.
const NO_DATABASE = openDatabase({} as D1Database)
const dialect = new SQLiteSyncDialect()

function buildShreddingSql(which: string, atMs: number): string {
  return `UPDATE kyc_submissions SET wrapped_key = NULL, key_version = NULL, shredded_at = ${atMs}, file_deleted_at = ${atMs}
    WHERE ${which} AND shredded_at IS NULL`
}

/** A statement with its parameters as literals. */
function renderSql(statement: { getSQL(): Parameters<SQLiteSyncDialect['sqlToQuery']>[0] }): string {
  const { sql, params } = dialect.sqlToQuery(statement.getSQL())
  const values = [...params] as Value[]
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (part) =>
    part === '?' ? toSqlLiteral(values.shift() ?? null) : part,
  )
}

function findRow(database: DatabaseSync, query: string, ...values: string[]): Record<string, unknown> | null {
  return database.prepare(query).get(...values) ?? null
}

function listRows(database: DatabaseSync, query: string, ...values: string[]): Record<string, unknown>[] {
  return database.prepare(query).all(...values)
}
