// What fills the database, and what would have to change before investors live in several: plays a simulated year, and counts bytes by table
// and statements by the kinds of tables that they name. `node test/bench/growth.mjs [days] [investors]` (docs/growth.md has the figures)

import { loadWorkerModules } from '../simulator/lane/load.ts'
import { kindOf, TABLE_KINDS } from './tableKinds.mjs'

const days = Number(process.argv[2] ?? 365)
const investors = Number(process.argv[3] ?? 40)
loadWorkerModules()
// Loaded only now, because they load the Worker.
const { openSqlite } = await import('../simulator/lane/sqlite.ts')
const { run } = await import('../simulator/run.ts')
const { routes } = await import('../../worker/routes.ts')

/** Each statement that the Worker sent, with its parameters counted as one. */
const statements = new Set()
let figures
const outcome = await run({
  seed: 7,
  days,
  investors,
  faults: 'none',
  isSynchronous: true,
  open: (surroundings) => {
    let raw
    const database = openSqlite(surroundings, (opened) => {
      raw = opened
    })
    const empty = bytesByTable(raw)
    return {
      ...database,
      bind: (gate) =>
        database.bind((queries, execute) => {
          for (const { sql } of queries)
            statements.add(sql.replace(/\s+/g, ' ').replace(/\?\d*(?:, ?\?\d*)+/g, '?'))
          return gate(queries, execute)
        }),
      close: () => {
        figures = figuresOf(raw, empty)
        database.close()
      },
    }
  },
})
if (outcome.failure !== null) throw new Error(outcome.failure.finding)
report()

/** Bytes of the pages of each table and its indexes. @param {import('node:sqlite').DatabaseSync} database */
function bytesByTable(database) {
  const rows = database
    .prepare(
      `SELECT coalesce(m.tbl_name, s.name) AS name, sum(s.pgsize) AS bytes FROM dbstat s
       LEFT JOIN sqlite_master m ON m.name = s.name GROUP BY 1`,
    )
    .all()
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

function figuresOf(database, empty) {
  const number = (sql) => Number(Object.values(database.prepare(sql).get() ?? {})[0])
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    .all()
    .map(({ name }) => name)
  return {
    tables,
    bytes: [...bytesByTable(database)].map(([name, bytes]) => [name, bytes - (empty.get(name) ?? 0)]),
    rows: new Map(tables.map((name) => [name, number(`SELECT count(*) FROM "${name}"`)])),
    investors: number("SELECT count(*) FROM users WHERE role = 'investor' AND id <> 'system'"),
    requests: number('SELECT count(*) FROM requests'),
    triggers: database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all(),
    unique: database
      .prepare(
        `SELECT m.name AS tbl, group_concat(c.name, ', ') AS columns FROM sqlite_master m
         JOIN pragma_index_list(m.name) i ON i."unique" = 1 AND i.origin <> 'pk' JOIN pragma_index_info(i.name) c
         WHERE m.type = 'table' GROUP BY m.name, i.name ORDER BY 1, 2`,
      )
      .all(),
    references: tables.flatMap((name) =>
      database
        .prepare(`SELECT DISTINCT "table" AS target FROM pragma_foreign_key_list('${name}')`)
        .all()
        .map(({ target }) => [name, target]),
    ),
  }
}

function report() {
  const { tables, bytes, rows, investors: people, requests, triggers, unique, references } = figures
  const total = bytes.reduce((sum, [, each]) => sum + each, 0)
  console.log(
    `${days} days, ${people} investors, ${requests} requests of money, ${outcome.requests} HTTP requests`,
  )
  console.log(
    `The database grew by ${total} bytes: ${Math.round(total / people)} an investor, ${Math.round(total / requests)} a request`,
  )
  console.table(
    bytes
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 30)
      .map(([table, each]) => ({
        table,
        kind: kindOf(table),
        rows: rows.get(table) ?? 0,
        bytes: each,
        'an investor': Math.round(each / people),
        'a request': Math.round(each / requests),
        share: `${((100 * each) / total).toFixed(1)} %`,
      })),
  )
  const byKind = Object.fromEntries(
    Object.keys(TABLE_KINDS).map((kind) => {
      const own = tables.filter((table) => kindOf(table) === kind)
      const ofKind = bytes
        .filter(([table]) => kindOf(table) === kind)
        .reduce((sum, [, each]) => sum + each, 0)
      return [kind, { tables: own.length, bytes: ofKind, share: `${((100 * ofKind) / total).toFixed(1)} %` }]
    }),
  )
  console.table(byKind)
  const name = new RegExp(`\\b(?:${tables.join('|')})\\b`, 'g')
  const kindsIn = (sql) => new Set((sql.match(name) ?? []).map(kindOf))
  const isLocal = (kind) => kind === 'investor' || kind === 'own'
  /** Whether a statement needs rows of one database's investors together with rows of this kind. */
  const mixes = (kind) => (sql) => {
    const kinds = kindsIn(sql)
    return kinds.has(kind) && [...kinds].some(isLocal)
  }
  const isWrite = (sql) => !/^\s*(?:SELECT|WITH|VALUES)\b/i.test(sql)
  const all = [...statements]
  const bodies = triggers.map(({ sql }) => sql)
  const between = (kind) => references.filter(([from, to]) => isLocal(kindOf(from)) && kindOf(to) === kind)
  const counted = (kind) => ({
    statements: all.filter(mixes(kind)).length,
    'of them writes': all.filter((sql) => mixes(kind)(sql) && isWrite(sql)).length,
    triggers: bodies.filter(mixes(kind)).length,
    'foreign keys': between(kind).length,
  })
  const calls = {}
  for (const { endpoint } of routes) {
    const kind = `${endpoint.scope.replace(/:.*/, '')}, ${endpoint.method === 'GET' ? 'reads' : 'writes'}`
    calls[kind] = (calls[kind] ?? 0) + 1
  }
  console.table({ calls })
  console.log(`${all.length} statements, ${triggers.length} triggers, ${references.length} foreign keys`)
  console.log(
    'Those that name a table of one database’s investors, or its own, together with one of another kind',
  )
  console.table({ copied: counted('copied'), central: counted('central') })
  for (const kind of ['copied', 'central']) {
    const times = new Map()
    for (const sql of all.filter(mixes(kind)))
      for (const table of new Set(sql.match(name)))
        if (kindOf(table) === kind) times.set(table, (times.get(table) ?? 0) + 1)
    console.log(
      `Statements by ${kind} table: ${[...times]
        .sort(([, a], [, b]) => b - a)
        .map(String)
        .join('; ')}`,
    )
    const named = triggers.filter(({ sql }) => mixes(kind)(sql)).map(({ name: trigger }) => trigger)
    console.log(`Triggers: ${named.join(', ')}`)
  }
  const local = unique.filter(({ tbl }) => isLocal(kindOf(tbl)))
  console.log(
    `${local.length} unique keys of such tables: ${local.map(({ tbl, columns }) => `${tbl} (${columns})`).join(', ')}`,
  )
  if (process.env.MIXED) for (const sql of all.filter(mixes('central'))) console.log(`${sql.slice(0, 300)}\n`)
}
