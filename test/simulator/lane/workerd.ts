import { TRIGGERS_SQL, type Trigger } from '../../../scripts/backup/replay.ts'
import type { BackupContents } from './backup.ts'
import type { Gate, Query, Value } from './d1.ts'
import { isWriting } from './faults.ts'
import type { SimulatedDatabase, Surroundings } from './sqlite.ts'

/**
 * Opens workerd's own D1 as the database of a run, empty and migrated. Its SQLite has its own clock: statements read the table
 * `d1_migrations` instead, which the hash of the schema leaves out.
 */
export function openWorkerd(
  first: D1Database,
  /** Another empty, migrated database, for one restored backup. */
  spare: D1Database,
  contents: BackupContents,
): (surroundings: Surroundings) => SimulatedDatabase {
  return ({ now }) => {
    let database = first
    let toldMs: number | null = null
    const tellTime = async (): Promise<void> => {
      if (now() === toldMs) return
      toldMs = now()
      await database.prepare('UPDATE d1_migrations SET at_ms = ?1').bind(toldMs).run()
    }
    return {
      bind: (gate) =>
        gated(
          () => database,
          async (queries, execute) =>
            gate(queries, async () => {
              // Triggers read the time too.
              if (isWriting(queries) || queries.some(({ sql }) => sql.includes(OWN_CLOCK))) await tellTime()
              return execute()
            }),
        ),
      rows: async <Row>(sql: string, ...params: readonly Value[]) => {
        await tellTime()
        return (
          await database
            .prepare(withClock(sql))
            .bind(...params)
            .all<Row>()
        ).results
      },
      execute: async (statements) => {
        await tellTime()
        await database.batch(statements.map((sql) => database.prepare(sql)))
      },
      contents: () => contents,
      replaceWith: async (statements) => {
        if (database === spare) throw new Error('In workerd one backup can be restored.')
        database = spare
        toldMs = null
        await tellTime()
        const { results: triggers } = await database.prepare(TRIGGERS_SQL).all<Trigger>()
        const batch: D1PreparedStatement[] = []
        for await (const sql of statements(triggers)) batch.push(database.prepare(sql))
        await database.batch(batch)
      },
      close: () => {},
    }
  }
}

/** Creates the clock that `withClock` reads. */
export const CLOCK_SQL = [
  'CREATE TABLE d1_migrations (at_ms INTEGER NOT NULL) STRICT',
  'INSERT INTO d1_migrations (at_ms) VALUES (0)',
]

const OWN_CLOCK = "unixepoch('subsec')"
const CLOCK = '(SELECT at_ms / 1000.0 FROM d1_migrations)'

/** A statement that reads the simulated clock. What it reads of the schema has the words of the migrations. */
export function withClock(sql: string): string {
  return sql
    .replaceAll(OWN_CLOCK, CLOCK)
    .replace(
      'name, sql FROM sqlite_master',
      `name, replace(sql, '${CLOCK}', '${OWN_CLOCK.replaceAll("'", "''")}') AS sql FROM sqlite_master`,
    )
}

/** D1's binding with a gate before each call. */
function gated(current: () => D1Database, gate: Gate): D1Database {
  const originals = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; query: Query }>()
  const wrapped = (statement: D1PreparedStatement, query: Query): D1PreparedStatement => {
    const call = <Result>(execute: () => Promise<Result>): Promise<Result> => gate([query], execute)
    const part = {
      bind: (...values: unknown[]) => wrapped(statement.bind(...values), query),
      all: () => call(() => statement.all()),
      run: () => call(() => statement.run()),
      raw: () => call(() => statement.raw()),
      first: (column?: string) =>
        call(() => (column === undefined ? statement.first() : statement.first(column))),
    }
    // The Worker uses no other member.
    const outer = part as unknown as D1PreparedStatement
    originals.set(outer, { statement, query })
    return outer
  }
  const originalOf = (outer: D1PreparedStatement) => {
    const original = originals.get(outer)
    if (original === undefined) throw new Error('A statement of another database.')
    return original
  }
  const part: Pick<D1Database, 'prepare' | 'batch'> = {
    prepare: (sql) => wrapped(current().prepare(withClock(sql)), { sql, params: [], asArrays: false }),
    batch: (statements) => {
      const parts = statements.map(originalOf)
      return gate(
        parts.map(({ query }) => query),
        () => current().batch(parts.map(({ statement }) => statement)),
      )
    },
  }
  return part as D1Database
}
