import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { AMOUNTS_SEARCHED, type SearchResults } from '../../../src/contract/console/search.ts'
import { cost } from '../../../test/support/cost.ts'
import { call } from '../../../test/support/http.ts'
import { newTxid } from '../../../test/support/ledger/txid.ts'
import { withoutTriggers } from '../../../test/support/longHistory.ts'
import {
  approveDeposit,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'

test('one search finds people, references and amounts', async () => {
  const auditor = await newOperator({ roles: ['auditor'] })
  const ana = await newInvestor({ availableCents: 5000_00, name: 'Ana Quillfeather' })
  const paidIn = await deposit(ana, '7200.50')
  const paidOut = await withdrawal(ana, '431.25')
  const find = async (query: string) =>
    (await as<SearchResults>(auditor, 'POST', '/operator/search', { query })).body
  const idsOf = async (query: string) => (await find(query)).cases.map(({ _id }) => _id)

  const byName = await find('quillf')
  expect(byName).toEqual({
    people: [{ _id: ana.id, name: 'Ana Quillfeather', email: ana.email }],
    cases: [],
    wallets: [],
    operators: [],
  })
  for (const amount of ['$7,200.50', '7200.5', '7200.50']) expect(await idsOf(amount)).toEqual([paidIn])
  expect(await idsOf('431.25')).toEqual([paidOut])
  expect(await idsOf('431.26')).toEqual([])
  const [found] = (await find('$7,200.50')).cases
  expect(found).toMatchObject({
    kind: 'deposit',
    status: 'pending',
    amount: 7200.5,
    person: 'Ana Quillfeather',
  })
  expect(await idsOf(found?.ref.toLowerCase() ?? '')).toEqual([paidIn])

  const ida = await newInvestor({ kyc: 'pending' })
  const { body: documents } = await as<{ ref: string }[]>(auditor, 'GET', `/operator/kyc?query=${ida.email}`)
  expect((await find(documents[0]?.ref ?? '')).cases).toMatchObject([{ kind: 'kyc', amount: null }])
  const { body: refused } = await as(auditor, 'POST', '/operator/search', { query: ' ' })
  expect(refused.code).toBe('validation_failed')
})

test('one search finds whoever is behind an address, a transaction, a bank account or a mail', async () => {
  const [one, two] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 5000_00 })
  const find = async (query: string) =>
    (await as<SearchResults>(one, 'POST', '/operator/search', { query })).body.cases.map(({ _id }) => _id)
  const reference = newTxid()
  const paidIn = await deposit(ana, '20')
  await approveDeposit(one, paidIn, { reference })
  const { paymentTo } = (await as<{ paymentTo: string }>(one, 'GET', `/operator/deposits/${paidIn}`)).body
  expect(await find(paymentTo.slice(0, 8))).toContain(paidIn)
  const address = '0x52908400098527886E0F7030069857D2E4169EE7'
  const coins = await withdrawal(ana, '30', '/withdrawals', { type: 'ethereum', network: 'eth', address })
  const banked = await withdrawal(ana, '40', '/withdrawals/online-service', { accountNumber: '70 11-22 99' })
  await approveWithdrawal(one, banked)
  await completeWithdrawal(two, banked, { reference: 'BANK 77 88 99' })
  for (const query of [`0x${reference.toUpperCase()}`, reference.slice(0, 8)])
    expect([query, await find(query)]).toEqual([query, [paidIn]])
  for (const query of [address.toLowerCase(), address.slice(0, 21), '0x5290…9EE7'])
    expect([query, await find(query)]).toEqual([query, [coins]])
  expect(await find(address.slice(0, 5))).toEqual([])
  for (const query of ['70112299', '70 11 22 99', 'bank-778899'])
    expect([query, await find(query)]).toEqual([query, [banked]])
  const email = `writer-${ana.id}@example.com`
  await call('POST', '/contact-us', { json: { name: 'Wen', email, message: 'Hello' } })
  const { body } = await as<SearchResults>(one, 'POST', '/operator/search', { query: email.toUpperCase() })
  expect(body.cases).toMatchObject([{ kind: 'message', person: 'Wen' }])
})

test('an operator is found by name and address, but not by support', async () => {
  const olga = await newOperator({ name: 'Olga Quillbearer' })
  const support = await newOperator({ roles: ['support'] })
  const find = async (by: typeof olga, query: string) =>
    (await as<SearchResults>(by, 'POST', '/operator/search', { query })).body
  for (const query of ['quillbear', 'OLGA Quill', olga.email.slice(1)])
    expect((await find(olga, query)).operators).toEqual([
      { _id: olga.id, name: 'Olga Quillbearer', email: olga.email },
    ])
  expect((await find(support, 'quillbear')).operators).toEqual([])
  expect((await find(olga, 'quillbear')).people).toEqual([])
})

test('a search is one round trip, and one for the session before its body', async () => {
  const operator = await newOperator()
  const { counted } = await cost('POST', '/operator/search', {
    token: operator.token,
    json: { query: '7200' },
  })
  expect(counted.trips).toBe(2)
})

test('an amount is searched among the newest requests and those that wait longest, at the same cost for any number', async () => {
  const operator = await newOperator()
  const { id } = await newInvestor()
  /** Deposits that wait, the oldest first, of `i` cents each. */
  const file = (from: number, to: number) =>
    withoutTriggers(env.DB, () =>
      env.DB.prepare(
        `WITH RECURSIVE n (i) AS (VALUES (CAST(?1 AS INTEGER)) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
         INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
         SELECT 'waiting-' || i, 'waiting-' || i, ?3, 'deposit', 'deposits', i, i, i FROM n`,
      )
        .bind(from, to, id)
        .run(),
    )
  const search = async (cents: number) => {
    const { body, counted } = await cost('POST', '/operator/search', {
      json: { query: `$${(cents / 100).toFixed(2)}` },
      token: operator.token,
    })
    const { cases } = body as unknown as SearchResults
    return { ids: cases.map(({ _id }) => _id), rowsRead: counted.rowsRead }
  }
  const [middle, last] = [1_000_000 + AMOUNTS_SEARCHED + 50, 1_000_000 + 2 * AMOUNTS_SEARCHED + 100]
  await file(1_000_000, last)
  const { rowsRead } = await search(1_000_000)
  expect((await search(1_000_000)).ids).toEqual(['waiting-1000000'])
  expect((await search(last)).ids).toEqual([`waiting-${last}`])
  expect((await search(middle)).ids).toEqual([])
  await file(last + 1, last + 1_000)
  expect(await search(1_000_000)).toEqual({ ids: ['waiting-1000000'], rowsRead })
})
