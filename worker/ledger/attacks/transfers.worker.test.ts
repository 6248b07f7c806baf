import { beforeAll, describe, expect, test } from 'vitest'
import {
  approveByHand,
  db,
  everything,
  fileByHand,
  refuses,
  reverseByHand,
  standScene,
  T,
  transfer,
} from '../../../test/support/ledger/attacks.ts'
import { runBatch } from '../../lib/database.ts'
import { hold } from '../post.ts'

beforeAll(standScene)

describe('a transfer is not edited', () => {
  refuses({
    'by an update': {
      sql: 'UPDATE transfers SET amount = amount * 2 WHERE seq = 1',
      refused: /never change/,
    },
    'by an update that ignores conflicts': {
      sql: "UPDATE OR IGNORE transfers SET to_account = 'eve:available' WHERE seq = 1",
      refused: /never change/,
    },
    'by an update that changes nothing': { sql: 'UPDATE transfers SET id = id', refused: /never change/ },
    'by taking another’s number': {
      sql: 'UPDATE OR REPLACE transfers SET seq = 1 WHERE seq = 2',
      refused: /never change/,
    },
    'by an upsert': {
      sql: `${transfer("'d1:credit', 'ana:paid_in', 'ana:available', 100000, 'credit', 'd1', 'olu', 1")}
            ON CONFLICT (id) DO UPDATE SET amount = 1`,
      refused: /written once|record of what caused/,
    },
    'by deleting it': { sql: 'DELETE FROM transfers WHERE seq = 1', refused: /never deleted/ },
    'by deleting all': { sql: 'DELETE FROM transfers', refused: /never deleted/ },
    'by replacing it under its id': {
      sql: transfer(
        "'d1:credit', 'ana:paid_in', 'ana:available', 1, 'credit', 'd1', 'olu', 1",
        'INSERT OR REPLACE',
      ),
      refused: /written once|record of what caused/,
    },
    'by replacing it under its number': {
      sql: `INSERT OR REPLACE INTO transfers (seq, id, from_account, to_account, amount, code, ref, actor, at)
            VALUES (1, 'x', 'ana:available', 'ana:held', 20000, 'hold', 'w2', 'ana', 1)`,
      refused: /written once|record of what caused/,
    },
    'by replacing the one that reverses': {
      sql: `INSERT OR REPLACE INTO transfers (id, from_account, to_account, amount, code, ref, reverses, actor, at)
            VALUES ('x', 'bob:available', 'bob:paid_in', 50000, 'reverse_credit', 'd4', 'd4:credit', 'pia', 1)`,
      refused: /written once|record of what caused|insufficient_funds/,
    },
  })
})

describe('no transfer without a cause of its own', () => {
  const noCause = /record of what caused it/
  refuses({
    'for nothing at all': {
      sql: transfer("'x', 'ana:paid_in', 'ana:available', 100, 'credit', 'nothing', 'olu', 1"),
      refused: noCause,
    },
    'for a deposit that still waits': {
      sql: transfer("'x', 'ana:paid_in', 'ana:available', 30000, 'credit', 'd2', 'olu', 1"),
      refused: noCause,
    },
    'a second time': {
      sql: transfer("'x', 'ana:paid_in', 'ana:available', 100000, 'credit', 'd1', 'olu', 1"),
      refused: noCause,
    },
    'a second time, ignoring conflicts': {
      sql: transfer(
        "'d1:credit', 'ana:paid_in', 'ana:available', 100000, 'credit', 'd1', 'olu', 1",
        'INSERT OR IGNORE',
      ),
      refused: /written once|record of what caused/,
    },
    'two at once in one statement': {
      sql: `${transfer("'x', 'eve:granted', 'eve:available', 1, 'bonus', 'b1', 'pia', 1")}, ('y', 'eve:granted', 'eve:available', 1, 'bonus', 'b1', 'pia', 1)`,
      refused: noCause,
    },
    'for somebody else’s deposit': {
      sql: transfer("'x', 'eve:paid_in', 'eve:available', 100000, 'credit', 'd1', 'olu', 1"),
      refused: noCause,
    },
    'for a deposit that was reversed': {
      sql: transfer("'x', 'bob:paid_in', 'bob:available', 50000, 'credit', 'd4', 'olu', 1"),
      refused: noCause,
    },
    'for a bonus that waits for the second operator': {
      sql: transfer("'x', 'ana:granted', 'ana:available', 7777, 'bonus', 'b2', 'pia', 1"),
      refused: noCause,
    },
    'a bonus twice': {
      sql: transfer("'x', 'ana:granted', 'ana:available', 2500, 'bonus', 'b1', 'pia', 1"),
      refused: noCause,
    },
    'a bonus to somebody else': {
      sql: transfer("'x', 'eve:granted', 'eve:available', 2500, 'bonus', 'b1', 'pia', 1"),
      refused: noCause,
    },
    'a bonus for a request': {
      sql: transfer("'x', 'ana:granted', 'ana:available', 100000, 'bonus', 'd1', 'olu', 1"),
      refused: noCause,
    },
    'in the name of somebody who did not decide': {
      sql: [
        ...approveByHand('d2', 30_000, 'tx-d2'),
        transfer("'x', 'ana:paid_in', 'ana:available', 30000, 'credit', 'd2', 'eve', 1"),
      ],
      refused: noCause,
    },
    'a hold of another amount': {
      sql: transfer("'x', 'ana:available', 'ana:held', 1, 'hold', 'w2', 'ana', 1"),
      refused: noCause,
    },
    'a hold for a cancelled withdrawal': {
      sql: transfer("'x', 'ana:available', 'ana:held', 5000, 'hold', 'w3', 'ana', 1"),
      refused: noCause,
    },
    'a release while the withdrawal waits': {
      sql: transfer("'x', 'ana:held', 'ana:available', 20000, 'release', 'w2', 'ana', 1"),
      refused: noCause,
    },
    'a release after the payout': {
      sql: transfer("'x', 'ana:held', 'ana:available', 10000, 'release', 'w1', 'pia', 1"),
      refused: noCause,
    },
    'a second release': {
      sql: transfer("'x', 'ana:held', 'ana:available', 5000, 'release', 'w3', 'ana', 1"),
      refused: noCause,
    },
    'a release of what was never held': {
      sql: [
        fileByHand('w9', 'ana', 'withdrawal', 15_000),
        `INSERT INTO request_events (request, status, at, actor, investor) VALUES ('w9', 'cancelled', 1, 'ana', 'ana')`,
        transfer("'x', 'ana:held', 'ana:available', 15000, 'release', 'w9', 'ana', 1"),
      ],
      refused: noCause,
    },
    'a payout before it was completed': {
      sql: transfer("'x', 'ana:held', 'ana:paid_out', 1000, 'complete', 'w4', 'olu', 1"),
      refused: noCause,
    },
    'a second payout': {
      sql: transfer("'x', 'ana:held', 'ana:paid_out', 10000, 'complete', 'w1', 'pia', 1"),
      refused: noCause,
    },
    'a payout back without a reversal': {
      sql: transfer("'x', 'ana:paid_out', 'ana:available', 10000, 'reverse_payout', 'w1', 'pia', 1"),
      refused: /record of what caused|mirrors what it reverses/,
    },
    'an overdraft without a reversal': {
      sql: transfer("'x', 'ana:owed', 'ana:available', 100000, 'overdraw', 'd1', 'olu', 1"),
      refused: noCause,
    },
    'a second overdraft for the reversed deposit': {
      sql: transfer("'x', 'bob:owed', 'bob:available', 50000, 'overdraw', 'd4', 'pia', 1"),
      refused: noCause,
    },
    'an overdraft of more than the reversal lacks': {
      sql: [
        ...reverseByHand('d1', 'ana'),
        transfer("'x', 'ana:owed', 'ana:available', 100000, 'overdraw', 'd1', 'pia', 1"),
      ],
      refused: noCause,
    },
    'an overdraft after the reversal was posted': {
      sql: [
        ...approveByHand('d2', 30_000, 'tx-d2'),
        transfer("'c', 'ana:paid_in', 'ana:available', 30000, 'credit', 'd2', 'pia', 1"),
        ...reverseByHand('d2', 'ana'),
        `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, reverses, actor, at)
         VALUES ('v', 'ana:available', 'ana:paid_in', 30000, 'reverse_credit', 'd2', 'c', 'pia', 1)`,
        transfer("'x', 'ana:owed', 'ana:available', 30000, 'overdraw', 'd2', 'pia', 1"),
      ],
      refused: noCause,
    },
    'a repayment long after its credit': {
      sql: transfer("'x', 'ana:available', 'ana:owed', 1, 'repay', 'd1', 'olu', 1"),
      refused: /record of what caused|passed its bounds/,
    },
    'a repayment of less than is owed': {
      sql: [
        ...approveByHand('d5', 40_000, 'tx-d5', 'bob'),
        transfer("'c', 'bob:paid_in', 'bob:available', 40000, 'credit', 'd5', 'pia', 1"),
        transfer("'x', 'bob:available', 'bob:owed', 1, 'repay', 'd5', 'pia', 1"),
      ],
      refused: noCause,
    },
    'a reversal of another amount': {
      sql: [
        ...reverseByHand('d1', 'ana'),
        `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, reverses, actor, at)
         VALUES ('x', 'ana:available', 'ana:paid_in', 1, 'reverse_credit', 'd1', 'd1:credit', 'pia', 1)`,
      ],
      refused: /mirrors what it reverses|record of what caused/,
    },
    'a reversal that names nothing to reverse': {
      sql: transfer("'x', 'ana:available', 'ana:paid_in', 100000, 'reverse_credit', 'd1', 'olu', 1"),
      refused: /mirrors what it reverses|record of what caused|insufficient_funds/,
    },
    'a code that nobody knows': {
      sql: transfer("'x', 'ana:paid_in', 'ana:available', 1, 'gift', 'd1', 'olu', 1"),
      refused: /does not join|record of what caused/,
    },
    'a code that is null': {
      sql: transfer("'x', 'ana:paid_in', 'ana:available', 1, NULL, 'd1', 'olu', 1", 'INSERT OR IGNORE'),
      refused: /does not join|record of what caused/,
    },
  })
})

describe('no transfer between the wrong accounts or of a wrong amount', () => {
  refuses({
    'from one owner to another': {
      sql: transfer("'x', 'ana:available', 'eve:available', 100, 'hold', 'w2', 'ana', 1"),
      refused: /two accounts of one owner|does not join|record of what caused/,
    },
    'from another owner’s money': {
      sql: transfer("'x', 'bob:available', 'ana:held', 20000, 'hold', 'w2', 'ana', 1"),
      refused: /two accounts of one owner|record of what caused|debt_outstanding/,
    },
    'from an account to itself': {
      sql: transfer("'x', 'ana:available', 'ana:available', 100, 'hold', 'w2', 'ana', 1"),
      refused: /two accounts of one owner|record of what caused/,
    },
    'from an account that does not exist': {
      sql: transfer("'x', 'nobody:paid_in', 'ana:available', 100, 'credit', 'd1', 'olu', 1"),
      refused: /two accounts of one owner|record of what caused/,
    },
    'between kinds that its code does not join': {
      sql: transfer("'x', 'ana:granted', 'ana:available', 100000, 'credit', 'd1', 'olu', 1"),
      refused: /does not join|record of what caused/,
    },
    backwards: {
      sql: transfer("'x', 'ana:held', 'ana:available', 20000, 'hold', 'w2', 'ana', 1"),
      refused: /does not join|record of what caused/,
    },
    'of less than nothing': {
      sql: transfer("'x', 'ana:paid_in', 'ana:available', -100, 'credit', 'd1', 'olu', 1"),
      refused: /above zero|record of what caused/,
    },
    'of less than nothing, with checks off': {
      sql: [
        'PRAGMA ignore_check_constraints = on',
        transfer("'x', 'ana:available', 'ana:held', -20000, 'hold', 'w2', 'ana', 1"),
      ],
      refused: /above zero|record of what caused/,
    },
    'of nothing': {
      sql: transfer("'x', 'ana:paid_in', 'ana:available', 0, 'credit', 'd1', 'olu', 1"),
      refused: /above zero|record of what caused/,
    },
    'of a fraction of a cent': {
      sql: transfer("'x', 'ana:paid_in', 'ana:available', 100000.5, 'credit', 'd1', 'olu', 1"),
      refused: /record of what caused|cannot store REAL/,
    },
    'of something that is no number': {
      sql: transfer("'x', 'ana:paid_in', 'ana:available', 'much', 'credit', 'd1', 'olu', 1"),
      refused: /record of what caused|cannot store TEXT/,
    },
    'of null': {
      sql: transfer(
        "'x', 'ana:paid_in', 'ana:available', NULL, 'credit', 'd1', 'olu', 1",
        'INSERT OR IGNORE',
      ),
      refused: /record of what caused/,
    },
    'under a number far ahead': {
      sql: [
        ...approveByHand('d2', 30_000, 'tx-d2'),
        `INSERT INTO transfers (seq, id, from_account, to_account, amount, code, ref, actor, at)
         VALUES (9000000000000000000, 'x', 'ana:paid_in', 'ana:available', 30000, 'credit', 'd2', 'pia', 1)`,
      ],
      refused: /numbered without a gap/,
    },
    'under a number before the first': {
      sql: [
        ...approveByHand('d2', 30_000, 'tx-d2'),
        `INSERT INTO transfers (seq, id, from_account, to_account, amount, code, ref, actor, at)
         VALUES (-1, 'x', 'ana:paid_in', 'ana:available', 30000, 'credit', 'd2', 'pia', 1)`,
      ],
      refused:
        /only a transfer changes a balance|numbered without a gap|only an earlier entry changes a checkpoint/,
    },
    'of more than is available': {
      sql: [
        fileByHand('w9', 'ana', 'withdrawal', 90_000),
        transfer("'x', 'ana:available', 'ana:held', 90000, 'hold', 'w9', 'ana', 1"),
      ],
      refused: /insufficient_funds/,
    },
    'of more than is available, ignoring conflicts': {
      sql: [
        fileByHand('w9', 'ana', 'withdrawal', 90_000),
        transfer("'x', 'ana:available', 'ana:held', 90000, 'hold', 'w9', 'ana', 1", 'INSERT OR IGNORE'),
      ],
      refused: /insufficient_funds/,
    },
  })
})

test('posting the same hold twice is refused', async () => {
  const before = await everything()
  const again = { id: 'w2', investor: 'ana', amountCents: 20_000 }
  await expect(runBatch(db, [hold(db, again, { actor: 'ana', nowMs: T })])).rejects.toThrow(
    /written once|what caused/,
  )
  expect(await everything()).toEqual(before)
})
