/** A value that SQLite stores. D1 binds every number as REAL, and so does `node:sqlite`. */
export type Value = null | number | string | Uint8Array

/** One statement with its values. */
export interface Query {
  readonly sql: string
  readonly params: readonly Value[]
  /** Rows as arrays instead of objects. */
  readonly asArrays: boolean
}

/** Runs statements in one transaction, and returns the rows of each. */
export interface Executor {
  execute(queries: readonly Query[]): Promise<unknown[][]>
}

/**
 * Stands between the Worker and the database. It decides when a call runs and whether its answer arrives: see `faults.ts`.
 */
export type Gate = (queries: readonly Query[], execute: () => Promise<unknown[][]>) => Promise<unknown[][]>

/** D1's limits (https://developers.cloudflare.com/d1/platform/limits/). */
const MOST_PARAMETERS = 100
const MOST_SQL_BYTES = 100_000
const MOST_VALUE_BYTES = 2_000_000
/** The most queries of one invocation of the Worker. */
export const MOST_QUERIES = 1000

/**
 * The part of D1's binding that the Worker uses, over SQLite in this process. Errors have D1's words.
 */
export function bindDatabase(executor: Executor, gate: Gate): D1Database {
  const send = async (queries: readonly Query[]): Promise<unknown[][]> => {
    return gate(queries, async () => {
      try {
        return await executor.execute(queries)
      } catch (error) {
        throw errorOf(error)
      }
    })
  }
  const statement = (sql: string, params: readonly Value[]): Statement => ({
    query: { sql, params, asArrays: false },
    bind: (...values: readonly unknown[]) => statement(sql, values.map(boundValue)),
    all: async () => resultOf((await send([{ sql, params, asArrays: false }]))[0]),
    run: async () => resultOf((await send([{ sql, params, asArrays: false }]))[0]),
    raw: async () => (await send([{ sql, params, asArrays: true }]))[0] ?? [],
    first: async (column?: string) => {
      const [row] = (await send([{ sql, params, asArrays: false }]))[0] ?? []
      if (row === undefined) return null
      return column === undefined ? row : ((row as Record<string, unknown>)[column] ?? null)
    },
  })
  return asBinding({
    prepare: (sql: string) => {
      if (sql.length > MOST_SQL_BYTES) throw new Error('D1_ERROR: statement too long: SQLITE_TOOBIG')
      return statement(sql, [])
    },
    batch: async (statements: readonly Statement[]) =>
      (await send(statements.map(({ query }) => query))).map(resultOf),
  })
}

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

function resultOf(rows: unknown[] = []): unknown {
  return { results: rows, success: true, meta: {} }
}

function boundValue(value: unknown, _index: number, all: readonly unknown[]): Value {
  if (all.length > MOST_PARAMETERS) throw new Error('D1_ERROR: too many SQL variables: SQLITE_ERROR')
  if (value === null || typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' || value instanceof Uint8Array) {
    if (value.length > MOST_VALUE_BYTES) throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
    return value
  }
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${String(value)}'`)
}

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const CODES: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  5: 'SQLITE_BUSY',
  13: 'SQLITE_FULL',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  25: 'SQLITE_RANGE',
}

function errorOf(error: unknown): Error {
  const { errcode, message } = error as { errcode?: number; message: string }
  // A real D1 has its own words.
  if (message.startsWith('D1_')) return error as Error
  const code = CODES[(errcode ?? 1) % 256] ?? 'SQLITE_ERROR'
  return new Error(`D1_ERROR: ${message}: ${code}`, { cause: new Error(`${message}: ${code}`) })
}
