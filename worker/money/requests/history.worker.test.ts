import { env } from 'cloudflare:workers'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import type { Transaction, TransactionDetail } from '../../../src/contract/money/transactions.ts'
import { BANK_WITHDRAWAL, fileDeposit, GOOD_ADDRESS, withdraw } from '../../../test/support/filing.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { addHistory } from '../../../test/support/longHistory.ts'
import { creditInvestor } from '../../../test/support/money.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import type { Position } from '../../http/paging.ts'
import { release } from '../../ledger/post.ts'
import { recordEvent } from '../../ledger/requestEvents.ts'
import { newId, newRef } from '../../lib/crypto/tokens.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { readPage } from './history.ts'

const list = (person: { token: string }, query = '') =>
  call<Transaction[]>('GET', `/transaction-history${query}`, { token: person.token })
const one = (person: { token: string }, id: string) =>
  call<TransactionDetail & AnyBody>('GET', `/transaction-history/${id}`, { token: person.token })

/** Inserts cancelled deposits, filed at these times, by SQL: the API limits open requests. */
async function pastDeposits(person: { id: string }, times: readonly number[]): Promise<string[]> {
  const ids = times.map(() => newId())
  const statements = times.flatMap((at, i) => [
    env.DB.prepare(
      `INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
       VALUES (?1, ?2, ?3, 'deposit', 'deposits', 100, 100, ?4)`,
    ).bind(ids[i], newRef('DEP'), person.id, at),
    env.DB.prepare(
      `INSERT INTO request_events (request, status, at, actor, investor) VALUES (?1, 'cancelled', ?3, ?2, ?2)`,
    ).bind(ids[i], person.id, at),
  ])
  for (let i = 0; i < statements.length; i += 100) await env.DB.batch(statements.slice(i, i + 100))
  return ids
}

/** Follows the links from the first page to the last. */
async function pages(person: { token: string }, query: string, between?: () => Promise<unknown>) {
  const rows: Transaction[] = []
  let next: string | undefined = query
  while (next !== undefined) {
    const reply = await list(person, next)
    expect(reply.status).toBe(200)
    rows.push(...reply.body)
    next = /<\/api\/v1\/transaction-history(\?[^>]+)>; rel="next"/.exec(reply.headers.get('Link') ?? '')?.[1]
    await between?.()
  }
  return rows
}

async function reject(person: Person, id: string, note: string): Promise<void> {
  const operator = await newOperator()
  const db = openDatabase(env.DB)
  const nowMs = Date.now()
  await runBatch(db, [
    recordEvent(db, {
      request: id,
      investor: person.id,
      status: 'rejected',
      actor: operator.id,
      atMs: nowMs,
      note,
    }),
    release(db, { id, investor: person.id, amountCents: 100_00 }, { actor: operator.id, nowMs }),
  ])
}

test('somebody without a history has an empty one', async () => {
  expect(await list(await newInvestor())).toMatchObject({ status: 200, body: [] })
  expect(await call('GET', '/transaction-history')).toMatchObject({ status: 401 })
})

test('each kind shows its own facts, newest first, with account numbers masked', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const deposit = await fileDeposit(ana, { amount: '12.34' })
  const crypto = await withdraw(ana)
  const bank = await withdraw(ana, {}, '/withdrawals/online-service')
  const { body } = await list(ana)
  expect(body.map(({ trxType }) => trxType)).toEqual([
    'online-service-withdrawal',
    'withdrawal',
    'deposit',
    'deposit',
  ])
  const shared = { createdAt: expect.stringMatching(/^\d{4}-.*Z$/), status: 'pending', fee: 0 }
  expect(body[0]).toEqual({
    ...shared,
    _id: bank.body._id,
    ref: bank.body.ref,
    amount: 100,
    trxType: 'online-service-withdrawal',
    bankName: BANK_WITHDRAWAL.bankName,
    accountNumber: '••••5566',
    accountHolderName: BANK_WITHDRAWAL.accountHolderName,
    withdrawalType: 'partial',
    heldUntil: bank.body.heldUntil,
  })
  expect(body[1]).toEqual({
    ...shared,
    _id: crypto.body._id,
    ref: crypto.body.ref,
    amount: 100,
    trxType: 'withdrawal',
    type: 'bitcoin',
    network: 'btc',
    address: GOOD_ADDRESS,
    heldUntil: crypto.body.heldUntil,
  })
  expect(body[2]).toEqual({
    ...shared,
    _id: deposit.body._id,
    ref: deposit.body.ref,
    amount: 12.34,
    trxType: 'deposit',
    type: 'bitcoin',
    network: 'btc',
    paymentTo: expect.any(String),
  })
  expect(body[3]).toMatchObject({ status: 'approved', amount: 1000, type: 'usdt' })
})

test('a request has its timeline, and the reason if it was rejected', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const { body } = await withdraw(ana)
  const pending = await one(ana, body._id)
  expect(pending.body.timeline).toEqual([{ at: pending.body.createdAt, status: 'pending' }])
  await reject(ana, body._id, 'The address is on a list')
  const rejected = await one(ana, body._id)
  expect(rejected.body).toMatchObject({ status: 'rejected', reason: 'The address is on a list', amount: 100 })
  expect(rejected.body.timeline).toEqual([
    { at: rejected.body.createdAt, status: 'pending' },
    { at: expect.any(String), status: 'rejected', note: 'The address is on a list' },
  ])
  const { timeline: _timeline, entries: _entries, ...row } = rejected.body
  expect((await list(ana)).body[0]).toEqual(row)
})

test('a request is also found by its reference, with its ledger entries', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const { body } = await withdraw(ana)
  await reject(ana, body._id, 'The address is on a list')
  const { body: rejected } = await one(ana, body._id)
  expect(rejected.entries.map(({ code, amount, change, ref }) => [code, amount, change, ref])).toEqual([
    ['hold', 100, 0, body.ref],
    ['release', 100, 0, body.ref],
  ])
  expect((await one(ana, body.ref)).body).toEqual(rejected)
  for (const ref of ['WDR-00000000', body.ref.toLowerCase(), `${body.ref}%`])
    expect(await one(ana, encodeURIComponent(ref))).toMatchObject({ status: 404 })
})

test('a payment shows the credited transaction id, and before that the owner’s', async () => {
  const ana = await newInvestor()
  const credited = (await list(await newInvestor({ availableCents: 5_00 }))).body[0]
  expect(credited).not.toHaveProperty('reference')
  const id = await creditInvestor(ana.id, 100_00)
  expect((await one(ana, id)).body).toMatchObject({
    reference: expect.stringMatching(/^.{24,}$/),
    entries: [{ code: 'credit', amount: 100, change: 100 }],
  })
  const { body: withTxid } = await fileDeposit(ana, { txid: txid('a1b2c3') })
  expect((await one(ana, withTxid._id)).body).toMatchObject({ reference: txid('a1b2c3'), entries: [] })
  const { body: withoutTxid } = await fileDeposit(ana)
  expect((await one(ana, withoutTxid._id)).body).not.toHaveProperty('reference')
})

test('nobody reads another’s request, not even an operator', async () => {
  const ana = await newInvestor()
  const id = await creditInvestor(ana.id, 100_00)
  const mine = await one(ana, id)
  expect(mine).toMatchObject({ status: 200, body: { amount: 100 } })
  for (const other of [await newInvestor(), await newOperator()]) {
    for (const name of [id, mine.body.ref])
      expect(await one(other, name)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await list(other)).body).toEqual([])
  }
  expect(await one(ana, 'nothing')).toMatchObject({ status: 404 })
})

test('filters choose by kind, status and time, alone and together; blank ones are none', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await fileDeposit(ana)
  await withdraw(ana)
  const kindsAndStates = async (query: string) =>
    (await list(ana, query)).body.map(({ trxType, status }) => `${trxType} ${status}`)
  expect(await kindsAndStates('?kind=deposit')).toEqual(['deposit pending', 'deposit approved'])
  expect(await kindsAndStates('?status=pending')).toEqual(['withdrawal pending', 'deposit pending'])
  expect(await kindsAndStates('?kind=deposit&status=approved')).toEqual(['deposit approved'])
  expect(await kindsAndStates('?kind=online-service-withdrawal')).toEqual([])
  expect(await kindsAndStates('?kind=&status=&from=&to=')).toHaveLength(3)
  const today = new Date().toISOString().slice(0, 10)
  expect(await kindsAndStates(`?from=${today}&to=${today}`)).toHaveLength(3)
  expect(await kindsAndStates('?to=2020-01-01')).toEqual([])
  expect(await kindsAndStates('?from=2100-01-01T00:00:00.000Z')).toEqual([])
})

test('times are met to the millisecond, and a day ends with its last', async () => {
  const ana = await newInvestor()
  const noon = Date.UTC(2026, 0, 31, 12)
  const lastOfDay = Date.UTC(2026, 1, 1) - 1
  const [first, second] = await pastDeposits(ana, [noon, lastOfDay])
  const ids = async (query: string) => (await list(ana, query)).body.map(({ _id }) => _id)
  expect(await ids('?to=2026-01-31')).toEqual([second, first])
  expect(await ids('?to=2026-01-31T12:00:00.000Z')).toEqual([first])
  expect(await ids('?from=2026-01-31T12:00:00.001Z')).toEqual([second])
  expect(await ids('?from=2026-02-01')).toEqual([])
})

test.each([
  ['kind=bonus', 'kind'],
  ['status=open', 'status'],
  ['from=yesterday', 'from'],
  ['to=2026-02-31', 'to'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=1.5', 'limit'],
  ['cursor=!', 'cursor'],
  ['cursor=nonsense', 'cursor'],
])('an unknown value is refused: %s', async (query, field) => {
  const reply = await call('GET', `/transaction-history?${query}`, { token: (await newInvestor()).token })
  expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  expect(Object.keys(reply.body.fields ?? {})).toEqual([field])
})

test('pages neither skip nor repeat a row, even if many have the same time', async () => {
  const ana = await newInvestor()
  const at = Date.UTC(2026, 0, 1)
  const ids = await pastDeposits(
    ana,
    Array.from({ length: 45 }, (_, i) => at + Math.floor(i / 10)),
  )
  for (const query of ['?limit=7', '?limit=7&kind=deposit', '?limit=7&status=cancelled&from=2026-01-01']) {
    expect((await pages(ana, query)).map(({ _id }) => _id)).toEqual(ids.toReversed())
  }
})

test('rows that arrive between two pages do not change the rest', async () => {
  const ana = await newInvestor()
  const ids = await pastDeposits(
    ana,
    Array.from({ length: 23 }, (_, i) => Date.UTC(2026, 0, 1) + i),
  )
  const seen = await pages(ana, '?limit=5', () => pastDeposits(ana, [Date.now(), Date.now()]))
  expect(seen.map(({ _id }) => _id)).toEqual(ids.toReversed())
})

test('a page of 100,000 transactions costs as much as every other page, with all filters, at every depth', async () => {
  const ana = await newInvestor()
  await addHistory(env.DB, ana.id, LENGTH)
  const rowsRead = async (filters: Partial<Filters>, position: Position | null) => {
    const page = readPage(ana.id, { ...NO_FILTER, ...filters }, position)
    const { sql, params } = new SQLiteSyncDialect().sqlToQuery(page.getSQL())
    const { meta, results } = await env.DB.prepare(sql)
      .bind(...params)
      .all<{ createdAt: number }>()
    for (const { createdAt } of results) {
      expect(createdAt).toBeGreaterThanOrEqual(filters.from ?? 0)
      expect(createdAt).toBeLessThanOrEqual(filters.to ?? Date.now())
    }
    return [results.length, meta.rows_read] as const
  }
  // The history's rows are a millisecond apart.
  const { at: first } = (await env.DB.prepare('SELECT min(created_at) AS at FROM requests WHERE investor = ?')
    .bind(ana.id)
    .first<{ at: number }>()) ?? { at: 0 }
  const early = first + 200
  const late = first + LENGTH - 200
  const depths = [null, ...[0.99, 0.5, 0.01].map((share) => ({ at: first + LENGTH * share, seq: 10 ** 9 }))]
  for (const kind of [undefined, 'withdrawal'] as const) {
    for (const status of [undefined, 'cancelled'] as const) {
      for (const from of [undefined, early]) {
        for (const to of [undefined, late]) {
          for (const depth of depths) {
            const [found, read] = await rowsRead({ kind, status, from, to }, depth)
            const choice = JSON.stringify({ kind, status, from, to, depth })
            expect(found, choice).toBe(PAGE + 1)
            // The row itself, its index entry, and its details.
            expect(read, choice).toBeLessThanOrEqual((PAGE + 1) * 4)
          }
        }
      }
    }
  }
  // A filter that matches nothing reads no other rows.
  for (const filters of [
    { kind: 'deposit' },
    { status: 'pending' },
    { kind: 'withdrawal', status: 'completed' },
    { to: first - 1 },
    { from: late, to: early },
  ] as const)
    expect(await rowsRead(filters, null), JSON.stringify(filters)).toEqual([0, expect.toSatisfy(isFew)])
}, 60_000)

const LENGTH = 100_000
const PAGE = 10
const NO_FILTER: Filters = { limit: PAGE, kind: undefined, status: undefined, from: undefined, to: undefined }
type Filters = Parameters<typeof readPage>[1]

function isFew(rows: number): boolean {
  return rows <= 3
}
