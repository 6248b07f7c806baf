import { beforeAll, describe } from 'vitest'
import {
  approveByHand,
  event,
  fileByHand,
  refuses,
  standScene,
  T,
} from '../../../test/support/ledger/attacks.ts'
import { txid } from '../../../test/support/ledger/txid.ts'

beforeAll(standScene)

const takeBack = (values: string) =>
  `INSERT INTO withdrawn_approvals (request, operator, reference, reference_key, amount, approved_at, at)
   VALUES ('d3', ${values}, ${T}, ${T + 1})`

describe('one operator cannot take decisions that need two', () => {
  const second = /second_operator_required/
  refuses({
    'a credit above the limit': {
      sql: approveByHand('d3', 900_000, 'd3').map((sql) => sql.replaceAll("'pia'", "'olu'")),
      refused: second,
    },
    'a credit above what was asked': {
      sql: event('INSERT', "'d2', 'approved', 1, 'pia', 'ana', 30001, 'tx', 'tx', NULL"),
      refused: second,
    },
    'a credit with a second operator who never approved': {
      sql: event('INSERT', "'d2', 'approved', 1, 'pia', 'ana', 30001, 'tx', 'tx', 'olu'"),
      refused: /who approved first/,
    },
    'a credit with oneself as the second': {
      sql: event(
        'INSERT',
        `'d3', 'approved', 1, 'olu', 'ana', 900000, '${txid('d3')}', '${txid('d3')}', 'olu'`,
      ),
      refused: /who approved first/,
    },
    'a credit of another amount than was approved first': {
      sql: event(
        'INSERT',
        `'d3', 'approved', 1, 'pia', 'ana', 900001, '${txid('d3')}', '${txid('d3')}', 'olu'`,
      ),
      refused: /approval_mismatch/,
    },
    'a credit of another reference than was approved first': {
      sql: event(
        'INSERT',
        `'d3', 'approved', 1, 'pia', 'ana', 900000, '${txid('e3')}', '${txid('e3')}', 'olu'`,
      ),
      refused: /approval_mismatch/,
    },
    'a credit split into parts': {
      sql: [
        ...[1, 2, 3].flatMap((part) => [
          fileByHand(`d9${part}`, 'eve', 'deposit', 100_000),
          event(
            'INSERT',
            `'d9${part}', 'approved', 5, 'pia', 'eve', 100000, '${txid(`t${part}`)}', '${txid(`t${part}`)}', NULL`,
          ),
        ]),
        fileByHand('d99', 'eve', 'deposit', 1),
        event('INSERT', `'d99', 'approved', 6, 'pia', 'eve', 1, '${txid('t99')}', '${txid('t99')}', NULL`),
      ],
      refused: second,
    },
    'a credit as an investor who was made an operator': {
      sql: "UPDATE users SET role = 'operator' WHERE id = 'eve'",
      refused: /an id and a role never change/,
    },
    'a first approval changed': {
      sql: "UPDATE credit_approvals SET operator = 'pia' WHERE request = 'd3'",
      refused: /approvals never change/,
    },
    'a first approval deleted': {
      sql: "DELETE FROM credit_approvals WHERE request = 'd3'",
      refused: /approvals are never deleted/,
    },
    'a first approval replaced': {
      sql: `INSERT OR REPLACE INTO credit_approvals (request, operator, reference, reference_key, amount, at)
            VALUES ('d3', 'pia', '${txid('d3')}', '${txid('d3')}', 900000, 1)`,
      refused: /conflict/,
    },
    'a first approval taken back by another': {
      sql: takeBack(`'pia', '${txid('d3')}', '${txid('d3')}', 900000`),
      refused: /forbidden/,
    },
    'a first approval taken back as another than it was': {
      sql: takeBack(`'olu', '${txid('d3')}', '${txid('d3')}', 900001`),
      refused: /taken back as it was given/,
    },
    'a first approval that there is none of, taken back': {
      sql: takeBack(`'olu', '${txid('d2')}', '${txid('d2')}', 1`).replace("'d3'", "'d2'"),
      refused: /conflict/,
    },
    'a credit alone after one’s own approval was taken back': {
      sql: [
        takeBack(`'olu', '${txid('d3')}', '${txid('d3')}', 900000`),
        event('INSERT', `'d3', 'approved', 1, 'olu', 'ana', 900000, '${txid('d3')}', '${txid('d3')}', NULL`),
      ],
      refused: second,
    },
    'a credit beside oneself, after an approval that was taken back': {
      sql: [
        takeBack(`'olu', '${txid('d3')}', '${txid('d3')}', 900000`),
        `INSERT INTO credit_approvals (request, operator, reference, reference_key, amount, at)
         VALUES ('d3', 'olu', '${txid('d3')}', '${txid('d3')}', 900000, 7)`,
        event('INSERT', `'d3', 'approved', 1, 'olu', 'ana', 900000, '${txid('d3')}', '${txid('d3')}', 'olu'`),
      ],
      refused: /who approved first/,
    },
    'a credit beside an approval that was taken back': {
      sql: [
        takeBack(`'olu', '${txid('d3')}', '${txid('d3')}', 900000`),
        event('INSERT', `'d3', 'approved', 1, 'pia', 'ana', 900000, '${txid('d3')}', '${txid('d3')}', 'olu'`),
      ],
      refused: /conflict/,
    },
    'a first approval deleted after another was taken back': {
      sql: [
        takeBack(`'olu', '${txid('d3')}', '${txid('d3')}', 900000`),
        `INSERT INTO credit_approvals (request, operator, reference, reference_key, amount, at)
         VALUES ('d3', 'pia', '${txid('d3')}', '${txid('d3')}', 900000, 7)`,
        "DELETE FROM credit_approvals WHERE request = 'd3'",
      ],
      refused: /approvals are never deleted/,
    },
    'what was taken back, forgotten': {
      sql: [takeBack(`'olu', '${txid('d3')}', '${txid('d3')}', 900000`), 'DELETE FROM withdrawn_approvals'],
      refused: /approvals are never deleted/,
    },
    'what was taken back, changed': {
      sql: [
        takeBack(`'olu', '${txid('d3')}', '${txid('d3')}', 900000`),
        "UPDATE withdrawn_approvals SET operator = 'pia'",
      ],
      refused: /approvals never change/,
    },
    'a reference of a reversed credit, credited twice': {
      sql: [
        event('INSERT', `'d2', 'approved', 1, 'pia', 'ana', 30000, '${txid('d4')}', '${txid('d4')}', NULL`),
        event('INSERT', `'d5', 'approved', 1, 'pia', 'bob', 1, '${txid('d4')}', '${txid('d4')}', NULL`),
      ],
      refused: /reference_used/,
    },
    'a first approval by an investor': {
      sql: `INSERT INTO credit_approvals (request, operator, reference, reference_key, amount, at)
            VALUES ('d2', 'eve', 'tx', 'tx', 900000, 1)`,
      refused: /forbidden/,
    },
    'a reference credited again': {
      sql: event(
        'INSERT',
        `'d2', 'approved', 1, 'pia', 'ana', 30000, '${txid('d1')}', '${txid('d1')}', NULL`,
      ),
      refused: /reference_used/,
    },
    'a reference credited again in other letters': {
      sql: event(
        'INSERT',
        `'d2', 'approved', 1, 'pia', 'ana', 30000, 'X', '${txid('d1').toUpperCase()}', NULL`,
      ),
      refused: /without case and 0x/,
    },
    ...Object.fromEntries(
      Object.entries({
        'in upper case': (id: string) => id.toUpperCase().replace(/^./, 'a'),
        'before a blank': (id: string) => `${id} `,
        'with an output on another network': (id: string) => `${id}:0`,
        'before a dot': (id: string) => `${id}.`,
        'in free words': () => 'tx-9',
        'as a bank’s': (id: string) => `bank:${id.slice(1)}`,
      }).map(([how, write]) => [
        `a payment spelt ${how}`,
        {
          sql: event(
            'INSERT',
            `'d2', 'approved', 1, 'pia', 'ana', 30000, '${write(txid('new'))}', '${write(txid('new'))}', NULL`,
          ),
          refused: /one spelling|without case and 0x/,
        },
      ]),
    ),
    'a payment whose spelling ends in a NUL': {
      sql: event(
        'INSERT',
        `'d2', 'approved', 1, 'pia', 'ana', 30000, '${txid('d1')}' || char(0), '${txid('d1')}' || char(0), NULL`,
      ),
      refused: /one spelling|reference_used/,
    },
    'a payment shown under another reference than it is compared by': {
      sql: event(
        'INSERT',
        `'d2', 'approved', 1, 'pia', 'ana', 30000, '${txid('shown')}', '${txid('new')}', NULL`,
      ),
      refused: /one spelling/,
    },
    'an output of a transaction that was credited whole': {
      sql: event(
        'INSERT',
        `'d2', 'approved', 1, 'pia', 'ana', 30000, '${txid('d1')}:1', '${txid('d1')}:1', NULL`,
      ),
      refused: /reference_used/,
    },
    'a first approval of an output of what was credited whole': {
      sql: `INSERT INTO credit_approvals (request, operator, reference, reference_key, amount, at)
            VALUES ('d2', 'pia', '${txid('d1')}:1', '${txid('d1')}:1', 900000, 1)`,
      refused: /reference_used/,
    },
    'a first approval in another spelling': {
      sql: `INSERT INTO credit_approvals (request, operator, reference, reference_key, amount, at)
            VALUES ('d2', 'pia', 'tx-9', 'tx-9', 900000, 1)`,
      refused: /one spelling/,
    },
    'a reference paid that was credited': {
      sql: event(
        'INSERT',
        `'w4', 'completed', 1, 'pia', 'ana', 1000, '${txid('d1')}', '${txid('d1')}', 'olu'`,
      ),
      refused: /reference_used/,
    },
    'a credit without a reference': {
      sql: event('INSERT', "'d2', 'approved', 1, 'pia', 'ana', 30000, NULL, NULL, NULL"),
      refused: /names its amount and reference/,
    },
    'a payout of another amount': {
      sql: event('INSERT', "'w4', 'completed', 1, 'pia', 'ana', 999, 'tx', 'tx', 'olu'"),
      refused: /names its amount and reference|no other amount/,
    },
    'a payout with a second operator made up': {
      sql: event('INSERT', "'w4', 'completed', 1, 'olu', 'ana', 1000, 'tx', 'tx', 'pia'"),
      refused: /who approved/,
    },
    'a reversal without a proposal': {
      sql: event('INSERT', "'w1', 'reversed', 1, 'pia', 'ana', NULL, NULL, NULL, NULL"),
      refused: second,
    },
    'a reversal whose proposal waits': {
      sql: event('INSERT', "'d1', 'reversed', 1, 'pia', 'ana', NULL, NULL, NULL, NULL"),
      refused: second,
    },
    'one’s own proposal': {
      sql: "UPDATE proposals SET status = 'approved', decided_by = 'olu', decided_at = 1 WHERE id = 'b2'",
      refused: second,
    },
    'a proposal by nobody': {
      sql: "UPDATE proposals SET status = 'approved' WHERE id = 'b2'",
      refused: /an operator decides/,
    },
    'a proposal by an investor': {
      sql: "UPDATE proposals SET status = 'approved', decided_by = 'eve', decided_at = 1 WHERE id = 'b2'",
      refused: /an operator decides/,
    },
    'a proposal whose amount grows on the way': {
      sql: "UPDATE proposals SET status = 'approved', decided_by = 'pia', decided_at = 1, amount = 999999 WHERE id = 'b2'",
      refused: /what was proposed never changes/,
    },
    'a proposal whose proposer changes on the way': {
      sql: "UPDATE proposals SET status = 'approved', decided_by = 'olu', decided_at = 1, proposed_by = 'pia' WHERE id = 'b2'",
      refused: /what was proposed never changes/,
    },
    'a proposal decided before it was made': {
      sql: `INSERT INTO proposals (id, kind, status, created_at, proposed_by, decided_by, investor, amount)
            VALUES ('b9', 'bonus', 'approved', 1, 'olu', 'pia', 'eve', 100)`,
      refused: /starts as pending/,
    },
    'a proposal in another’s place': {
      sql: `INSERT OR REPLACE INTO proposals (seq, id, kind, created_at, proposed_by, investor, amount)
            VALUES ((SELECT seq FROM proposals WHERE id = 'b1'), 'b9', 'bonus', 1, 'olu', 'eve', 100)`,
      refused: /starts as pending/,
    },
    'a proposal decided again': {
      sql: "UPDATE proposals SET status = 'rejected', decided_by = 'pia', decided_at = 2 WHERE id = 'b1'",
      refused: /already_decided/,
    },
    'a proposal deleted': { sql: "DELETE FROM proposals WHERE id = 'b1'", refused: /never deleted/ },
    'a limit raised': {
      sql: "UPDATE settings SET value = '999999999' WHERE key = 'twoPersonLimit'",
      refused: second,
    },
    'a limit raised in the name of what decided another': {
      sql: "UPDATE settings SET value = '999999999', proposal = 'a1' WHERE key = 'twoPersonLimit'",
      refused: second,
    },
    'another setting in the name of what decided the limit': {
      sql: "INSERT INTO settings VALUES ('kycRequired', 'false', 's1', 1)",
      refused: second,
    },
    'a fee beside the one that was decided': {
      sql: [
        `INSERT INTO proposals (id, kind, payload, created_at, proposed_by)
         VALUES ('s3', 'settings', '{"minimums":{"deposit":100}}', 1, 'olu')`,
        `UPDATE proposals SET status = 'approved', decided_by = 'pia', decided_at = ${T + 1} WHERE id = 's3'`,
        `INSERT INTO settings VALUES ('minimums', '{"deposit":100}', 's3', 1)`,
        `UPDATE settings SET value = '{"deposit":100,"withdrawal":99999999}' WHERE key = 'minimums'`,
      ],
      refused: second,
    },
    'a limit put back to what two decided before': {
      sql: [
        `INSERT INTO proposals (id, kind, payload, created_at, proposed_by)
         VALUES ('s2', 'settings', '{"twoPersonLimit":100}', 1, 'olu')`,
        `UPDATE proposals SET status = 'approved', decided_by = 'pia', decided_at = ${T + 1} WHERE id = 's2'`,
        "UPDATE settings SET value = '100', proposal = 's2' WHERE key = 'twoPersonLimit'",
        "UPDATE settings SET value = '300000', proposal = 's1' WHERE key = 'twoPersonLimit'",
      ],
      refused: second,
    },
    'a limit raised by replacing': {
      sql: "REPLACE INTO settings VALUES ('twoPersonLimit', '999999999', NULL, 1)",
      refused: second,
    },
    'a limit raised by an upsert': {
      sql: `INSERT INTO settings VALUES ('twoPersonLimit', '1', 's1', 1)
            ON CONFLICT (key) DO UPDATE SET value = '999999999', proposal = 'b1'`,
      refused: second,
    },
    'a limit deleted': { sql: "DELETE FROM settings WHERE key = 'twoPersonLimit'", refused: second },
    'a limit overwritten by renaming another setting': {
      sql: "UPDATE OR REPLACE settings SET key = 'twoPersonLimit', value = '999999999' WHERE key = 'reasons'",
      refused: second,
    },
    'a limit pushed out by its internal number': {
      sql: "INSERT OR REPLACE INTO settings (rowid, key, value, updated_at) VALUES (1, 'reasons', '[]', 1)",
      refused: /no column named rowid/,
    },
    'a wallet’s address changed': {
      sql: "UPDATE wallets SET address = 'TThief'",
      refused: /an address never changes/,
    },
    'a wallet without a proposal': {
      sql: `INSERT INTO wallets (id, coin, network, address, simulated, proposal, created_at)
            VALUES ('x', 'usdt', 'usdt-trc20', 'TThief', 1, 's1', 1)`,
      refused: second,
    },
    'a wallet in another’s place': {
      sql: `INSERT OR REPLACE INTO wallets (id, coin, network, address, simulated, proposal, created_at)
            VALUES ('wallet-1', 'usdt', 'usdt-trc20', 'TReal', 0, 'a1', 1)`,
      refused: /one address, once/,
    },
    'a wallet pushed out by its number': {
      sql: 'UPDATE OR REPLACE wallets SET seq = seq + 1',
      refused: /an address never changes/,
    },
    'a wallet deleted': { sql: 'DELETE FROM wallets', refused: /never deleted/ },
  })
})
