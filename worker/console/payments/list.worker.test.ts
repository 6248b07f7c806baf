import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WaitingCounts } from '../../../src/contract/console/overview.ts'
import type { OperatorPayment } from '../../../src/contract/console/watchWallets.ts'
import type { WorkItem } from '../../../src/contract/console/workItems.ts'
import type { Wallet } from '../../../src/contract/money/wallets.ts'
import { send } from '../../../test/support/http.ts'
import { as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import {
  callObserved,
  newReceipt,
  newWatchWallet,
  retireWatchWallet,
} from '../../../test/support/watchWallets.ts'
import { readBooked } from '../../chains/reserves/books.ts'
import { openDatabase, readTogether } from '../../lib/database.ts'

beforeAll(() => newWatchWallet('ethereum'))
afterAll(() => retireWatchWallet('ethereum'))

const listed = async (by: Operator, query = '') =>
  (await as<OperatorPayment[]>(by, 'GET', `/operator/payments${query}`)).body
const waiting = async (by: Operator) => (await as<WaitingCounts>(by, 'GET', '/operator/waiting')).body.payment
const work = async (by: Operator, id: string) =>
  (await as<{ items: WorkItem[] }>(by, 'GET', '/operator/work')).body.items.find(({ _id }) => _id === id)

test('what nobody can credit waits for a treasurer, who closes it with what was done', async () => {
  const operator = await newOperator()
  const before = await waiting(operator)
  const id = await newReceipt()
  expect(await waiting(operator)).toBe(before + 1)
  expect(await work(operator, id)).toMatchObject({ kind: 'payment', waitsFor: 'you' })
  expect((await listed(operator))[0]).toMatchObject({ _id: id, network: null, reason: 'token', steps: [] })

  const close = (by: Operator, note: string) => as(by, 'POST', `/operator/payments/${id}/close`, { note })
  const reviewer = await newOperator({ roles: ['reviewer'] })
  expect(await work(reviewer, id)).toMatchObject({ waitsFor: 'others' })
  expect(await close(reviewer, 'Returned')).toMatchObject({ status: 403 })
  expect(await close(operator, ' ')).toMatchObject({
    status: 422,
    body: { fields: { note: 'Please write what was done' } },
  })
  expect(await close(operator, 'Returned')).toMatchObject({
    status: 200,
    body: { _id: id, steps: [{ step: 'handled', by: { _id: operator.id }, note: 'Returned' }] },
  })
  expect(await close(operator, 'Again')).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  expect(await waiting(operator)).toBe(before)
  expect(await work(operator, id)).toBeUndefined()
  expect((await listed(operator)).map(({ _id }) => _id)).not.toContain(id)
  expect((await listed(operator, '?state=unknown'))[0]).toMatchObject({
    _id: id,
    steps: [{ note: 'Returned' }],
  })
  const file = await send('GET', `/operator/payments?state=unknown&format=csv&ids=${id}`, {
    token: operator.token,
  })
  expect(await file.text()).toMatch(new RegExp(`"Handled by ${operator.name} ([^"]+)","\\1","Returned"`))
  expect(await as(operator, 'POST', '/operator/payments/nothing/close', { note: 'x' })).toMatchObject({
    status: 404,
  })
})

test('payments are found by person, coin, amount and period', async () => {
  const operator = await newOperator()
  const id = await newReceipt()
  const person = (await listed(operator)).find(({ _id }) => _id === id)?.investor._id
  for (const [query, isThere] of [
    [`person=${person}`, true],
    [`person=${operator.id}`, false],
    ['from=2001-01-01', true],
    ['to=2001-01-01', false],
    // An unknown token has neither.
    ['coin=ethereum', false],
    ['amountFrom=0.01', false],
  ] as const)
    expect([query, (await listed(operator, `?${query}`)).some(({ _id }) => _id === id)]).toEqual([
      query,
      isThere,
    ])
  expect(await as(operator, 'GET', '/operator/payments?from=2026-02-02&to=2026-02-01')).toMatchObject({
    status: 422,
    body: { fields: { to: 'The last day comes before the first' } },
  })
})

test('the dust of one transaction is one row, which closes all of it', async () => {
  const operator = await newOperator()
  const before = await waiting(operator)
  const [first] = await newDust(3)
  expect(await waiting(operator)).toBe(before + 1)
  expect((await listed(operator)).filter(({ reason }) => reason === 'dust')).toMatchObject([
    { _id: first, quantity: '0.000018', words: expect.stringContaining('It stands for 3 transfers') },
  ])
  expect(await work(operator, first ?? '')).toMatchObject({ kind: 'payment' })
  expect(await as(operator, 'POST', `/operator/payments/${first}/close`, { note: 'Left' })).toMatchObject({
    status: 200,
  })
  expect(await waiting(operator)).toBe(before)
  const { results } = await env.DB.prepare("SELECT closing FROM payments WHERE reason = 'dust'").all()
  expect(results).toEqual([{ closing: 'Left' }, { closing: 'Left' }, { closing: 'Left' }])
})

test('what stays in the wallet is added to custody, once and in its quantity', async () => {
  const operator = await newOperator()
  const custody = async (asset: string) =>
    (
      await env.DB.prepare('SELECT balance FROM custody_balances WHERE asset = ?')
        .bind(asset)
        .first<{ balance: number }>()
    )?.balance ?? 0
  const close = (id: string, keep: boolean) =>
    as<OperatorPayment>(operator, 'POST', `/operator/payments/${id}/close`, { note: 'Kept', keep })
  const ether = await newReceipt({ kind: 'internal', contract: null, quantity: '12500000000000000001' })
  expect((await listed(operator)).find(({ _id }) => _id === ether)).toMatchObject({
    network: 'eth',
    quantity: '12.500000000000000001',
    custody: '12.5 ETH',
  })
  const before = await custody('ethereum')
  expect(await close(ether, true)).toMatchObject({ status: 200, body: { custody: null } })
  expect((await custody('ethereum')) - before).toBe(12_500_000_000)
  expect(await close(ether, true)).toMatchObject({ status: 409 })
  const line = await env.DB.prepare(
    "SELECT detail FROM audit_log WHERE action = 'payment.closed' ORDER BY seq DESC LIMIT 1",
  ).first<{ detail: string }>()
  expect(JSON.parse(line?.detail ?? '')).toEqual({ payment: ether, kept: '12.5 ETH' })
  // Books and counted reserves are compared by chain.
  const booked = await readTogether(openDatabase(env.DB), readBooked('ethereum', sql`0`))
  expect(booked[0].find(({ asset }) => asset === 'ethereum')?.units).toBe('12500000000')

  const token = await newReceipt()
  expect(await close(token, true)).toMatchObject({
    status: 422,
    body: { fields: { keep: 'This cannot be added to custody' } },
  })
  const returned = await newReceipt({ kind: 'internal', contract: null, quantity: '1000000000' })
  expect(await close(returned, false)).toMatchObject({ status: 200 })
  expect((await custody('ethereum')) - before).toBe(12_500_000_000)
  const less = await newReceipt({ kind: 'internal', contract: null, quantity: '999999999' })
  expect((await listed(operator)).find(({ _id }) => _id === less)?.custody).toBe(null)

  const bitcoin = await custody('bitcoin')
  const [first] = await newDust(3, 'cd')
  expect(await close(first ?? '', true)).toMatchObject({ status: 200 })
  expect((await custody('bitcoin')) - bitcoin).toBe(1_800)
})

/** Dust outputs of one transaction. Returns their ids. */
async function newDust(count: number, transaction = 'ab'): Promise<string[]> {
  await newWatchWallet('bitcoin')
  const { id: investor, token } = await newInvestor()
  const { body } = await callObserved<Wallet[]>('GET', '/admin-wallets', { token })
  const address = body.find(({ network }) => network === 'btc')?.address ?? ''
  const ids = Array.from({ length: count }, () => crypto.randomUUID())
  for (const [output, id] of ids.entries()) {
    await env.DB.prepare(
      `INSERT INTO payments (id, network, reference, address, investor, quantity, units, state, seen_at, needed, checked_at)
       VALUES (?1, 'btc', ?2, ?3, ?4, '600', 600, 'confirming', ?5, 3, 1)`,
    )
      .bind(id, `${transaction.repeat(32)}:${output}`, address, investor, Date.now())
      .run()
    await env.DB.prepare("UPDATE payments SET state = 'queued', reason = 'dust' WHERE id = ?1").bind(id).run()
  }
  await retireWatchWallet('bitcoin')
  return ids
}

test('pages neither skip nor repeat what arrived at the same moment', async () => {
  const operator = await newOperator()
  const ids = [await newReceipt(), await newReceipt(), await newReceipt()]
  const seen: string[] = []
  let next: string | null = '/operator/payments?state=unknown&limit=1'
  while (next !== null && seen.length < 10) {
    const reply: Awaited<ReturnType<typeof as<OperatorPayment[]>>> = await as<OperatorPayment[]>(
      operator,
      'GET',
      next,
    )
    seen.push(...reply.body.map(({ _id }) => _id))
    next = /<[^>]*(\/operator\/payments[^>]*)>/.exec(reply.headers.get('Link') ?? '')?.[1] ?? null
  }
  expect(seen.slice(0, 3)).toEqual(ids.toReversed())
  expect(new Set(seen).size).toBe(seen.length)
})
