import { beforeAll, describe } from 'vitest'
import { refuses, standScene } from '../../../test/support/ledger/attacks.ts'

beforeAll(standScene)

describe('a balance is not edited', () => {
  const onlyTransfers = /only a transfer changes a balance/
  refuses({
    'by an update': {
      sql: "UPDATE accounts SET balance = 9999999 WHERE id = 'ana:available'",
      refused: onlyTransfers,
    },
    'by an update that ignores conflicts': {
      sql: "UPDATE OR IGNORE accounts SET balance = balance + 1 WHERE id = 'ana:available'",
      refused: onlyTransfers,
    },
    'by an update that replaces': {
      sql: "UPDATE OR REPLACE accounts SET balance = balance + 1 WHERE id = 'ana:available'",
      refused: onlyTransfers,
    },
    'by an update that cites the newest transfer again': {
      sql: `UPDATE accounts SET balance = balance + 2500, last_transfer = (SELECT max(seq) FROM transfers)
            WHERE id = 'ana:available'`,
      refused: onlyTransfers,
    },
    'by an update that cites a transfer to come': {
      sql: "UPDATE accounts SET balance = balance + 1, last_transfer = last_transfer + 100 WHERE id = 'ana:available'",
      refused: onlyTransfers,
    },
    'by an update from another table': {
      sql: "UPDATE accounts SET balance = r.amount FROM requests r WHERE r.id = 'd3' AND accounts.id = 'ana:available'",
      refused: onlyTransfers,
    },
    'by turning its newest transfer back in the balance only': {
      sql: "UPDATE accounts SET last_transfer = 0 WHERE id = 'ana:available'",
      refused: onlyTransfers,
    },
    'by both sides at once': {
      sql: [
        "UPDATE accounts SET balance = balance - 100 WHERE id = 'bob:available'",
        "UPDATE accounts SET balance = balance + 100 WHERE id = 'ana:available'",
      ],
      refused: onlyTransfers,
    },
    'by a new row in its place': {
      sql: "INSERT OR REPLACE INTO accounts (id, owner, kind, balance) VALUES ('ana:available', 'ana', 'available', 5)",
      refused: /an account opens empty, once/,
    },
    'by an empty row in the place of what is owed': {
      sql: "REPLACE INTO accounts (id, owner, kind) VALUES ('bob:owed', 'bob', 'owed')",
      refused: /an account opens empty, once/,
    },
    'by an upsert': {
      sql: `INSERT INTO accounts (id, owner, kind) VALUES ('ana:available', 'ana', 'available')
            ON CONFLICT (id) DO UPDATE SET balance = 5`,
      refused: /an account opens empty, once/,
    },
    'by an upsert on another key': {
      sql: `INSERT INTO accounts (id, owner, kind) VALUES ('ana:available:', 'ana', 'available')
            ON CONFLICT (owner, kind, subject) DO UPDATE SET balance = 5`,
      refused: /an account opens empty, once|named by its owner/,
    },
    'by a row of the same internal number': {
      sql: "INSERT OR REPLACE INTO accounts (rowid, id, owner, kind) VALUES (1, 'eve2:available', 'eve2', 'available')",
      refused: /no column named rowid/,
    },
    'by deleting the account': {
      sql: "DELETE FROM accounts WHERE id = 'bob:owed'",
      refused: /never deleted/,
    },
    'by deleting and opening it anew': {
      sql: [
        'PRAGMA defer_foreign_keys = on',
        "DELETE FROM accounts WHERE id = 'bob:owed'",
        "INSERT INTO accounts (id, owner, kind) VALUES ('bob:owed', 'bob', 'owed')",
      ],
      refused: /never deleted/,
    },
    'by giving the account to somebody else': {
      sql: "UPDATE OR REPLACE accounts SET owner = 'eve', id = 'eve:available' WHERE id = 'ana:available'",
      refused: /never changes its name/,
    },
    'by opening one that is not empty': {
      sql: "INSERT INTO accounts (id, owner, kind, balance) VALUES ('new:available', 'new', 'available', 100)",
      refused: /opens empty/,
    },
    'by opening a second account of a kind': {
      sql: "INSERT INTO accounts (id, owner, kind, subject) VALUES ('ana:available:x', 'ana', 'available', 'x')",
      refused: /named by its owner and kind/,
    },
    'by opening one under the name of another owner’s': {
      sql: "INSERT INTO accounts (id, owner, kind) VALUES ('ana:x:held', 'ana:x', 'held')",
      refused: /named by its owner and kind/,
    },
  })
})
