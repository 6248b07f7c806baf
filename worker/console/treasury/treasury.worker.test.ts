import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { OperatorTreasury, TreasuryEntry } from '../../../src/contract/console/treasury.ts'
import { DAY_MS } from '../../../src/time.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { call, send } from '../../../test/support/http.ts'
import { approveDeposit, approveProposal, as, deposit, propose } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { newWallet } from '../../../test/support/wallets.ts'
import { keepLedgerDay } from '../../ledger/ledgerDays.ts'
import { openDatabase } from '../../lib/database.ts'
import { reconcile } from './reconcile.ts'

// The tests of this file build on each other: entries stay booked.
const db = openDatabase(env.DB)
const [tess, tom] = [await newOperator({ roles: ['treasurer'] }), await newOperator({ roles: ['treasurer'] })]

const file = (by: Operator, form: Record<string, string>) =>
  call<Proposal>('POST', '/operator/treasury/entries', {
    token: by.token,
    form: { reason: 'As the document says', image: newPicture(), ...form },
  })
const show = async (at?: string) =>
  (await as<OperatorTreasury>(tess, 'GET', `/operator/treasury${at ? `?at=${at}` : ''}`)).body
const readQuantity = async (place: string, at?: string) =>
  (await show(at)).places.find(({ _id }) => _id === place)?.quantity

async function book(form: Record<string, string>): Promise<string> {
  const filed = await file(tess, form)
  expect(filed.status).toBe(201)
  expect((await approveProposal(tom, filed.body._id)).status).toBe(200)
  return filed.body._id
}

test('own funding, a fee, a move and a conversion are booked by two people with a document', async () => {
  const funding = await file(tess, { action: 'funding', to: 'usd:bank', toQuantity: '5000' })
  expect(funding.body.treasury).toMatchObject({
    action: 'funding',
    to: { name: 'Bank account', quantity: '5000' },
  })
  expect(await readQuantity('usd:bank')).toBe('0')
  expect((await approveProposal(tess, funding.body._id)).body).toMatchObject({
    code: 'second_operator_required',
  })
  expect((await approveProposal(tom, funding.body._id)).status).toBe(200)
  expect(await readQuantity('usd:bank')).toBe('5000')

  await book({ action: 'place', name: 'Vault', placeKind: 'house', asset: 'bitcoin' })
  const vault = (await show()).places.find(({ name }) => name === 'Vault')?._id ?? ''
  await book({
    ...{ action: 'conversion', from: 'usd:bank', fromQuantity: '2000' },
    ...{ to: 'bitcoin:other', toQuantity: '0.03' },
  })
  await book({
    ...{ action: 'move', from: 'bitcoin:other', fromQuantity: '0.02', to: vault, toQuantity: '0.02' },
  })
  await book({ action: 'fee', from: 'bitcoin:other', fromQuantity: '0.0001' })
  expect([
    await readQuantity('usd:bank'),
    await readQuantity('bitcoin:other'),
    await readQuantity(vault),
  ]).toEqual(['3000', '0.0099', '0.02'])
  // Custody of an asset is the sum of its places.
  const sums = await env.DB.prepare(
    `SELECT b.asset FROM custody_balances b WHERE b.balance <> (
       SELECT coalesce(sum(e.quantity), 0) FROM place_entries e JOIN custody_places l ON l.id = e.place WHERE l.asset = b.asset)`,
  ).all()
  expect(sums.results).toEqual([])

  const document = await send('GET', `/operator/treasury/entries/${funding.body._id}/document`, {
    token: tom.token,
  })
  expect(new Uint8Array(await document.arrayBuffer()).length).toBeGreaterThan(0)
  expect(funding.body.treasury?.documentHash).toMatch(/^[0-9a-f]{64}$/)
})

test('an entry without document, with parts of the smallest unit, or that changes the asset of a move is refused', async () => {
  const form = { action: 'funding', to: 'usd:bank', toQuantity: '10' }
  expect(
    (await call('POST', '/operator/treasury/entries', { token: tess.token, form: { ...form, reason: 'No' } }))
      .status,
  ).toBe(422)
  for (const [field, changed] of [
    ['toQuantity', { toQuantity: '10.005' }],
    ['toQuantity', { toQuantity: '-10' }],
    ['to', { to: 'nowhere' }],
    ['to', { action: 'move', from: 'bitcoin:other', fromQuantity: '1', to: 'usd:bank', toQuantity: '1' }],
    ['day', { action: 'statement', day: '2999-01-01' }],
  ] as const)
    expect(await file(tess, { ...form, ...changed })).toMatchObject({
      status: 422,
      body: { fields: { [field]: expect.any(String) } },
    })
  const payload = { action: 'funding', to: { place: 'usd:bank', units: 100 } }
  await expect(
    env.DB.prepare(
      "INSERT INTO proposals (id, kind, created_at, proposed_by, payload) VALUES ('x', 'treasury', 1, ?1, ?2)",
    )
      .bind(tess.id, JSON.stringify(payload))
      .run(),
  ).rejects.toThrow('document required')
})

const pdf = (text: string) => new File([text], 'statement.pdf', { type: 'application/pdf' })

test('the document may be a PDF, which is only downloaded as it was sent', async () => {
  const text = `%PDF-1.7\n${'x'.repeat(2000)}\n%%EOF\n`
  const form = { action: 'funding', to: 'usd:bank', toQuantity: '1', reason: 'As the document says' }
  const send_ = (image: File) =>
    call<Proposal>('POST', '/operator/treasury/entries', { token: tess.token, form: { ...form, image } })
  const { body } = await send_(pdf(text))
  const file = await send('GET', `/operator/treasury/entries/${body._id}/document`, { token: tom.token })
  expect(new TextDecoder().decode(await file.arrayBuffer())).toBe(text)
  expect(file.headers.get('Content-Type')).toBe('application/pdf')
  expect(file.headers.get('Content-Disposition')).toBe('attachment; filename="document.pdf"')
  expect(file.headers.get('Content-Security-Policy')).toContain('sandbox')
  expect((await send_(pdf('%PDF-1.7 cut off'))).body).toMatchObject({
    fields: { image: 'This PDF is damaged or incomplete. Please choose another one' },
  })
  expect((await send_(pdf('<html>'))).status).toBe(422)
  expect((await show()).waiting).toMatchObject([{ _id: body._id, kind: 'treasury', by: { _id: tess.id } }])
  await as(tom, 'POST', `/operator/proposals/${body._id}/reject`, { reason: 'Only a test' })
  expect((await show()).waiting).toEqual([])
})

test('only entries take a PDF', async () => {
  const reply = await fileDeposit(await newInvestor(), { amount: '10', image: pdf('%PDF-1.7\n%%EOF') })
  expect(reply.status).toBe(422)
})

test('each network of a coin has a place of its own, and the journal names the case of each entry, newest first', async () => {
  const ana = await newInvestor()
  const { address } = await newWallet({ network: 'usdt-bsc' })
  const id = await deposit(ana, '20', { type: 'usdt', paymentTo: address })
  await approveDeposit(tom, id)
  expect(await readQuantity('usdt-bsc:other')).not.toBe('0')
  expect(await readQuantity('usdt-trc20:other')).toBe('0')
  expect(await readQuantity('usdt:other')).toBeUndefined()
  const { body } = await as<TreasuryEntry[]>(tess, 'GET', '/operator/treasury/entries?limit=3')
  expect(body[0]).toMatchObject({
    place: { name: 'Other wallets on BNB Smart Chain (BEP-20)' },
    cause: { kind: 'deposit', _id: id, reference: expect.stringMatching(/^DEP-/) },
  })
  const all = (await as<TreasuryEntry[]>(tess, 'GET', '/operator/treasury/entries?limit=100')).body
  const times = all.map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(all.find(({ code }) => code === 'funding')?.cause).toMatchObject({
    kind: 'proposal',
    reference: null,
  })
})

test('deposits are in the journal at their place, which is exported as CSV', async () => {
  const ana = await newInvestor()
  const id = await deposit(ana, '10')
  await approveDeposit(tom, id)
  const { body } = await as<TreasuryEntry[]>(tess, 'GET', '/operator/treasury/entries?place=bitcoin:other')
  expect(body[0]).toMatchObject({ code: 'in', ref: id, place: { name: 'Other wallets on Bitcoin' } })
  const csv = await (await send('GET', '/operator/treasury/entries?format=csv', { token: tess.token })).text()
  expect(csv).toContain('"Fee of the company",,0.0001,0.0099,')
})

test('a difference of the daily reconciliation stays open until somebody else clears it with a reason', async () => {
  const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
  await book({ action: 'statement', to: 'usd:bank', toQuantity: '12.5', day })
  const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS
  await reconcile(db, midnight)
  await reconcile(db, midnight + DAY_MS)
  const { differences, places } = await show()
  const bank = places.find(({ _id }) => _id === 'usd:bank')
  expect(bank?.valueUsd).toBe(Number(bank?.quantity))
  expect((await show(new Date().toISOString())).places.every(({ valueUsd }) => valueUsd === null)).toBe(true)
  expect(bank?.reconciled).toMatchObject({
    ...{ books: '0', proven: '12.5', difference: '12.5' },
  })
  const open = differences.filter(({ place }) => place === 'Bank account')
  expect(open).toMatchObject([{ asset: 'usd', quantity: '12.5', isNegative: false, cleared: null }])
  const path = `/operator/treasury/differences/${open[0]?._id}/clear`
  const reason = { reason: 'Interest, booked next' }
  expect((await as(tess, 'POST', path, reason)).body).toMatchObject({ code: 'second_operator_required' })
  expect((await as(tom, 'POST', path, reason)).body).toMatchObject({ cleared: reason })
  expect((await as(tom, 'POST', path, reason)).body).toMatchObject({ code: 'already_decided' })
})

test('a statement is compared when it is approved, and the second correction of a day on the next day', async () => {
  await book({ action: 'place', name: 'Till', placeKind: 'bank', asset: 'usd' })
  const find = async () => (await show()).places.find(({ name }) => name === 'Till')
  const to = (await find())?._id ?? ''
  const [day, before] = [1, 2].map((days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10))
  const state = (toQuantity: string, day = '') => ({ action: 'statement', to, toQuantity, day })
  const { body } = await file(tess, state('1', before))
  const at = `${before}T23:59:59.999Z`
  expect(await find()).toMatchObject({
    reconciled: null,
    statement: { proposal: body._id, at, comparedFrom: null },
  })
  const shown = async () => (await as<Proposal>(tom, 'GET', `/operator/proposals/${body._id}`)).body
  expect((await shown()).comparison).toEqual({ books: '0', difference: '1' })
  await approveProposal(tom, body._id)
  expect((await shown()).comparison).toBeUndefined()
  const compared = await find()
  expect(compared).toMatchObject({ reconciled: { at, books: '0', proven: '1' }, statement: null })
  expect(Date.parse(compared?.reconciled?.comparedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  for (const proven of ['2', '3']) {
    await book(state(proven, day))
    expect(await find()).toMatchObject({ reconciled: { proven }, statement: null })
  }
  await book(state('4', day))
  const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS
  expect(await find()).toMatchObject({
    reconciled: { proven: '3' },
    statement: { comparedFrom: new Date(midnight).toISOString() },
  })
  await reconcile(db, midnight)
  expect(await find()).toMatchObject({ reconciled: { proven: '4' }, statement: null })
})

test('a place that falls below zero opens a difference', async () => {
  await book({ action: 'drawing', from: 'usdc:other', fromQuantity: '3' })
  expect((await show()).differences).toContainEqual(
    expect.objectContaining({ asset: 'usdc', quantity: '-3', isNegative: true, cleared: null }),
  )
})

test('two people close a month by the hash of its books, and no later entry enters it', async () => {
  const now = new Date()
  const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1))
  const month = lastMonth.toISOString().slice(0, 7)
  expect((await propose(tess, { kind: 'month_close', month, reason: 'Checked' })).status).toBe(422)
  await env.DB.prepare('DROP TRIGGER ledger_days_no_delete').run()
  await env.DB.prepare('DELETE FROM ledger_days').run()
  await keepLedgerDay(db, lastMonth.getTime())
  expect(await show()).toMatchObject({ closable: [month], nextMonth: { month } })
  const proposed = await propose(tess, { kind: 'month_close', month, reason: 'Checked' })
  const hash = proposed.body.month?.hash
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect((await approveProposal(tom, proposed.body._id)).status).toBe(200)
  expect((await show()).months).toMatchObject([{ month, hash }])
  const inMonth = lastMonth.getTime() + DAY_MS
  await expect(
    env.DB.prepare(
      "INSERT INTO custody_entries (id, asset, quantity, code, ref, at) VALUES ('late', 'usd', 1, 'in', 'late', ?1)",
    )
      .bind(inMonth)
      .run(),
  ).rejects.toThrow('month closed')
  const at = new Date(inMonth).toISOString()
  expect((await as(tess, 'GET', `/operator/ledger/trial-balance?at=${at}`)).body).toMatchObject({
    balanced: true,
  })
  expect(await readQuantity('usd:bank', at)).toBe('0')
  expect(await as(tess, 'GET', '/operator/ledger/trial-balance?at=2001-01-01')).toMatchObject({ status: 422 })
})

test('an earlier time shows the proof that was known then', async () => {
  const insert = env.DB.prepare('INSERT INTO reconciliations VALUES (?, ?, 5, 5, ?, ?)')
  const times = ['2021-03-01', '2021-03-02'].map((day) => [day, Date.parse(day) + 60_000] as const)
  await env.DB.batch(times.map(([day, at]) => insert.bind(day, 'usd:bank', at, at)))
  const readProof = async (at?: string) =>
    (await show(at)).places.find(({ _id }) => _id === 'usd:bank')?.reconciled?.day
  const all = await env.DB.prepare(`SELECT at FROM custody_places WHERE id = 'usd:bank'`).first<{
    at: number
  }>()
  expect(all?.at).toBeLessThan(times[0]?.[1] ?? 0)
  expect(await readProof('2021-03-01T12:00:00Z')).toBe('2021-03-01')
  expect(await readProof('2021-03-02T12:00:00Z')).toBe('2021-03-02')
})
