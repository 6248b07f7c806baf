import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  approveByHand,
  event,
  everything,
  fileByHand,
  refuses,
  reverseByHand,
  T,
  transfer,
} from '../../test/support/ledger/attacks.ts'
import { A2, movement, NEXT, standStrategies, UNITS } from '../../test/support/ledger/strategyAttacks.ts'
import { txid } from '../../test/support/ledger/txid.ts'

// Somebody who can run SQL, but not drop triggers, tries to create or take money. What each trigger refuses by itself, test/triggers.test.ts
// shows; these attacks combine statements or use SQLite's dialect.
beforeAll(standStrategies)

interface Key {
  readonly name: string
  readonly columns: string
}

test('no row that is kept for good is deleted, changed or replaced by a row of the same key', async () => {
  const read = async <Row>(sql: string) => (await env.DB.prepare(sql).all<Row>()).results
  const guards = await read<{ name: string; tbl_name: string }>(
    "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND name = tbl_name || '_no_delete' ORDER BY name",
  )
  const before = await everything()
  let attempts = 0
  for (const { tbl_name: table } of guards) {
    const [row] = await read<Record<string, unknown>>(`SELECT * FROM ${table} LIMIT 1`)
    if (row === undefined) continue
    const columns = Object.keys(row)
    const primary = `SELECT '' AS name, group_concat(name) AS columns FROM pragma_table_info('${table}') WHERE pk > 0`
    const keys = await read<Key>(
      `${primary} UNION SELECT list.name, group_concat(info.name) FROM pragma_index_list('${table}') list
         JOIN pragma_index_info(list.name) info WHERE list."unique" = 1 AND list.partial = 0 GROUP BY list.name`,
    )
    const unique = new Set(keys.flatMap((key) => key.columns.split(',')))
    const replacements = keys
      .map((key) => key.columns.split(','))
      .filter((key) => key.every((column) => row[column] !== null))
      .map((key) => {
        const values = columns.map((column) => {
          if (key.includes(column) || !unique.has(column)) return column
          return typeof row[column] === 'string' ? `${column} || 'x'` : 'NULL'
        })
        return `INSERT OR REPLACE INTO ${table} SELECT ${values} FROM ${table} LIMIT 1`
      })
    for (const sql of [`DELETE FROM ${table}`, ...replacements]) {
      await expect(env.DB.prepare(sql).run(), sql).rejects.toThrow()
      attempts += 1
    }
  }
  expect(attempts).toBeGreaterThan(60)
  expect(await everything()).toEqual(before)
})

describe('a balance is not edited', () => {
  const onlyTransfers = /accounts: changed without a transfer/
  const openOwed = "INSERT INTO accounts (id, owner, kind) VALUES ('bob:owed', 'bob', 'owed')"
  refuses({
    'with the newest transfer as its cause': [
      onlyTransfers,
      `UPDATE accounts SET balance = balance + 2500, last_transfer = (SELECT max(seq) FROM transfers) WHERE id = 'ana:available'`,
    ],
    'from another table': [
      onlyTransfers,
      "UPDATE accounts SET balance = r.amount FROM requests r WHERE r.id = 'd3' AND accounts.id = 'ana:available'",
    ],
    'on both sides at once': [
      onlyTransfers,
      "UPDATE OR IGNORE accounts SET balance = balance - 100 WHERE id = 'bob:available'",
      "UPDATE OR REPLACE accounts SET balance = balance + 100 WHERE id = 'ana:available'",
    ],
    'by an upsert': [/not empty or already open/, `${openOwed} ON CONFLICT (id) DO UPDATE SET balance = 5`],
    'by an upsert on another key': [
      /not empty or already open|id differs from owner and kind/,
      `${openOwed.replace("'bob:owed'", "'bob:owed:'")} ON CONFLICT (owner, kind, subject) DO UPDATE SET balance = 5`,
    ],
    'by deleting and opening it anew': [
      /never deleted/,
      'PRAGMA defer_foreign_keys = on',
      "DELETE FROM accounts WHERE id = 'bob:owed'",
      openOwed,
    ],
    'by a row of the same internal number': [
      /no column named rowid/,
      "INSERT OR REPLACE INTO accounts (rowid, id, owner, kind) VALUES (1, 'eve2:available', 'eve2', 'available')",
    ],
    'by counting an old transfer once more in a checkpoint': [
      /balance_checkpoints: changed without an earlier entry/,
      `UPDATE balance_checkpoints SET entries = entries + 1, available = available + 100000, net_paid_in = net_paid_in + 100000,
         last_transfer = (SELECT seq FROM transfers WHERE id = 'd1:credit') WHERE owner = 'ana'`,
    ],
  })
})

describe('no transfer without a cause of its own', () => {
  const noCause = /transfers: no matching cause/
  const reverseD2 = `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, reverses, actor, at)
    VALUES ('v', 'ana:available', 'ana:paid_in', 30000, 'reverse_credit', 'd2', 'c', 'pia', 1)`
  const creditD2 = transfer("'c', 'ana:paid_in', 'ana:available', 30000, 'credit', 'd2', 'pia', 1")
  const numbered = (seq: string) => creditD2.replace('(id,', '(seq, id,').replace("('c'", `(${seq}, 'c'`)
  refuses({
    'two at once in one statement': [
      noCause,
      `${transfer("'x', 'eve:granted', 'eve:available', 1, 'bonus', 'b1', 'pia', 1")}, ('y', 'eve:granted', 'eve:available', 1, 'bonus', 'b1', 'pia', 1)`,
    ],
    'in the name of somebody who did not decide': [
      noCause,
      ...approveByHand('d2', 30_000, 'tx-d2'),
      transfer("'x', 'ana:paid_in', 'ana:available', 30000, 'credit', 'd2', 'eve', 1"),
    ],
    'a release of what was never held': [
      noCause,
      fileByHand('w9', 'ana', 'withdrawal', 15_000),
      "INSERT INTO request_events (request, status, at, actor, investor) VALUES ('w9', 'cancelled', 1, 'ana', 'ana')",
      transfer("'x', 'ana:held', 'ana:available', 15000, 'release', 'w9', 'ana', 1"),
    ],
    'an overdraft of more than the reversal lacks': [
      noCause,
      ...reverseByHand('d1', 'ana'),
      transfer("'x', 'ana:owed', 'ana:available', 100000, 'overdraw', 'd1', 'pia', 1"),
    ],
    'an overdraft after the reversal was posted': [
      noCause,
      ...approveByHand('d2', 30_000, 'tx-d2'),
      creditD2,
      ...reverseByHand('d2', 'ana'),
      reverseD2,
      transfer("'x', 'ana:owed', 'ana:available', 30000, 'overdraw', 'd2', 'pia', 1"),
    ],
    'a repayment of less than is owed': [
      noCause,
      ...approveByHand('d5', 40_000, 'tx-d5', 'bob'),
      transfer("'c', 'bob:paid_in', 'bob:available', 40000, 'credit', 'd5', 'pia', 1"),
      transfer("'x', 'bob:available', 'bob:owed', 1, 'repay', 'd5', 'pia', 1"),
    ],
    'of more than is available, ignoring conflicts': [
      /insufficient_funds/,
      fileByHand('w9', 'ana', 'withdrawal', 90_000),
      transfer("'x', 'ana:available', 'ana:held', 90000, 'hold', 'w9', 'ana', 1", 'INSERT OR IGNORE'),
    ],
    'of less than nothing, with checks off': [
      /amount out of range|no matching cause/,
      'PRAGMA ignore_check_constraints = on',
      transfer("'x', 'ana:available', 'ana:held', -20000, 'hold', 'w2', 'ana', 1"),
    ],
    'of a fraction of a cent': [
      /no matching cause|cannot store REAL/,
      transfer("'x', 'ana:paid_in', 'ana:available', 100000.5, 'credit', 'd1', 'olu', 1"),
    ],
    'of null, ignoring conflicts': [
      noCause,
      transfer("'x', 'ana:paid_in', 'ana:available', NULL, 'credit', 'd1', 'olu', 1", 'INSERT OR IGNORE'),
    ],
    'under a number far ahead': [
      /gap in the numbers/,
      ...approveByHand('d2', 30_000, 'tx-d2'),
      numbered('9000000000000000000'),
    ],
    'under a number before the first': [
      /changed without a transfer|gap in the numbers|changed without an earlier entry/,
      ...approveByHand('d2', 30_000, 'tx-d2'),
      numbered('-1'),
    ],
  })
})

const entry = (columns: string, values: string) =>
  `INSERT INTO custody_entries (${columns}id, asset, quantity, code, ref, at) VALUES (${values})`
describe('custody is not edited', () => {
  const approved = approveByHand('d2', 30_000, 'tx-d2')
  refuses({
    'by an entry of another asset': [
      /custody_entries: no matching cause/,
      ...approved,
      entry('', "'x', 'bitcoin', 5, 'in', 'd2', 1"),
    ],
    'by an entry of the wrong sign': [
      /custody_entries: no matching cause/,
      ...approved,
      entry('', "'x', 'usdt', -5, 'in', 'd2', 1"),
    ],
    'by a reversal of another quantity': [
      /custody_entries: no matching cause/,
      ...reverseByHand('d1', 'ana'),
      entry('', "'x', 'usdt', -5, 'reverse_in', 'd1', 1"),
    ],
    'by a fraction of the smallest unit': [
      /REAL value|no matching cause|balance not updated|changed without an entry/,
      ...approved,
      entry('', "'x', 'usdt', 0.5, 'in', 'd2', 1"),
    ],
    'by a number far ahead': [
      /gap in the numbers/,
      ...approved,
      entry('seq, ', "9000000000000000000, 'x', 'usdt', 5, 'in', 'd2', 1"),
    ],
  })
})

describe('one operator cannot take decisions that need two', () => {
  const second = /second_operator_required/
  const approve = (request: string, operator: string, values: string, other = 'NULL') =>
    event('INSERT', `'${request}', 'approved', 1, '${operator}', ${values}, ${other}`)
  const creditD3 = (operator: string, other?: string) =>
    approve('d3', operator, `'ana', 900000, '${txid('d3')}', '${txid('d3')}'`, other)
  const takeBack = `INSERT INTO withdrawn_approvals (request, operator, reference, reference_key, amount, approved_at, at)
    VALUES ('d3', 'olu', '${txid('d3')}', '${txid('d3')}', 900000, ${T}, ${T + 1})`
  const approveFirst = (operator: string) =>
    `INSERT INTO credit_approvals (request, operator, reference, reference_key, amount, at)
     VALUES ('d3', '${operator}', '${txid('d3')}', '${txid('d3')}', 900000, 7)`
  const decideSettings = (id: string, payload: string) => [
    `INSERT INTO proposals (id, kind, payload, created_at, proposed_by) VALUES ('${id}', 'settings', '${payload}', 1, 'olu')`,
    `UPDATE proposals SET status = 'approved', decided_by = 'pia', decided_at = ${T + 1} WHERE id = '${id}'`,
  ]
  const spelt = Object.entries({
    'in upper case': txid('new').toUpperCase().replace(/^./, 'a'),
    'before a blank': `${txid('new')} `,
    'with an output on another network': `${txid('new')}:0`,
    'before a dot': `${txid('new')}.`,
    'in free words': 'tx-9',
    'as a bank’s': `bank:${txid('new').slice(1)}`,
    'with a NUL at its end': `${txid('d1')}' || char(0) || '`,
  }).map(([how, reference]): [string, [RegExp, string]] => [
    `a payment spelt ${how}`,
    [
      /reference not canonical|reference key not normalised|reference_used/,
      approve('d2', 'pia', `'ana', 30000, '${reference}', '${reference}'`),
    ],
  ])
  refuses({
    'a credit split into parts': [
      second,
      ...[1, 2, 3].flatMap((part) => [
        fileByHand(`d9${part}`, 'eve', 'deposit', 100_000),
        ...approveByHand(`d9${part}`, 100_000, `t${part}`, 'eve'),
      ]),
      fileByHand('d99', 'eve', 'deposit', 1),
      ...approveByHand('d99', 1, 't99', 'eve'),
    ],
    'a credit alone after one’s own approval was taken back': [second, takeBack, creditD3('olu')],
    'a credit beside oneself, after an approval that was taken back': [
      /second operator differs from the first approval/,
      takeBack,
      approveFirst('olu'),
      creditD3('olu', "'olu'"),
    ],
    'a credit beside an approval that was taken back': [/conflict/, takeBack, creditD3('pia', "'olu'")],
    'a first approval deleted after another was taken back': [
      /never deleted/,
      takeBack,
      approveFirst('pia'),
      "DELETE FROM credit_approvals WHERE request = 'd3'",
    ],
    'what was taken back, forgotten': [/never deleted/, takeBack, 'DELETE FROM withdrawn_approvals'],
    'a reference of a reversed credit, credited twice': [
      /reference_used/,
      ...approveByHand('d2', 30_000, 'd4'),
      ...approveByHand('d5', 1, 'd4', 'bob'),
    ],
    'an output of a transaction that was credited whole': [
      /reference_used/,
      approve('d2', 'pia', `'ana', 30000, '${txid('d1')}:1', '${txid('d1')}:1'`),
    ],
    'a setting that nobody decided, written with one that two decided': [
      second,
      ...decideSettings('s3', '{"minimums":{"deposit":100}}'),
      `INSERT INTO settings VALUES ('minimums', '{"deposit":100}', 's3', 1)`,
      `UPDATE settings SET value = '{"deposit":100,"withdrawal":99999999}' WHERE key = 'minimums'`,
    ],
    'a limit set back to an earlier decision': [
      second,
      ...decideSettings('s2', '{"twoPersonLimit":100}'),
      "UPDATE settings SET value = '100', proposal = 's2' WHERE key = 'twoPersonLimit'",
      "UPDATE settings SET value = '300000', proposal = 's1' WHERE key = 'twoPersonLimit'",
    ],
    'a limit raised by an upsert': [
      second,
      `INSERT INTO settings VALUES ('twoPersonLimit', '1', 's1', 1)
       ON CONFLICT (key) DO UPDATE SET value = '999999999', proposal = 'b1'`,
    ],
    'a limit overwritten by renaming another setting': [
      second,
      "UPDATE OR REPLACE settings SET key = 'twoPersonLimit', value = '999999999' WHERE key = 'reasons'",
    ],
    'a wallet pushed out by its number': [/immutable/, 'UPDATE OR REPLACE wallets SET seq = seq + 1'],
    ...Object.fromEntries(spelt),
  })
})

/** A withdrawal and its details; `to` are its coin, network, address and bank, `proof` the proof and the passkey. */
function detailsByHand(to: string, proof = "'totp', NULL"): [string, string] {
  return [
    fileByHand('w9', 'ana', 'withdrawal', 100),
    `INSERT INTO withdrawal_details (request, coin, network, address, bank, destination_hash, session_id, proof, passkey)
     VALUES ('w9', ${to}, 'x', 's', ${proof})`,
  ]
}

describe('a request is what was filed', () => {
  refuses({
    'not below zero with checks off': [
      /already filed/,
      'PRAGMA ignore_check_constraints = on',
      fileByHand('dx', 'ana', 'deposit', -1),
    ],
    'not approved without its hold': [
      /approved without a hold/,
      fileByHand('w9', 'ana', 'withdrawal', 100),
      event('INSERT', "'w9', 'approved', 1, 'olu', 'ana', NULL, NULL, NULL, NULL"),
    ],
    'not by a proof that nobody knows': [
      /CHECK constraint failed/,
      ...detailsByHand("'usdt', 'usdt-trc20', 'x', NULL", "'sms', NULL"),
    ],
    'not to a network that is not listed': [
      /FOREIGN KEY constraint failed/,
      ...detailsByHand("'usdt', 'usdt-solana', 'x', NULL"),
    ],
    'not to an address on no network': [
      /CHECK constraint failed/,
      ...detailsByHand("'usdt', NULL, 'x', NULL"),
    ],
    'not to a bank on a network': [/CHECK constraint failed/, ...detailsByHand("NULL, 'btc', NULL, '{}'")],
    'not from a network that is not listed': [
      /FOREIGN KEY constraint failed/,
      fileByHand('d9', 'ana', 'deposit', 100),
      `INSERT INTO deposit_details (request, coin, network, payment_to, receipt_key, receipt_type)
       VALUES ('d9', 'usdt', 'usdt-solana', 'x', 'k', 't')`,
    ],
    'not with another quantity than was credited': [
      /immutable/,
      "UPDATE deposit_details SET quantity = '1', rate = '1' WHERE request = 'd1'",
      "UPDATE deposit_details SET quantity = '2' WHERE request = 'd1'",
    ],
  })
})

describe('units and pools are not made up', () => {
  refuses({
    'units for somebody else': [
      /unit_movements: no matching cause/,
      "INSERT INTO positions (investor, strategy) VALUES ('bob', 'slow')",
      movement({ ...A2, investor: 'bob' }),
    ],
    'a movement that is ignored where it fails': [
      /unit_movements: units differ from amount and price/,
      movement({ ...A2, units: 1 }, 'INSERT OR IGNORE'),
    ],
    'an order below zero, with the checks off': [
      /unit_orders: amount out of range or wrong kind/,
      'PRAGMA ignore_check_constraints = on',
      `INSERT INTO unit_orders (id, ref, investor, strategy, kind, cents, created_at)
       VALUES ('x', 'x', 'ana', 'slow', 'allocate', -2000, ${NEXT})`,
    ],
    'what is not held is sold': [
      /more sold than held/,
      `INSERT INTO pool_orders (id, strategy, day, asset, side, quantity, at, seen_price)
       VALUES ('s', 'slow', ${NEXT}, 'sim-index', 'sell', 151, 1, 300)`,
      "INSERT INTO pool_fills (id, pool_order, quantity, price, fee, slippage, cash, at) VALUES ('s', 's', 151, 1, 0, 0, 5, 1)",
    ],
  })
})

describe('the schema is not rewritten', () => {
  refuses({
    'by its own table': [
      /not authorized/,
      'PRAGMA writable_schema = on',
      "DELETE FROM sqlite_master WHERE type = 'trigger'",
    ],
  })
  test('switching foreign keys off has no effect', async () => {
    await env.DB.prepare('PRAGMA foreign_keys = off').run()
    expect(await env.DB.prepare('PRAGMA foreign_keys').first()).toEqual({ foreign_keys: 1 })
  })
})

test('the attacked operations work as intended', async () => {
  await env.DB.prepare(movement({ ...A2, highWater: 101_000_000 })).run()
  const { results } = await env.DB.prepare("SELECT units, cost FROM positions WHERE investor = 'ana'").all()
  expect(results).toEqual([{ units: UNITS + 495_049, cost: 25_000 }])
})
