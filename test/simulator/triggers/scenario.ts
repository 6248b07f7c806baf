import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { wordsOf } from './mutants.ts'

/** A value of a column, as JSON: bytes are `{hex}`. */
export type Cell = null | number | string | { readonly hex: string }
export type Row = Readonly<Record<string, Cell>>

/** A row is written while others are there: the situation in which a trigger is tried. */
export interface Scenario {
  /** The time, epoch milliseconds. */
  readonly at: number
  /** Table and row of what is there. */
  readonly given: readonly (readonly [string, Row])[]
  /** Inserts a row, or changes or deletes the first given one. */
  readonly write: Write
  /** Other triggers that act too; none without it. */
  readonly companions?: readonly string[]
}

/** `or: 'IGNORE'` writes with INSERT OR IGNORE or UPDATE OR IGNORE, which the statements of a trigger take over. */
type Write =
  | { readonly insert: Row; readonly or?: 'IGNORE' }
  | { readonly update: Row; readonly or?: 'IGNORE' }
  | { readonly delete: true }

export interface Trigger {
  readonly name: string
  readonly table: string
  readonly sql: string
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE'
  /** The columns of UPDATE OF; empty for all. */
  readonly columns: readonly string[]
  /** Tables that its text names, its own one first. */
  readonly tables: readonly string[]
  /** Tables that it writes. */
  readonly writes: readonly string[]
}

/** The migrated database's tables, views, triggers and the indexes that are unique or that a view names. */
export interface Schema {
  /** Statements that make all of it but the triggers, each with the table that it belongs to; null for a view. */
  readonly parts: readonly { readonly table: string | null; readonly sql: string }[]
  readonly triggers: readonly Trigger[]
  readonly columns: ReadonlyMap<string, readonly Column[]>
}

interface Column {
  readonly name: string
  readonly isText: boolean
  /** NOT NULL without a default. */
  readonly isRequired: boolean
}

/** Reads the schema that the migrations make. `read` returns the text of one. */
export function readSchema(read = (path: string): string => readFileSync(path, 'utf8')): Schema {
  const database = new DatabaseSync(':memory:')
  const folder = join(import.meta.dirname, '../../../migrations')
  for (const name of readdirSync(folder).toSorted())
    if (name.endsWith('.sql')) database.exec(read(join(folder, name)))
  const objects = database
    .prepare(
      "SELECT type, name, tbl_name AS owner, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    )
    .all() as { type: string; name: string; owner: string; sql: string }[]
  const columns = new Map(
    objects
      .filter(({ type }) => type === 'table')
      .map(({ name }) => [
        name,
        database
          .prepare('SELECT name, type, "notnull", dflt_value FROM pragma_table_info(?)')
          .all(name)
          .map((column) => ({
            name: String(column.name),
            isText: column.type === 'TEXT',
            isRequired: column.notnull === 1 && column.dflt_value === null,
          })),
      ]),
  )
  const views = new Map(objects.filter(({ type }) => type === 'view').map(({ name, sql }) => [name, sql]))
  const triggers = objects
    .filter(({ type }) => type === 'trigger')
    .map(({ name, owner, sql }) => triggerOf({ name, table: owner, sql }, [...columns.keys()], views))
  database.close()
  const named = new Set(
    [...views.values()].flatMap((sql) => [...sql.matchAll(/INDEXED BY (\w+)/g)].map(([, name]) => name)),
  )
  const parts = objects
    .filter(
      ({ type, name, sql }) =>
        type === 'table' || type === 'view' || /^CREATE UNIQUE/.test(sql) || named.has(name),
    )
    .map(({ type, owner, sql }) => ({
      table: type === 'view' ? null : owner,
      sql: sql.replace(/^CREATE (UNIQUE )?\w+/, '$& IF NOT EXISTS'),
    }))
  return { parts, triggers, columns }
}

function triggerOf(
  { name, table, sql }: Pick<Trigger, 'name' | 'table' | 'sql'>,
  tables: readonly string[],
  views: ReadonlyMap<string, string>,
): Trigger {
  const words = wordsOf(sql)
  const header = words.slice(0, words.indexOf('BEGIN'))
  const event = header.find((word) => word === 'INSERT' || word === 'UPDATE' || word === 'DELETE')
  const of = header.indexOf('OF')
  const columns = of < 0 ? [] : header.slice(of + 1, header.indexOf('ON')).filter((word) => word !== ',')
  const named = new Set(words.map((word) => word.toLowerCase()))
  // A view may read other views.
  for (const each of named) for (const word of wordsOf(views.get(each) ?? '')) named.add(word.toLowerCase())
  const body = words.slice(header.length)
  const writes = body.flatMap((word, index) => {
    if (word === 'INTO' || (word === 'FROM' && body[index - 1] === 'DELETE')) return [body[index + 1] ?? '']
    return word === 'UPDATE' && body[index + 1] !== 'SET' ? [body[index + 1] ?? ''] : []
  })
  // RAISE(IGNORE) leaves the row itself out.
  if (body.some((word, index) => word === 'RAISE' && body[index + 2] === 'IGNORE')) writes.push(table)
  return {
    name,
    table,
    sql,
    event: event as Trigger['event'],
    columns: columns.map((each) => each.toLowerCase()),
    tables: [table, ...tables.filter((each) => each !== table && named.has(each))],
    writes: [...new Set(writes.map((each) => each.toLowerCase()))].filter((each) => tables.includes(each)),
  }
}

/** A database with one trigger. */
export interface Stage {
  /**
   * Plays a scenario and takes it back. Returns `accepted`, followed by the rows of the tables that the trigger writes; or the
   * error's text. Null if what should be there cannot be.
   */
  answer(scenario: Scenario): string | null
  /** Replaces the text of the trigger. */
  change(sql: string): void
  close(): void
}

/**
 * Opens a database with the trigger alone, and its tables: no other trigger, foreign key or CHECK stands before it, so that what it
 * refuses is its own doing. `sql` is the trigger's text or a changed one.
 */
export function openStage(schema: Schema, trigger: Trigger, sql: string): Stage {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  let nowMs = 0
  let drawn = 0
  let filled = 0
  let isTrying = 0
  database.function('unixepoch', { varargs: true }, (...modifiers) =>
    modifiers.includes('subsec') ? nowMs / 1000 : Math.floor(nowMs / 1000),
  )
  database.function('randomblob', (count) => {
    drawn += 1
    return new Uint8Array(Number(count)).fill(drawn)
  })
  database.function('is_trying', () => isTrying)
  const create = (tables: readonly string[]): void => {
    for (const part of schema.parts)
      if (part.table === null || tables.includes(part.table)) database.exec(part.sql)
  }
  create(trigger.tables)
  database.exec(guarded(sql))
  database.exec('PRAGMA ignore_check_constraints = ON')
  const statements = new Map<string, StatementSync>()
  const run = (text: string, values: readonly Cell[] = []): unknown[] => {
    const statement = statements.get(text) ?? database.prepare(text)
    statements.set(text, statement)
    return statement.all(...values.map(boundValue))
  }
  const insert = (table: string, row: Row, or = ''): Row => {
    const all: Record<string, Cell> = { ...row }
    // Each has a value of its own, as keys need it.
    for (const { name, isText, isRequired } of schema.columns.get(table) ?? []) {
      if (!isRequired || name in row) continue
      filled += 1
      all[name] = isText ? `${filled}` : filled
    }
    const columns = Object.keys(all)
    const values = `(${columns.join()}) VALUES (${columns.map(() => '?')})`
    run(`INSERT ${or} INTO ${table} ${columns.length === 0 ? 'DEFAULT VALUES' : values}`, Object.values(all))
    return all
  }
  const write = ({ write: written }: Scenario, old: Row): unknown => {
    const or = 'or' in written ? `OR ${written.or}` : ''
    if ('insert' in written) return insert(trigger.table, written.insert, or)
    const which = `WHERE ${Object.keys(old)
      .map((column) => `${column} IS ?`)
      .join(' AND ')}`
    if ('delete' in written) return run(`DELETE FROM ${trigger.table} ${which}`, Object.values(old))
    const set = Object.keys(written.update).map((column) => `${column} = ?`)
    const values = [...Object.values(written.update), ...Object.values(old)]
    return run(`UPDATE ${or} ${trigger.table} SET ${set} ${which}`, values)
  }
  const play = (scenario: Scenario): string | null => {
    for (const name of scenario.companions ?? []) {
      const companion = schema.triggers.find((each) => each.name === name)
      if (companion === undefined) throw new Error(`${name} is no trigger`)
      create(companion.tables)
      database.exec(guarded(companion.sql))
    }
    let rows: Row[] = []
    try {
      rows = scenario.given.map(([table, row]) => insert(table, row))
    } catch {
      return null
    }
    isTrying = 1
    try {
      write(scenario, rows[0] ?? {})
      return ['accepted', ...trigger.writes.map((table) => textOf(run(`SELECT * FROM ${table}`)))].join('\n')
    } catch (error) {
      return (error as Error).message
    }
  }
  return {
    answer: (scenario) => {
      nowMs = scenario.at
      drawn = 0
      filled = 0
      isTrying = 0
      run('BEGIN')
      try {
        return play(scenario)
      } finally {
        if (database.isTransaction) run('ROLLBACK')
      }
    },
    change: (changedSql) => {
      database.exec(`DROP TRIGGER IF EXISTS ${trigger.name}`)
      database.exec(guarded(changedSql))
    },
    close: () => database.close(),
  }
}

/** The trigger's text with one more condition: it does not try the rows that are there already. */
function guarded(sql: string): string {
  const begin = /\bBEGIN\b/.exec(sql)?.index ?? 0
  const [header, body] = [sql.slice(0, begin), sql.slice(begin)]
  const when = /\bWHEN\b([\s\S]*)/.exec(header)
  return when === null
    ? `${header} WHEN is_trying() ${body}`
    : `${header.slice(0, when.index)} WHEN is_trying() AND (${when[1]}\n) ${body}`
}

function boundValue(cell: Cell): SQLInputValue {
  return typeof cell === 'object' && cell !== null ? Buffer.from(cell.hex, 'hex') : cell
}

function textOf(rows: readonly unknown[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value,
  )
}
