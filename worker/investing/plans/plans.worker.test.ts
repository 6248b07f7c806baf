import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PlanSaved } from '../../../src/contract/investing/plans.ts'
import { DAY_MS } from '../../../src/time.ts'
import { mailedCode } from '../../../test/support/filing.ts'
import { type AnyBody, call } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import {
  FIRST_AT,
  FIRST_ON,
  listPlans,
  makePlan,
  runPlansAt,
  SCHEDULE,
  saveAddress,
  sendConfirmed,
  showPlan,
} from '../../../test/support/plans.ts'
import { newStrategy, suspend } from '../../../test/support/pooled.ts'

const OTHER_ADDRESS = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
const NEXT_ON = new Date(Date.parse(FIRST_ON) + 7 * DAY_MS).toISOString().slice(0, 10)

let strategy: string
let ana: Person
beforeAll(async () => {
  strategy = await newStrategy()
  ana = await newInvestor({ availableCents: 1000_00, kyc: 'approved' })
})

const act = (person: Person, id: string, verb: string, json: unknown = {}) =>
  call<PlanSaved & AnyBody>('POST', `/plans/${id}/${verb}`, { token: person.token, json })
const change = (person: Person, id: string, json: unknown) =>
  call<PlanSaved & AnyBody>('PATCH', `/plans/${id}`, { token: person.token, json })
const invest = (person: Person, fields: Readonly<Record<string, unknown>> = {}) =>
  makePlan(person, { kind: 'invest', amount: 100, strategy, ...fields })
async function newPlan(person: Person, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { status, body } = await invest(person, fields)
  expect(status).toBe(201)
  return body.plan._id
}

describe('making a plan', () => {
  test('a plan to invest shows its next three dates, and its owner is mailed', async () => {
    const { status, body } = await invest(ana)
    expect(status).toBe(201)
    expect(body.plan).toMatchObject({
      kind: 'invest',
      amount: 100,
      strategy,
      status: 'active',
      announced: null,
    })
    expect(body.plan.next.map(({ at }) => at)).toEqual(
      [0, 7, 14].map((days) => new Date(FIRST_AT + days * DAY_MS).toISOString()),
    )
    const { text } = await mailTo(ana.email, /^Your recurring plan was made$/)
    expect(text).toContain('Invest $100.00 in')
    expect(text).toContain('/lock-account')
    expect((await listPlans(ana))[0]).toEqual(body.plan)
    expect(await showPlan(ana, body.plan._id)).toEqual({ ...body.plan, runs: [] })
  })

  test('the same call with the same key makes one plan', async () => {
    const bo = await newInvestor({ kyc: 'approved' })
    const json = { kind: 'invest', amount: 100, strategy, schedule: SCHEDULE }
    const options = { token: bo.token, json, idempotencyKey: 'a-plan' }
    await Promise.all([1, 2, 3].map(() => call('POST', '/plans', options)))
    expect(await listPlans(bo)).toHaveLength(1)
  })

  test('a plan that withdraws takes a proof bound to it, and none of a withdrawal', async () => {
    const bo = await newInvestor({ availableCents: 1000_00, kyc: 'approved' })
    const address = await saveAddress(bo)
    const json = { kind: 'withdraw', amount: '20.00', address, schedule: SCHEDULE }
    const asked = await call('POST', '/plans', { token: bo.token, json })
    expect(asked).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    expect(asked.body.reasons).toContain('plan')
    const code = await mailedCode(bo.email, /^Confirm your recurring plan$/)
    for (const other of [{ amount: '21.00' }, { schedule: { ...SCHEDULE, rhythm: 'monthly' } }])
      expect(
        await call('POST', '/plans', { token: bo.token, json: { ...json, ...other, code } }),
      ).toMatchObject({
        body: { code: 'invalid_code' },
      })
    expect(
      await call('POST', '/withdrawals', {
        token: bo.token,
        json: { amount: '20.00', type: 'bitcoin', network: 'btc', address: OTHER_ADDRESS, code },
      }),
    ).toMatchObject({ body: { code: 'invalid_code' } })
    const made = await call<PlanSaved>('POST', '/plans', { token: bo.token, json: { ...json, code } })
    expect(made).toMatchObject({
      status: 201,
      body: { plan: { kind: 'withdraw', amount: 20, strategy: null } },
    })
    expect(made.body.plan.destination).toContain('bc1qw508')
  })

  test('a plan is refused with the reason', async () => {
    const json = { kind: 'invest', amount: 100, strategy, schedule: SCHEDULE }
    expect(await call('POST', '/plans', { json })).toMatchObject({ status: 401 })
    const operator = await newOperator()
    const unverified = await newInvestor({ kyc: 'none' })
    const frozen = await newInvestor({ kyc: 'approved', frozen: true })
    expect(await invest(operator)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await invest(unverified)).toMatchObject({ status: 403, body: { code: 'kyc_required' } })
    expect(await invest(frozen)).toMatchObject({ status: 403, body: { code: 'account_frozen' } })
    expect(await invest(ana, { amount: 9.99 })).toMatchObject({
      status: 422,
      body: { fields: { amount: 'The smallest investment is $10.00' } },
    })
    expect(await invest(ana, { strategy: 'no-such-one' })).toMatchObject({ status: 422 })
    const other = await newInvestor({ kyc: 'approved' })
    const address = await saveAddress(other)
    expect(await makePlan(ana, { kind: 'withdraw', amount: 20, address })).toMatchObject({
      status: 422,
      body: { fields: { address: 'There is no such address in your address book' } },
    })
    const suspended = await newStrategy()
    await suspend(suspended)
    expect(await invest(ana, { strategy: suspended })).toMatchObject({ body: { code: 'strategy_suspended' } })
  })

  test('hostile fields are refused by name', async () => {
    const send = async (fields: Readonly<Record<string, unknown>>) => (await invest(ana, fields)).body.fields
    for (const amount of ['', -1, 0, 1e13, '1e3', null, {}])
      expect(await send({ amount })).toHaveProperty('amount')
    for (const kind of ['', 'redeem', null, []]) expect(await send({ kind })).toHaveProperty('kind')
    expect(await send({ strategy: undefined })).toHaveProperty('strategy')
    expect(await send({ kind: 'withdraw' })).toHaveProperty('address')
    for (const [field, value] of [
      ['rhythm', 'daily'],
      ['zone', '+01:00'],
      ['zone', 'Mars/Olympus'],
      ['zone', `${'x/'.repeat(5000)}`],
      ['starts', '2026-02-30'],
      ['starts', '1970-01-01'],
      ['starts', '9999-12-31'],
    ])
      expect(await send({ schedule: { ...SCHEDULE, [`${field}`]: value } })).toHaveProperty([
        `schedule.${field}`,
      ])
    for (const day of [0, 32, -1, 1.5, '1e1', [], 'x'])
      expect(await send({ schedule: { ...SCHEDULE, day } })).toHaveProperty(['schedule.day'])
    expect(
      await send({ schedule: { ...SCHEDULE, rhythm: 'monthly', starts: '2027-01-15', day: 16 } }),
    ).toEqual({
      'schedule.starts': 'The first date is not on the day of the month that you chose',
    })
    expect(await send({ schedule: 'monthly' })).toHaveProperty('schedule')
  })

  test('an investor has at most twenty plans, also in parallel, and can end one to make another', async () => {
    const bo = await newInvestor({ kyc: 'approved' })
    const replies = await Promise.all(Array.from({ length: 24 }, () => invest(bo)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(await invest(bo)).toMatchObject({ status: 409, body: { code: 'too_many_open' } })
    const [first] = await listPlans(bo)
    expect(await act(bo, first?._id ?? '', 'end')).toMatchObject({ status: 200 })
    expect(await invest(bo)).toMatchObject({ status: 201 })
  })
})

describe('changing a plan', () => {
  test('amount and schedule change, and the dates follow', async () => {
    const id = await newPlan(ana)
    expect(await change(ana, id, { amount: '50.00' })).toMatchObject({
      status: 200,
      body: { plan: { amount: 50 } },
    })
    const schedule = { rhythm: 'monthly', starts: '2027-01-31', zone: 'Europe/Lisbon' }
    const { body } = await change(ana, id, { schedule })
    expect(body.plan.next.map(({ on }) => on)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31'])
    expect(
      (await mailsTo(ana.email)).filter(({ subject }) => subject === 'Your recurring plan was changed'),
    ).toHaveLength(2)
  })

  test('a change of nothing, below the minimum, or of an address that does not fit is refused', async () => {
    const id = await newPlan(ana)
    expect(await change(ana, id, {})).toMatchObject({ status: 422 })
    expect(await change(ana, id, { amount: 1 })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    })
    expect(await change(ana, id, { address: 'x' })).toMatchObject({ status: 422 })
    await act(ana, id, 'end')
    expect(await change(ana, id, { amount: 20 })).toMatchObject({
      status: 409,
      body: { code: 'already_decided' },
    })
  })

  test('a plan that withdraws is confirmed again for another amount, address or schedule', async () => {
    const bo = await newInvestor({ availableCents: 1000_00, kyc: 'approved' })
    const address = await saveAddress(bo)
    const { body } = await makePlan(bo, { kind: 'withdraw', amount: 20, address })
    const path = `/plans/${body.plan._id}`
    const other = await saveAddress(bo, OTHER_ADDRESS)
    for (const json of [
      { amount: 30 },
      { address: other },
      { schedule: { ...SCHEDULE, rhythm: 'monthly' } },
    ]) {
      expect(await change(bo, body.plan._id, json)).toMatchObject({ body: { code: 'step_up_required' } })
      expect(await sendConfirmed(bo, 'PATCH', path, json)).toMatchObject({ status: 200 })
    }
    const shown = await showPlan(bo, body.plan._id)
    expect(shown).toMatchObject({ amount: 30, rhythm: 'monthly' })
    expect(shown.destination).toContain(OTHER_ADDRESS)
  })

  test('an announced date keeps its limit, and another schedule cancels it', async () => {
    const bo = await newInvestor({ availableCents: 1000_00, kyc: 'approved' })
    const id = await newPlan(bo)
    await runPlansAt(FIRST_AT - 25 * 3_600_000)
    expect((await change(bo, id, { amount: 200 })).body.msg).toContain('at most what we announced')
    expect((await showPlan(bo, id)).announced).toMatchObject({ on: FIRST_ON, announced: 100 })
    const { body } = await change(bo, id, { schedule: { ...SCHEDULE, rhythm: 'monthly' } })
    expect(body.msg).toContain('cancelled')
    const { announced, runs, next } = await showPlan(bo, id)
    expect(announced).toBeNull()
    expect(runs).toMatchObject([{ on: FIRST_ON, status: 'skipped', reason: 'The plan was changed.' }])
    expect(next[0]?.on.slice(0, 7)).not.toBe(FIRST_ON.slice(0, 7))
  })
})

describe('pausing, skipping and ending', () => {
  test('a paused plan does nothing until it is resumed, and then leaves out what passed', async () => {
    const bo = await newInvestor({ availableCents: 1000_00, kyc: 'approved' })
    const id = await newPlan(bo)
    expect(await act(bo, id, 'pause')).toMatchObject({ status: 200 })
    expect(await act(bo, id, 'pause')).toMatchObject({ status: 409 })
    await runPlansAt(FIRST_AT)
    expect(await showPlan(bo, id)).toMatchObject({ status: 'paused', next: [], runs: [] })
    expect((await act(bo, id, 'resume')).body.plan).toMatchObject({
      status: 'active',
      next: [{ on: FIRST_ON }, {}, {}],
    })
    expect(await act(bo, id, 'resume')).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  })

  test('one date is skipped once, whether it is announced or not, and a repeated call skips no other', async () => {
    const bo = await newInvestor({ availableCents: 1000_00, kyc: 'approved' })
    const id = await newPlan(bo)
    expect(await act(bo, id, 'skip', { on: NEXT_ON })).toMatchObject({ status: 409 })
    const replies = await Promise.all([1, 2, 3].map(() => act(bo, id, 'skip', { on: FIRST_ON })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await showPlan(bo, id)).next[0]?.on).toBe(NEXT_ON)
    await runPlansAt(FIRST_AT + 6 * DAY_MS)
    expect((await showPlan(bo, id)).announced?.on).toBe(NEXT_ON)
    expect(await act(bo, id, 'skip', { on: NEXT_ON })).toMatchObject({ status: 200 })
    expect((await showPlan(bo, id)).runs.map(({ status }) => status)).toEqual(['skipped', 'skipped'])
    for (const on of ['', null, 'tomorrow', {}])
      expect(await act(bo, id, 'skip', { on })).toMatchObject({ status: 422 })
  })

  test('an ended plan forgets its destination and never goes on', async () => {
    const bo = await newInvestor({ availableCents: 1000_00, kyc: 'approved' })
    const { body } = await makePlan(bo, { kind: 'withdraw', amount: 20, address: await saveAddress(bo) })
    const id = body.plan._id
    await runPlansAt(FIRST_AT - 25 * 3_600_000)
    expect(await act(bo, id, 'end')).toMatchObject({ status: 200 })
    for (const verb of ['end', 'pause', 'resume'])
      expect(await act(bo, id, verb)).toMatchObject({ status: 409 })
    await runPlansAt(FIRST_AT)
    expect(await showPlan(bo, id)).toMatchObject({
      status: 'ended',
      destination: null,
      runs: [{ status: 'skipped', ref: null }],
    })
  })

  test('nobody else sees or changes a plan', async () => {
    const id = await newPlan(ana)
    const thief = await newInvestor({ kyc: 'approved' })
    const operator = await newOperator()
    for (const person of [thief, operator]) {
      expect(await call('GET', `/plans/${id}`, { token: person.token })).toMatchObject({ status: 404 })
      expect(await change(person, id, { amount: 20 })).toMatchObject({ status: 404 })
      for (const verb of ['pause', 'resume', 'end']) expect((await act(person, id, verb)).status).toBe(404)
      expect(await act(person, id, 'skip', { on: FIRST_ON })).toMatchObject({ status: 404 })
      expect(await listPlans(person)).toEqual([])
    }
  })
})

describe('an account that is no longer trusted', () => {
  test('a new password ends the plans of other sessions, and keeps those of the session that chose it', async () => {
    const bo = await newInvestor({ availableCents: 1000_00, kyc: 'approved' })
    const own = await newPlan(bo)
    const thief = { ...bo, token: await anotherSession(bo) }
    const planted = await newPlan(thief)
    const turned = await newPlan(bo)
    await change(thief, turned, { amount: 900 })
    const changed = await call('PATCH', '/users/user-info', {
      token: bo.token,
      json: { currentPassword: bo.password, newPassword: 'another long passphrase' },
    })
    expect(changed.status).toBeLessThan(300)
    const plans = await listPlans(bo)
    expect(plans.map(({ _id, status }) => [_id, status])).toEqual([
      [turned, 'ended'],
      [planted, 'ended'],
      [own, 'active'],
    ])
    expect(plans[0]?.reason).toMatch(/no longer trusted/)
  })

  test('ending another session ends its plans, and only those', async () => {
    const bo = await newInvestor({ availableCents: 1000_00, kyc: 'approved' })
    const own = await newPlan(bo)
    const thief = { ...bo, token: await anotherSession(bo) }
    const planted = await newPlan(thief)
    const sessions = await call<{ _id: string; current: boolean }[]>('GET', '/users/sessions', {
      token: thief.token,
    })
    const session = sessions.body.find(({ current }) => current)?._id
    expect((await call('DELETE', `/users/sessions/${session}`, { token: bo.token })).status).toBe(204)
    expect((await showPlan(bo, planted)).status).toBe('ended')
    expect((await showPlan(bo, own)).status).toBe('active')
  })

  test('closing the account ends its plans', async () => {
    const bo = await newInvestor({ kyc: 'approved' })
    const id = await newPlan(bo)
    const closed = await call('POST', '/users/close', { token: bo.token, json: { password: bo.password } })
    expect(closed.status).toBe(200)
    const row = await env.DB.prepare('SELECT status, destination FROM plans WHERE id = ?').bind(id).first()
    expect(row).toEqual({ status: 'ended', destination: null })
  })
})
