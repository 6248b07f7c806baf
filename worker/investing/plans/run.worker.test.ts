import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { UnitOrder } from '../../../src/contract/investing/allocations.ts'
import type { SavedAddress } from '../../../src/contract/money/destinations.ts'
import type { Transaction } from '../../../src/contract/money/transactions.ts'
import type { ReceivedNotification } from '../../../src/contract/outreach/notifications.ts'
import { DAY_MS } from '../../../src/time.ts'
import { call } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { booksOf, creditInvestor } from '../../../test/support/money.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import {
  FIRST_AT,
  FIRST_ON,
  makePlan,
  runPlansAt,
  SCHEDULE,
  saveAddress,
  sendConfirmed,
  showPlan,
} from '../../../test/support/plans.ts'
import { dayOf, newStrategy, onDay, settleDay, suspend, withOthers } from '../../../test/support/pooled.ts'
import { openDatabase } from '../../lib/database.ts'
import { requestOnwardWithdrawals } from '../allocations/onwardWithdrawals.ts'

const OTHER_ADDRESS = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
const HOUR_MS = 3_600_000
const ANNOUNCED_AT = FIRST_AT - 25 * HOUR_MS

let strategy: string
let bo: Person
beforeEach(async () => {
  strategy = await newStrategy()
  bo = await newInvestor({ availableCents: 1000_00, kyc: 'approved' })
})

/** Makes a plan of `bo` and returns its id. */
async function newPlan(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { status, body } = await makePlan(bo, { kind: 'invest', amount: 100, strategy, ...fields })
  expect(status).toBe(201)
  return body.plan._id
}
async function newWithdrawalPlan(amount = 20): Promise<string> {
  return newPlan({ kind: 'withdraw', amount, strategy: undefined, address: await saveAddress(bo) })
}
const available = async () => (await booksOf(bo.id)).available
const listRuns = async (id: string) => (await showPlan(bo, id)).runs
const subjects = async (pattern: RegExp) =>
  (await mailsTo(bo.email)).map(({ subject }) => subject).filter((subject) => pattern.test(subject))
const execute = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run()
/** Announces the first date and comes to it. */
async function runFirst(between: () => Promise<unknown> = async () => null): Promise<void> {
  await runPlansAt(ANNOUNCED_AT)
  await between()
  await runPlansAt(FIRST_AT)
}

describe('a date', () => {
  test('is announced a day ahead by mail and bell, once, and runs once, through overlapping and repeated crons', async () => {
    const id = await newPlan()
    await runPlansAt(ANNOUNCED_AT - 1)
    expect(await listRuns(id)).toEqual([])
    await Promise.all([1, 2, 3].map(() => runPlansAt(ANNOUNCED_AT)))
    expect((await showPlan(bo, id)).announced).toMatchObject({
      on: FIRST_ON,
      announced: 100,
      status: 'announced',
    })
    expect(await subjects(/^Your recurring plan runs on/)).toHaveLength(1)
    expect((await mailTo(bo.email, /^Your recurring plan runs on/)).text).toContain('at most $100.00')
    const bell = await call<ReceivedNotification[]>('GET', '/users/notifications', { token: bo.token })
    expect(bell.body.map(({ title }) => title)).toContainEqual(
      expect.stringMatching(/^Your recurring plan runs on/),
    )
    await runPlansAt(FIRST_AT - 1)
    expect(await available()).toBe(1000_00)
    await Promise.all([1, 2, 3].map(() => runPlansAt(FIRST_AT)))
    // The clock goes back, and on again.
    for (const atMs of [ANNOUNCED_AT, FIRST_AT, FIRST_AT + HOUR_MS]) await runPlansAt(atMs)
    expect(await available()).toBe(900_00)
    const [run, ...others] = await listRuns(id)
    expect(others).toEqual([])
    expect(run).toMatchObject({
      status: 'done',
      amount: 100,
      ref: expect.stringMatching(/^ALC-/),
      reason: null,
    })
    expect(await subjects(/^Your recurring plan filed/)).toEqual([`Your recurring plan filed ${run?.ref}`])
    const orders = await call<{ ref: string; amount: number }[]>('GET', '/allocations/orders', {
      token: bo.token,
    })
    expect(orders.body).toMatchObject([{ ref: run?.ref, amount: 100, kind: 'allocate', strategy, plan: id }])
  })

  test('goes on with the next one', async () => {
    const id = await newPlan()
    await runFirst()
    await runPlansAt(ANNOUNCED_AT + 7 * DAY_MS)
    await runPlansAt(FIRST_AT + 7 * DAY_MS)
    expect((await listRuns(id)).map(({ status }) => status)).toEqual(['done', 'done'])
    expect(await available()).toBe(800_00)
  })

  test('runs late once if cron stood still, a day after its announcement', async () => {
    const id = await newPlan()
    const late = FIRST_AT + 2 * DAY_MS
    await runPlansAt(late)
    expect(await available()).toBe(1000_00)
    await runPlansAt(late + DAY_MS - 1)
    expect(await available()).toBe(1000_00)
    await runPlansAt(late + DAY_MS)
    expect(await available()).toBe(900_00)
    expect(await listRuns(id)).toMatchObject([{ on: FIRST_ON, status: 'done' }])
  })

  test('is left out, and said so, if it is more than five days late', async () => {
    const id = await newPlan()
    await runPlansAt(FIRST_AT + 30 * DAY_MS)
    const { runs, next } = await showPlan(bo, id)
    expect(runs.at(-1)).toMatchObject({
      on: FIRST_ON,
      status: 'missed',
      reason: expect.stringMatching(/five days late/),
    })
    expect(Date.parse(next[0]?.at ?? '')).toBeGreaterThan(FIRST_AT + 25 * DAY_MS)
    expect(await subjects(/^Your recurring plan did not run on/)).toHaveLength(1)
    // Announced in time, and then too late.
    const other = await newPlan()
    await runPlansAt(ANNOUNCED_AT)
    await runPlansAt(FIRST_AT + 5 * DAY_MS + 1)
    expect(await listRuns(other)).toMatchObject([{ status: 'missed' }])
    expect(await available()).toBe(1000_00)
  })

  test('that is skipped moves nothing', async () => {
    const id = await newPlan()
    await runFirst(() => call('POST', `/plans/${id}/skip`, { token: bo.token, json: { on: FIRST_ON } }))
    expect(await available()).toBe(1000_00)
    expect(await listRuns(id)).toMatchObject([{ status: 'skipped', amount: null }])
  })

  test('never overdraws, and says why it did not run', async () => {
    const id = await newPlan({ amount: 1000.01 })
    await runFirst()
    expect(await available()).toBe(1000_00)
    expect(await listRuns(id)).toMatchObject([
      { status: 'failed', reason: 'That is more than what is available.' },
    ])
    expect((await showPlan(bo, id)).status).toBe('active')
    expect((await mailTo(bo.email, /^Your recurring plan did not run on/)).text).toContain(
      'more than what is available',
    )
  })

  test('moves a lower amount that was chosen since, and never a higher one', async () => {
    const [lower, higher] = [await newPlan(), await newPlan()]
    await runFirst(async () => {
      for (const [id, amount] of [
        [lower, 60],
        [higher, 300],
      ])
        await call('PATCH', `/plans/${id}`, { token: bo.token, json: { amount } })
    })
    expect((await listRuns(lower))[0]).toMatchObject({ announced: 100, amount: 60 })
    expect((await listRuns(higher))[0]).toMatchObject({ announced: 100, amount: 100 })
  })
})

describe('keeping an amount and investing what is above', () => {
  test('invests what is above at its time, at most what was announced', async () => {
    const id = await newPlan({ kind: 'invest_above', amount: 700 })
    await runFirst(() => creditInvestor(bo.id, 50_00))
    expect((await listRuns(id))[0]).toMatchObject({ announced: 300, amount: 300 })
    expect(await available()).toBe(750_00)
    // Next week there are 50 above, and meanwhile 20 are spent.
    await runPlansAt(ANNOUNCED_AT + 7 * DAY_MS)
    await call('POST', '/allocations', { token: bo.token, json: { strategy, amount: 20 } })
    await runPlansAt(FIRST_AT + 7 * DAY_MS)
    expect((await listRuns(id))[0]).toMatchObject({ announced: 50, amount: 30 })
    expect(await available()).toBe(700_00)
  })

  test('invests nothing if nothing is above, or too little', async () => {
    const ids = [
      await newPlan({ kind: 'invest_above', amount: 1000 }),
      await newPlan({ kind: 'invest_above', amount: 999 }),
    ]
    await runFirst()
    const reasons = await Promise.all(ids.map(async (id) => (await listRuns(id))[0]?.reason))
    expect(reasons).toEqual([
      'There was nothing above the amount to keep.',
      'The amount is below the minimum.',
    ])
    expect(await available()).toBe(1000_00)
  })
})

describe('a plan that withdraws', () => {
  test('files the withdrawal with the plan’s proof, also of a large share', async () => {
    const id = await newWithdrawalPlan(900)
    await runFirst()
    const [run] = await listRuns(id)
    expect(run).toMatchObject({ status: 'done', amount: 900, ref: expect.stringMatching(/^WDR-/) })
    expect(await booksOf(bo.id)).toMatchObject({ available: 100_00, held: 900_00 })
    const history = await call<Transaction[]>('GET', '/transaction-history', { token: bo.token })
    expect(history.body).toMatchObject([{ trxType: 'withdrawal', status: 'pending', amount: 900 }, {}])
    const path = `/transaction-history/${run?.ref}`
    expect((await call('GET', path, { token: bo.token })).body).toMatchObject({ plan: id })
    const [operator, withdrawal] = [await newOperator(), history.body[0]?._id]
    const shown = await call('GET', `/operator/withdrawals/${withdrawal}`, { token: operator.token })
    expect(shown.body).toMatchObject({ isOfPlan: true })
  })

  test('stops if its destination is no longer known, and is confirmed again to go on', async () => {
    const id = await newWithdrawalPlan()
    await runFirst(() => execute('DELETE FROM known_destinations WHERE investor = ?', bo.id))
    expect(await showPlan(bo, id)).toMatchObject({
      status: 'paused',
      reason: 'The destination has to be confirmed again.',
      runs: [{ status: 'failed', ref: null }],
    })
    expect(await sendConfirmed(bo, 'POST', `/plans/${id}/resume`, {})).toMatchObject({ status: 200 })
    await runPlansAt(ANNOUNCED_AT + 7 * DAY_MS)
    await runPlansAt(FIRST_AT + 7 * DAY_MS)
    expect((await listRuns(id))[0]).toMatchObject({ status: 'done', amount: 20 })
  })

  test('is paused with a mail once its saved address is deleted, and goes on with another one', async () => {
    const id = await newWithdrawalPlan()
    const addresses = async () =>
      (await call<SavedAddress[]>('GET', '/users/addresses', { token: bo.token })).body
    const [saved] = await addresses()
    expect(saved).toMatchObject({ plans: 1 })
    await runFirst(() => call('DELETE', `/users/addresses/${saved?._id}`, { token: bo.token }))
    expect(await showPlan(bo, id)).toMatchObject({
      status: 'paused',
      reason: expect.stringMatching(/saved address was deleted/),
      runs: [{ status: 'skipped', ref: null }],
    })
    expect((await mailTo(bo.email, /^Your recurring plan is paused$/)).text).toContain('/dashboard/plans')
    expect(await booksOf(bo.id)).toMatchObject({ held: 0 })
    expect((await sendConfirmed(bo, 'POST', `/plans/${id}/resume`, {})).body.fields).toHaveProperty('address')
    const address = await saveAddress(bo, OTHER_ADDRESS)
    expect(await sendConfirmed(bo, 'PATCH', `/plans/${id}`, { address })).toMatchObject({ status: 200 })
    expect(await sendConfirmed(bo, 'POST', `/plans/${id}/resume`, {})).toMatchObject({ status: 200 })
    // Deleted by something else: its date finds out.
    await execute('DELETE FROM saved_addresses WHERE investor = ?', bo.id)
    await runPlansAt(ANNOUNCED_AT + 7 * DAY_MS)
    await runPlansAt(FIRST_AT + 7 * DAY_MS)
    expect(await showPlan(bo, id)).toMatchObject({
      status: 'paused',
      reason: expect.stringMatching(/deleted/),
    })
  })

  test('stops after a change of security, because somebody else could have made it', async () => {
    const id = await newWithdrawalPlan()
    await runFirst(() =>
      execute('UPDATE users SET security_changed_at = ? WHERE id = ?', FIRST_AT - HOUR_MS, bo.id),
    )
    expect(await showPlan(bo, id)).toMatchObject({ status: 'paused', runs: [{ status: 'failed' }] })
    expect(await booksOf(bo.id)).toMatchObject({ held: 0 })
  })
})

describe('a plan that redeems what is missing', () => {
  let redeemFrom: string
  // 60 USD invested at 100 for a unit, and 140 available.
  beforeEach(async () => {
    redeemFrom = await newStrategy()
    bo = await newInvestor({ availableCents: 200_00, kyc: 'approved' })
    await withOthers(redeemFrom)
    const then = await onDay(1, bo)
    await call('POST', '/allocations', { token: then.token, json: { strategy: redeemFrom, amount: 60 } })
    await settleDay(redeemFrom, 2, 100, 0)
    vi.useRealTimers()
  })
  const newRedeemingPlan = async (amount: number) =>
    newPlan({ kind: 'withdraw', amount, strategy: undefined, address: await saveAddress(bo), redeemFrom })
  const settle = async (dollars: number) => {
    await settleDay(redeemFrom, 63 + Math.ceil((FIRST_AT - dayOf(63)) / DAY_MS), dollars, 0)
    await requestOnwardWithdrawals(env, openDatabase(env.DB), FIRST_AT + DAY_MS)
  }

  test('withdraws at once if enough is available', async () => {
    const id = await newRedeemingPlan(140)
    await runFirst()
    expect((await listRuns(id))[0]).toMatchObject({ ref: expect.stringMatching(/^WDR-/), amount: 140 })
  })

  test('redeems only what is missing, and withdraws once that is settled: less if the price fell, never more', async () => {
    const id = await newRedeemingPlan(190)
    expect(await showPlan(bo, id)).toMatchObject({ redeemFrom })
    await runFirst()
    const redemption = { status: 'done', announced: 190, amount: null, redemption: 'pending' }
    expect((await listRuns(id))[0]).toMatchObject({ ...redemption, ref: expect.stringMatching(/^RDM-/) })
    const [order] = (await call<UnitOrder[]>('GET', '/allocations/orders', { token: bo.token })).body
    expect(order).toMatchObject({ kind: 'redeem', amount: 50, plan: id, status: 'pending' })
    expect((await mailTo(bo.email, /^Your recurring plan filed RDM-/)).text).toMatch(/never larger/)
    await settle(80)
    const [run] = await listRuns(id)
    expect(run).toMatchObject({
      ref: expect.stringMatching(/^WDR-/),
      announced: 190,
      amount: 188,
      redemption: null,
    })
    expect(await booksOf(bo.id)).toMatchObject({ available: 0, held: 188_00 })
    const shown = await call('GET', `/transaction-history/${run?.ref}`, { token: bo.token })
    expect(shown.body).toMatchObject({ plan: id })
  })

  test('withdraws no more than it announced, also if more is available by then', async () => {
    const id = await newRedeemingPlan(190)
    await runFirst()
    await creditInvestor(bo.id, 500_00)
    await settle(120)
    expect((await listRuns(id))[0]).toMatchObject({ amount: 190 })
    expect(await booksOf(bo.id)).toMatchObject({ available: 500_00, held: 190_00 })
  })

  test('pays nothing to an address that was deleted while it redeems', async () => {
    const id = await newRedeemingPlan(190)
    await runFirst()
    const { body } = await call<SavedAddress[]>('GET', '/users/addresses', { token: bo.token })
    expect(body).toMatchObject([{ plans: 1 }])
    await call('DELETE', `/users/addresses/${body[0]?._id}`, { token: bo.token })
    await settle(100)
    expect((await listRuns(id))[0]).toMatchObject({ ref: expect.stringMatching(/^RDM-/) })
    expect(await booksOf(bo.id)).toMatchObject({ available: 190_00, held: 0 })
    const { text } = await mailTo(bo.email, /was not withdrawn$/)
    expect(text).toContain('you deleted the saved address')
  })

  test('moves nothing if both together do not cover it, and says so', async () => {
    const id = await newRedeemingPlan(201)
    await runFirst()
    expect((await listRuns(id))[0]).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/do not cover/),
    })
    expect(await available()).toBe(140_00)
  })

  test('takes only a strategy that there is, and keeps it', async () => {
    const address = await saveAddress(bo)
    const make = (fields: Readonly<Record<string, unknown>>) => makePlan(bo, { amount: 20, ...fields })
    expect((await make({ kind: 'withdraw', address, redeemFrom: 'none' })).body.fields).toHaveProperty(
      'redeemFrom',
    )
    const { body } = await make({ kind: 'invest', strategy, redeemFrom })
    expect(body.plan.redeemFrom).toBeNull()
  })
})

describe('what keeps the owner from ordering', () => {
  test.each([
    [
      'a frozen account',
      () => execute("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?", bo.id),
      /frozen/,
    ],
    [
      'an identity that is no longer approved',
      () => execute("UPDATE users SET kyc_status = 'rejected' WHERE id = ?", bo.id),
      /verify your identity/,
    ],
    ['a suspended strategy', () => suspend(strategy), /takes no new money/],
  ])(
    '%s pauses the plan with a reason, when a date is announced or when it runs',
    async (_, stop, reason) => {
      const id = await newPlan()
      await runFirst(stop)
      expect(await showPlan(bo, id)).toMatchObject({
        status: 'paused',
        reason: expect.stringMatching(reason),
        next: [],
        runs: [{ status: 'failed', reason: expect.stringMatching(reason) }],
      })
      expect((await mailTo(bo.email, /^Your recurring plan did not run on/)).text).toContain(
        'The plan is paused.',
      )
      await runPlansAt(ANNOUNCED_AT + 7 * DAY_MS)
      expect(await listRuns(id)).toHaveLength(1)
      expect(await available()).toBe(1000_00)
    },
  )

  test('stops a plan at its announcement too, and it can be resumed afterwards', async () => {
    const id = await newPlan()
    await execute("UPDATE users SET frozen_at = 1, frozen_reason = 'A test' WHERE id = ?", bo.id)
    await Promise.all([1, 2].map(() => runPlansAt(ANNOUNCED_AT)))
    expect(await showPlan(bo, id)).toMatchObject({
      status: 'paused',
      runs: [{ status: 'failed', announced: null }],
    })
    expect(await subjects(/^Your recurring plan did not run on/)).toHaveLength(1)
    const resume = () => call('POST', `/plans/${id}/resume`, { token: bo.token, json: {} })
    expect(await resume()).toMatchObject({ status: 403, body: { code: 'account_frozen' } })
    await execute('UPDATE users SET frozen_at = NULL, frozen_reason = NULL WHERE id = ?', bo.id)
    expect(await resume()).toMatchObject({ status: 200 })
    expect((await showPlan(bo, id)).next[0]?.on).not.toBe(FIRST_ON)
  })
})

test('a plan that cannot be read stops no other, and runs once it can be', async () => {
  const bad = await newWithdrawalPlan()
  const good = await newPlan()
  await runPlansAt(ANNOUNCED_AT)
  const { destination } =
    (await env.DB.prepare('SELECT destination FROM plans WHERE id = ?').bind(bad).first()) ?? {}
  await execute("UPDATE plans SET destination = '{}' WHERE id = ?", bad)
  await expect(runPlansAt(FIRST_AT)).rejects.toThrow()
  expect((await listRuns(good))[0]?.status).toBe('done')
  await execute('UPDATE plans SET destination = ? WHERE id = ?', destination, bad)
  await runPlansAt(FIRST_AT)
  expect((await listRuns(bad))[0]?.status).toBe('done')
})

test('a monthly plan of an investor in another zone is due at nine there', async () => {
  const starts = new Date(FIRST_AT + 4 * DAY_MS).toISOString().slice(0, 10)
  const id = await newPlan({
    schedule: { ...SCHEDULE, starts, rhythm: 'monthly', zone: 'Pacific/Kiritimati' },
  })
  const dueAt = Date.parse((await showPlan(bo, id)).next[0]?.at ?? '')
  expect(dueAt).toBe(Date.parse(starts) - 5 * HOUR_MS)
  await runPlansAt(dueAt - 25 * HOUR_MS)
  await runPlansAt(dueAt - 1)
  expect(await available()).toBe(1000_00)
  await runPlansAt(dueAt)
  expect(await available()).toBe(900_00)
})
