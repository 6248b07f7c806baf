import { env } from 'cloudflare:workers'
import { beforeAll, expect, test, vi } from 'vitest'
import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import type { OperatorKyc } from '../../../src/contract/console/kyc.ts'
import type { KycRecord } from '../../../src/contract/identity/kyc.ts'
import type { TransactionDetail } from '../../../src/contract/money/transactions.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { booksOf } from '../../../test/support/money.ts'
import { approveDeposit, as } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { newWallet } from '../../../test/support/wallets.ts'

beforeAll(() => setSetting('twoPersonLimit', 10_000_00))

function submit(person: Person, fields: Readonly<Record<string, string>> = {}) {
  const form = { document: 'Passport', image: newPicture(), sample: 'true', ...fields }
  return call('POST', '/kyc', { token: person.token, form })
}

const newestDocument = async (person: Person) => (await as<KycRecord[]>(person, 'GET', '/kyc')).body[0]

async function showDeposit(person: Person, id: string): Promise<TransactionDetail> {
  return (await as<TransactionDetail>(person, 'GET', `/transaction-history/${id}`)).body
}

const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 100 })

async function auditedBy(action: string, subject: string): Promise<unknown> {
  return env.DB.prepare('SELECT actor FROM audit_log WHERE action = ?1 AND subject = ?2')
    .bind(action, subject)
    .first('actor')
}

test('a sample passport, a sample bill and a sample receipt of $10,000 are decided by the practice reviewer, under its own name', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  expect((await submit(ana)).status).toBe(201)
  await waitFor(async () =>
    expect(await newestDocument(ana)).toMatchObject({ status: 'approved', sample: true }),
  )
  await mailTo(ana.email, /identity is verified/)
  expect((await submit(ana, { document: 'Utility bill' })).status).toBe(201)
  await waitFor(async () =>
    expect((await as<KycRecord[]>(ana, 'GET', '/kyc?kind=address')).body[0]).toMatchObject({
      status: 'approved',
      sample: true,
    }),
  )

  const filed = await fileDeposit(ana, { amount: '10000', sample: 'true' })
  expect(filed.status).toBe(201)
  const id = filed.body._id
  await waitFor(async () =>
    expect(await showDeposit(ana, id)).toMatchObject({ status: 'approved', sample: true }),
  )
  expect(await booksOf(ana.id)).toMatchObject({ available: 10_000_00, deposits: 10_000_00 })
  expect(await auditedBy('deposit.credited', id)).toBe('practice')

  const operator = await newOperator()
  const { body: row } = await as<OperatorDeposit>(operator, 'GET', `/operator/deposits/${id}`)
  expect(row).toMatchObject({
    sample: true,
    steps: [{}, { step: 'credited', by: { name: 'Practice reviewer' } }],
  })
  const { body: documents } = await as<OperatorKyc[]>(operator, 'GET', '/operator/kyc?limit=2')
  expect(documents[0]).toMatchObject({ kind: 'address', sample: true })
  expect(documents[1]).toMatchObject({
    sample: true,
    steps: [{}, { step: 'approved', by: { name: 'Practice reviewer' } }],
    documentName: ana.name,
  })
})

test('other documents and receipts are left to people', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  await submit(ana, { sample: '' })
  const bob = await newInvestor()
  const { body } = await fileDeposit(bob, { amount: '100' })
  // Looking at them again decides nothing either.
  await newestDocument(ana)
  await showDeposit(bob, body._id)
  const eva = await newInvestor({ kyc: 'none' })
  await submit(eva)
  await waitFor(async () => expect(await newestDocument(eva)).toMatchObject({ status: 'approved' }))
  expect(await newestDocument(ana)).toMatchObject({ status: 'pending' })
  expect(await newestDocument(ana)).not.toHaveProperty('sample')
  expect(await showDeposit(bob, body._id)).toMatchObject({ status: 'pending' })
})

test('a sample that takes two operators stays pending, and two people credit it', async () => {
  const ana = await newInvestor()
  const first = await fileDeposit(ana, { amount: '10000', sample: 'true' })
  await waitFor(async () => expect((await showDeposit(ana, first.body._id)).status).toBe('approved'))
  const second = await fileDeposit(ana, { amount: '0.01', sample: 'true' })
  const larger = await fileDeposit(await newInvestor(), { amount: '10000.01', sample: 'true' })
  const small = await fileDeposit(await newInvestor(), { amount: '5', sample: 'true' })
  const [one, two] = [await newOperator(), await newOperator()]
  await waitFor(async () => {
    const { body } = await as<OperatorDeposit>(one, 'GET', `/operator/deposits/${small.body._id}`)
    expect(body.status).toBe('approved')
  })
  for (const { body } of [second, larger]) {
    const { body: row } = await as<OperatorDeposit>(one, 'GET', `/operator/deposits/${body._id}`)
    expect(row).toMatchObject({ status: 'pending', sample: true })
    expect(row.firstApproval).toBeUndefined()
  }
  const reference = 'ab'.repeat(32)
  expect((await approveDeposit(one, larger.body._id, { reference })).status).toBe(202)
  expect((await approveDeposit(two, larger.body._id, { reference })).body.status).toBe('approved')
})

test('a disabled practice reviewer decides nothing', async () => {
  const ana = await newInvestor({ kyc: 'none' })
  await submit(ana)
  await waitFor(async () => expect((await newestDocument(ana))?.status).toBe('approved'))
  await env.DB.prepare("UPDATE users SET disabled_at = 1, disabled_by = 'owner' WHERE id = 'practice'").run()
  const bob = await newInvestor({ kyc: 'none' })
  await submit(bob)
  await newestDocument(bob)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect((await newestDocument(bob))?.status).toBe('pending')
})

test('a sample counts at a simulated wallet only', async () => {
  const ana = await newInvestor()
  const real = await newWallet({ simulated: false })
  const refused = await fileDeposit(ana, { amount: '100', sample: 'true', paymentTo: real.address })
  expect(refused).toMatchObject({ status: 422, body: { fields: { sample: expect.any(String) } } })
  expect((await submit(await newInvestor({ kyc: 'none' }), { sample: 'yes' })).body.fields).toHaveProperty(
    'sample',
  )
})
