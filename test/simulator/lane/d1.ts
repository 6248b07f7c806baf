/** A value that SQLite stores. D1 binds every number as REAL, and so does `node:sqlite`. */
export type Value = null | number | string | Uint8Array

/** One statement with its values. */
export interface Query {
  readonly sql: string
  readonly params: readonly Value[]
  /** Rows as arrays instead of objects. */
  readonly asArrays: boolean
}

/** What one statement returned and changed. */
export interface Answer {
  readonly rows: unknown[]
  /** Rows that it and its triggers changed. */
  readonly changes: number
  /** The last row ID that the connection inserted. */
  readonly lastRowId: number
}

/** Runs statements in one transaction, and returns what each returned. */
export interface Executor {
  execute(queries: readonly Query[]): Promise<Answer[]>
}

/**
 * Stands between the Worker and the database. It decides when a call runs and whether its answer arrives: see `faults.ts`.
 */
export type Gate = <Result>(queries: readonly Query[], execute: () => Promise<Result>) => Promise<Result>

/** The most queries of one invocation of the Worker (https://developers.cloudflare.com/d1/platform/limits/). */
export const MOST_QUERIES = 1000

/**
 * The part of D1's binding that the Worker uses, over SQLite in this process. Errors have D1's words. `test/d1Cases.ts` compares it
 * with the binding of workerd.
 */
export function bindDatabase(executor: Executor, gate: Gate): D1Database {
  const send = async (queries: readonly Query[]): Promise<Answer[]> =>
    gate(queries, async () => {
      try {
        if (queries.length === 0) throw new Error('No SQL statements detected.')
        queries.forEach(refuse)
        return await executor.execute(queries)
      } catch (error) {
        throw errorOf(error)
      }
    })
  const ask = async (query: Query): Promise<Answer> => (await send([query]))[0] ?? NO_ANSWER
  const statement = (sql: string, params: readonly Value[]): Statement => {
    const query = { sql, params, asArrays: false }
    return {
      query,
      bind: (...values) => statement(sql, values.map(boundValue)),
      all: async () => resultOf(await ask(query)),
      run: async () => resultOf(await ask(query)),
      raw: async () => (await ask({ ...query, asArrays: true })).rows,
      first: async (column) => {
        const [row] = (await ask(query)).rows as Record<string, unknown>[]
        if (row === undefined) return null
        if (column === undefined) return row
        if (!(column in row)) throw new Error(`D1_COLUMN_NOTFOUND: Column not found (${column})`)
        return row[column]
      },
    }
  }
  return asBinding({
    prepare: (sql) => statement(sql, []),
    batch: async (statements) => (await send(statements.map(({ query }) => query))).map(resultOf),
  })
}

const NO_ANSWER: Answer = { rows: [], changes: 0, lastRowId: 0 }

interface Statement {
  readonly query: Query
  bind(...values: readonly unknown[]): Statement
  all(): Promise<unknown>
  run(): Promise<unknown>
  raw(): Promise<unknown[]>
  first(column?: string): Promise<unknown>
}

/** The Worker uses no other member of the binding: it would throw here, as it would fail in production. */
function asBinding(part: {
  prepare(sql: string): Statement
  batch(statements: readonly Statement[]): Promise<unknown[]>
}): D1Database {
  return part as unknown as D1Database
}

function resultOf({ rows, changes, lastRowId }: Answer): unknown {
  return { results: rows, success: true, meta: { changes, last_row_id: lastRowId, changed_db: changes > 0 } }
}

/** D1 sends values as JSON: infinity becomes null, and of a view only its numbers arrive. */
function boundValue(value: unknown): Value {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || typeof value === 'string') return value
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value) || isBytes(value)) return Uint8Array.from(value as Iterable<number>)
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${String(value)}'`)
}

function isBytes(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'number' && each >= 0 && each < 256)
}

const counted = new Map<string, number>()

/** Refuses what D1 refuses and SQLite does not, or in other words. */
function refuse({ sql, params }: Query): void {
  if (sql.length * 3 > MOST_SQL_BYTES && Buffer.byteLength(sql) > MOST_SQL_BYTES)
    throw new Error('statement too long: SQLITE_TOOBIG')
  let count = counted.get(sql)
  if (count === undefined) {
    count = parametersOf(sql)
    counted.set(sql, count)
  }
  // SQLite itself refuses more.
  if (count <= MOST_PARAMETERS && count !== params.length)
    throw new Error('Wrong number of parameter bindings for SQL query.')
}

const MOST_SQL_BYTES = 100_000
const MOST_PARAMETERS = 100
const NO_PARAMETERS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--.*|\/\*[\s\S]*?\*\//g

/** How many values a statement takes. A `?` without a number has the number after the largest one. */
function parametersOf(sql: string): number {
  let count = 0
  for (const [, number] of sql.replace(NO_PARAMETERS, '').matchAll(/\?(\d*)/g))
    count = Math.max(count, number ? Number(number) : count + 1)
  return count
}

/** SQLite's result codes (https://www.sqlite.org/rescode.html). */
const CODES: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  13: 'SQLITE_FULL',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  275: 'SQLITE_CONSTRAINT_CHECK',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  1811: 'SQLITE_CONSTRAINT_TRIGGER',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
  2579: 'SQLITE_CONSTRAINT_ROWID',
  3091: 'SQLITE_CONSTRAINT_DATATYPE',
}

function errorOf(error: unknown): Error {
  const { errcode, message } = error as { errcode?: number; message: string }
  const words = errcode === undefined ? message : `${message}: ${codeOf(errcode)}`
  return new Error(`D1_ERROR: ${words}`, { cause: new Error(words) })
}

function codeOf(errcode: number): string {
  const primary = CODES[errcode % 256] ?? 'SQLITE_ERROR'
  return errcode > 255 && errcode in CODES ? `${primary} (extended: ${CODES[errcode]})` : primary
}
