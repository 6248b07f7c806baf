import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OperatorDeposit } from '../../../src/contract/console/deposits.ts'
import type { FactorRecovery } from '../../../src/contract/console/factorRecoveries.ts'
import type { ListedInvestor } from '../../../src/contract/console/investors.ts'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { SettingEffect } from '../../../src/contract/console/settings.ts'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { DAY_MS } from '../../../src/time.ts'
import { cost } from '../../../test/support/cost.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { newTxid } from '../../../test/support/ledger/txid.ts'
import { addHistory } from '../../../test/support/longHistory.ts'
import { creditInvestor } from '../../../test/support/money.ts'
import {
  approveDeposit,
  approveWithdrawal,
  as,
  completeWithdrawal,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { filedRecovery } from '../../../test/support/recovery.ts'
import { invitedBy } from '../../../test/support/referrals.ts'
import { acceptEveryRisk, setSetting } from '../../../test/support/settings.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

const show = async (by: Person, id: string) =>
  (await as<OperatorWithdrawal>(by, 'GET', `/operator/withdrawals/${id}`)).body
const names = async (by: Person, id: string) => (await show(by, id)).risk?.signals.map(({ rule }) => rule)

/** Backdates an account and everything before. */
async function age(person: Person, days: number): Promise<void> {
  const [ms, id] = [days * DAY_MS, person.id]
  const rule = await env.DB.prepare(
    "SELECT sql FROM sqlite_master WHERE name = 'request_events_no_update'",
  ).first<string>('sql')
  await env.DB.batch([
    env.DB.prepare('UPDATE users SET created_at = created_at - ? WHERE id = ?').bind(ms, id),
    env.DB.prepare(
      'UPDATE kyc_submissions SET decided_at = decided_at - ?1, created_at = created_at - ?1 WHERE user_id = ?2',
    ).bind(ms, id),
    env.DB.prepare('DROP TRIGGER request_events_no_update'),
    env.DB.prepare('UPDATE request_events SET at = at - ? WHERE investor = ?').bind(ms, id),
    env.DB.prepare(rule ?? ''),
  ])
}

test('an ordinary withdrawal has no signals, the first of a new account has some', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 1_000_00 })
  const first = await withdrawal(ana, '600')
  expect(await names(operator, first)).toEqual([
    'in_and_out',
    'new_destination',
    'new_account',
    'first_withdrawal',
  ])
  await approveWithdrawal(operator, first)
  await completeWithdrawal(operator, first)
  await age(ana, 60)
  await creditInvestor(ana.id, 20_000_00)
  await age(ana, 30)
  const second = await withdrawal(ana, '50')
  expect(await show(operator, second)).toMatchObject({
    risk: { score: 0, level: 'low', signals: [] },
    // The first was backdated by hand, so the day's total still has it.
    alone: { ...buildAlone(0), day: { limit: 25_000, used: 600 } },
  })
})

test('signals show several in a day, a bonus, a whole balance and a shared destination', async () => {
  const operator = await newOperator()
  const [ana, bob] = [
    await newInvestor({ availableCents: 100_00 }),
    await newInvestor({ availableCents: 9_000_00 }),
  ]
  await age(ana, 90)
  await age(bob, 90)
  const [one, two, three] = [
    await withdrawal(ana, '30'),
    await withdrawal(ana, '30'),
    await withdrawal(ana, '40'),
  ]
  expect(await names(operator, one)).not.toContain('several_in_a_day')
  const last = await show(operator, three)
  expect(last.risk?.signals).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ rule: 'several_in_a_day', count: 3, amount: 100 }),
      expect.objectContaining({ rule: 'whole_balance', amount: 0 }),
    ]),
  )
  const sharing = async (id: string) =>
    (await show(operator, id)).risk?.signals.find(({ rule }) => rule === 'shared_destination')?.count ?? 0
  const before = await sharing(two)
  const other = await show(operator, await withdrawal(bob, '8000'))
  expect(other.risk?.signals[0]).toMatchObject({ rule: 'shared_destination', link: { kind: 'investor' } })
  expect(other.alone).toEqual({ ...buildAlone(0), needsTwo: true, reasons: ['risk', 'limit'] })
  expect(await sharing(two)).toBe(before + 1)
  await approveWithdrawal(operator, two)
  await completeWithdrawal(await newOperator(), two)
  expect((await show(operator, one)).alone).toEqual({ ...buildAlone(0), needsTwo: true, reasons: ['risk'] })
})

test('a frozen account, a reset password and a new second factor are remembered', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 1_000_00 })
  await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'Odd' })
  await as(operator, 'POST', `/operator/investors/${ana.id}/unfreeze`, { reason: 'A test' })
  await age(ana, 90)
  const now = Date.now()
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO email_tokens (token_hash, user_id, purpose, created_at, expires_at, used_at)
       VALUES (?1, ?1, 'reset-password', ?2, ?2 + 9, ?2)`,
    ).bind(ana.id, now),
    ...['password.changed', 'two_factor.disabled'].map((action) =>
      env.DB.prepare('INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, ?, ?, ?, ?)').bind(
        `${action}-${ana.id}`,
        now,
        ana.id,
        action,
        ana.id,
      ),
    ),
  ])
  const id = await withdrawal(ana, '10')
  expect(await names(operator, id)).toEqual(
    expect.arrayContaining([
      'account_recovered',
      'password_changed',
      'second_factor_changed',
      'frozen_before',
    ]),
  )
  await as(operator, 'POST', `/operator/withdrawals/${id}/reject`, { reason: 'No' })
  expect((await show(operator, id)).alone).toBeUndefined()
})

test('the first second factor of an account is no change, and a further one is', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 1_000_00 })
  const nowMs = Date.now()
  const recordSetUp = (action: string, at: number) =>
    env.DB.prepare('INSERT INTO audit_log (id, at, actor, action, subject) VALUES (?, ?, ?4, ?3, ?4)').bind(
      `${action}-${ana.id}`,
      at,
      action,
      ana.id,
    )
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO second_factors (user_id, secret_sealed, created_at, enabled_at) VALUES (?1, '1.x', ?2, ?2)",
    ).bind(ana.id, nowMs),
    recordSetUp('two_factor.enabled', nowMs),
  ])
  const id = await withdrawal(ana, '10')
  expect(await names(operator, id)).not.toContain('second_factor_changed')
  await recordSetUp('passkey.added', nowMs + 1).run()
  expect(await names(operator, id)).toContain('second_factor_changed')
})

test('deposits just under a limit link each other, and two operators credit a receipt that was credited before', async () => {
  const [operator, second] = [await newOperator(), await newOperator()]
  const [ana, ben] = [await newInvestor(), await newInvestor()]
  const image = newPicture()
  const file = async (person: Person, amount: string) =>
    (await fileDeposit(person, { image, amount })).body._id as string
  const [first, middle, third] = [await file(ana, '4900'), await file(ana, '4800'), await file(ana, '4700')]
  const readRisk = async (id: string) =>
    (await as<OperatorDeposit>(operator, 'GET', `/operator/deposits/${id}`)).body.risk
  const of = (id: string) => ({ kind: 'deposit', id, text: expect.stringMatching(/^DEP-/) })
  expect((await readRisk(middle))?.signals).toContainEqual(
    expect.objectContaining({ rule: 'under_limit', count: 3, link: of(first), moreLinks: [of(third)] }),
  )
  const copy = await file(ben, '100')
  expect((await readRisk(copy))?.signals).toContainEqual(
    expect.objectContaining({ rule: 'same_receipt', link: of(first) }),
  )
  const reference = newTxid()
  expect((await approveDeposit(operator, third, { reference })).status).toBe(202)
  expect((await approveDeposit(second, third, { reference })).status).toBe(200)
  expect(await readRisk(copy)).toMatchObject({
    level: 'high',
    signals: expect.arrayContaining([expect.objectContaining({ rule: 'receipt_credited', link: of(third) })]),
  })
  const shown = await as<OperatorDeposit>(operator, 'GET', `/operator/deposits/${copy}`)
  expect(shown.body.alone).toMatchObject({ needsTwo: true, reasons: ['risk'] })
  const again = { reference: newTxid() }
  expect((await approveDeposit(operator, copy, { ...again, riskReason: 'ok' })).body).toMatchObject({
    code: 'validation_failed',
    fields: { riskReason: expect.stringContaining('at least 20 characters') },
  })
  expect((await approveDeposit(operator, copy, again)).status).toBe(202)
  expect(await approveDeposit(operator, copy, again)).toMatchObject(TAKES_TWO)
  expect((await approveDeposit(second, copy, again)).status).toBe(200)
})

const TAKES_TWO = { status: 403, body: { code: 'second_operator_required' } }

test('a withdrawal that was approved or would be paid at a high risk is paid by another operator', async () => {
  const [operator, second] = [await newOperator(), await newOperator()]
  const weigh = (highFrom: number) => setSetting('risk', { highFrom })
  // The whole balance of a new account, credited lately, to a new destination.
  const file = async () => withdrawal(await newInvestor({ availableCents: 100_00 }), '100')
  const [approvedHigh, paidHigh] = [await file(), await file()]
  expect((await approveWithdrawal(operator, approvedHigh)).status).toBe(200)
  expect((await show(operator, approvedHigh)).alone).toMatchObject({ needsTwo: true, reasons: ['risk'] })
  expect(await completeWithdrawal(operator, approvedHigh)).toMatchObject(TAKES_TWO)
  await weigh(1000)
  expect((await show(operator, approvedHigh)).alone?.reasons).toEqual(['risk'])
  expect(await completeWithdrawal(operator, approvedHigh)).toMatchObject(TAKES_TWO)
  expect((await approveWithdrawal(operator, paidHigh)).status).toBe(200)
  expect((await show(operator, paidHigh)).alone?.reasons).toEqual([])
  await weigh(60)
  expect(await completeWithdrawal(operator, paidHigh)).toMatchObject(TAKES_TWO)
  for (const [id, accepting] of [
    [approvedHigh, ['accepted', 'approved', 'accepted']],
    [paidHigh, ['approved', 'accepted']],
  ] as const) {
    const { steps } = (await completeWithdrawal(second, id)).body
    expect(steps.map(({ step }) => step)).toEqual(['filed', ...accepting, 'paid'])
  }
})

test('the cost of signals does not depend on the history', async () => {
  const operator = await newOperator()
  const [short, long] = [
    await newInvestor({ availableCents: 900_00 }),
    await newInvestor({ availableCents: 900_00 }),
  ]
  await addHistory(env.DB, short.id, 50)
  await addHistory(env.DB, long.id, 4_000)
  const { token } = operator
  const of = async (person: Person) =>
    (await cost('GET', `/operator/withdrawals/${await withdrawal(person, '10')}`, { token })).counted
  const [few, many] = [await of(short), await of(long)]
  expect(many.trips).toBe(2)
  expect(Math.abs(many.rowsRead - few.rowsRead)).toBeLessThanOrEqual(20)
  expect(many.rowsRead).toBeLessThanOrEqual(165)
})

test('the list of investors has the highest risk of the account and its open cases', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 100_00 })
  await age(ana, 400)
  const read = async () =>
    (await as<ListedInvestor[]>(operator, 'GET', `/operator/investors?query=${ana.email}`)).body[0]?.risk
  const alone = await read()
  const { risk } = await show(operator, await withdrawal(ana, '100'))
  expect(risk?.score).toBeGreaterThan(alone?.score ?? 0)
  expect(await read()).toEqual(risk)
  const judged = await as<ListedInvestor[]>(operator, 'GET', '/operator/investors?order=risk&limit=100')
  expect(judged.body.find(({ _id }) => _id === ana.id)?.risk).toEqual(risk)
})

/** The limits of an operator who paid only this investor, and this much. */
function buildAlone(used: number) {
  return { limit: 5000, used, day: { limit: 25_000, used }, needsTwo: false, reasons: [] }
}

const listed = async <Row extends OperatorDeposit | FactorRecovery>(by: Person, path: string) =>
  (await as<Row[]>(by, 'GET', `/operator/${path}`)).body

test('a deposit names the people and cases that it shares something with, and queues filter and sort by the risk', async () => {
  const [operator, auditor] = [await newOperator(), await newOperator({ roles: ['treasurer'] })]
  await setSetting('confidentialRole', 'administrator')
  const ben = await newInvestor({ name: 'Ben Ode', operators: [operator.id, auditor.id] })
  const ana = await invitedBy(ben, { totpSecret: newTotpSecret() })
  const image = newPicture()
  const tx = newTxid()
  const file = async (person: Person) => (await fileDeposit(person, { image, txid: tx })).body._id
  const [first, second] = [await file(ben), await file(ana)]
  await age(ana, 60)
  const nowMs = Date.now()
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO factor_recoveries (id, investor, code_hash, asked_at, expires_at) VALUES (?1, ?1, '', ?2, ?2 + 9)",
    ).bind(ana.id, nowMs),
    env.DB.prepare('UPDATE factor_recoveries SET filed_at = ?2, expires_at = NULL WHERE id = ?1').bind(
      ana.id,
      nowMs,
    ),
  ])
  await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'Odd device' })
  const { risk } = (await as<OperatorDeposit>(operator, 'GET', `/operator/deposits/${second}`)).body
  const ofBen = expect.objectContaining({
    kind: 'deposit',
    id: first,
    text: expect.stringContaining(ben.name),
  })
  expect(risk).toMatchObject({
    level: 'high',
    score: risk?.signals.reduce((sum, { weight }) => sum + weight, 0),
  })
  expect(risk?.signals).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ rule: 'account_frozen', note: 'Odd device' }),
      expect.objectContaining({
        rule: 'lost_factor_open',
        link: { kind: 'recovery', id: ana.id, text: 'the report' },
      }),
      expect.objectContaining({ rule: 'same_receipt', link: ofBen }),
      expect.objectContaining({ rule: 'reference_used', link: ofBen }),
      expect.objectContaining({
        rule: 'invitee_of_own',
        link: { kind: 'investor', id: ben.id, text: ben.name },
      }),
      expect.objectContaining({ rule: 'first_deposit' }),
    ]),
  )
  // Another operator did not approve the identity of the person who invited her.
  const seen = (await as<OperatorDeposit>(auditor, 'GET', `/operator/deposits/${second}`)).body.risk
  expect(seen?.signals.map(({ rule }) => rule)).not.toContain('invitee_of_own')
  const [recovery] = await listed<FactorRecovery>(operator, 'factor-recoveries?status=open&order=risk')
  expect(recovery).toMatchObject({ _id: ana.id, risk: { level: 'high' } })

  const high = await listed<OperatorDeposit>(operator, 'deposits?status=pending&risk=high')
  expect(high.find(({ _id }) => _id === second)).toMatchObject({ risk })
  expect(new Set(high.map(({ risk }) => risk?.level))).toEqual(new Set(['high']))
  const byRisk = await listed<OperatorDeposit>(operator, 'deposits?status=pending&order=risk&limit=100')
  const scores = byRisk.map(({ risk }) => risk?.score ?? -1)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(byRisk.map(({ _id }) => _id)).toContain(first)
  const page = await as<OperatorDeposit[]>(
    operator,
    'GET',
    '/operator/deposits?status=pending&order=risk&limit=1',
  )
  const next = await as<OperatorDeposit[]>(
    operator,
    'GET',
    /<\/api\/v1([^>]+)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1] ?? '',
  )
  expect([page.body[0]?._id, next.body[0]?._id]).toEqual(byRisk.slice(0, 2).map(({ _id }) => _id))
  expect((await as(operator, 'GET', '/operator/deposits?risk=odd')).status).toBe(422)
})

test('a withdrawal and a sign-in after the report of a lost factor are signs of its case, also when the withdrawal was rejected', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 9_000_00, totpSecret: newTotpSecret() })
  await age(ana, 60)
  await withdrawal(ana, '10')
  const recovery = await filedRecovery(ana)
  const findSigns = async () => {
    const [recovery] = await listed<FactorRecovery>(operator, `factor-recoveries?person=${ana.id}`)
    return recovery?.risk?.signals.filter(({ rule }) => rule.endsWith('_after_report'))
  }
  expect(await findSigns()).toEqual([])
  await anotherSession(ana)
  const after = await withdrawal(ana, '2500')
  const signs = await findSigns()
  expect(signs).toEqual([
    expect.objectContaining({
      rule: 'withdrawal_after_report',
      amount: 2500,
      count: 1,
      link: { kind: 'withdrawal', id: after, text: expect.stringMatching(/^WDR-/) },
    }),
    expect.objectContaining({
      rule: 'signed_in_after_report',
      count: 1,
      link: { kind: 'investor', id: ana.id, text: ana.name },
    }),
  ])
  const path = `/operator/factor-recoveries/${recovery}/propose`
  expect(await as(operator, 'POST', path, { reason: 'Video call' })).toMatchObject({
    status: 422,
    body: { code: 'reason_required', fields: { riskReason: expect.any(String) } },
  })
  const proposed = await as<Proposal>(operator, 'POST', path, {
    reason: 'Video call',
    riskReason: 'Called back, all is in order',
  })
  expect(proposed.status).toBe(202)
  const shown = await as<Proposal>(operator, 'GET', `/operator/proposals/${proposed.body._id}`)
  expect(shown.body.risk).toMatchObject({ level: 'high', signals: expect.arrayContaining(signs ?? []) })
  expect(shown.body.recovery).toMatchObject({
    _id: recovery,
    phone: expect.any(String),
    document: { ref: expect.stringMatching(/^KYC-/) },
  })
  const plain = await propose(operator, { kind: 'settings', settings: { referralBonus: 1 } })
  const bonus = await propose(operator, { kind: 'bonus', investor: ana.id, amount: '5', reason: 'A test' })
  const ids = async (query: string) => (await listed(operator, `proposals?${query}`)).map(({ _id }) => _id)
  const { _id } = proposed.body
  // `waiting` leaves out the removal of the second factor.
  expect(await ids('risk=high&status=waiting')).toEqual([bonus.body._id])
  expect(await ids('order=risk&status=waiting')).toEqual([bonus.body._id, plain.body._id])
  expect(await ids('order=risk')).toHaveLength(3)
  const open = await listed<FactorRecovery>(operator, `factor-recoveries?status=undecided&person=${ana.id}`)
  expect(open).toMatchObject([{ _id: recovery, status: 'proposed', risk: { level: 'high' } }])
  expect(await ids('risk=high&status=approved')).toEqual([])
  const second = await newOperator()
  const approval = `/operator/proposals/${_id}/approve`
  expect(await as(second, 'POST', approval, { reason: 'Compared by me' })).toMatchObject({
    status: 422,
    body: { code: 'reason_required', fields: { riskReason: expect.any(String) } },
  })
  expect(
    await as(second, 'POST', approval, { reason: 'Compared', riskReason: 'Called back, all is in order' }),
  ).toMatchObject({
    status: 200,
    body: {
      steps: [
        { step: 'proposed' },
        { step: 'accepted', by: { _id: second.id }, note: 'Called back, all is in order' },
        { step: 'approved' },
      ],
    },
  })
  expect((await as<Proposal>(operator, 'GET', `/operator/proposals/${_id}`)).body.steps).toHaveLength(3)
  const [row] = await listed<FactorRecovery>(operator, `factor-recoveries?person=${ana.id}`)
  expect(row?.steps).toContainEqual(
    expect.objectContaining({ step: 'accepted', note: 'Called back, all is in order' }),
  )
  await as(operator, 'POST', `/operator/withdrawals/${after}/reject`, { reason: 'No' })
  expect(await findSigns()).toHaveLength(2)
})

test('a silent freeze is a sign for those who may know it, and for nobody else', async () => {
  await setSetting('confidentialRole', 'administrator')
  const [knowing, treasurer] = [await newOperator(), await newOperator({ roles: ['treasurer'] })]
  const ana = await newInvestor({ availableCents: 1_000_00 })
  const id = await withdrawal(ana, '10')
  const before = (await show(treasurer, id)).risk
  await as(knowing, 'POST', `/operator/investors/${ana.id}/silent-freeze`, { reason: 'Structuring' })
  expect(await names(knowing, id)).toContain('silently_frozen')
  expect((await show(treasurer, id)).risk).toEqual(before)
})

test('a page of a queue costs little more for each case than its row, and a filter by risk one more round trip', async () => {
  const { token } = await newOperator()
  for (let i = 0; i < 20; i++) await withdrawal(await newInvestor({ availableCents: 900_00 }), '10')
  const plain = await cost('GET', '/operator/withdrawals?status=pending&order=newest&limit=20', { token })
  expect(plain.counted.trips).toBe(2)
  expect(plain.counted.rowsRead).toBeLessThanOrEqual(20 * 200)
  const judged = await cost('GET', '/operator/withdrawals?status=pending&risk=medium&limit=20', { token })
  expect(judged.counted.trips).toBe(3)
  expect(judged.counted.rowsRead).toBeLessThanOrEqual(50 * 200)
})

test('before two administrators agree, they see the decisions that a limit, ceiling or weight would have changed', async () => {
  const [operator, second] = [await newOperator(), await newOperator()]
  await acceptEveryRisk()
  const ana = await newInvestor({ availableCents: 2_000_00 })
  const preview = async (settings: object) =>
    (await as<SettingEffect[]>(operator, 'POST', '/operator/settings/preview', { settings })).body
  const pay = async (amount: string) => {
    const id = await withdrawal(ana, amount)
    await approveWithdrawal(operator, id)
    await completeWithdrawal(operator, id)
    return (await show(operator, id)).ref
  }
  const [small, large] = [await pay('300'), await pay('400')]
  const [payouts, credits] = await preview({ twoPersonLimit: 500 })
  expect([payouts?.of, credits?.of]).toEqual(['withdrawals', 'deposits'])
  // 300 and then 400 by one operator for one investor within a day.
  const refs = payouts?.cases.map(({ ref }) => ref)
  expect([refs?.includes(large), refs?.includes(small)]).toEqual([true, false])
  expect(payouts?.cases).toContainEqual(expect.objectContaining({ ref: large, change: 'added' }))
  expect(payouts).toMatchObject({
    setting: 'twoPersonLimit',
    isWhole: true,
    changed: (payouts?.after ?? 0) - (payouts?.before ?? 0),
  })
  expect((await preview({ dailyCeilings: { payouts: 1_000_000 } }))[0]).toMatchObject({
    changed: 0,
    after: 0,
    cases: [],
  })
  expect(await preview({ notificationsPerDay: 5 })).toEqual([])
  // Later cases do not change the figures of a proposal.
  const until = new Date().toISOString()
  const readAt = async () =>
    (
      await as<SettingEffect[]>(second, 'POST', '/operator/settings/preview', {
        ...{ settings: { twoPersonLimit: 500 }, until },
      })
    ).body[0]
  const first = await readAt()
  await pay('250')
  expect(await readAt()).toEqual(first)
  expect(first).toMatchObject({ to: until })
  await setSetting('risk', { highFrom: 60 })
  const [weighed] = await preview({ risk: { highFrom: 1_000, mediumFrom: 1_000 } })
  expect(weighed).toMatchObject({ setting: 'risk.highFrom', of: 'withdrawals', after: 0 })
  expect(weighed?.cases.map(({ ref }) => ref)).toContain(small)
  expect(
    (await as(second, 'POST', '/operator/settings/preview', { settings: { risk: { debt: -1 } } })).status,
  ).toBe(422)
})
