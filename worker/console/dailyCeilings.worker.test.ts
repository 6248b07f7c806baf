import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { OperatorOverview } from '../../src/contract/console/overview.ts'
import type { Proposal } from '../../src/contract/console/proposals.ts'
import { cost } from '../../test/support/cost.ts'
import { newTxid } from '../../test/support/ledger/txid.ts'
import { booksOf } from '../../test/support/money.ts'
import {
  approveDeposit,
  approveProposal,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  statuses,
  withdrawal,
} from '../../test/support/operating.ts'
import { newInvestor, newOperator } from '../../test/support/people.ts'
import { acceptEveryRisk } from '../../test/support/settings.ts'

// The ceilings are global, so each test sets what it needs, with two administrators.

const REACHED = { status: 409, body: { code: 'daily_ceiling_reached' } }
const HOUR_MS = 3_600_000

beforeAll(acceptEveryRisk)

type Ceilings = Partial<Record<keyof OperatorOverview['ceilings'], number>>

/** Sets ceilings in USD: one administrator proposes, and nothing applies until another approves. */
async function setCeilings(dailyCeilings: Ceilings): Promise<void> {
  const [first, second] = [await newOperator(), await newOperator()]
  const before = (await ceilings()).credits.limit
  const proposed = await as<Proposal>(first, 'PATCH', '/operator/settings', {
    dailyCeilings,
    reason: 'A test',
  })
  expect(proposed.status).toBe(202)
  expect((await ceilings()).credits.limit).toBe(before)
  expect((await approveProposal(first, proposed.body._id)).status).toBe(403)
  expect((await approveProposal(second, proposed.body._id)).status).toBe(200)
}

async function ceilings() {
  const { body } = await as<OperatorOverview>(await newOperator(), 'GET', '/operator/overview')
  return body.ceilings
}

test('all credits of a day stop at the common ceiling, also with two approvals, until two administrators raise it', async () => {
  const [first, second] = [await newOperator(), await newOperator()]
  const { used } = (await ceilings()).credits
  await setCeilings({ credits: used + 1000 })
  expect((await approveDeposit(first, await deposit(await newInvestor(), '600'))).status).toBe(200)

  const ana = await newInvestor()
  const small = await deposit(ana, '400.01')
  const refused = await approveDeposit(second, small)
  expect(refused).toMatchObject(REACHED)
  expect(refused.body.msg).toMatch(/credits of the last 24 hours.*daily ceiling.*administrators can raise it/)
  const large = await deposit(ana, '6000')
  const fields = { reference: newTxid() }
  expect((await approveDeposit(first, large, fields)).status).toBe(202)
  expect(await approveDeposit(second, large, fields)).toMatchObject(REACHED)
  const bySql = env.DB.prepare(
    `INSERT INTO request_events (request, status, at, actor, investor, amount, reference, reference_key, units, units_at_rate)
     VALUES (?, 'approved', ?, ?, ?, 40001, 'sql', 'sql', 5, 5)`,
  ).bind(small, Date.now(), second.id, ana.id)
  await expect(bySql.run()).rejects.toThrow('daily_credit_ceiling')
  expect(await booksOf(ana.id)).toMatchObject({ available: 0 })

  await setCeilings({ credits: used + 10_000 })
  expect((await approveDeposit(second, small)).status).toBe(200)
  expect((await approveDeposit(second, large, fields)).status).toBe(200)
  expect((await ceilings()).credits).toEqual({ limit: used + 10_000, used: used + 600 + 400.01 + 6000 })
})

test('all payouts of a day stop at the common ceiling, also with two operators, until two administrators raise it', async () => {
  await setCeilings({ credits: 10_000_000 })
  const [first, second] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 20_000_00 })
  const { used } = (await ceilings()).payouts
  await setCeilings({ payouts: used + 100 })
  const [one, two] = [await withdrawal(ana, '100'), await withdrawal(ana, '6000')]
  for (const id of [one, two]) await approveWithdrawal(first, id)
  // Refused before a second operator is requested.
  expect(await completeWithdrawal(first, two)).toMatchObject(REACHED)
  const refused = await completeWithdrawal(second, two)
  expect(refused).toMatchObject(REACHED)
  expect(refused.body.msg).toMatch(/payouts of the last 24 hours.*daily ceiling.*administrators can raise it/)
  expect((await completeWithdrawal(first, one)).status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({ withdrawals: 100_00, held: 6000_00 })
  await setCeilings({ payouts: used + 10_000 })
  expect((await completeWithdrawal(second, two)).status).toBe(200)
})

test('parallel credits do not pass the common ceiling', async () => {
  const { used } = (await ceilings()).credits
  await setCeilings({ credits: used + 2000 })
  const work = Array.from({ length: 6 }, async () => ({
    by: await newOperator(),
    id: await deposit(await newInvestor(), '500'),
  }))
  const replies = await Promise.all((await Promise.all(work)).map(({ by, id }) => approveDeposit(by, id)))
  expect(statuses(replies)).toEqual({ 200: 4, 409: 2 })
  await setCeilings({ credits: 10_000_000 })
})

test('with a ceiling of zero every decision takes two operators, until it is raised again', async () => {
  await setCeilings({ creditsAlone: 0, payoutsAlone: 0 })
  const [first, second] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 500_00 })
  const id = await deposit(ana, '1')
  const fields = { reference: newTxid() }
  expect((await approveDeposit(first, id, fields)).status).toBe(202)
  expect((await approveDeposit(second, id, fields)).status).toBe(200)
  const [one, two] = [await withdrawal(ana, '10'), await withdrawal(ana, '10')]
  const third = await newOperator()
  for (const payout of [one, two]) await approveWithdrawal(third, payout)
  expect((await completeWithdrawal(third, one)).status).toBe(403)
  expect((await completeWithdrawal(first, one)).status).toBe(200)
  await setCeilings({ creditsAlone: 25_000, payoutsAlone: 30_000 })
  expect((await completeWithdrawal(third, two)).status).toBe(200)
  expect((await approveDeposit(third, await deposit(await newInvestor(), '1'))).status).toBe(200)
})

test('decisions of 23 hours ago count, also across midnight, and those of 25 hours ago do not', async () => {
  const operator = await newOperator()
  const hour = Math.floor(Date.now() / HOUR_MS)
  const decided = (hoursAgo: number, cents: number) =>
    env.DB.prepare("INSERT INTO decision_totals VALUES ('deposits', ?, ?, ?)")
      .bind(operator.id, hour - hoursAgo, cents)
      .run()
  await decided(26, 9_000_000)
  expect((await approveDeposit(operator, await deposit(await newInvestor(), '1000'))).status).toBe(200)
  await decided(23, 2_400_000)
  expect((await approveDeposit(operator, await deposit(await newInvestor(), '0.01'))).status).toBe(202)
})

test('on a day of thousands of decisions a credit and a payout read no more rows than 25 hours of totals', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 1000_00 })
  const measure = async () => {
    const credit = await cost('POST', `/operator/deposits/${await deposit(ana, '10')}/approve`, {
      token: operator.token,
      json: { riskReason: 'Called back, all is in order', reference: newTxid(), quantity: '0.00015576' },
    })
    const id = await withdrawal(ana, '10')
    await approveWithdrawal(await newOperator(), id)
    const payout = await cost('POST', `/operator/withdrawals/${id}/complete`, {
      token: operator.token,
      json: { riskReason: 'Called back, all is in order', reference: newTxid(), quantity: '0.00015576' },
    })
    expect([credit.status, payout.status]).toEqual([200, 200])
    return { credit: credit.counted.rowsRead, payout: payout.counted.rowsRead }
  }
  const quiet = await measure()
  const hour = Math.floor(Date.now() / HOUR_MS)
  for (const who of [operator.id, 'house'])
    for (const queue of ['deposits', 'withdrawals'])
      for (let ago = 0; ago < 200; ago++)
        await env.DB.prepare(
          `INSERT INTO decision_totals SELECT ?1, ?2, ?3, 100
           WHERE NOT EXISTS (SELECT 1 FROM decision_totals WHERE queue = ?1 AND operator = ?2 AND hour = ?3)`,
        )
          .bind(queue, who, hour - ago)
          .run()
  const busy = await measure()
  // Reads the operator's totals, for the decision and in the trigger, and the common ones: the last 25 hours each, and no older
  // ones. The signs of risk compare a few more requests.
  expect(busy.credit - quiet.credit).toBeLessThanOrEqual(3 * 25 + 30)
  expect(busy.payout - quiet.payout).toBeLessThanOrEqual(2 * 25 + 5)
  // Nine of them keep the checkpoints of balances, some 24 belong to the referral bonus and to silent freezes, six to the bell, and 30
  // to the places of custody, and closed months. The signs of risk read up to 180: others who sent the same receipt are counted to 100.
  expect(Math.max(busy.credit, busy.payout)).toBeLessThanOrEqual(520)
})
