import { Column, is, SQL, type SQLWrapper, StringChunk, sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import {
  type alias,
  QueryBuilder,
  type SelectedFields,
  SQLiteSyncDialect,
  type SQLiteTable,
} from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'

export type Database = DrizzleD1Database & { readonly $client: D1Database }
/** One statement of a batch, from a query builder or `sql`. */
export type Statement = SQLWrapper

/** Drizzle over the D1 binding. */
export function openDatabase(binding: D1Database): Database {
  return drizzle(binding)
}

/** Runs statements as one atomic batch. Without statements there is no round trip. */
export async function runBatch(db: Database, statements: readonly Statement[]): Promise<void> {
  if (statements.length === 0) return
  await db.$client.batch(statements.map((statement) => prepare(db, statement.getSQL())))
}

/** D1 takes parameters of up to 2 MB. */
const PART_CHARACTERS = 500_000

/**
 * Rows as JSON arrays for `json_each`, each within D1's limit for one parameter. One statement about a thousand rows takes one round trip
 * and one of the statements that a Worker may send.
 */
export function splitIntoJsonParts(rows: readonly unknown[]): string[] {
  const parts: string[] = []
  let part: string[] = []
  let size = 0
  for (const row of rows) {
    const text = JSON.stringify(row)
    if (part.length > 0 && size + text.length > PART_CHARACTERS) {
      parts.push(`[${part.join()}]`)
      part = []
      size = 0
    }
    part.push(text)
    size += text.length
  }
  return part.length === 0 ? parts : [...parts, `[${part.join()}]`]
}

/** A read for `readTogether`: a selection of Drizzle, typed by its tables, or SQL whose author declares the row. */
export interface RowQuery<Row> {
  getSQL(): SQL
  readonly _: { readonly result: Row[] }
}

/** A read in SQL that no builder can say. `Row` has its columns and their types, which nothing checks. */
export function buildQuery<Row>(query: SQL): RowQuery<Row> {
  return { getSQL: () => query, _: { result: [] } }
}

/** Takes the place of a read that is not needed. */
export const NO_ROWS: RowQuery<never> = buildQuery(sql`SELECT 1 WHERE 0`)

/** Rows come as D1 gives them, where a boolean column is 0 or 1: select it as `sql<0 | 1>`. */
type WithoutBooleans<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { _: { data: boolean } } ? never : Fields[Name]
}

/**
 * A selection for `readTogether` whose rows have the names of `fields`:
 * `selectRows({ id: users.id, total: sql<number>`count(*)` }).from(users)`. Each field gets its name in SQL, because D1 returns rows as
 * objects, and two columns of the same name in a join would become one.
 */
export function selectRows<Fields extends SelectedFields>(fields: Fields & WithoutBooleans<Fields>) {
  return selectNamed<Fields>(fields)
}

function selectNamed<Fields extends SelectedFields>(fields: Fields) {
  const named = Object.entries(fields).map(([name, field]) => [
    name,
    is(field, Column) || is(field, SQL) ? sql`${field}`.as(name) : field,
  ])
  return new QueryBuilder().select(Object.fromEntries(named) as unknown as Fields)
}

/** The table under another name, read by this index where SQLite would choose a slower one. */
export function aliasIndexed<Table extends SQLiteTable, Name extends string>(
  table: Table,
  name: Name,
  index: string,
) {
  const indexed: SQLWrapper = sql`${table} ${sql.identifier(name)} INDEXED BY ${sql.identifier(index)}`
  return indexed as ReturnType<typeof alias<Table, Name>>
}

/** One row of values that need no table: `selectValues({ isKnown: sql<0 | 1>`EXISTS (…)` })`. */
export function selectValues<Fields extends Readonly<Record<string, SQL>>>(fields: Fields) {
  return selectNamed(fields).from(sql`(SELECT 1)`)
}

/** Runs reads in one round trip over one state of the database, and returns each one's rows. */
export async function readTogether<const Reads extends readonly RowQuery<unknown>[]>(
  db: Database,
  ...reads: Reads
): Promise<RowsOf<Reads>> {
  const results = await db.$client.batch(reads.map((read) => prepare(db, read.getSQL())))
  return results.map(({ results: rows }) => rows) as RowsOf<Reads>
}

export type RowsOf<Reads extends readonly RowQuery<unknown>[]> = {
  -readonly [I in keyof Reads]: Reads[I] extends RowQuery<infer Row> ? Row[] : never
}

/** A row of a function that returns a read: `RowOf<typeof readPayouts>`. */
export type RowOf<Read extends (...parameters: never[]) => RowQuery<unknown>> =
  ReturnType<Read> extends RowQuery<infer Row> ? Row : never

/** What the database stores as JSON. Throws unless it has the form of `schema`: then the code that wrote it and this disagree. */
export function parseStored<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> {
  return z.parse(schema, JSON.parse(text))
}

const dialect = new SQLiteSyncDialect()

/** SQL with its parameters as a D1 statement. */
export function prepare(db: Database, query: SQL): D1PreparedStatement {
  const { sql, params } = renderQuery(query)
  return db.$client.prepare(sql).bind(...params)
}

/**
 * The text and the parameters of a query. Drizzle compares each part with a dozen kinds. Most of our SQL is text and values, which
 * take less time here.
 */
export function renderQuery(query: SQL): { readonly sql: string; readonly params: readonly unknown[] } {
  const params: unknown[] = []
  const text = renderText(query, params)
  return text === null ? dialect.sqlToQuery(query) : { sql: text, params }
}

/** The text of a query of text and values, whose values are added to `params`. Null if it has other parts. */
function renderText({ queryChunks }: SQL, params: unknown[]): string | null {
  let text = ''
  for (const chunk of queryChunks) {
    if (chunk instanceof StringChunk) text += chunk.value.join('')
    else if (chunk === null || VALUES.has(typeof chunk)) {
      text += '?'
      params.push(chunk)
    } else {
      const part = chunk instanceof SQL ? renderText(chunk, params) : null
      if (part === null) return null
      text += part
    }
  }
  return text
}

const VALUES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'bigint'])
