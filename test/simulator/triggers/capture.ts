import type { DatabaseSync } from 'node:sqlite'
import type { Cell, Row, Scenario, Schema, Trigger } from './scenario.ts'

const MOST_OF_ONE_KIND = 40
const MOST_VARIETIES = 4
const MOST_OF_ONE_TRIGGER = 200
const MOST_ROWS = 30

/** What was seen of the writes of one or more databases. */
export interface Captured {
  /** Scenarios by the name of the trigger that they fire. */
  readonly scenarios: Map<string, readonly Scenario[]>
  /** How often each kind of write was seen. */
  readonly seen: Map<string, number>
}

/** Watches the writes of a database, and adds some scenarios for each trigger. The rows around a write are those that share a value with it. */
export function watchWrites(
  database: DatabaseSync,
  { columns, triggers }: Schema,
  now: () => number,
  { scenarios: captured, seen }: Captured,
): void {
  const keep = (trigger: Trigger, before: Row | null, after: Row | null): void => {
    const changed = before === null || after === null ? [] : changedColumns(before, after)
    if (trigger.columns.length > 0 && !trigger.columns.some((each) => changed.includes(each))) return
    const entries = Object.entries(after ?? before ?? {})
    const states = [
      ...entries.filter(([name]) => /^(status|kind|code|cause|role)$/.test(name)),
      ...entries.map(([, value]) => prefixOf(value)),
    ]
    const cleared = changed.map((name) => `${name} ${after?.[name] === null}`)
    const kind = JSON.stringify([trigger.name, cleared, states])
    const count = (seen.get(kind) ?? 0) + 1
    seen.set(kind, count)
    const scenarios = captured.get(trigger.name) ?? []
    if (scenarios.length >= MOST_OF_ONE_TRIGGER || count > MOST_OF_ONE_KIND) return
    const near = rowsNear(database, trigger, before, after)
    // The same write among other rows is another one.
    const around = [
      ...new Set(near.map(([table, row]) => `${table} ${row.status ?? row.kind ?? row.code ?? ''}`)),
    ]
    const variety = JSON.stringify([kind, around.toSorted()])
    const varieties = `${kind} among others`
    if (seen.has(variety) || (seen.get(varieties) ?? 0) >= MOST_VARIETIES) return
    seen.set(variety, 1)
    seen.set(varieties, (seen.get(varieties) ?? 0) + 1)
    const given = [...(before === null ? [] : [[trigger.table, before] as const]), ...near]
    const write = writeOf(before, after, changed)
    captured.set(trigger.name, [...scenarios, { at: now(), given, write }])
  }
  for (const [table, names] of columns) {
    const own = triggers.filter((each) => each.table === table)
    for (const event of ['INSERT', 'UPDATE', 'DELETE'] as const) {
      const matching = own.filter((each) => each.event === event)
      if (matching.length === 0) continue
      const hook = `watch_${table}_${event}`
      database.function(hook, { varargs: true }, (...values) => {
        const half = event === 'UPDATE' ? names.length : 0
        const first = rowOf(names, values)
        const before = event === 'INSERT' ? null : first
        const after =
          event === 'INSERT' ? first : event === 'UPDATE' ? rowOf(names, values.slice(half)) : null
        for (const trigger of matching) keep(trigger, before, after)
        return null
      })
      const sides = event === 'INSERT' ? ['NEW'] : event === 'UPDATE' ? ['OLD', 'NEW'] : ['OLD']
      const values = sides.flatMap((side) => names.map((name) => `${side}.${name}`))
      database.exec(
        `CREATE TEMP TRIGGER ${hook} BEFORE ${event} ON ${table} BEGIN SELECT ${hook}(${values}); END`,
      )
    }
  }
}

const MOST_SAMPLES = 3

/**
 * Adds scenarios for the triggers that nothing fired: rows that are in the database, or else made up, are written again, changed in
 * nothing or deleted.
 */
export function addSamples(
  database: DatabaseSync,
  { triggers }: Schema,
  at: number,
  { scenarios }: Captured,
): void {
  for (const trigger of triggers)
    if (!scenarios.has(trigger.name)) scenarios.set(trigger.name, samplesOf(database, trigger, at))
}

function samplesOf(database: DatabaseSync, trigger: Trigger, at: number): readonly Scenario[] {
  const there = plainRows(database, trigger.table).slice(-MOST_SAMPLES)
  const rows = there.length > 0 ? there : [madeUp(database, trigger.table, at)]
  return rows.map((row): Scenario => {
    const near = rowsNear(database, trigger, row, null)
    // A table without rows gets one: a condition may ask for it.
    const named = new Set(near.map(([table]) => table))
    const missing = trigger.tables.filter((table) => table !== trigger.table && !named.has(table))
    const given = [...near, ...missing.map((table) => [table, madeUp(database, table, at)] as const)]
    if (trigger.event === 'INSERT') return { at, given, write: { insert: row } }
    const write = trigger.event === 'DELETE' ? ({ delete: true } as const) : { update: row }
    return { at, given: [[trigger.table, row], ...given], write }
  })
}

/** A row of a table that has none: plain values of each column's type. */
function madeUp(database: DatabaseSync, table: string, at: number): Row {
  const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table)
  return Object.fromEntries(
    columns.map(({ name, type }) => [
      String(name),
      type === 'BLOB' ? { hex: '00' } : type === 'TEXT' ? 'a' : String(name).endsWith('at') ? at : 1,
    ]),
  )
}

/** What stands before the colon of a reference such as `bank:1`, and whether something follows one. */
function prefixOf(value: Cell): string {
  if (typeof value !== 'string' || !value.includes(':')) return ''
  return /^([a-z]+):/.exec(value)?.[1] ?? ':'
}

function writeOf(before: Row | null, after: Row | null, changed: readonly string[]): Scenario['write'] {
  if (after === null) return { delete: true }
  // SQLite chooses the number of a new row: before that it is -1.
  if (before === null)
    return { insert: Object.fromEntries(Object.entries(after).filter(([, value]) => value !== -1)) }
  return { update: Object.fromEntries(changed.map((name) => [name, after[name] ?? null])) }
}

function rowsNear(
  database: DatabaseSync,
  trigger: Trigger,
  before: Row | null,
  after: Row | null,
): readonly (readonly [string, Row])[] {
  const linked = new Set([before, after].flatMap((row) => (row === null ? [] : linksOf(row))))
  const near = new Map<string, readonly [string, Row]>()
  const all = trigger.tables.map((table) => [table, plainRows(database, table)] as const)
  for (let round = 0; round < 3; round++) {
    const found: Row[] = []
    for (const [table, rows] of all) {
      // A list of rules, which a migration fills, belongs to it whole.
      const linkedRows =
        rows.length <= MOST_ROWS ? rows : rows.filter((row) => linksOf(row).some((link) => linked.has(link)))
      for (const row of linkedRows.slice(-MOST_ROWS)) {
        const id = JSON.stringify([table, row])
        if (near.has(id) || (before !== null && id === JSON.stringify([trigger.table, before]))) continue
        near.set(id, [table, row])
        found.push(row)
      }
    }
    for (const row of found) for (const link of linksOf(row)) linked.add(link)
  }
  return [...near.values()]
}

/** At most the newest thousand rows of a table. */
function plainRows(database: DatabaseSync, table: string): readonly Row[] {
  const rows = database.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]
  return rows.slice(-1000).map((row) => rowOf(Object.keys(row), Object.values(row)))
}

/** Values that tie one row to another: words and large numbers. */
function linksOf(row: Row): readonly Cell[] {
  return Object.values(row).filter(
    (value) => (typeof value === 'string' && value.length > 1) || (typeof value === 'number' && value > 1e12),
  )
}

function changedColumns(before: Row, after: Row): readonly string[] {
  return Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))
}

function rowOf(names: readonly string[], values: readonly unknown[]): Row {
  return Object.fromEntries(
    names.map((name, index) => {
      const value = values[index]
      return [
        name,
        value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : (value as Cell),
      ]
    }),
  )
}
