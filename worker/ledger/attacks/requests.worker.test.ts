import { beforeAll, describe } from 'vitest'
import { event, fileByHand, refuses, standScene } from '../../../test/support/ledger/attacks.ts'
import { txid } from '../../../test/support/ledger/txid.ts'

beforeAll(standScene)

/** A withdrawal and its details; `to` are its coin, network, address and bank, `proof` the proof and the passkey. */
function detailsByHand(id: string, to: string, proof: string): string[] {
  return [
    fileByHand(id, 'ana', 'withdrawal', 100),
    `INSERT INTO withdrawal_details (request, coin, network, address, bank, destination_hash, session_id, proof, passkey)
     VALUES ('${id}', ${to}, 'x', 's', ${proof})`,
  ]
}

describe('a request moves by events only', () => {
  refuses({
    'not by an update of its status': {
      sql: "UPDATE requests SET status = 'approved' WHERE id = 'd2'",
      refused: /only an event changes a status/,
    },
    'not back to pending': {
      sql: "UPDATE OR IGNORE requests SET status = 'pending' WHERE id = 'w1'",
      refused: /only an event changes a status/,
    },
    'not by an update of its amount': {
      sql: "UPDATE requests SET amount = 1 WHERE id = 'd1'",
      refused: /only an event changes a status/,
    },
    'not to another investor': {
      sql: "UPDATE requests SET investor = 'eve' WHERE id = 'd2'",
      refused: /what was filed never changes/,
    },
    'not by deleting it': { sql: "DELETE FROM requests WHERE id = 'w4'", refused: /never deleted/ },
    'not by filing it again': {
      sql: `INSERT OR REPLACE INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
            VALUES ('d1', 'REF-x', 'ana', 'deposit', 'deposits', 1, 1, 1)`,
      refused: /filed once/,
    },
    'not by filing another under its reference': {
      sql: `INSERT OR REPLACE INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
            VALUES ('dx', 'REF-d1', 'ana', 'deposit', 'deposits', 1, 1, 1)`,
      refused: /filed once/,
    },
    'not by filing another under its number': {
      sql: `INSERT OR REPLACE INTO requests (seq, id, ref, investor, kind, queue, amount, asked, created_at)
            VALUES (1, 'dx', 'REF-dx', 'ana', 'deposit', 'deposits', 1, 1, 1)`,
      refused: /filed once/,
    },
    'not by filing it as approved': {
      sql: `INSERT INTO requests (id, ref, investor, kind, queue, status, amount, asked, created_at)
            VALUES ('dx', 'REF-dx', 'ana', 'deposit', 'deposits', 'approved', 1, 1, 1)`,
      refused: /filed once, as pending/,
    },
    'not in the wrong queue': {
      sql: `INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
            VALUES ('dx', 'REF-dx', 'ana', 'withdrawal', 'deposits', 1, 1, 1)`,
      refused: /filed once/,
    },
    'not below zero with checks off': {
      sql: [
        'PRAGMA ignore_check_constraints = on',
        `INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
         VALUES ('dx', 'REF-dx', 'ana', 'deposit', 'deposits', -1, -1, 1)`,
      ],
      refused: /filed once/,
    },
    'not beyond what the contract takes': {
      sql: fileByHand('dx', 'ana', 'deposit', 1_000_000_000_001),
      refused: /filed once/,
    },
    'not by an event changed afterwards': {
      sql: "UPDATE request_events SET status = 'completed' WHERE request = 'w4' AND status = 'approved'",
      refused: /events never change/,
    },
    'not by an event deleted': {
      sql: "DELETE FROM request_events WHERE request = 'w1' AND status = 'completed'",
      refused: /events are never deleted/,
    },
    'not by an event replaced': {
      sql: event('INSERT OR REPLACE', "'w4', 'approved', 1, 'pia', 'ana', NULL, NULL, NULL, NULL"),
      refused: /already_decided/,
    },
    'not by replacing the event that used a reference': {
      sql: event(
        'INSERT OR REPLACE',
        `'w2', 'cancelled', 1, 'ana', 'ana', NULL, '${txid('d1')}', '${txid('d1')}', NULL`,
      ),
      refused: /names no reference/,
    },
    'not by an event out of order': {
      sql: event('INSERT', "'w2', 'completed', 1, 'pia', 'ana', 20000, 'tx', 'tx', NULL"),
      refused: /already_decided/,
    },
    'not by an event in another investor’s name': {
      sql: event('INSERT', "'w2', 'cancelled', 1, 'bob', 'bob', NULL, NULL, NULL, NULL"),
      refused: /not_found|forbidden/,
    },
    'not cancelled by an operator': {
      sql: event('INSERT', "'w2', 'cancelled', 1, 'olu', 'ana', NULL, NULL, NULL, NULL"),
      refused: /forbidden/,
    },
    'not approved by the investor': {
      sql: event('INSERT', "'w2', 'approved', 1, 'ana', 'ana', NULL, NULL, NULL, NULL"),
      refused: /forbidden/,
    },
    'not approved by another investor': {
      sql: event('INSERT', "'d2', 'approved', 1, 'bob', 'ana', 30000, 'tx', 'tx', NULL"),
      refused: /forbidden/,
    },
    'not cancelled at another amount': {
      sql: event('INSERT', "'w2', 'cancelled', 1, 'ana', 'ana', 1, NULL, NULL, NULL"),
      refused: /no other amount/,
    },
    'not to a status that nobody knows': {
      sql: event('INSERT', "'d2', 'paid', 1, 'olu', 'ana', NULL, NULL, NULL, NULL"),
      refused: /already_decided/,
    },
    'no withdrawal approved that was not held': {
      sql: [
        fileByHand('w9', 'ana', 'withdrawal', 100),
        event('INSERT', "'w9', 'approved', 1, 'olu', 'ana', NULL, NULL, NULL, NULL"),
      ],
      refused: /held before it is approved/,
    },
    'not to another destination': {
      sql: "UPDATE withdrawal_details SET address = 'eve' WHERE request = 'w4'",
      refused: /what was filed never changes/,
    },
    'not to another destination by replacing': {
      sql: `INSERT OR REPLACE INTO withdrawal_details (request, coin, network, address, destination_hash, session_id, proof)
            VALUES ('w4', 'usdt', 'usdt-trc20', 'eve', 'eve', 's', 'totp')`,
      refused: /details are filed once/,
    },
    'not by a passkey that it does not name': {
      sql: detailsByHand('w9', "'usdt', 'usdt-trc20', 'x', NULL", "'passkey', NULL"),
      refused: /only what a passkey proved names one/,
    },
    'not by a code that names a passkey': {
      sql: detailsByHand('w9', "'usdt', 'usdt-trc20', 'x', NULL", "'totp', 'key'"),
      refused: /only what a passkey proved names one/,
    },
    'not by a proof that nobody knows': {
      sql: detailsByHand('w9', "'usdt', 'usdt-trc20', 'x', NULL", "'sms', NULL"),
      refused: /CHECK constraint failed/,
    },
    'not to a network that is not listed': {
      sql: detailsByHand('w9', "'usdt', 'usdt-solana', 'x', NULL", "'totp', NULL"),
      refused: /FOREIGN KEY constraint failed/,
    },
    'not to an address on no network': {
      sql: detailsByHand('w9', "'usdt', NULL, 'x', NULL", "'totp', NULL"),
      refused: /CHECK constraint failed/,
    },
    'not to a bank on a network': {
      sql: detailsByHand('w9', "NULL, 'btc', NULL, '{}'", "'totp', NULL"),
      refused: /CHECK constraint failed/,
    },
    'not from a network that is not listed': {
      sql: [
        fileByHand('d9', 'ana', 'deposit', 100),
        `INSERT INTO deposit_details (request, coin, network, payment_to, receipt_key, receipt_type)
         VALUES ('d9', 'usdt', 'usdt-solana', 'x', 'k', 't')`,
      ],
      refused: /FOREIGN KEY constraint failed/,
    },
    'not before its hold ends': {
      sql: "UPDATE withdrawal_details SET held_until = 0 WHERE request = 'w4'",
      refused: /what was filed never changes/,
    },
    'not without details': {
      sql: "DELETE FROM withdrawal_details WHERE request = 'w4'",
      refused: /never deleted/,
    },
    'not with another receipt': {
      sql: "UPDATE deposit_details SET receipt_key = 'forged' WHERE request = 'd2'",
      refused: /what was filed never changes/,
    },
    'not with another quantity than was credited': {
      sql: [
        "UPDATE deposit_details SET quantity = '1', rate = '1' WHERE request = 'd1'",
        "UPDATE deposit_details SET quantity = '2' WHERE request = 'd1'",
      ],
      refused: /what was filed never changes/,
    },
  })
})
