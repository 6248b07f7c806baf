import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'

test('a transfer is counted before the one that repays a debt with it: the trigger is newer, so it fires first', () => {
  const folder = join(import.meta.dirname, '../migrations')
  const database = new DatabaseSync(':memory:')
  for (const name of readdirSync(folder).toSorted()) database.exec(readFileSync(join(folder, name), 'utf8'))
  const order = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'transfers' ORDER BY rowid",
    )
    .all()
    .map(({ name }) => name)
  expect(order.indexOf('transfers_checkpointed')).toBeGreaterThan(order.indexOf('transfers_posted'))
})
