import type { DatabaseSync } from 'node:sqlite'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { deleteAtClosing } from '../../worker/identity/closing/forgotten.ts'
import { erasure } from '../../worker/identity/closing/retention.ts'
import { openDatabase } from '../../worker/lib/database.ts'
import { literal, type Value } from './rows.ts'

/** The ids of the data that restoring an older backup must not bring back. */
export interface Erased {
  readonly madeAt: string
  readonly persons: readonly Removal[]
  /** Accounts that are closed but not erased yet. */
  readonly closed: readonly Removal[]
  /** Submissions whose documents were shredded. */
  readonly documents: readonly Removal[]
}

interface Removal {
  readonly id: string
  readonly atMs: number
}

/** The list's file in each backup. `npm run backup -- --erased <file>` writes only this list. */
export const ERASED_FILE = 'erased.json'

/** Returns the rows of a query. */
export type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/**
 * Reads the list page by page, so that each answer is small. A person's closing and erasure come from one row, so nobody is missed
 * who is erased between two pages.
 */
export async function readErasures(query: Query, now: Date, pageRows = PAGE_ROWS): Promise<Erased> {
  const pages = async (select: string) => {
    const rows: Readonly<Record<string, unknown>>[] = []
    for (;;) {
      const after = literal(String(rows.at(-1)?.id ?? ''))
      const page = await query(`${select} AND id > ${after} ORDER BY id LIMIT ${pageRows}`)
      rows.push(...page)
      if (page.length < pageRows) return rows
    }
  }
  const users = await pages(
    'SELECT id, closed_at, erased_at FROM users WHERE (closed_at > 0 OR erased_at > 0)',
  )
  const documents = await pages('SELECT id, shredded_at FROM kyc_submissions WHERE shredded_at > 0')
  const removal = (id: unknown, at: unknown): Removal => ({ id: String(id), atMs: Number(at) })
  return {
    madeAt: now.toISOString(),
    persons: users.filter((user) => user.erased_at !== null).map((user) => removal(user.id, user.erased_at)),
    closed: users.filter((user) => user.erased_at === null).map((user) => removal(user.id, user.closed_at)),
    documents: documents.map((document) => removal(document.id, document.shredded_at)),
  }
}

const PAGE_ROWS = 2000

/**
 * Repeats the erasures, account closures and document shreddings that happened after a backup, with the Worker's own statements.
 * Run them without triggers, because the older state may still contain money or sessions of these persons.
 *
 * @returns the statements, the keys of files to delete, and notes for the operator
 */
export function erasing(database: DatabaseSync, erased: Erased, nowMs: number) {
  const statements: string[] = []
  const files: string[] = []
  const notes: string[] = []
  for (const { id, atMs } of erased.documents) {
    const document = one(database, UNSHREDDED_DOCUMENT, id)
    if (document === null) continue
    files.push(String(document.file_key))
    statements.push(shredding(`id = ${literal(id)}`, atMs))
  }
  for (const { id, atMs } of [...erased.persons, ...erased.closed]) {
    const person = one(database, 'SELECT email, closed_at, erased_at FROM users WHERE id = ?', id)
    if (person === null || person.erased_at !== null) continue
    const isErased = erased.persons.some((gone) => gone.id === id)
    const holds = one(database, OWN_MONEY, id)?.cents
    if (Number(holds) !== 0)
      notes.push(`The books of ${id}, whose account is closed, hold ${holds} cents in this backup: look why.`)
    if (person.closed_at === null)
      statements.push(
        ...deleteAtClosing(id).map(inlined),
        `UPDATE users SET closed_at = ${literal(atMs)} WHERE id = ${literal(id)}`,
        `UPDATE kyc_submissions SET status = 'rejected', reason = 'The account was closed', decided_at = ${literal(atMs)}
         WHERE user_id = ${literal(id)} AND status = 'pending'`,
      )
    if (!isErased) continue
    files.push(...all(database, FILES_OF, id, id).map(({ key }) => String(key)))
    statements.push(
      shredding(`user_id = ${literal(id)}`, atMs),
      ...erasure(NO_DATABASE, { id, email: String(person.email) }, nowMs).map(inlined),
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

function shredding(which: string, atMs: number): string {
  return `UPDATE kyc_submissions SET wrapped_key = NULL, key_version = NULL, shredded_at = ${atMs}, file_deleted_at = ${atMs}
    WHERE ${which} AND shredded_at IS NULL`
}

/** A statement with its parameters as literals. */
function inlined(statement: { getSQL(): Parameters<SQLiteSyncDialect['sqlToQuery']>[0] }): string {
  const { sql, params } = dialect.sqlToQuery(statement.getSQL())
  const values = [...params] as Value[]
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (part) =>
    part === '?' ? literal(values.shift() ?? null) : part,
  )
}

function one(database: DatabaseSync, query: string, ...values: string[]): Record<string, unknown> | null {
  return database.prepare(query).get(...values) ?? null
}

function all(database: DatabaseSync, query: string, ...values: string[]): Record<string, unknown>[] {
  return database.prepare(query).all(...values)
}
