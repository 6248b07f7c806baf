import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { OperatorWithdrawal } from '../../../src/contract/console/withdrawals.ts'
import { DAY_MS } from '../../../src/time.ts'
import { cost } from '../../../test/support/cost.ts'
import { addHistory } from '../../../test/support/longHistory.ts'
import { creditInvestor } from '../../../test/support/money.ts'
import { approveWithdrawal, as, completeWithdrawal, withdrawal } from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'

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
    'identity_new',
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
    alone: { ...aloneOf(0), day: { limit: 25_000, used: 600 } },
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
  expect(other.alone).toEqual({ ...aloneOf(0), needsTwo: true, reasons: ['limit'] })
  expect(await sharing(two)).toBe(before + 1)
  await approveWithdrawal(operator, two)
  await completeWithdrawal(operator, two)
  expect((await show(operator, one)).alone).toEqual(aloneOf(30))
})

test('a frozen account, a reset password and a new second factor are remembered', async () => {
  const operator = await newOperator()
  const ana = await newInvestor({ availableCents: 1_000_00 })
  await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'Odd' })
  await as(operator, 'POST', `/operator/investors/${ana.id}/unfreeze`)
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
  expect(many.rowsRead).toBeLessThanOrEqual(150)
})

/** The limits of an operator who paid only this investor, and this much. */
function aloneOf(used: number) {
  return { limit: 5000, used, day: { limit: 25_000, used }, needsTwo: false, reasons: [] }
}
