import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { fileDeposit, fileWithdrawal, person, someUnits } from '../../../test/support/ledger/records.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { withTriggerDropped } from '../../../test/support/withTriggerDropped.ts'
import { releaseFromCustody, takeIntoCustody } from '../../ledger/custody.ts'
import { credit, payOut } from '../../ledger/post.ts'
import { recordEvent } from '../../ledger/requestEvents.ts'
import { openDatabase, runBatch, type Statement } from '../../lib/database.ts'
import { runSelfChecks } from './run.ts'

const db = openDatabase(env.DB)

let nowMs = 1_700_000_000_000
let names = 0
const IN_ORDER = {
  schema: null,
  ledger: null,
  payments: null,
  chainServers: null,
  exchange: null,
  everything: null,
  gaps: null,
  auditLog: null,
  silentFreezes: null,
  size: null,
  treasury: null,
}
const alarms = vi.spyOn(console, 'error')

beforeEach(async () => {
  nowMs += 2 * DAY_MS
  alarms.mockReset().mockImplementation(() => undefined)
  if (names === 0) await runBatch(db, [...person(db, 'olu', 'operator'), ...person(db, 'pia', 'operator')])
})

afterEach(async () => {
  // Each test repairs its damage, because the next one would find it.
  nowMs += 2 * DAY_MS
  await check()
  expect(await results()).toEqual(IN_ORDER)
})

test('a platform in order gives no finding and no alarm', async () => {
  await traded()
  await check()
  expect(await results()).toEqual(IN_ORDER)
  expect(alarms).not.toHaveBeenCalled()
})

test('checks run each ten minutes, and everything once a day', async () => {
  await check()
  const first = await times()
  nowMs += 60_000
  await check()
  expect(await times()).toEqual(first)
  nowMs += 540_000
  await check()
  expect(await times()).toEqual({
    ...first,
    schema: nowMs,
    exchange: nowMs,
    ledger: nowMs,
    payments: nowMs,
    chainServers: nowMs,
    silentFreezes: nowMs,
    size: nowMs,
    treasury: nowMs,
  })
})

test('a dropped trigger is found and raises an alarm', async () => {
  await without('accounts_follow_transfers', async () => {
    await check()
    expect((await results()).schema).toMatch(/not that of the migrations/)
    expect(alarms).toHaveBeenCalledWith(expect.stringContaining('"level":"alarm"'))
  })
})

test('a trigger that was replaced by an empty one with the same name is found', async () => {
  await without('transfers_no_delete', async () => {
    await run('CREATE TRIGGER transfers_no_delete BEFORE DELETE ON transfers BEGIN SELECT 1; END')
    await check()
    expect((await results()).schema).toMatch(/not that of the migrations/)
    await run('DROP TRIGGER transfers_no_delete')
  })
})

test('an unknown trigger is found', async () => {
  await run('CREATE TRIGGER siphon AFTER INSERT ON outbox BEGIN SELECT 1; END')
  await check()
  expect((await results()).schema).toMatch(/not that of the migrations/)
  await run('DROP TRIGGER siphon')
})

test('a floor that was lowered behind its guard is found', async () => {
  const lower = (floor: number) =>
    without('account_kinds_no_update', () =>
      run(`UPDATE account_kinds SET floor = ${floor} WHERE kind = 'available'`),
    )
  await lower(-1_000_000)
  await check()
  expect((await results()).schema).toMatch(/not that of the migrations/)
  await lower(0)
})

test('the daily scan finds a balance that was edited without its trigger, also in a long scan', async () => {
  // More owners than a run looks through.
  await runBatch(db, Array.from({ length: 30 }, () => person(db, fresh('crowd'), 'investor')).flat())
  const id = await traded('zoe')
  await check()
  const edit = (by: number) =>
    without('accounts_follow_transfers', () =>
      run(`UPDATE accounts SET balance = balance + ${by} WHERE id = '${id}:available'`),
    )
  await edit(500)
  nowMs += 600_000
  await check()
  expect(await results()).toEqual(IN_ORDER)
  nowMs += DAY_MS
  await check()
  expect((await results()).everything).toContain(
    `Account ${id}:available holds 40500, its transfers say 40000`,
  )
  expect((await results()).everything).toContain(`The books of ${id} sum to 500`)
  await edit(-500)
})

test('an edited balance is found within ten minutes if its account moves money, and until it is repaired', async () => {
  const id = await traded()
  const edit = (by: number) =>
    without('accounts_follow_transfers', () =>
      run(`UPDATE accounts SET balance = balance + ${by} WHERE id = '${id}:owed'`),
    )
  await edit(-700)
  for (let times = 0; times < 2; times++) {
    nowMs += 600_000
    await check()
    expect((await results()).ledger).toContain(`Account ${id}:owed holds -700, its transfers say 0`)
  }
  expect(alarms.mock.calls.filter(([line]) => String(line).includes('"selfCheck":"ledger"'))).toHaveLength(2)
  await edit(700)
})

test('a transfer that was deleted is found', async () => {
  const id = await traded()
  const row = await env.DB.prepare("SELECT * FROM transfers WHERE ref = ? AND code = 'complete'")
    .bind(`${id}-out`)
    .first<Record<string, string | number | null>>()
  await without('transfers_no_delete', () =>
    run(`DELETE FROM transfers WHERE ref = '${id}-out' AND code = 'complete'`),
  )
  await check()
  const { ledger } = await results()
  expect(ledger).toContain('some of the newest are missing')
  expect(ledger).toContain(`Request ${id}-out is completed without its complete`)
  await without('transfers_caused', () =>
    without('transfers_checked', () =>
      without('transfers_posted', () => without('transfers_checkpointed', () => insert('transfers', row))),
    ),
  )
})

test('a transfer that was written without a cause is found', async () => {
  const id = await traded()
  const write = `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
    VALUES ('loot', '${id}:paid_in', '${id}:available', 5, 'credit', '${id}-out', 'olu', 1)`
  await without('transfers_caused', () => run(write))
  await check()
  expect((await results()).ledger).toContain('Transfer loot lacks its cause')
  await without('accounts_follow_transfers', () =>
    without('transfers_no_delete', () =>
      run(
        `UPDATE accounts SET balance = balance + 5 WHERE id = '${id}:paid_in'`,
        `UPDATE accounts SET balance = balance - 5 WHERE id = '${id}:available'`,
        "DELETE FROM transfers WHERE id = 'loot'",
        "UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'transfers'",
      ),
    ),
  )
  await without('balance_checkpoints_no_delete', () =>
    without('balance_checkpoints_follow', () =>
      run(
        `DELETE FROM balance_checkpoints WHERE owner = '${id}' AND at = 1`,
        `UPDATE balance_checkpoints SET entries = entries - 1, available = available - 5, net_paid_in = net_paid_in - 5
         WHERE owner = '${id}'`,
      ),
    ),
  )
})

test('a deposit that was approved and not credited is found, and gone once it is', async () => {
  const id = await investor()
  const cause = { id: `${id}-in`, investor: id, amountCents: 10_000 }
  await runBatch(db, [...fileDeposit(db, { ...cause, atMs: nowMs }), approved(cause)])
  await check()
  const { ledger, everything } = await results()
  for (const finding of [ledger, everything]) {
    expect(finding).toContain(`Request ${id}-in is approved without its credit`)
    expect(finding).toContain(`Request ${id}-in is approved without its custody entry in`)
  }
  await runBatch(db, credited(cause))
})

test('a checkpoint that was edited or removed is found', async () => {
  const id = await traded()
  await check()
  const end = Number.MAX_SAFE_INTEGER
  const edit = (by: number, which: string) =>
    without('balance_checkpoints_follow', () =>
      run(
        `UPDATE balance_checkpoints SET available = available + ${by} WHERE owner = '${id}' AND at ${which}`,
      ),
    )
  const first = await env.DB.prepare('SELECT * FROM balance_checkpoints WHERE owner = ? AND at <> ?')
    .bind(id, end)
    .first()
  const finding = (before: unknown) =>
    `The checkpoint of ${id} before entry ${before} does not follow from its entries`

  nowMs += DAY_MS
  await edit(1, `<> ${end}`)
  await check()
  expect((await results()).everything).toContain(finding(first?.seq))
  await edit(-1, `<> ${end}`)

  nowMs += DAY_MS
  await edit(1, `= ${end}`)
  await check()
  expect((await results()).everything).toContain(
    `The last checkpoint of ${id} does not have the balances of the books`,
  )
  await edit(-1, `= ${end}`)

  // Each day begins with one.
  nowMs += DAY_MS
  await without('balance_checkpoints_no_delete', () =>
    run(`DELETE FROM balance_checkpoints WHERE owner = '${id}' AND at <> ${end}`),
  )
  await check()
  expect((await results()).everything).toContain(finding(end))
  await without('balance_checkpoints_checked', () => insert('balance_checkpoints', first))
})

test('custody that was edited is found', async () => {
  const edit = (by: number) =>
    without('custody_balances_follow', () =>
      run(`UPDATE custody_balances SET balance = balance + ${by} WHERE asset = 'bitcoin'`),
    )
  await edit(1)
  await check()
  const { ledger, everything } = await results()
  expect(ledger).toContain('Custody of bitcoin is 1, its entries say 0')
  expect(everything).toContain('Custody of bitcoin is 1, its entries say 0')
  await edit(-1)
})

/** Runs the due checks, and the scan to its end. */
async function check(): Promise<void> {
  await runSelfChecks(env, db, nowMs)
  for (let pages = 0; pages < 20; pages++) {
    const row = await env.DB.prepare("SELECT checkpoint FROM self_checks WHERE name = 'everything'").first()
    if (row?.checkpoint === '') return
    await runSelfChecks(env, db, nowMs)
  }
  expect.fail('The scan does not end')
}

async function results(): Promise<Record<string, string | null>> {
  const { results: rows } = await env.DB.prepare('SELECT name, ok, finding FROM self_checks').all<{
    name: string
    ok: number
    finding: string | null
  }>()
  for (const { ok, finding } of rows) expect(ok === 1).toBe(finding === null)
  return Object.fromEntries(rows.map(({ name, finding }) => [name, finding]))
}

async function times(): Promise<Record<string, number>> {
  const { results: rows } = await env.DB.prepare('SELECT name, at FROM self_checks').all<{
    name: string
    at: number
  }>()
  return Object.fromEntries(rows.map(({ name, at }) => [name, at]))
}

async function run(...statements: string[]): Promise<void> {
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)))
}

async function insert(table: string, row: Record<string, unknown> | null): Promise<void> {
  const columns = Object.keys(row ?? {})
  await env.DB.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
    .bind(...Object.values(row ?? {}))
    .run()
}

const without = (trigger: string, work: () => Promise<void>) => withTriggerDropped(env.DB, trigger, work)

function fresh(prefix: string): string {
  return `${prefix}${names++}`
}

async function investor(prefix = 'ana'): Promise<string> {
  const id = fresh(prefix)
  await runBatch(db, person(db, id, 'investor'))
  return id
}

interface Cause {
  readonly id: string
  readonly investor: string
  readonly amountCents: number
}

function approved({ id, investor, amountCents }: Cause): Statement {
  const event = { request: id, investor, actor: 'olu', atMs: nowMs, amountCents, reference: txid(id) }
  const units = someUnits('usdt', '100')
  return recordEvent(db, { ...event, status: 'approved', arrived: { units, unitsAtRate: units } })
}

function credited(cause: Cause): Statement[] {
  return [
    credit(db, cause, { actor: 'olu', nowMs }),
    takeIntoCustody({ request: cause.id, asset: 'usdt', units: someUnits('usdt', '100'), nowMs }),
  ]
}

/** An investor who paid in 500.00 and was paid 100.00. Gives the id. */
async function traded(prefix?: string): Promise<string> {
  const id = await investor(prefix)
  const paidIn = { id: `${id}-in`, investor: id, amountCents: 50_000 }
  const paidOut = { id: `${id}-out`, investor: id, amountCents: 10_000 }
  const step = { request: paidOut.id, investor: id, atMs: nowMs }
  await runBatch(db, [
    ...fileDeposit(db, { ...paidIn, atMs: nowMs }),
    approved(paidIn),
    ...credited(paidIn),
    ...fileWithdrawal(db, { ...paidOut, atMs: nowMs }),
    recordEvent(db, { ...step, status: 'approved', actor: 'olu' }),
    recordEvent(db, {
      ...step,
      status: 'completed',
      actor: 'pia',
      amountCents: paidOut.amountCents,
      reference: txid(paidOut.id),
      secondOperator: 'olu',
      arrived: { units: someUnits('usdt', '100'), unitsAtRate: null },
    }),
    payOut(db, paidOut, { actor: 'pia', nowMs }),
    releaseFromCustody({ request: paidOut.id, asset: 'usdt', units: someUnits('usdt', '100'), nowMs }),
  ])
  return id
}
