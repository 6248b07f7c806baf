import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { InvestorSummary } from '../../../src/contract/console/investors.ts'
import type { ContactMessage } from '../../../src/contract/console/messages.ts'
import { cost } from '../../../test/support/cost.ts'
import { call } from '../../../test/support/http.ts'
import { addHistory } from '../../../test/support/longHistory.ts'
import {
  approveDeposit,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { filedRecovery } from '../../../test/support/recovery.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

const anyCase = {
  ...{ _id: expect.any(String), ref: expect.any(String) },
  ...{ createdAt: expect.stringMatching(/Z$/), amount: null },
}

const known = (by: Person, id: string) => as<InvestorSummary>(by, 'GET', `/operator/investors/${id}/known`)

test('the summary has status, balances, and credited, paid and rejected amounts', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ name: 'Ana Known', totpSecret: newTotpSecret() })
  const [one, two] = [await deposit(ana, '300'), await deposit(ana, '20')]
  await approveDeposit(operator, one)
  await as(operator, 'POST', `/operator/deposits/${two}/reject`, { reason: 'No' })
  expect((await known(operator, ana.id)).body).toMatchObject({
    _id: ana.id,
    name: 'Ana Known',
    email: ana.email,
    kyc: 'approved',
    kycDecidedAt: expect.any(String),
    secondFactor: 'app',
    available: 300,
    totalBalance: 300,
    bonus: 0,
    owed: 0,
    deposits: { done: 1, amount: 300, rejected: 1 },
    withdrawals: { done: 0, amount: 0, rejected: 0 },
    lastSignInAt: expect.any(String),
    // The reason of the rejection is not on the list, so it became a note.
    notes: 1,
    latestNotes: [{ by: operator.name, text: expect.stringContaining('No') }],
    documentExpiresOn: null,
    risk: { level: 'low' },
    frozenAt: null,
    closedAt: null,
  })
  const ben = await newInvestor({ availableCents: 100_00 })
  const paid = await withdrawal(ben, '40')
  await approveWithdrawal(operator, paid)
  await completeWithdrawal(await newOperator(), paid)
  await as(operator, 'POST', `/operator/investors/${ben.id}/freeze`, { reason: 'Odd sign-ins' })
  expect((await known(operator, ben.id)).body).toMatchObject({
    secondFactor: 'none',
    withdrawals: { done: 1, amount: 40, rejected: 0 },
    frozenAt: expect.any(String),
    frozenReason: 'Odd sign-ins',
    risk: { level: 'high', signals: [{ rule: 'account_frozen', note: 'Odd sign-ins' }] },
  })
  const waiting = await deposit(ana, '45')
  const { risk } = (await as<{ risk: object }>(operator, 'GET', `/operator/deposits/${waiting}`)).body
  expect(risk).toMatchObject({ score: expect.any(Number) })
  expect((await known(operator, ana.id)).body.open).toMatchObject([
    { _id: waiting, kind: 'deposit', amount: 45, risk },
  ])
})

test('the summary has the country, earlier identity documents with the last decision, and what is open', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ kyc: 'none', availableCents: 100_00 })
  const submit = () =>
    call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image: newPicture() } })
  const findOpen = async () => (await known(operator, ana.id)).body.open
  await submit()
  const [first] = await findOpen()
  await as(operator, 'POST', `/operator/kyc/${first?._id}/reject`, { reason: 'The picture is blurred' })
  await submit()
  await call('POST', '/contact-us', { json: { name: 'Ana', email: ana.email, message: 'Hello' } })
  const { body } = await known(operator, ana.id)
  expect(body).toMatchObject({
    country: 'Switzerland',
    identityAttempts: { count: 2, last: { status: 'rejected', reason: expect.any(String) } },
  })
  expect(body.open).toEqual([
    { ...anyCase, kind: 'kyc', ref: expect.stringMatching(/^KYC-/), risk: expect.anything() },
    { ...anyCase, kind: 'message' },
  ])
})

test('an open report of a lost second factor is among the open cases of its owner', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ totpSecret: newTotpSecret() })
  const id = await filedRecovery(ana)
  expect((await known(operator, ana.id)).body.open).toEqual([
    { ...anyCase, kind: 'recovery', _id: id, ref: '', risk: expect.anything() },
  ])
  await as(operator, 'POST', `/operator/factor-recoveries/${id}/reject`, { reason: 'Another voice' })
  expect((await known(operator, ana.id)).body.open).toEqual([])
})

test('an operator is no investor, and every role may read', async () => {
  const operator = await newOperator({ roles: ['auditor'] })
  expect((await known(operator, operator.id)).status).toBe(404)
  expect((await known(operator, (await newInvestor()).id)).status).toBe(200)
})

test('the cost does not depend on the history', async () => {
  const operator = await newOperator()
  const [short, long] = [
    await newInvestor({ availableCents: 100 }),
    await newInvestor({ availableCents: 100 }),
  ]
  await addHistory(env.DB, short.id, 200)
  await addHistory(env.DB, long.id, 3_000)
  const of = async ({ id }: Person) =>
    (await cost('GET', `/operator/investors/${id}/known`, { token: operator.token })).counted
  const [few, many] = [await of(short), await of(long)]
  expect(many.trips).toBe(2)
  expect(Math.abs(many.rowsRead - few.rowsRead)).toBeLessThanOrEqual(5)
  expect(many.rowsRead).toBeLessThanOrEqual(60)
})

test('a message is matched to an investor only by the sender’s address', async () => {
  const operator = await newOperator()
  const ana = await newInvestor()
  for (const email of [ana.email, operator.email, 'stranger@example.org'])
    await call('POST', '/contact-us', { json: { name: 'Ana', email, message: 'Hello' } })
  const { body } = await as<ContactMessage[]>(operator, 'GET', '/operator/messages?limit=3')
  expect(body.map(({ investor }) => investor)).toEqual([
    null,
    null,
    { _id: ana.id, name: ana.name, email: ana.email },
  ])
})
