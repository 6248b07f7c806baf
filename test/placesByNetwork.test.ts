import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../migrations')
const SPLIT = '0070_places_by_network.sql'

test('the balance of a coin moves to the networks that its requests name, and the rest stays', () => {
  const database = new DatabaseSync(':memory:')
  const migrate = (name: string) => database.exec(readFileSync(join(FOLDER, name), 'utf8'))
  const names = readdirSync(FOLDER).toSorted()
  for (const name of names.slice(0, names.indexOf(SPLIT))) migrate(name)
  database.exec('PRAGMA foreign_keys = OFF')
  database.exec('DROP TRIGGER place_entries_follow')
  const triggers = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE '%_details'")
    .all()
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`)
  database.exec(`
    INSERT INTO deposit_details (request, coin, network, payment_to, receipt_key, receipt_type)
      VALUES ('d', 'usdt', 'usdt-trc20', 't', 'r', 'x'), ('e', 'usdt', 'usdt-bsc', 't', 'r', 'x');
    INSERT INTO place_entries (place, quantity, balance, code, ref, at) VALUES
      ('usdt:other', 50, 50, 'in', 'd', 1), ('usdt:other', 30, 80, 'in', 'e', 2), ('usdt:other', 5, 85, 'funding', 'p', 3),
      ('bitcoin:other', 7, 7, 'in', 'b', 3);
    CREATE TRIGGER place_entries_follow BEFORE INSERT ON place_entries BEGIN SELECT 1; END;`)
  for (const name of names.slice(names.indexOf(SPLIT))) migrate(name)
  const balances = database
    .prepare(`SELECT l.id, (SELECT balance FROM place_entries WHERE place = l.id ORDER BY at DESC, seq DESC LIMIT 1) AS balance
      FROM custody_places l WHERE asset IN ('usdt', 'bitcoin') AND balance IS NOT NULL ORDER BY l.id`)
    .all()
    .map(({ id, balance }) => [id, balance])
  expect(balances).toEqual([
    ['bitcoin:other', 7],
    ['usdt-bsc:other', 30],
    ['usdt-trc20:other', 50],
    ['usdt:other', 5],
  ])
})
