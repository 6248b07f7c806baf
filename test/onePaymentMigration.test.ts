import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { bankWithdrawal } from '../src/contract/bankWithdrawals.ts'
import { bankDestination } from '../worker/money/withdrawals/destination.ts'

const MIGRATIONS = join(import.meta.dirname, '../migrations')
const NAME = '0047_one_payment.sql'
const read = (name: string) => readFileSync(join(MIGRATIONS, name), 'utf8')
const id = (digit: string) => digit.repeat(64)

/** A database as it was before, with what older versions wrote: the rules are back before the migration. */
function before(fill: (database: DatabaseSync) => void): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  for (const name of readdirSync(MIGRATIONS).sort())
    if (name.endsWith('.sql') && name < NAME) database.exec(read(name))
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`)
  database.exec('PRAGMA foreign_keys = off')
  fill(database)
  for (const { sql } of triggers) database.exec(String(sql))
  return database
}

test('what was credited before is compared in its canonical form, and stays as it was given', () => {
  const stored: [kind: string, network: string | null, key: string, canonical: string][] = [
    ['deposit', 'btc', id('a'), id('a')],
    ['deposit', 'btc', `${id('b')}:00`, `${id('b')}:0`],
    ['deposit', 'btc', `${id('c')}.`, id('c')],
    ['deposit', 'eth', `${id('d')}:0`, id('d')],
    ['deposit', 'usdt-bsc', `https://bscscan.com/tx/0x${id('e')}`, id('e')],
    ['deposit', 'usdt-trc20', `https://tronscan.org/#/transaction/${id('f')}?x=1`, id('f')],
    ['deposit', 'btc', `${id('1')}:4294967296`, id('1')],
    ['deposit', 'btc', `${id('2')}2`, `${id('2')}2`],
    ['deposit', 'btc', 'tx-1', 'tx-1'],
    ['withdrawal', 'btc', `${id('3')}:2`, `${id('3')}:2`],
    ['online-service-withdrawal', null, 'bank-2026/001.', 'bank:bank2026001'],
    ['online-service-withdrawal', null, id('4'), id('4')],
    ['online-service-withdrawal', null, 'überweisung', 'überweisung'],
  ]
  const database = before((empty) => {
    for (const [i, [kind, network, key]] of stored.entries()) {
      const queue = kind === 'deposit' ? 'deposits' : 'withdrawals'
      empty.exec(`
        INSERT INTO requests (id, ref, investor, kind, queue, status, amount, asked, created_at)
          VALUES ('r${i}', 'R${i}', 'ana', '${kind}', '${queue}', 'pending', 5, 5, 1);
        INSERT INTO request_events (request, status, at, actor, investor, amount, reference, reference_key)
          VALUES ('r${i}', 'approved', 1, 'olu', 'ana', 5, upper('${key}'), '${key}');`)
      if (kind === 'deposit')
        empty.exec(`
          INSERT INTO deposit_details (request, coin, network, payment_to, receipt_key, receipt_type)
            VALUES ('r${i}', 'c', '${network}', 'x', 'k', 't');
          INSERT INTO credit_approvals (request, operator, reference, reference_key, amount, at)
            VALUES ('r${i}', 'olu', '${key}', '${key}', 5, 1);`)
      else
        empty.exec(`INSERT INTO withdrawal_details (request, network, address, bank, destination_hash, session_id, proof)
          VALUES ('r${i}', ${network === null ? "NULL, NULL, '{}'" : "'btc', 'x', NULL"}, 'h', 's', 'none')`)
    }
  })
  database.exec(read(NAME))
  const keys = (table: string) =>
    database
      .prepare(
        `SELECT reference, reference_key AS key FROM ${table} ORDER BY CAST(substr(request, 2) AS INTEGER)`,
      )
      .all()
  expect(keys('request_events').map(({ key }) => key)).toEqual(stored.map(([, , , canonical]) => canonical))
  expect(keys('request_events')[2]?.reference).toBe(`${id('C')}.`)
  const deposits = stored.filter(([kind]) => kind === 'deposit')
  expect(keys('credit_approvals').map(({ key }) => key)).toEqual(
    deposits.map(([, , , canonical]) => canonical),
  )
  expect(() => database.exec("UPDATE request_events SET reference_key = 'x'")).toThrow(/events never change/)
  expect(() => database.exec("UPDATE credit_approvals SET reference_key = 'x'")).toThrow(
    /approvals never change/,
  )
})

test('a bank destination that was confirmed before needs proof again, and keeps its hold and its account', async () => {
  const fields = {
    ...{
      amount: '1',
      title: 'Ms',
      surname: 'Torres',
      firstName: 'Ana',
      occupation: 'Engineer',
      clientNumber: '1',
    },
    ...{
      investmentNumber: '2',
      productName: 'Savings',
      bankName: 'First Harbour Bank',
      accountNumber: '0011',
    },
    ...{
      branchName: 'Quayside',
      accountType: 'savings',
      accountHolderName: 'Ana Torres',
      branchCode: '25-06',
    },
    withdrawalReason: 'Rent',
  }
  const { hash, details } = await bankDestination(bankWithdrawal.parse(fields))
  const database = before((empty) => {
    empty.exec(`INSERT INTO known_destinations VALUES ('ana', '${details.accountHash}', 1, 9)`)
  })
  database.exec(read(NAME))
  expect({ ...database.prepare('SELECT * FROM known_destinations').get() }).toEqual({
    investor: 'ana',
    destination_hash: details.accountHash,
    confirmed_at: 1,
    held_until: 9,
    account_hash: details.accountHash,
  })
  expect(details.accountHash).not.toBe(hash)
})
