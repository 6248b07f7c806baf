import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import { call, send } from '../../../test/support/http.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { approveDeposit, as, deposit } from '../../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../../test/support/people.ts'

test('the queue pages newest first, without skipping or repeating while new requests arrive', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const filed: string[] = []
  for (let n = 1; n <= 5; n++) filed.unshift(await deposit(ana, String(n)))

  const seen: string[] = []
  let path: string | undefined = '/operator/deposits?status=pending&limit=2'
  while (path !== undefined) {
    const page: Awaited<ReturnType<typeof list>> = await list(operator, path)
    seen.push(...page.ids)
    path = page.next
    if (seen.length === 2) await deposit(ana, '6')
  }
  expect(seen).toEqual(filed)
})

async function list(person: { token: string }, path: string) {
  const reply = await call<OperatorDeposit[]>('GET', path, { token: person.token })
  const [, next] = /<\/api\/v1(.+)>; rel="next"/.exec(reply.headers.get('Link') ?? '') ?? []
  return { ids: reply.body.map((row) => row._id), rows: reply.body, next }
}

test('a status picks its requests, and none picks all', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const [credited, rejected, pending] = [
    await deposit(ana, '10'),
    await deposit(ana, '20'),
    await deposit(ana, '30'),
  ]
  await approveDeposit(operator, credited)
  await as(operator, 'POST', `/operator/deposits/${rejected}/reject`, { reason: 'No' })
  const ids = async (status: string) => (await list(operator, `/operator/deposits?status=${status}`)).ids
  expect(await ids('pending')).toContain(pending)
  expect(await ids('pending')).not.toContain(credited)
  expect(await ids('approved')).toContain(credited)
  expect(await ids('rejected')).toEqual([rejected])
  expect((await list(operator, '/operator/deposits?limit=3')).ids).toEqual([pending, rejected, credited])
})

test('a row of the list is the request itself, without what only its case has', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const id = await deposit(ana, '12.34', { txid: txid('abc') })
  const { rows } = await list(operator, '/operator/deposits?limit=1')
  const shown = (await as<OperatorDeposit>(operator, 'GET', `/operator/deposits/${id}`)).body
  const { payment, alone, creditPrice, ...rest } = shown
  expect(rows).toEqual([rest])
  expect([payment, alone?.needsTwo, creditPrice]).toEqual([null, false, 64_200])
  expect(rest).toMatchObject({ amount: 12.34, txid: txid('abc'), quantity: null, reference: null })
  expect(rest.steps).toEqual([{ step: 'filed', at: rest.createdAt, by: { _id: ana.id, name: ana.name } }])
})

test('a withdrawal is no deposit', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 100_00 })
  const id = await deposit(ana, '5')
  expect((await as(operator, 'GET', `/operator/withdrawals/${id}`)).status).toBe(404)
})

test('the receipt is a download, and nothing in it can run', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const id = await deposit(ana, '5')
  const receipt = await send('GET', `/operator/deposits/${id}/receipt`, { token: operator.token })
  expect(receipt.status).toBe(200)
  expect(receipt.headers.get('Content-Type')).toBe('image/png')
  expect(receipt.headers.get('Content-Disposition')).toMatch(/^attachment; filename="DEP-[0-9A-Z]{8}\.png"$/)
  expect(receipt.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(receipt.headers.get('Content-Security-Policy')).toBe(
    "sandbox; default-src 'none'; frame-ancestors 'none'",
  )
  expect(receipt.headers.get('Cache-Control')).toBe('no-store')
  const stored = await env.DB.prepare('SELECT receipt_key FROM deposit_details WHERE request = ?')
    .bind(id)
    .first<string>('receipt_key')
  const file = await env.FILES.get(stored ?? '')
  expect(await receipt.bytes()).toEqual(await file?.bytes())

  await env.FILES.delete(stored ?? '')
  expect((await call('GET', `/operator/deposits/${id}/receipt`, { token: operator.token })).status).toBe(404)
})

test('a rejected deposit credits nothing and says why', async () => {
  const ana = await newInvestor()
  const operator = await newOperator({ name: 'Olu Bello' })
  const id = await deposit(ana, '700')
  const path = `/operator/deposits/${id}/reject`
  for (const json of [{}, { reason: ' ' }, { reason: 5 }]) {
    const refused = await as(operator, 'POST', path, json)
    expect(refused).toMatchObject({ status: 422, body: { fields: { reason: 'Please give a reason' } } })
  }
  const reply = await as<OperatorDeposit>(operator, 'POST', path, { reason: 'The payment has not arrived.' })
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    status: 'rejected',
    reason: 'The payment has not arrived.',
    steps: [{ step: 'filed' }, { step: 'rejected', by: { name: 'Olu Bello' } }],
  })
  expect(await booksOf(ana.id)).toMatchObject({ available: 0, deposits: 0, pendingDeposits: 0 })
  expect((await mailTo(ana.email, /rejected/)).text).toContain('The payment has not arrived.')
  expect((await approveDeposit(operator, id)).status).toBe(409)
})

test('a reason that is not on the list is told to operators only', async () => {
  const ana = await newInvestor()
  const operator = await newOperator()
  const id = await deposit(ana, '700')
  const path = `/operator/deposits/${id}/reject`
  for (const reason of ['See evil.example', 'Call +1 555 010 0199', 'Write to help@evil.example'])
    expect(await as(operator, 'POST', path, { reason })).toMatchObject({
      status: 422,
      body: { fields: { reason: expect.stringContaining('only our own addresses') } },
    })
  expect((await as(operator, 'POST', path, { reason: 'URGENT your wallet is hacked' })).status).toBe(200)
  const mail = await mailTo(ana.email, /rejected/)
  expect(mail.text).toContain('Please write to us if you want to know why.')
  const seen = JSON.stringify([mail, (await as(ana, 'GET', '/transaction-history')).body])
  expect(seen).not.toContain('URGENT')
  const notes = await as<{ text: string }[]>(operator, 'GET', `/operator/investors/${ana.id}/notes`)
  expect(notes.body[0]?.text).toContain('URGENT your wallet is hacked')
})
