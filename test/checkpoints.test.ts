import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { DAY_MS } from '../src/time.ts'

// Databases from before checkpoints get them from the migration.

const folder = join(import.meta.dirname, '../migrations')
const names = readdirSync(folder).toSorted()
const place = names.indexOf('0021_balance_checkpoints.sql')
const CHECKPOINTS = names.slice(place, place + 1)
const STATES = [
  'SELECT * FROM balance_checkpoints ORDER BY owner, at, seq',
  'SELECT * FROM position_history ORDER BY investor, strategy, at, seq',
]

function migrated(database: DatabaseSync, which: readonly string[]): DatabaseSync {
  for (const name of which) database.exec(readFileSync(join(folder, name), 'utf8'))
  return database
}

/** Without the triggers of earlier migrations, which demand a cause. */
function fresh(): DatabaseSync {
  const database = migrated(
    new DatabaseSync(':memory:', { enableForeignKeyConstraints: false }),
    names.slice(0, place),
  )
  for (const { name } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all())
    database.exec(`DROP TRIGGER ${name}`)
  return database
}

function open(database: DatabaseSync): void {
  for (const owner of ['ana', 'bob', 'eve'])
    for (const account of [
      'available',
      'held',
      'paid_in',
      'owed',
      'allocating:s',
      'invested:s',
      'result:s',
    ]) {
      const [kind = '', subject = ''] = account.split(':')
      database
        .prepare('INSERT INTO accounts (id, owner, kind, subject) VALUES (?, ?, ?, ?)')
        .run(`${owner}:${account}`, owner, kind, subject)
    }
}

/** Transfers and movements of several days. One of the days has many. */
function move(database: DatabaseSync): void {
  const transfer = database.prepare(
    "INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at) VALUES (?, ?, ?, ?, 'c', 'r', 'a', ?)",
  )
  const movement = database.prepare(
    `INSERT INTO unit_movements (id, investor, strategy, code, units, price, cents, cost, high_water, day, ref, at)
     VALUES (?1, ?2, 's', ?3, ?4, 1, 1, ?5, 1, 1, ?1, ?6)`,
  )
  const ways = [
    ['paid_in', 'available'],
    ['available', 'allocating:s'],
    ['allocating:s', 'invested:s'],
    ['invested:s', 'result:s'],
    ['owed', 'available'],
    ['available', 'held'],
  ]
  for (let i = 0; i < 1000; i++) {
    const owner = i % 3 === 0 ? 'bob' : 'ana'
    const [from, to] = ways[i % ways.length] ?? []
    const at = i < 500 ? i * 1000 : (i - 490) * Math.floor(DAY_MS / 7)
    transfer.run(`t${i}`, `${owner}:${from}`, `${owner}:${to}`, i + 1, at)
    if (i % 5 === 0) movement.run(`m${i}`, owner, i % 10 === 0 ? 'issue' : 'redeem', i - 301, i, at)
  }
}

test('earlier entries get the checkpoints that the triggers would have written', () => {
  const before = fresh()
  open(before)
  move(before)
  migrated(before, CHECKPOINTS)

  const after = migrated(fresh(), CHECKPOINTS)
  open(after)
  move(after)

  const [checkpoints, positions] = STATES.map((query) =>
    [before, after].map((each) => each.prepare(query).all()),
  )
  expect(checkpoints?.[0]?.length).toBeGreaterThan(100)
  expect(checkpoints?.[0]).toEqual(checkpoints?.[1])
  expect(positions?.[0]).toHaveLength(200)
  expect(positions?.[0]).toEqual(positions?.[1])
})

test('a transfer is counted before the one that repays a debt with it: the trigger is newer, so it fires first', () => {
  const database = migrated(new DatabaseSync(':memory:'), names)
  const order = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'transfers' ORDER BY rowid",
    )
    .all()
    .map(({ name }) => name)
  expect(order.indexOf('transfers_checkpointed')).toBeGreaterThan(order.indexOf('transfers_posted'))
})
