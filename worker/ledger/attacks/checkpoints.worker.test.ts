import { beforeAll, describe } from 'vitest'
import { refuses, standScene } from '../../../test/support/ledger/attacks.ts'

beforeAll(standScene)

const END = 9_007_199_254_740_991
const VALUES =
  '(owner, at, seq, entries, available, held, allocating, invested, owed, net_paid_in, last_transfer)'

describe('a checkpoint is not made up', () => {
  const explained = /only an earlier entry changes a checkpoint/
  refuses({
    'by an update': { sql: 'UPDATE balance_checkpoints SET available = 1', refused: explained },
    'by an update that cites the newest transfer again': {
      sql: `UPDATE balance_checkpoints SET available = available + 2500, last_transfer = (SELECT max(seq) FROM transfers)
            WHERE owner = 'ana'`,
      refused: explained,
    },
    'by an update of its position': {
      sql: `UPDATE OR REPLACE balance_checkpoints SET at = at - 1, last_transfer = last_transfer + 1`,
      refused: explained,
    },
    'by counting an old transfer once more': {
      sql: `UPDATE balance_checkpoints SET entries = entries + 1, available = available + 100000, net_paid_in = net_paid_in + 100000,
              last_transfer = (SELECT seq FROM transfers WHERE id = 'd1:credit')
            WHERE owner = 'ana' AND at = ${END}`,
      refused: explained,
    },
    'by an invented one': {
      sql: `INSERT INTO balance_checkpoints ${VALUES} VALUES ('ana', 5, 5, 0, 100000, 0, 0, 0, 0, 0, 0)`,
      refused: /has the balances before its entry/,
    },
    'by a wrong one before an entry': {
      sql: `INSERT INTO balance_checkpoints ${VALUES}
            SELECT 'ana', at, seq, 1, 900000, 0, 0, 0, 0, 0, 100 FROM transfers WHERE id = 'b1:bonus'`,
      refused: /has the balances before its entry/,
    },
    'by replacing one': {
      sql: `INSERT OR REPLACE INTO balance_checkpoints ${VALUES} VALUES ('ana', ${END}, ${END}, 0, 0, 0, 0, 0, 0, 0, 0)`,
      refused: /written once/,
    },
    'for somebody who has no account': {
      sql: `INSERT INTO balance_checkpoints ${VALUES} VALUES ('zoe', ${END}, ${END}, 0, 0, 0, 0, 0, 0, 0, 0)`,
      refused: /begin empty, with their accounts/,
    },
    'by deleting it': { sql: 'DELETE FROM balance_checkpoints', refused: /never deleted/ },
  })
})
