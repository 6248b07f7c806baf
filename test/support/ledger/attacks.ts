import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { releaseFromCustody, takeIntoCustody } from '../../../worker/ledger/custody.ts'
import { credit, grantBonus, payOut, release, reverseCredit } from '../../../worker/ledger/post.ts'
import { recordEvent } from '../../../worker/ledger/requestEvents.ts'
import { openDatabase, runBatch } from '../../../worker/lib/database.ts'
import { creditApprovals, proposals } from '../../../worker/lib/tables/operators.ts'
import { fileDeposit, fileWithdrawal, person, propose, someUnits } from './records.ts'
import { txid } from './txid.ts'

export const db = openDatabase(env.DB)
export const T = 1_700_000_000_000

/** How an attack is refused, and its statements. */
type Attack = readonly [RegExp, ...string[]]

/** Each attack is refused, and nothing has changed afterwards. */
export function refuses(attacks: Record<string, Attack>): void {
  test.each(Object.entries(attacks))('%s', async (_name, [refused, ...statements]) => {
    const before = await everything()
    const attack = env.DB.batch(statements.map((statement) => env.DB.prepare(statement)))
    await expect(attack).rejects.toThrow(refused)
    expect(await everything()).toEqual(before)
    await env.DB.prepare('PRAGMA ignore_check_constraints = off').run()
  })
}

/** The rows of all tables. */
export async function everything(): Promise<unknown> {
  const tables = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' ORDER BY name",
  ).all<{ name: string }>()
  const results = await env.DB.batch(
    tables.results.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name}`)),
  )
  return results.map(({ results: rows }) => rows)
}

/**
 * The attacked data. Ids of requests: d… deposits, w… withdrawals. Ana has 1,000.00 credited (d1), 100.00 paid out (w1), 200.00
 * held (w2), a cancelled 50.00 (w3) and 25.00 of bonus (b1): 875.00 - 200.00 held = 675.00 available.
 */
export async function standScene(): Promise<void> {
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
      reference: txid(request),
      arrived: ofCents(amountCents),
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
    credit(db, d1, by),
    takeIntoCustody({ request: 'd1', asset: 'usdt', units: ofCents(100_000).units, nowMs: T }),
    // Bob's first deposit was credited, spent and reversed, so he owes 500.00. His second is pending.
    ...fileDeposit(db, d4),
    approve('d4', 'bob', 50_000),
    credit(db, d4, by),
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
      reference: txid('d3'),
      referenceKey: txid('d3'),
      amount: 900_000,
      at: T,
    }),
    // Paid, held, approved and cancelled withdrawals.
    ...fileWithdrawal(db, w1),
    recordEvent(db, {
      request: 'w1',
      investor: 'ana',
      status: 'approved',
      actor: 'olu',
      atMs: T,
      price: { rate: '1', units: ofCents(10_000).units },
    }),
    recordEvent(db, {
      request: 'w1',
      investor: 'ana',
      status: 'completed',
      actor: 'pia',
      atMs: T,
      amountCents: 10_000,
      reference: txid('w1'),
      secondOperator: 'olu',
      arrived: ofCents(10_000),
    }),
    payOut(db, w1, { actor: 'pia', nowMs: T }),
    releaseFromCustody({ request: 'w1', asset: 'usdt', units: someUnits('usdt', '100'), nowMs: T }),
    ...fileWithdrawal(db, w2),
    ...fileWithdrawal(db, w3),
    recordEvent(db, { request: 'w3', investor: 'ana', status: 'cancelled', actor: 'ana', atMs: T }),
    release(db, w3, { actor: 'ana', nowMs: T }),
    ...fileWithdrawal(db, w4),
    recordEvent(db, { request: 'w4', investor: 'ana', status: 'approved', actor: 'olu', atMs: T }),
    // A bonus granted by two operators, a pending one, and settings that two operators decided.
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
      payload: '{"twoPersonLimit":300000,"reasons":[]}',
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
      `INSERT INTO settings VALUES ('twoPersonLimit', '300000', 's1', ${T}), ('reasons', '[]', 's1', ${T})`,
    ),
    env.DB.prepare(
      `INSERT INTO wallets (id, coin, network, address, simulated, proposal, created_at)
       VALUES ('wallet-1', 'usdt', 'usdt-trc20', 'TReal', 1, 'a1', ${T})`,
    ),
  ])
}

const TRANSFER = 'INTO transfers (id, from_account, to_account, amount, code, ref, actor, at) VALUES'
/** This many dollars as USDT. */
function ofCents(cents: number) {
  const units = BigInt(cents) * 10_000n
  return { units, unitsAtRate: units }
}

/** A transfer written by hand. */
export const transfer = (values: string, verb = 'INSERT') => `${verb} ${TRANSFER} (${values})`

/** A request written by hand. */
export function fileByHand(id: string, investor: string, kind: string, amount: number): string {
  const queue = kind === 'deposit' ? 'deposits' : 'withdrawals'
  return `INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
          VALUES ('${id}', 'REF-${id}', '${investor}', '${kind}', '${queue}', ${amount}, ${amount}, 1)`
}

/** A step of a request written by hand. A credit has five units. */
export function event(verb: string, values: string): string {
  return `${verb} INTO request_events
          (request, status, at, actor, investor, amount, reference, reference_key, second_operator, units, units_at_rate)
          VALUES (${values}, 5, 5)`
}

/** A legitimate step before an attack. The words stand for a transaction id. */
export function approveByHand(id: string, amount: number, words: string, investor = 'ana'): string[] {
  const reference = txid(words)
  return [
    event(
      'INSERT',
      `'${id}', 'approved', 1, 'pia', '${investor}', ${amount}, '${reference}', '${reference}', NULL`,
    ),
  ]
}

/** The same for a reversal that two operators decided. */
export function reverseByHand(id: string, investor: string): string[] {
  return [
    `INSERT INTO proposals (id, kind, created_at, proposed_by, request) VALUES ('rev-${id}', 'reversal', 1, 'olu', '${id}')`,
    `UPDATE proposals SET status = 'approved', decided_by = 'pia', decided_at = 1 WHERE id = 'rev-${id}'`,
    event('INSERT', `'${id}', 'reversed', 1, 'pia', '${investor}', NULL, NULL, NULL, NULL`),
  ]
}
