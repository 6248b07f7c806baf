import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { OperatorDeposit } from '../../src/contract/console/deposits.ts'
import type { OperatorWithdrawal } from '../../src/contract/console/withdrawals.ts'
import { DAY_MS } from '../../src/time.ts'
import { booksOf, creditInvestor } from '../../test/support/money.ts'
import {
  approveDeposit,
  approveIdentity,
  approveProposal,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  propose,
  withdrawal,
} from '../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../test/support/people.ts'
import { invitedBy } from '../../test/support/referrals.ts'
import { acceptEveryRisk, setSetting } from '../../test/support/settings.ts'
import { openDatabase } from '../lib/database.ts'
import { grantReferralBonuses } from '../money/referrals/grant.ts'

// Attempts of one dishonest operator to turn invented people into bonuses of a referrer.

const SECOND = { status: 403, body: { code: 'second_operator_required' } }

beforeAll(async () => {
  await setSetting('referralBonus', 100_00)
  await acceptEveryRisk()
})

test('one operator who identifies two invented people and credits each one cent gets no bonus for their referrer', async () => {
  const thief = await newOperator()
  const referrer = await newInvestor()
  for (let n = 0; n < 2; n++) {
    const invented = await invitedBy(referrer, { kyc: 'pending' })
    await identify(thief, invented)
    const id = await deposit(invented, '0.01')
    expect((await approveDeposit(thief, id, { quantity: '0.00000015' })).status).toBe(200)
  }
  await grantMatured()
  expect(await booksOf(referrer.id)).toMatchObject({ bonus: 0, available: 0 })
})

test('nor does one operator pay the referrer alone whose invited people they credited or identified', async () => {
  const colleague = await newOperator()
  for (const part of ['credits', 'identifies'] as const) {
    const thief = await newOperator()
    const referrer = await newInvestor()
    const invented = await invitedBy(referrer, { kyc: 'pending' })
    await identify(part === 'identifies' ? thief : colleague, invented)
    const credited = await deposit(invented, '100')
    expect((await approveDeposit(part === 'credits' ? thief : colleague, credited)).status).toBe(200)
    await grantMatured()
    expect(await booksOf(referrer.id)).toMatchObject({ bonus: 100_00 })
    const id = await withdrawal(referrer, '100')
    await approveWithdrawal(thief, id)
    const { body } = await as<OperatorWithdrawal>(thief, 'GET', `/operator/withdrawals/${id}`)
    expect(body.alone).toMatchObject({ needsTwo: true, reasons: ['credited'] })
    expect(await completeWithdrawal(thief, id)).toMatchObject(SECOND)
    expect((await completeWithdrawal(await newOperator(), id)).status).toBe(200)
  }
})

test('a bonus counts as credited by whoever credits its deposit, in the limit for one investor and in the daily ceiling', async () => {
  await setSetting('twoPersonLimit', 250_00)
  const [operator, colleague] = [await newOperator(), await newOperator()]
  const referrer = await newInvestor()
  for (let n = 0; n < 2; n++)
    expect((await approveDeposit(operator, await deposit(await invitedBy(referrer), '100'))).status).toBe(200)
  const third = await deposit(await invitedBy(referrer), '100')
  const { body } = await as<OperatorDeposit>(operator, 'GET', `/operator/deposits/${third}`)
  expect(body.alone).toMatchObject({ needsTwo: true, reasons: ['limit'], day: { used: 400 } })
  const first = await approveDeposit(operator, third)
  expect(first.status).toBe(202)
  const fields = { reference: first.body.firstApproval?.reference }
  expect((await approveDeposit(colleague, third, fields)).status).toBe(200)
  // A colleague credits the next one, and the operator the referrer themselves only up to the limit.
  expect((await approveDeposit(colleague, await deposit(await invitedBy(referrer), '100'))).status).toBe(200)
  expect((await approveDeposit(operator, await deposit(referrer, '50.01'))).status).toBe(202)
  await setSetting('twoPersonLimit', 5000_00)

  await setSetting('dailyCeilings', {
    creditsAlone: 500_00,
    payoutsAlone: 500_00,
    credits: 1e9,
    payouts: 1e9,
  })
  const other = await deposit(await invitedBy(await newInvestor()), '100')
  const shown = await as<OperatorDeposit>(operator, 'GET', `/operator/deposits/${other}`)
  expect(shown.body.alone).toMatchObject({ needsTwo: true, reasons: ['daily_ceiling'] })
  expect((await approveDeposit(operator, other)).status).toBe(202)
  await setSetting('dailyCeilings', { creditsAlone: 1e9, payoutsAlone: 1e9, credits: 1e9, payouts: 1e9 })
})

test('all bonuses count in the company’s daily ceiling of credits, and a matured one waits for the next day', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const referrer = await newInvestor()
  expect((await approveDeposit(first, await deposit(await invitedBy(referrer), '100'))).status).toBe(200)
  await setSetting('dailyCeilings', { creditsAlone: 1e9, payoutsAlone: 1e9, credits: 1, payouts: 1e9 })
  await grantMatured()
  expect(await booksOf(referrer.id)).toMatchObject({ bonus: 0 })
  const { body } = await propose(first, { kind: 'bonus', investor: referrer.id, amount: 5, reason: 'Thanks' })
  expect(await approveProposal(second, body._id)).toMatchObject({
    status: 409,
    body: { code: 'daily_ceiling_reached' },
  })
  await setSetting('dailyCeilings', { creditsAlone: 1e9, payoutsAlone: 1e9, credits: 1e9, payouts: 1e9 })
  await grantMatured()
  expect(await booksOf(referrer.id)).toMatchObject({ bonus: 100_00 })
  expect((await approveProposal(second, body._id)).status).toBe(200)
})

test('neither of the two operators who granted a bonus or reversed a payout pays that investor alone', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const ana = await newInvestor()
  const thanks = { kind: 'bonus', investor: ana.id, amount: 50, reason: 'Thanks' }
  const { body: bonus } = await propose(first, thanks)
  expect((await approveProposal(second, bonus._id)).status).toBe(200)

  const ben = await newInvestor()
  await creditInvestor(ben.id, 50_00)
  const paid = await withdrawal(ben, '50')
  const payer = await newOperator()
  await approveWithdrawal(payer, paid)
  expect((await completeWithdrawal(payer, paid)).status).toBe(200)
  const { body: reversal } = await propose(first, { kind: 'reversal', request: paid, reason: 'Returned' })
  expect((await approveProposal(second, reversal._id)).status).toBe(200)

  for (const investor of [ana, ben]) {
    const id = await withdrawal(investor, '50')
    for (const by of [first, second]) {
      if (by === first) await approveWithdrawal(by, id)
      const { body } = await as<OperatorWithdrawal>(by, 'GET', `/operator/withdrawals/${id}`)
      expect(body.alone).toMatchObject({ needsTwo: true, reasons: ['credited'] })
    }
    expect(await completeWithdrawal(first, id)).toMatchObject(SECOND)
    expect((await completeWithdrawal(second, id)).status).toBe(200)
  }
})

async function identify(by: Operator, investor: Person): Promise<void> {
  const id = await env.DB.prepare('SELECT id FROM kyc_submissions WHERE user_id = ?')
    .bind(investor.id)
    .first<string>('id')
  expect((await approveIdentity(by, id)).status).toBe(200)
}

function grantMatured(): Promise<void> {
  return grantReferralBonuses(env, openDatabase(env.DB), Date.now() + 31 * DAY_MS)
}
