import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { refuses, standScene } from '../../../test/support/ledger/attacks.ts'

beforeAll(standScene)

describe('the rules themselves are not edited', () => {
  const onlyMigrations = /only a migration changes a rule/
  refuses({
    'a floor taken off': {
      sql: "UPDATE account_kinds SET floor = NULL WHERE kind = 'available'",
      refused: onlyMigrations,
    },
    'a kind replaced': {
      sql: "REPLACE INTO account_kinds (kind) VALUES ('available')",
      refused: onlyMigrations,
    },
    'a kind added': { sql: "INSERT INTO account_kinds (kind) VALUES ('loot')", refused: onlyMigrations },
    'a kind deleted': { sql: "DELETE FROM account_kinds WHERE kind = 'fees'", refused: onlyMigrations },
    'a code added': {
      sql: "INSERT OR IGNORE INTO transfer_codes VALUES ('credit', 'owed', 'available')",
      refused: onlyMigrations,
    },
    'a code changed': {
      sql: "UPDATE transfer_codes SET from_kind = 'fees' WHERE code = 'bonus'",
      refused: onlyMigrations,
    },
    'a code deleted': { sql: "DELETE FROM transfer_codes WHERE code = 'repay'", refused: onlyMigrations },
    'a step added': {
      sql: "INSERT INTO request_transitions VALUES ('deposits', 'rejected', 'approved')",
      refused: onlyMigrations,
    },
    'a step changed': {
      sql: "UPDATE request_transitions SET to_status = 'pending'",
      refused: onlyMigrations,
    },
    'a step deleted': { sql: 'DELETE FROM request_transitions', refused: onlyMigrations },
    'a kind of request moved to another queue': {
      sql: "UPDATE request_kinds SET queue = 'withdrawals' WHERE kind = 'deposit'",
      refused: onlyMigrations,
    },
    'a network added': {
      sql: "INSERT INTO networks (name, has_outputs) VALUES ('loot', 1)",
      refused: onlyMigrations,
    },
    'a network given outputs': { sql: 'UPDATE networks SET has_outputs = 1', refused: onlyMigrations },
    'a network deleted': { sql: "DELETE FROM networks WHERE name = 'eth'", refused: onlyMigrations },
    'an asset added': {
      sql: "INSERT INTO custody_assets VALUES ('gold', 'gram', 0)",
      refused: onlyMigrations,
    },
    'an asset’s decimals changed': { sql: 'UPDATE custody_assets SET decimals = 0', refused: onlyMigrations },
    'the schema rewritten': {
      sql: ['PRAGMA writable_schema = on', "DELETE FROM sqlite_master WHERE type = 'trigger'"],
      refused: /not authorized/,
    },
  })
})

test('switching foreign keys off has no effect', async () => {
  await env.DB.prepare('PRAGMA foreign_keys = off').run()
  expect(await env.DB.prepare('PRAGMA foreign_keys').first()).toEqual({ foreign_keys: 1 })
})
