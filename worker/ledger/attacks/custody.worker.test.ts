import { beforeAll, describe } from 'vitest'
import { approveByHand, refuses, reverseByHand, standScene } from '../../../test/support/ledger/attacks.ts'

beforeAll(standScene)

describe('custody is not edited', () => {
  const entry = (values: string, verb = 'INSERT') =>
    `${verb} INTO custody_entries (id, asset, quantity, code, ref, at) VALUES (${values})`
  refuses({
    'by an update of its balance': {
      sql: "UPDATE custody_balances SET balance = 0 WHERE asset = 'usdt'",
      refused: /only an entry changes a balance/,
    },
    'by replacing its balance': {
      sql: "REPLACE INTO custody_balances VALUES ('usdt', 0, 0)",
      refused: /opens empty, once/,
    },
    'by deleting its balance': { sql: 'DELETE FROM custody_balances', refused: /never deleted/ },
    'by an update of an entry': { sql: 'UPDATE custody_entries SET quantity = 1', refused: /never change/ },
    'by deleting an entry': { sql: 'DELETE FROM custody_entries', refused: /never deleted/ },
    'by an entry without a cause': { sql: entry("'x', 'usdt', 5, 'in', 'd2', 1"), refused: /what caused it/ },
    'by an entry of another asset': {
      sql: [...approveByHand('d2', 30_000, 'tx-d2'), entry("'x', 'bitcoin', 5, 'in', 'd2', 1")],
      refused: /what caused it/,
    },
    'by an entry of the wrong sign': {
      sql: [...approveByHand('d2', 30_000, 'tx-d2'), entry("'x', 'usdt', -5, 'in', 'd2', 1")],
      refused: /what caused it/,
    },
    'by a second entry': {
      sql: entry("'x', 'usdt', 5, 'in', 'd1', 1", 'INSERT OR REPLACE'),
      refused: /written once/,
    },
    'by an entry in another’s place': {
      sql: `INSERT OR REPLACE INTO custody_entries (seq, id, asset, quantity, code, ref, at)
            VALUES (1, 'x', 'usdt', -5, 'out', 'w1', 1)`,
      refused: /written once/,
    },
    'by a reversal of another quantity': {
      sql: [...reverseByHand('d1', 'ana'), entry("'x', 'usdt', -5, 'reverse_in', 'd1', 1")],
      refused: /what caused it/,
    },
    'by a fraction of the smallest unit': {
      sql: [...approveByHand('d2', 30_000, 'tx-d2'), entry("'x', 'usdt', 0.5, 'in', 'd2', 1")],
      refused: /REAL value|what caused it|balance did not move|only an entry/,
    },
    'by a number far ahead': {
      sql: [
        ...approveByHand('d2', 30_000, 'tx-d2'),
        `INSERT INTO custody_entries (seq, id, asset, quantity, code, ref, at)
         VALUES (9000000000000000000, 'x', 'usdt', 5, 'in', 'd2', 1)`,
      ],
      refused: /numbered without a gap/,
    },
  })
})
