import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, runBatch } from '../lib/database.ts'
import { creditApprovals, proposals } from '../operator/tables.ts'
import { recordEvent } from '../requests/events.ts'
import { giveFromCustody, takeIntoCustody } from './custody.ts'
import { credit, grantBonus, hold, payOut, release, reverseCredit } from './post.ts'
import { fileDeposit, fileWithdrawal, person, propose, someUnits } from './testing/scene.ts'

// Whoever can write SQL, short of dropping triggers, tries to make or take money. Everything is refused, and nothing
// has changed afterwards.

const db = openDatabase(env.DB)
const T = 1_700_000_000_000

interface Attack {
  readonly sql: string | readonly string[]
  readonly refused: RegExp
}

// Ids of requests: d… deposits, w… withdrawals. Ana has 1,000.00 credited (d1), 100.00 paid out (w1), 200.00 held (w2),
// a cancelled 50.00 (w3) and 25.00 of bonus (b1): 875.00 - 200.00 held = 675.00 available.
beforeAll(async () => {
  const by = { actor: 'olu', nowMs: T }
  const deposit = (id: string, investor: string, amountCents: number) => ({
    id,
    investor,
    amountCents,
    atMs: T,
  })
  const approve = (request: string, investor: string, amountCents: number) =>
    recordEvent(db, {
      request,
      investor,
      status: 'approved',
      actor: 'olu',
      atMs: T,
      amountCents,
      reference: `tx-${request}`,
    })
  const d1 = deposit('d1', 'ana', 100_000)
  const d2 = deposit('d2', 'ana', 30_000)
  const d3 = deposit('d3', 'ana', 900_000)
  const d4 = deposit('d4', 'bob', 50_000)
  const d5 = deposit('d5', 'bob', 40_000)
  const w1 = deposit('w1', 'ana', 10_000)
  const w2 = deposit('w2', 'ana', 20_000)
  const w3 = deposit('w3', 'ana', 5_000)
  const w4 = deposit('w4', 'ana', 1_000)
  const bonus = { id: 'b1', investor: 'ana', amountCents: 2_500 }
  await runBatch(db, [
    ...person(db, 'ana', 'investor'),
    ...person(db, 'bob', 'investor'),
    ...person(db, 'eve', 'investor'),
    ...person(db, 'olu', 'operator'),
    ...person(db, 'pia', 'operator'),
  ])
  await runBatch(db, [
    ...fileDeposit(db, d1),
    approve('d1', 'ana', 100_000),
    ...credit(db, d1, by),
    takeIntoCustody(db, { request: 'd1', asset: 'usdt', units: someUnits('usdt', '1000'), nowMs: T }),
    // Bob's first was credited, spent and reversed: he owes 500.00. His second is pending.
    ...fileDeposit(db, d4),
    approve('d4', 'bob', 50_000),
    ...credit(db, d4, by),
    ...fileWithdrawal(db, { id: 'w5', investor: 'bob', amountCents: 50_000, atMs: T }),
    propose(db, { id: 'r4', proposedBy: 'olu', atMs: T, request: 'd4' }),
    db
      .update(proposals)
      .set({ status: 'approved', decidedBy: 'pia', decidedAt: T })
      .where(eq(proposals.id, 'r4')),
    recordEvent(db, { request: 'd4', investor: 'bob', status: 'reversed', actor: 'pia', atMs: T }),
    ...reverseCredit(db, d4, { actor: 'pia', nowMs: T }),
    ...fileDeposit(db, d5),
    // Pending, one of them with a first approval.
    ...fileDeposit(db, d2),
    ...fileDeposit(db, d3),
    db.insert(creditApprovals).values({
      request: 'd3',
      operator: 'olu',
      reference: 'tx-d3',
      referenceKey: 'tx-d3',
      amount: 900_000,
      at: T,
    }),
    // Paid, held, approved and cancelled withdrawals.
    ...fileWithdrawal(db, w1),
    recordEvent(db, { request: 'w1', investor: 'ana', status: 'approved', actor: 'olu', atMs: T }),
    recordEvent(db, {
      request: 'w1',
      investor: 'ana',
      status: 'completed',
      actor: 'pia',
      atMs: T,
      amountCents: 10_000,
      reference: 'tx-w1',
      secondOperator: 'olu',
    }),
    payOut(db, w1, { actor: 'pia', nowMs: T }),
    giveFromCustody(db, { request: 'w1', asset: 'usdt', units: someUnits('usdt', '100'), nowMs: T }),
    ...fileWithdrawal(db, w2),
    ...fileWithdrawal(db, w3),
    recordEvent(db, { request: 'w3', investor: 'ana', status: 'cancelled', actor: 'ana', atMs: T }),
    release(db, w3, { actor: 'ana', nowMs: T }),
    ...fileWithdrawal(db, w4),
    recordEvent(db, { request: 'w4', investor: 'ana', status: 'approved', actor: 'olu', atMs: T }),
    // A bonus granted by two, one that waits, and settings that two decided.
    propose(db, { id: 'b1', proposedBy: 'olu', atMs: T, investor: 'ana', amountCents: 2_500 }),
    db
      .update(proposals)
      .set({ status: 'approved', decidedBy: 'pia', decidedAt: T })
      .where(eq(proposals.id, 'b1')),
    grantBonus(db, bonus, { actor: 'pia', nowMs: T }),
    propose(db, { id: 'b2', proposedBy: 'olu', atMs: T, investor: 'ana', amountCents: 7_777 }),
    propose(db, { id: 'r1', proposedBy: 'olu', atMs: T, request: 'd1' }),
    db.insert(proposals).values({
      id: 's1',
      kind: 'settings',
      payload: '{"twoPersonLimit":300000}',
      proposedBy: 'olu',
      createdAt: T,
    }),
    db
      .update(proposals)
      .set({ status: 'approved', decidedBy: 'pia', decidedAt: T })
      .where(eq(proposals.id, 's1')),
    db.insert(proposals).values({
      id: 'a1',
      kind: 'wallet',
      payload: '{"walletName":"usdt","network":"usdt-trc20","address":"TReal"}',
      proposedBy: 'olu',
      createdAt: T,
    }),
    db
      .update(proposals)
      .set({ status: 'approved', decidedBy: 'pia', decidedAt: T })
      .where(eq(proposals.id, 'a1')),
  ])
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO settings VALUES ('twoPersonLimit', '300000', 's1', ${T}), ('reasons', '[]', NULL, ${T})`,
    ),
    env.DB.prepare(
      `INSERT INTO wallets (id, coin, network, address, simulated, proposal, created_at)
       VALUES ('wallet-1', 'usdt', 'usdt-trc20', 'TReal', 1, 'a1', ${T})`,
    ),
  ])
})

const PROTECTED = [
  'users ORDER BY id',
  'accounts ORDER BY id',
  'transfers ORDER BY seq',
  'requests ORDER BY seq',
  'request_events ORDER BY request, status',
  'credit_approvals ORDER BY request',
  'deposit_details ORDER BY request',
  'withdrawal_details ORDER BY request',
  'proposals ORDER BY seq',
  'settings ORDER BY key',
  'wallets ORDER BY seq',
  'custody_balances ORDER BY asset',
  'custody_entries ORDER BY seq',
  'custody_assets ORDER BY asset',
  'account_kinds ORDER BY kind',
  'transfer_codes ORDER BY code, from_kind, to_kind',
  'request_kinds ORDER BY kind',
  'request_transitions ORDER BY queue, from_status, to_status',
]

async function everything(): Promise<unknown> {
  const results = await env.DB.batch(PROTECTED.map((table) => env.DB.prepare(`SELECT * FROM ${table}`)))
  return results.map(({ results: rows }) => rows)
}

function refuses(attacks: Record<string, Attack>): void {
  test.each(Object.entries(attacks))('%s', async (_name, { sql, refused }) => {
    const before = await everything()
    const statements = typeof sql === 'string' ? [sql] : sql
    const attack = env.DB.batch(statements.map((statement) => env.DB.prepare(statement)))
    await expect(attack).rejects.toThrow(refused)
    expect(await everything()).toEqual(before)
    await env.DB.prepare('PRAGMA ignore_check_constraints = off').run()
  })
}

const TRANSFER = 'INTO transfers (id, from_account, to_account, amount, code, ref, actor, at) VALUES'
const transfer = (values: string, verb = 'INSERT') => `${verb} ${TRANSFER} (${values})`

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
      refused: /two accounts of one owner|record of what caused/,
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
      refused: /only a transfer changes a balance|numbered without a gap/,
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
      sql: event('INSERT OR REPLACE', "'w2', 'cancelled', 1, 'ana', 'ana', NULL, 'tx-d1', 'tx-d1', NULL"),
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

describe('nobody decides alone what takes two', () => {
  const second = /second_operator_required/
  refuses({
    'a credit above the limit': {
      sql: approveByHand('d3', 900_000, 'tx-d3').map((sql) => sql.replaceAll("'pia'", "'olu'")),
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
      sql: event('INSERT', "'d3', 'approved', 1, 'olu', 'ana', 900000, 'tx-d3', 'tx-d3', 'olu'"),
      refused: /who approved first/,
    },
    'a credit of another amount than was approved first': {
      sql: event('INSERT', "'d3', 'approved', 1, 'pia', 'ana', 900001, 'tx-d3', 'tx-d3', 'olu'"),
      refused: /approval_mismatch/,
    },
    'a credit of another reference than was approved first': {
      sql: event('INSERT', "'d3', 'approved', 1, 'pia', 'ana', 900000, 'tx-e3', 'tx-e3', 'olu'"),
      refused: /approval_mismatch/,
    },
    'a credit split into parts': {
      sql: [
        ...[1, 2, 3].flatMap((part) => [
          fileByHand(`d9${part}`, 'eve', 'deposit', 100_000),
          event('INSERT', `'d9${part}', 'approved', 5, 'pia', 'eve', 100000, 't${part}', 't${part}', NULL`),
        ]),
        fileByHand('d99', 'eve', 'deposit', 1),
        event('INSERT', "'d99', 'approved', 6, 'pia', 'eve', 1, 't99', 't99', NULL"),
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
            VALUES ('d3', 'pia', 'tx-d3', 'tx-d3', 900000, 1)`,
      refused: /conflict/,
    },
    'a first approval by an investor': {
      sql: `INSERT INTO credit_approvals (request, operator, reference, reference_key, amount, at)
            VALUES ('d2', 'eve', 'tx', 'tx', 900000, 1)`,
      refused: /forbidden/,
    },
    'a reference credited again': {
      sql: event('INSERT', "'d2', 'approved', 1, 'pia', 'ana', 30000, 'tx-d1', 'tx-d1', NULL"),
      refused: /reference_used/,
    },
    'a reference credited again in other letters': {
      sql: event('INSERT', "'d2', 'approved', 1, 'pia', 'ana', 30000, 'TX-d1', 'TX-d1', NULL"),
      refused: /without case and 0x/,
    },
    'a reference paid that was credited': {
      sql: event('INSERT', "'w4', 'completed', 1, 'pia', 'ana', 1000, 'tx-d1', 'tx-d1', 'olu'"),
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

test('the last hold of the scene is refused where the statement builder posts it twice', async () => {
  const before = await everything()
  const again = { id: 'w2', investor: 'ana', amountCents: 20_000 }
  await expect(runBatch(db, [hold(db, again, { actor: 'ana', nowMs: T })])).rejects.toThrow(
    /written once|what caused/,
  )
  expect(await everything()).toEqual(before)
})

test('switching foreign keys off has no effect', async () => {
  await env.DB.prepare('PRAGMA foreign_keys = off').run()
  expect(await env.DB.prepare('PRAGMA foreign_keys').first()).toEqual({ foreign_keys: 1 })
})

function fileByHand(id: string, investor: string, kind: string, amount: number): string {
  const queue = kind === 'deposit' ? 'deposits' : 'withdrawals'
  return `INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
          VALUES ('${id}', 'REF-${id}', '${investor}', '${kind}', '${queue}', ${amount}, ${amount}, 1)`
}

function event(verb: string, values: string): string {
  return `${verb} INTO request_events
          (request, status, at, actor, investor, amount, reference, reference_key, second_operator) VALUES (${values})`
}

// Legitimate steps, from which an attack goes on.
function approveByHand(id: string, amount: number, reference: string, investor = 'ana'): string[] {
  return [
    event(
      'INSERT',
      `'${id}', 'approved', 1, 'pia', '${investor}', ${amount}, '${reference}', '${reference}', NULL`,
    ),
  ]
}

function reverseByHand(id: string, investor: string): string[] {
  return [
    `INSERT INTO proposals (id, kind, created_at, proposed_by, request) VALUES ('rev-${id}', 'reversal', 1, 'olu', '${id}')`,
    `UPDATE proposals SET status = 'approved', decided_by = 'pia', decided_at = 1 WHERE id = 'rev-${id}'`,
    event('INSERT', `'${id}', 'reversed', 1, 'pia', '${investor}', NULL, NULL, NULL, NULL`),
  ]
}
