import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { OperatorWithdrawal } from '../../src/contract/console/withdrawals.ts'
import type { Position } from '../../src/contract/investing/allocations.ts'
import type { TransactionDetail } from '../../src/contract/money/transactions.ts'
import { DAY_MS } from '../../src/time.ts'
import { BANK_WITHDRAWAL, CRYPTO_WITHDRAWAL, GOOD_ADDRESS, mailedCode } from '../../test/support/filing.ts'
import { call } from '../../test/support/http.ts'
import { linkIn, mailTo } from '../../test/support/mailbox.ts'
import { booksOf } from '../../test/support/money.ts'
import { approveWithdrawal, as, completeWithdrawal, withdrawal } from '../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../test/support/people.ts'
import { newStrategy, onDay, settleDay, withOthers } from '../../test/support/pooled.ts'
import { withTriggerDropped } from '../../test/support/withTriggerDropped.ts'
import { requestOnwardWithdrawals } from '../investing/allocations/onwardWithdrawals.ts'
import { openDatabase } from '../lib/database.ts'

const NEW_PASSWORD = 'ein Kahn im Hafen'
const UNDECIDED = { status: 409, body: { code: 'already_decided' } }

afterEach(() => {
  vi.useRealTimers()
})

/** Resets the password with the mailed link. */
async function reset({ email }: Person): Promise<void> {
  await call('POST', '/auth/forgot-password', { json: { email } })
  const link = linkIn(await mailTo(email, /^Choose/), '/change-password').searchParams
  const json = { ...Object.fromEntries(link), password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }
  expect(await call('POST', '/auth/reset-password', { json })).toMatchObject({ status: 200 })
}

/** Locks the account with the link of a mail about security. Returns the link's token. */
async function lock(person: Person): Promise<string | null> {
  const json = { currentPassword: person.password, newPassword: NEW_PASSWORD }
  await call('PATCH', '/users/user-info', { token: person.token, json })
  const mail = await mailTo(person.email, /^Your password was changed/)
  const token = linkIn(mail, '/lock-account').searchParams.get('token')
  expect(await call('POST', '/auth/lock-account', { json: { token } })).toMatchObject({ status: 200 })
  return token
}

/** Changes the e-mail address, which both mailboxes confirm. */
async function changeEmail(person: Person): Promise<void> {
  const email = `new-${person.email}`
  await as(person, 'POST', '/users/email', { email, password: person.password })
  for (const mailbox of [person.email, email]) {
    const mail = await mailTo(mailbox, /^Confirm the change/)
    const token = linkIn(mail, '/confirm-email').searchParams.get('token')
    expect(await call('POST', '/auth/confirm-email-change', { json: { token } })).toMatchObject({
      status: 200,
    })
  }
}

async function timelineOf(person: Person, id: string) {
  // Nobody signs in to a locked account.
  const token = await withTriggerDropped(env.DB, 'sessions_not_locked_insert', () => anotherSession(person))
  const { body } = await call<TransactionDetail>('GET', `/transaction-history/${id}`, { token })
  return body.timeline
}
const statusOf = (id: string) =>
  env.DB.prepare('SELECT status FROM requests WHERE id = ?').bind(id).first('status')

/** The steps of a withdrawal without the reasons for going on in spite of its risk. */
const listDecisions = ({ steps }: OperatorWithdrawal) => steps.filter(({ step }) => step !== 'accepted')

describe.each([
  ['resetting the password by mail', reset, 'The password was reset by e-mail'],
  ['locking the account', lock, 'The account was locked by its owner'],
] as const)('%s', (_, stop, words) => {
  test('a reset takes a withdrawal’s approval back: it stays held, and is not completed', async () => {
    const [olu, pia] = [await newOperator(), await newOperator()]
    const ana = await newInvestor({ availableCents: 1000_00 })
    const id = await withdrawal(ana, '100')
    expect(await approveWithdrawal(olu, id)).toMatchObject({ status: 200 })
    await stop(ana)
    for (const by of [olu, pia])
      await as(by, 'POST', `/operator/investors/${ana.id}/unfreeze`, { reason: 'A test' })
    expect(await completeWithdrawal(olu, id)).toMatchObject(UNDECIDED)
    expect(await booksOf(ana.id)).toMatchObject({ available: 900_00, held: 100_00, withdrawals: 0 })
    expect(await timelineOf(ana, id)).toMatchObject([
      { status: 'pending' },
      { status: 'approved' },
      { status: 'pending', note: `${words}. It waits for a new decision.` },
    ])
    const seen = (await as<OperatorWithdrawal>(pia, 'GET', `/operator/withdrawals/${id}`)).body
    expect(seen.status).toBe('pending')
    expect(listDecisions(seen)).toMatchObject([{}, { step: 'approved' }, { step: 'returned' }])
    // A new approval counts, and the first operator's is no longer the first of two.
    const again = await approveWithdrawal(pia, id)
    expect(again.status).toBe(200)
    expect(listDecisions(again.body)).toMatchObject([
      {},
      {},
      {},
      { step: 'approved', by: { name: pia.name } },
    ])
    // One operator alone does not approve and pay it again.
    expect(await completeWithdrawal(pia, id)).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    const paid = await completeWithdrawal(olu, id)
    expect(paid).toMatchObject({ status: 200, body: { status: 'completed' } })
    expect((await timelineOf(ana, id)).map(({ status }) => status)).toEqual([
      'pending',
      'approved',
      'pending',
      'approved',
      'completed',
    ])
    expect(await booksOf(ana.id)).toMatchObject({ held: 0, withdrawals: 100_00 })
  })

  test('afterwards, a destination needs proof again, unless it was paid more than a week before', async () => {
    const [olu, pia] = [await newOperator(), await newOperator()]
    const ana = await newInvestor({ availableCents: 1000_00 })
    const paid = await withdrawal(ana, '50', '/withdrawals/online-service')
    await approveWithdrawal(olu, paid)
    expect(await completeWithdrawal(pia, paid)).toMatchObject({ status: 200 })
    await withTriggerDropped(env.DB, 'request_events_no_update', () =>
      env.DB.prepare('UPDATE request_events SET at = at - 8 * 86400000 WHERE request = ?').bind(paid).run(),
    )
    await withdrawal(ana, '100')
    await stop(ana)
    for (const by of [olu, pia])
      await as(by, 'POST', `/operator/investors/${ana.id}/unfreeze`, { reason: 'A test' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 4 * DAY_MS })
    const token = await anotherSession(ana)
    const ask = (path: string, form: object) =>
      call('POST', path, { token, json: { ...form, amount: '10.00' } })
    const [wallet, bank] = [
      await ask('/withdrawals', CRYPTO_WITHDRAWAL),
      await ask('/withdrawals/online-service', BANK_WITHDRAWAL),
    ]
    expect(wallet).toMatchObject({
      body: { code: 'step_up_required', reasons: expect.arrayContaining(['new_destination']) },
    })
    expect(bank.body.reasons ?? []).not.toContain('new_destination')
  })

  test('a reset cancels pending withdrawals, releases their holds, and says so', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const first = await withdrawal(ana, '100')
    const second = await withdrawal(ana, '50', '/withdrawals/online-service')
    await stop(ana)
    for (const id of [first, second]) {
      expect(await statusOf(id)).toBe('cancelled')
      expect(await timelineOf(ana, id)).toMatchObject([
        { status: 'pending' },
        { status: 'cancelled', note: words },
      ])
    }
    expect(await booksOf(ana.id)).toMatchObject({ available: 1000_00, held: 0, totalBalance: 1000_00 })
    const mail = await mailTo(ana.email, stop === reset ? /^Your password was/ : /^Your account is locked/)
    expect(mail.text).toContain('We cancelled your pending withdrawals')
    expect(await approveWithdrawal(await newOperator(), first)).toMatchObject({
      body: { code: expect.stringMatching(/already_decided|account_frozen/) },
    })
  })

  test('a reset keeps the proceeds of redemptions in the account, before and after they are priced', async () => {
    const strategy = await newStrategy()
    const investor = await newInvestor({ availableCents: 150_00 })
    await withOthers(strategy)
    let ana = await onDay(1, investor)
    await as(ana, 'POST', '/allocations', { strategy, amount: 100 })
    await settleDay(strategy, 2, 100, 0)
    ana = await onDay(3, investor)
    const [position] = (await as<Position[]>(ana, 'GET', '/allocations')).body
    const redeem = async (amount: string) => {
      const to = { type: 'bitcoin', network: 'btc', address: GOOD_ADDRESS }
      const path = `/allocations/${position?._id}/redeem`
      const asked = await as(ana, 'POST', path, { amount, thenWithdraw: to })
      if (asked.status === 201) return
      const code = await mailedCode(ana.email)
      expect(await as(ana, 'POST', path, { amount, thenWithdraw: to, code })).toMatchObject({ status: 201 })
    }
    await redeem('10')
    await settleDay(strategy, 4, 100, 0)
    ana = await onDay(4, investor)
    await redeem('20')
    await stop(ana)
    await requestOnwardWithdrawals(env, openDatabase(env.DB), Date.now())
    await settleDay(strategy, 5, 100, 0)
    await requestOnwardWithdrawals(env, openDatabase(env.DB), Date.now())
    const { results } = await env.DB.prepare(
      "SELECT status, onward, withdrawal FROM unit_orders WHERE investor = ? AND kind = 'redeem' ORDER BY seq",
    )
      .bind(ana.id)
      .all()
    expect(results).toEqual([
      { status: 'settled', onward: null, withdrawal: null },
      { status: 'settled', onward: null, withdrawal: null },
    ])
    expect(await booksOf(ana.id)).toMatchObject({ available: 80_00, held: 0 })
  })
})

test('a repeated lock does not cancel a withdrawal whose approval the first one took back', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  const id = await withdrawal(ana, '100')
  await approveWithdrawal(await newOperator(), id)
  const token = await lock(ana)
  expect(await call('POST', '/auth/lock-account', { json: { token } })).toMatchObject({ status: 200 })
  expect(await statusOf(id)).toBe('pending')
  expect(await booksOf(ana.id)).toMatchObject({ available: 900_00, held: 100_00 })
})

test('a lock cancels what waits in an account that an operator froze, and a later lock cancels what was filed since', async () => {
  const [olu, pia] = [await newOperator(), await newOperator()]
  const ana = await newInvestor({ availableCents: 1000_00 })
  const path = `/operator/investors/${ana.id}`
  const first = await withdrawal(ana, '100')
  await as(olu, 'POST', `${path}/freeze`, { reason: 'A complaint' })
  const token = await lock(ana)
  expect(await statusOf(first)).toBe('cancelled')
  for (const by of [olu, pia, pia]) await as(by, 'POST', `${path}/unfreeze`, { reason: 'A test' })
  const second = await withdrawal({ ...ana, token: await anotherSession(ana) }, '100')
  await call('POST', '/auth/lock-account', { json: { token } })
  expect(await statusOf(second)).toBe('cancelled')
})

test('a mail about a reset mentions a withdrawal that was approved already', async () => {
  const ana = await newInvestor({ availableCents: 1000_00 })
  await approveWithdrawal(await newOperator(), await withdrawal(ana, '100'))
  await reset(ana)
  expect((await mailTo(ana.email, /^Your password was/)).text).toContain('Approved withdrawals need a new')
})

test('a mail about a reset does not mention withdrawals if there were none', async () => {
  const ana = await newInvestor()
  await reset(ana)
  expect((await mailTo(ana.email, /^Your password was/)).text).not.toContain('pending withdrawals')
})

test('with a reset and a payment at the same moment, the withdrawal is paid or must be decided again', async () => {
  const olu = await newOperator()
  for (let i = 0; i < 3; i++) {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const id = await withdrawal(ana, '100')
    await approveWithdrawal(olu, id)
    const [, paid] = await Promise.all([reset(ana), completeWithdrawal(olu, id)])
    expect(await statusOf(id)).toBe(paid.status === 200 ? 'completed' : 'pending')
  }
})

test('a changed e-mail address takes approvals of withdrawals back, and leaves pending ones', async () => {
  const olu = await newOperator()
  const ana = await newInvestor({ availableCents: 1000_00 })
  const approved = await withdrawal(ana, '100')
  await approveWithdrawal(olu, approved)
  const pending = await withdrawal(ana, '50', '/withdrawals/online-service')
  await changeEmail(ana)
  expect(await completeWithdrawal(olu, approved)).toMatchObject(UNDECIDED)
  expect(await statusOf(pending)).toBe('pending')
  expect(await booksOf(ana.id)).toMatchObject({ available: 850_00, held: 150_00 })
})

test('nobody takes an approval back or deletes an event by hand', async () => {
  const olu = await newOperator()
  const ana = await newInvestor({ availableCents: 1000_00 })
  const id = await withdrawal(ana, '100')
  await approveWithdrawal(olu, id)
  const run = (statement: string, ...values: unknown[]) =>
    env.DB.prepare(statement)
      .bind(...values)
      .run()
  await expect(run("UPDATE requests SET status = 'pending' WHERE id = ?", id)).rejects.toThrow(
    'approval not withdrawn',
  )
  await expect(
    run("DELETE FROM request_events WHERE request = ? AND status = 'approved'", id),
  ).rejects.toThrow('never deleted')
  const takeBack = (stop: number) =>
    run(
      `INSERT INTO withdrawn_payout_approvals (stop, request, operator, approved_at, at)
       SELECT ?1, request, actor, at, (SELECT at FROM payout_stops WHERE seq = ?1) FROM request_events
       WHERE request = ?2 AND status = 'approved'`,
      stop,
      id,
    )
  await expect(takeBack(999)).rejects.toThrow(/NOT NULL|no approved withdrawal of the stop/)
  const other = await newInvestor()
  await run("INSERT INTO payout_stops (investor, cause, at) VALUES (?, 'password_reset', 1)", other.id)
  const stop = Number(await env.DB.prepare('SELECT max(seq) AS seq FROM payout_stops').first('seq'))
  await expect(takeBack(stop)).rejects.toThrow('no approved withdrawal of the stop')
  expect(await statusOf(id)).toBe('approved')
  await reset(ana)
  for (const table of ['payout_stops', 'withdrawn_payout_approvals']) {
    await expect(run(`UPDATE ${table} SET at = 0`)).rejects.toThrow('immutable')
    await expect(run(`DELETE FROM ${table}`)).rejects.toThrow('never deleted')
  }
  await expect(run("INSERT INTO payout_stop_causes VALUES ('mine', 'x', 0, 0)")).rejects.toThrow(
    'immutable outside migrations',
  )
})
