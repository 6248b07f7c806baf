import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { readTriggers, type Trigger } from '../../../scripts/backup/replay.ts'
import { buildFreshImage, createFreshDatabase, readTables } from '../../../scripts/backup/tables.ts'
import type { BackupContents } from './backup.ts'
import { type Chance, chanceOf } from './chance.ts'
import { type Answer, bindDatabase, type Executor, type Gate, type Query, type Value } from './d1.ts'

/** What the database's own functions read instead of the machine's clock and chance. */
export interface Surroundings {
  now(): number
  chance(): Chance
}

/** The simulated platform's database. */
export interface SimulatedDatabase {
  /** The binding that the Worker gets. Its calls pass through the gate. */
  bind(gate: Gate): D1Database
  /** Rows of a query that the simulator itself asks, past the Worker. */
  rows<Row>(sql: string, ...params: readonly Value[]): Promise<Row[]>
  /** Runs statements in one transaction, past the Worker. */
  execute(statements: readonly string[]): Promise<void>
  /** What a backup of it contains. */
  contents(): BackupContents
  /** Fills an empty, migrated database in one transaction, which takes the place of this one. */
  replaceWith(statements: (triggers: readonly Trigger[]) => AsyncIterable<string>): Promise<void>
  close(): void
}

/** Of each connection in workerd; D1's own length of a value (https://developers.cloudflare.com/d1/platform/limits/). */
const LIMITS = {
  length: 2_000_000,
  sqlLength: 100_000,
  column: 100,
  exprDepth: 100,
  compoundSelect: 5,
  vdbeOp: 25_000,
  functionArg: 127,
  attach: 0,
  likePatternLength: 50,
  variableNumber: 100,
  triggerDepth: 10,
}

/**
 * Opens a SQLite database in this process: one with the project's migrations only, or that of `image`. `prepare` gets it before anything
 * else is written.
 */
export function openSqlite(
  surroundings: Surroundings,
  prepare: (database: DatabaseSync) => void = () => {},
  image: Uint8Array = buildFreshImage(),
): SimulatedDatabase {
  let current = connect(surroundings, prepare, image)
  return {
    bind: (gate) => bindDatabase({ execute: (queries) => current.execute(queries) }, gate),
    rows: async <Row>(sql: string, ...params: readonly Value[]) => current.rows(sql, params) as Row[],
    execute: async (statements) => {
      await current.transaction(async ({ exec }) => statements.forEach(exec))
    },
    contents: contentsOfBackups,
    replaceWith: async (statements) => {
      const next = connect(surroundings, prepare)
      await next.transaction(async ({ exec, triggers }) => {
        for await (const statement of statements(triggers())) exec(statement)
      })
      current.close()
      current = next
    },
    close: () => current.close(),
  }
}

/** A migrated database in which `prepare` wrote, as SQLite stores it. */
export function imageOf(atMs: number, prepare: (database: DatabaseSync) => void = () => {}): Uint8Array {
  let image = new Uint8Array()
  const chance = chanceOf('image')
  openSqlite({ now: () => atMs, chance: () => chance }, (database) => {
    prepare(database)
    image = database.serialize()
  }).close()
  return image
}

/** What a backup contains with the project's migrations. */
export function contentsOfBackups(): BackupContents {
  const fresh = createFreshDatabase()
  const tables = readTables(fresh)
  const madeByMigrations = tables.flatMap(({ name }) =>
    fresh.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() === undefined ? [] : [name],
  )
  fresh.close()
  return { tables, madeByMigrations }
}

/** One connection to a migrated database. */
function connect(
  surroundings: Surroundings,
  prepare: (database: DatabaseSync) => void,
  image: Uint8Array = buildFreshImage(),
) {
  const database = new DatabaseSync(':memory:', { limits: LIMITS })
  // Triggers read the time; it has to be the simulated one.
  database.function('unixepoch', { varargs: true }, (...modifiers) => {
    const seconds = surroundings.now() / 1000
    return modifiers.includes('subsec') ? seconds : Math.floor(seconds)
  })
  database.function('randomblob', (count) => {
    const bytes = new Uint8Array(Number(count))
    surroundings.chance().fill(bytes)
    return bytes
  })
  database.deserialize(image)
  prepare(database)
  const returningArrays = new Map<string, Prepared>()
  const returningObjects = new Map<string, Prepared>()
  const prepared = (sql: string, asArrays: boolean): Prepared => {
    const statements = asArrays ? returningArrays : returningObjects
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    // SQLite prepares the first statement and leaves out the others, which D1 would run.
    if (statement.sourceSQL.length < sql.trimEnd().length) throw new Error(`More than one statement: ${sql}`)
    if (asArrays) statement.setReturnArrays(true)
    const entry = { statement, isReading: /^\s*SELECT\b/i.test(sql) }
    statements.set(sql, entry)
    return entry
  }
  // Prepared once, because every batch runs them.
  const [begin, commit] = [database.prepare('BEGIN'), database.prepare('COMMIT')]
  const counters = database.prepare('SELECT total_changes() AS changes, last_insert_rowid() AS lastRowId')
  let changesBefore = 0
  let lastRowId = 0
  const run = (query: Query): Answer => {
    const { sql, params, asArrays } = withWords(query)
    const { statement, isReading } = prepared(sql, asArrays)
    const rows = statement.all(...params).map(asJson)
    return { rows, changes: isReading ? 0 : count(), lastRowId }
  }
  /** Counts the rows changed since the last time. */
  const count = (): number => {
    const counted = counters.get() as { changes: number; lastRowId: number }
    const changes = counted.changes - changesBefore
    changesBefore = counted.changes
    lastRowId = counted.lastRowId
    return changes
  }
  const execute: Executor['execute'] = async (queries) => {
    // A single statement is atomic by itself.
    if (queries.length === 1) return queries.map(run)
    begin.run()
    try {
      const results = queries.map(run)
      commit.run()
      return results
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
  return {
    execute,
    rows: (sql: string, params: readonly Value[]): unknown[] => {
      const { statement, isReading } = prepared(sql, false)
      const rows = statement.all(...params)
      if (!isReading) count()
      return rows
    },
    transaction: async (
      work: (within: { exec: (sql: string) => void; triggers: () => Trigger[] }) => Promise<void>,
    ): Promise<void> => {
      database.exec('BEGIN')
      const rowStatements = new Map<string, StatementSync>()
      const exec = (sql: string): void => {
        const row = rowOf(sql)
        if (row === null) {
          database.exec(sql)
          return
        }
        const statement = rowStatements.get(row.sql) ?? database.prepare(row.sql)
        rowStatements.set(row.sql, statement)
        statement.run(...row.params)
      }
      await work({ exec, triggers: () => readTriggers(database) })
      database.exec('COMMIT')
      count()
    },
    close: () => database.close(),
  }
}

/** The text between the parameters of a statement, and which of them are limits. Null if they are numbered. */
interface Template {
  readonly parts: readonly string[]
  readonly isLimit: readonly boolean[]
  /** The whole texts that were made of it, by the words and limits in them. A statement is looked up by its whole text. */
  readonly texts: Map<string, string>
}

const templates = new Map<string, Template | null>()

function templateOf(sql: string): Template | null {
  const known = templates.get(sql)
  if (known !== undefined) return known
  const parts: string[] = []
  let from = 0
  for (const { 0: found, index } of sql.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?\d*/g)) {
    if (!found.startsWith('?')) continue
    parts.push(sql.slice(from, index))
    from = index + found.length
    if (found === '?') continue
    templates.set(sql, null)
    return null
  }
  const isLimit = parts.map((part) => /\blimit $/i.test(part))
  const template = { parts: [...parts, sql.slice(from)], isLimit, texts: new Map<string, string>() }
  templates.set(sql, template)
  return template
}

/**
 * A query with its limits and words (`pending`) in its text. SQLite's planner looks at limits, and at values that partial indexes
 * compare, and a statement whose planner looked at a value is compiled again each time that the value is bound
 * (`sqlite3VdbeSetVarmask`), which takes ten times as long as most queries.
 */
function withWords(query: Query): Query {
  const template = query.params.length === 0 ? null : templateOf(query.sql)
  if (template === null) return query
  const params: Value[] = []
  const inText = query.params.map((value, index) => {
    if (typeof value === 'string' && value.length <= 20 && WORD.test(value)) return `'${value}'`
    if (typeof value === 'number' && template.isLimit[index] === true && Number.isInteger(value))
      return String(value)
    params.push(value)
    return '?'
  })
  const key = inText.join(' ')
  const known = template.texts.get(key)
  const sql = known ?? template.parts.reduce((text, part, index) => text + inText[index - 1] + part)
  if (known === undefined) template.texts.set(key, sql)
  return { sql, params, asArrays: query.asArrays }
}

const WORD = /^[a-z][a-z_]*$/

/** Longer statements write many rows, and none is like another. */
const MOST_ROW_LENGTH = 4000
const LITERALS = /"(?:[^"]|"")*"|(X?)'(?:[^']|'')*'|(?<![\w.])-?\d+(\.\d+)?(e[+-]?\d+)?\b/gi

/**
 * A statement that writes one row, with its values as parameters. SQLite compiles such a statement, and all triggers that it fires, once
 * for a table instead of once for a row. Null for other statements.
 */
function rowOf(sql: string): { readonly sql: string; readonly params: (string | number | bigint)[] } | null {
  if (sql.length > MOST_ROW_LENGTH || !/^(?:INSERT|UPDATE)\b/.test(sql)) return null
  const params: (string | number | bigint)[] = []
  const text = sql.replace(LITERALS, (found, bytes: string | undefined, fraction, exponent) => {
    if (found.startsWith('"') || bytes) return found
    if (bytes === '') params.push(found.slice(1, -1).replaceAll("''", "'"))
    else params.push(fraction || exponent ? Number(found) : BigInt(found))
    return '?'
  })
  return params.length > LIMITS.variableNumber ? null : { sql: text, params }
}

interface Prepared {
  readonly statement: StatementSync
  /** It changes nothing, so the counters stay. */
  readonly isReading: boolean
}

/** A row as D1's JSON has it: bytes as an array of numbers. */
function asJson(row: object): unknown {
  if (Array.isArray(row)) return row.some(isBytes) ? row.map(inJson) : row
  const plain: Record<string, unknown> = { ...row }
  for (const name in plain) if (isBytes(plain[name])) plain[name] = inJson(plain[name])
  return plain
}

function isBytes(value: unknown): value is Uint8Array {
  // The first comparison is the quicker one.
  return typeof value === 'object' && value instanceof Uint8Array
}

function inJson(value: unknown): unknown {
  return isBytes(value) ? [...value] : value
}
