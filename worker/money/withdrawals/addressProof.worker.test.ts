import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { OperatorKyc } from '../../../src/contract/console/kyc.ts'
import { SETTINGS } from '../../../src/contract/console/settingList.ts'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import type { KycRecord } from '../../../src/contract/identity/kyc.ts'
import type { Limits } from '../../../src/contract/money/limits.ts'
import { withdraw } from '../../../test/support/filing.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { as, openDocument } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { formatIsoDay } from '../../lib/days.ts'

let operator: Operator
beforeAll(async () => {
  await setSetting('minimums', { btc: 0 })
  await setSetting('addressProofAbove', 150_00)
  operator = await newOperator()
})

const DAY_MS = 86_400_000
const today = () => formatIsoDay(Date.now())

const send = (person: Person, document = 'Utility bill') =>
  call('POST', '/kyc', { token: person.token, form: { document, image: newPicture() } })
const list = async (person: Person, query = '') => (await as<KycRecord[]>(person, 'GET', `/kyc${query}`)).body
const decide = (id: string, verb: 'approve' | 'reject', body: object, person: Person = operator) =>
  as<OperatorKyc & AnyBody>(person, 'POST', `/operator/kyc/${id}/${verb}`, body)
const allowed = async (person: Person) =>
  (await as<Limits>(person, 'GET', '/limits')).body.withdrawals.withoutAddressProof

async function sendAndFind(person: Person, document?: string): Promise<OperatorKyc> {
  expect(await send(person, document)).toMatchObject({ status: 201 })
  const { body } = await as<OperatorKyc[]>(operator, 'GET', '/operator/kyc?limit=1')
  if (body[0]?.investor._id !== person.id) throw new Error('The newest document is somebody else’s.')
  await openDocument(operator, body[0]._id)
  return body[0]
}

test('withdrawals above the amount, together with earlier ones, wait for an approved proof of address', async () => {
  const ana = await newInvestor({ availableCents: 500_00 })
  await call('PATCH', '/users/user-info', { token: ana.token, json: { address: '1 Quay Street' } })
  expect(await allowed(ana)).toBe(150)
  const first = await withdraw(ana, { amount: '100.00' })
  expect(first).toMatchObject({ status: 201 })
  expect(await allowed(ana)).toBe(50)
  const second = await withdraw(ana, { amount: '50.01' })
  expect(second).toMatchObject({
    status: 403,
    body: { code: 'address_required', msg: expect.stringMatching(/KYC page/) },
  })

  const proof = await sendAndFind(ana)
  expect(proof.address?.ofAccount).toBe('1 Quay Street')
  expect(await withdraw(ana, { amount: '50.01' })).toMatchObject({ status: 403 })
  expect(await decide(proof._id, 'approve', { issuedOn: today(), country: 'Germany' })).toMatchObject({
    status: 200,
    body: { status: 'approved', address: { issuedOn: today(), country: 'DE' } },
  })
  await mailTo(ana.email, /^Your address is verified$/)
  expect(await allowed(ana)).toBeNull()
  expect(await withdraw(ana, { amount: '50.01' })).toMatchObject({ status: 201 })
})

test('the case of a withdrawal that was requested before the setting says that the proof of address is missing', async () => {
  const [ana, ben] = [
    await newInvestor({ availableCents: 500_00 }),
    await newInvestor({ availableCents: 500_00 }),
  ]
  await setSetting('addressProofAbove', 0)
  const [large, small] = [
    await withdraw(ana, { amount: '150.01' }),
    await withdraw(ben, { amount: '150.00' }),
  ]
  const findLimit = async (id: string) =>
    (await as<OperatorWithdrawal>(operator, 'GET', `/operator/withdrawals/${id}`)).body.lacksAddressProofAbove
  expect(await findLimit(large.body._id)).toBeNull()
  await setSetting('addressProofAbove', 150_00)
  expect(await findLimit(large.body._id)).toBe(150)
  expect(await findLimit(small.body._id)).toBeNull()
  const { _id } = await sendAndFind(ana)
  expect(await findLimit(large.body._id)).toBe(150)
  await decide(_id, 'approve', {
    issuedOn: today(),
    country: 'DE',
    riskReason: 'Called back, all is in order',
  })
  expect(await findLimit(large.body._id)).toBeNull()
})

test('a cancelled withdrawal no longer counts, and the database refuses what code forgot', async () => {
  const ana = await newInvestor({ availableCents: 500_00 })
  const first = await withdraw(ana, { amount: '150.00' })
  expect(await allowed(ana)).toBe(0)
  await call('POST', `/withdrawals/${first.body._id}/cancel`, { token: ana.token })
  expect(await allowed(ana)).toBe(150)
  const insert = env.DB.prepare(
    "INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at) VALUES ('x', 'WDR-X', ?, 'withdrawal', 'withdrawals', 15001, 15001, 1)",
  ).bind(ana.id)
  await expect(insert.run()).rejects.toThrow('address_required')
})

test('a proof of address is a document of its own kind: the identity stays, and each is listed by itself', async () => {
  const ana = await newInvestor()
  const proof = await sendAndFind(ana, 'Bank statement')
  expect(proof).toMatchObject({
    kind: 'address',
    document: 'Bank statement',
    status: 'pending',
    address: { ofAccount: null, countryOfAccount: expect.any(String), issuedOn: null, country: null },
  })
  expect(await list(ana)).toMatchObject([{ document: 'Passport', status: 'approved' }])
  expect(await list(ana, '?kind=address')).toMatchObject([{ document: 'Bank statement', status: 'pending' }])
  expect(await send(ana)).toMatchObject({ status: 409, body: { code: 'kyc_open' } })
  expect((await as<Limits>(ana, 'GET', '/limits')).body.identity).toBe('approved')
  expect(await call('GET', '/kyc?kind=other', { token: ana.token })).toMatchObject({ status: 422 })
  // An identity can still be sent while a proof of address waits.
  const eva = await newInvestor({ kyc: 'none' })
  await send(eva)
  expect(await send(eva, 'Passport')).toMatchObject({ status: 201 })
})

test('a rejected proof of address has its own reasons and can be sent again', async () => {
  const ana = await newInvestor()
  const proof = await sendAndFind(ana)
  const [reason] = SETTINGS['reasons.addressRejection'].default
  const final = await decide(proof._id, 'reject', { reason, final: true })
  expect(final).toMatchObject({ status: 422, body: { fields: { final: expect.any(String) } } })
  expect(await decide(proof._id, 'reject', { reason })).toMatchObject({ status: 200, body: { reason } })
  await mailTo(ana.email, /^Please send your proof of address again$/)
  expect((await list(ana, '?kind=address'))[0]).toMatchObject({ status: 'rejected', reason })
  expect((await as<Limits>(ana, 'GET', '/limits')).body.identity).toBe('approved')
  expect(await send(ana)).toMatchObject({ status: 201 })
})

test('an approval needs a day of issue of the last three months and a country', async () => {
  const ana = await newInvestor()
  const { _id } = await sendAndFind(ana)
  const approve = async (body: object) => (await decide(_id, 'approve', body)).body.fields
  const old = formatIsoDay(Date.now() - 93 * DAY_MS)
  const tomorrow = formatIsoDay(Date.now() + DAY_MS)
  expect(await approve({ country: 'DE' })).toEqual({
    issuedOn: 'Please enter the day on which it was issued',
  })
  expect(await approve({ issuedOn: today() })).toEqual({ country: 'Please enter the country of the address' })
  expect(await approve({ issuedOn: today(), country: 'Nowhere' })).toHaveProperty('country')
  expect(await approve({ issuedOn: old, country: 'DE' })).toEqual({
    issuedOn: expect.stringMatching(/older than three months/),
  })
  expect(await approve({ issuedOn: tomorrow, country: 'DE' })).toEqual({
    issuedOn: 'This day is in the future',
  })
  const auditor = await newOperator({ roles: ['auditor'] })
  expect(await decide(_id, 'approve', { issuedOn: today(), country: 'DE' }, auditor)).toMatchObject({
    status: 403,
  })
  expect(
    await decide(_id, 'approve', {
      issuedOn: today(),
      country: 'DE',
      riskReason: 'Called back, all is in order',
    }),
  ).toMatchObject({ status: 200 })
  expect((await list(ana, '?kind=address'))[0]).toMatchObject({ status: 'approved', issuedOn: today() })
})

test('a new name sends the identity to review, and the proof of address stays approved', async () => {
  const ana = await newInvestor()
  const { _id } = await sendAndFind(ana)
  await decide(_id, 'approve', {
    issuedOn: today(),
    country: 'DE',
    riskReason: 'Called back, all is in order',
  })
  await env.DB.prepare("UPDATE users SET fullname_folded = 'eva sol' WHERE id = ?").bind(ana.id).run()
  expect(await list(ana)).toMatchObject([{ status: 'pending' }])
  expect(await list(ana, '?kind=address')).toMatchObject([{ status: 'approved' }])
})
