import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { Referral, ReferralTerms } from '../../../src/contract/money/referrals.ts'
import { DAY_MS } from '../../../src/time.ts'
import { call } from '../../../test/support/http.ts'
import { mailTo } from '../../../test/support/mailbox.ts'
import { booksOf, creditInvestor } from '../../../test/support/money.ts'
import {
  approveDeposit,
  approveProposal,
  approveWithdrawal,
  completeWithdrawal,
  deposit,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { newInvestor, newOperator, type Operator, type Person } from '../../../test/support/people.ts'
import { invitedBy } from '../../../test/support/referrals.ts'
import { setSetting } from '../../../test/support/settings.ts'
import { newWallet } from '../../../test/support/wallets.ts'
import { checkAll } from '../../console/selfCheck/all.ts'
import { recordDueBonus } from '../../ledger/dueBonus.ts'
import { openDatabase, runBatch } from '../../lib/database.ts'
import { grantReferralBonuses } from './grant.ts'

let operator: Operator
let paymentTo = ''

beforeAll(async () => {
  operator = await newOperator()
  paymentTo = (await newWallet()).address
})

test('without a bonus in the settings the terms say so, and a first credit earns nothing', async () => {
  const ana = await newInvestor()
  const ben = await invitedBy(ana)
  await creditOnce(ben)
  await runCron()
  expect(await termsOf(ana)).toEqual({
    referralLink: `${env.PUBLIC_ORIGIN}/sign-up?ref=${ana.referralCode}`,
    bonus: 0,
    minimumDeposit: 100,
    maturityDays: 30,
    most: 10,
    granted: 0,
    earned: 0,
  })
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0, available: 0 })
})

test('the first credited deposit of an identified person earns the bonus once, after it matured', async () => {
  await setSetting('referralBonus', 25_00)
  const ana = await newInvestor()
  const ben = await invitedBy(ana, { name: 'Ben Okri' })
  expect(await termsOf(ana)).toMatchObject({ bonus: 25, granted: 0 })

  await creditOnce(ben)
  await grantReferralBonuses(env, openDatabase(env.DB), Date.now() + 30 * DAY_MS - 60_000)
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0 })
  await Promise.all([runCron(), runCron(), runCron()])
  await creditOnce(ben)
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 25_00, available: 25_00, totalBalance: 25_00 })
  expect(await booksOf(ben.id)).toMatchObject({ bonus: 0, deposits: 200_00 })
  expect(await termsOf(ana)).toMatchObject({ granted: 1, earned: 25 })
  const mail = await mailTo(ana.email, /referral bonus/i)
  expect(mail.text).toContain('$25.00')
  expect(mail.text).not.toMatch(/Ben|Okri/)
})

test('invited people are shown by initials and day, newest first, once their address is verified', async () => {
  const ana = await newInvestor()
  const ben = await invitedBy(ana, { name: 'Ben Okri' })
  const json = {
    fullname: 'unverified person',
    email: 'unverified.person@example.com',
    phone: '+41 79 123 45 67',
    password: 'ein Kahn im Hafen',
    country: 'Switzerland',
    referralID: ana.referralCode,
  }
  expect((await call('POST', '/auth/register', { json })).status).toBe(201)
  const cleo = await invitedBy(ana, { name: 'Cleo' })
  await creditOnce(ben)
  await runCron()
  const { status, body } = await call<Referral[]>('GET', '/users/referrals', { token: ana.token })
  expect(status).toBe(200)
  expect(body).toEqual([
    { _id: expect.any(String), initials: 'C.', joinedAt: expect.stringMatching(/Z$/), bonus: null },
    { _id: expect.any(String), initials: 'B. O.', joinedAt: expect.stringMatching(/Z$/), bonus: 25 },
  ])
  for (const { id, email } of [ben, cleo])
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${id}|${email}`))
  const first = await call<Referral[]>('GET', '/users/referrals?limit=1', { token: ana.token })
  const next = /<\/api\/v1([^>]+)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? ''
  const second = await call<Referral[]>('GET', next, { token: ana.token })
  expect([...first.body, ...second.body]).toEqual(body)
  expect((await call('GET', '/users/referrals', { token: ben.token })).body).toEqual([])
})

test('a bonus is due until the invited person is identified and the referrer is not frozen', async () => {
  const ana = await newInvestor()
  const ben = await invitedBy(ana)
  await creditOnce(ben)
  await env.DB.prepare("UPDATE users SET kyc_status = 'rejected' WHERE id = ?").bind(ben.id).run()
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0 })
  await env.DB.prepare("UPDATE users SET kyc_status = 'approved' WHERE id = ?").bind(ben.id).run()
  await env.DB.prepare('UPDATE users SET frozen_at = 1 WHERE id = ?').bind(ana.id).run()
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0 })
  await env.DB.prepare('UPDATE users SET frozen_at = NULL WHERE id = ?').bind(ana.id).run()
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 25_00 })
})

test('a first deposit below the minimum earns nothing, nor does a later one', async () => {
  const ana = await newInvestor()
  const ben = await invitedBy(ana)
  await creditOnce(ben, '99.99')
  await creditOnce(ben, '500')
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0 })
  expect(await countDue(ana)).toBe(0)
})

test('a bonus waits while a withdrawal is open, and lapses once the money was taken out', async () => {
  const ana = await newInvestor()
  const ben = await invitedBy(ana)
  await creditOnce(ben)
  const id = await withdrawal(ben, '60')
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0 })
  expect(await countDue(ana)).toBe(1)
  const other = await newOperator()
  await approveWithdrawal(operator, id)
  expect((await completeWithdrawal(other, id)).status).toBe(200)
  // At once, not when the bonus would mature.
  await grantReferralBonuses(env, openDatabase(env.DB), Date.now())
  await creditOnce(ben, '500')
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0 })
  expect(
    await oneOf('SELECT lapsed_at > 0 AS lapsed FROM referral_bonuses WHERE invitee = ?', ben.id),
  ).toEqual({
    lapsed: 1,
  })
})

test('reversing the deposit takes the bonus back, and what was spent of it becomes a debt', async () => {
  const [ana, eve] = [await newInvestor(), await newInvestor()]
  const [ben, fay] = [await invitedBy(ana, { name: 'Ben Okri' }), await invitedBy(eve)]
  const [benDeposit, fayDeposit] = [await creditOnce(ben), await creditOnce(fay)]
  await runCron()
  await withdrawal(eve, '20')
  const second = await newOperator()
  for (const request of [benDeposit, fayDeposit]) {
    const { body } = await propose(operator, { kind: 'reversal', request, reason: 'Not arrived' })
    expect((await approveProposal(second, body._id)).status).toBe(200)
  }
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0, available: 0, owed: 0, totalBalance: 0 })
  expect(await booksOf(eve.id)).toMatchObject({ bonus: 0, available: 0, owed: 20_00, totalBalance: 0 })
  expect(await termsOf(ana)).toMatchObject({ granted: 0, earned: 0 })
  const mail = await mailTo(ana.email, /referral bonus was taken back/i)
  expect(mail.text).toContain('$25.00')
  expect(mail.text).not.toMatch(/Ben|Okri/)
  const { body: people } = await call<Referral[]>('GET', '/users/referrals', { token: ana.token })
  expect(people).toMatchObject([{ bonus: null }])
  expect((await checkAll(openDatabase(env.DB), null)).findings).toEqual([])
})

test('a bonus is not taken back from a closed account, and does not keep the deposit from being reversed', async () => {
  const ana = await newInvestor()
  const ben = await invitedBy(ana)
  const request = await creditOnce(ben)
  await runCron()
  const id = await withdrawal(ana, '25')
  await approveWithdrawal(operator, id)
  expect((await completeWithdrawal(await newOperator(), id)).status).toBe(200)
  await env.DB.prepare('UPDATE sessions SET ended_at = 1 WHERE user_id = ?').bind(ana.id).run()
  await env.DB.prepare('UPDATE users SET closed_at = 1 WHERE id = ?').bind(ana.id).run()
  const { body } = await propose(operator, { kind: 'reversal', request, reason: 'Not arrived' })
  expect((await approveProposal(await newOperator(), body._id)).status).toBe(200)
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 25_00 })
})

test('a deposit that was reversed before the bonus was granted earns nothing', async () => {
  const ana = await newInvestor()
  const ben = await invitedBy(ana)
  const id = await creditOnce(ben)
  const { body: proposal } = await propose(operator, { kind: 'reversal', request: id, reason: 'Not arrived' })
  await approveProposal(await newOperator(), proposal._id)
  await runCron()
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0 })
  expect(
    await oneOf('SELECT granted_at, lapsed_at > 0 AS lapsed FROM referral_bonuses WHERE invitee = ?', ben.id),
  ).toEqual({ granted_at: null, lapsed: 1 })
})

test('nothing is granted to a closed account', async () => {
  const ana = await newInvestor()
  const ben = await invitedBy(ana)
  await creditOnce(ben)
  await env.DB.prepare('UPDATE sessions SET ended_at = 1 WHERE user_id = ?').bind(ana.id).run()
  await env.DB.prepare('UPDATE users SET closed_at = 1 WHERE id = ?').bind(ana.id).run()
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0 })
  expect(
    await oneOf('SELECT lapsed_at > 0 AS lapsed FROM referral_bonuses WHERE invitee = ?', ben.id),
  ).toEqual({
    lapsed: 1,
  })
})

test('one person gets at most ten bonuses', async () => {
  const ana = await newInvestor()
  for (let n = 0; n < 11; n++) await creditOnce(await invitedBy(ana))
  await runCron()
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 250_00 })
  expect(await termsOf(ana)).toMatchObject({ granted: 10, earned: 250 })
  const left =
    'SELECT count(*) AS open FROM referral_bonuses WHERE referrer = ? AND granted_at IS NULL AND lapsed_at IS NULL'
  expect(await oneOf(left, ana.id)).toEqual({ open: 0 })
})

test('bonuses that cannot be granted, or were, do not keep later ones waiting', async () => {
  const referrers = await Promise.all(Array.from({ length: 5 }, () => newInvestor()))
  const invited: Person[] = []
  for (let n = 0; n < 50; n++) {
    const person = await invitedBy(referrers[n % 5] ?? operator)
    invited.push(person)
    await becomeDue(person)
  }
  const change = (column: string, people: readonly Person[]) =>
    env.DB.prepare(`UPDATE users SET ${column} WHERE id IN (SELECT value FROM json_each(?))`)
      .bind(JSON.stringify(people.map(({ id }) => id)))
      .run()
  const grantsToNext = async () => {
    const next = await newInvestor()
    await becomeDue(await invitedBy(next))
    await runCron()
    return (await booksOf(next.id)).bonus
  }
  await change("kyc_status = 'rejected'", invited)
  expect(await grantsToNext()).toBe(25_00)
  await change("kyc_status = 'approved'", invited)
  await change('frozen_at = 1', referrers)
  expect(await grantsToNext()).toBe(25_00)
  await change('frozen_at = NULL', referrers)
  await runCron()
  for (const { id } of referrers) expect(await booksOf(id)).toMatchObject({ bonus: 250_00 })
  expect(await grantsToNext()).toBe(25_00)
})

test('once it is off, the terms say so, later first credits earn nothing, and earlier due bonuses are still granted', async () => {
  const [ana, late] = [await newInvestor(), await newInvestor()]
  await creditOnce(await invitedBy(ana))
  await setSetting('referralBonus', 0)
  await creditOnce(await invitedBy(late))
  expect(await termsOf(ana)).toMatchObject({ bonus: 0, granted: 0 })
  await setSetting('referralBonus', 25_00)
  await setSetting('referralBonus', 0)
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 25_00 })
  expect(await booksOf(late.id)).toMatchObject({ bonus: 0 })
  expect(await termsOf(ana)).toMatchObject({ bonus: 0, granted: 1, earned: 25 })
  await setSetting('referralBonus', 25_00)
})

test('nobody invites themselves: one’s own referral ID earns nothing', async () => {
  const ana = await newInvestor()
  const again = await call('PATCH', '/users/user-info', {
    token: ana.token,
    json: { referralID: ana.referralCode, referredBy: ana.id, address: 'Hafenweg 3' },
  })
  expect(again.status).toBe(200)
  await creditOnce(ana)
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0, deposits: 100_00 })
  expect((await call('GET', '/users/referrals', { token: ana.token })).body).toEqual([])
  // Nor by SQL that makes the account refer itself.
  await env.DB.prepare('UPDATE users SET referred_by = id WHERE id = ?').bind(ana.id).run()
  await creditOnce(ana)
  await runCron()
  expect(await booksOf(ana.id)).toMatchObject({ bonus: 0 })
})

test('SQL writes no bonus for another amount, another deposit, oneself, or twice', async () => {
  const [ana, eve] = [await newInvestor(), await newInvestor()]
  const ben = await invitedBy(ana)
  const id = await creditOnce(ben)
  const { setting } = await oneOf<{ setting: string }>(
    'SELECT setting FROM referral_bonuses WHERE invitee = ?',
    ben.id,
  )
  const cleo = await invitedBy(ana)
  const note = (invitee: string, referrer: string, amount: number, from: string) =>
    env.DB.prepare(
      `INSERT INTO referral_bonuses (invitee, id, referrer, amount, setting, deposit, minimum, due_at, matures_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, 10000, 1, 1 + 30 * 86400000)`,
    )
      .bind(invitee, crypto.randomUUID(), referrer, amount, setting, from)
      .run()
  await expect(note(ben.id, ana.id, 25_00, id)).rejects.toThrow('invitee already has one')
  await expect(note(cleo.id, ana.id, 99_00, id)).rejects.toThrow('second_operator_required')
  await expect(note(cleo.id, eve.id, 25_00, id)).rejects.toThrow('referrer must be an investor')
  await expect(note(cleo.id, ana.id, 25_00, id)).rejects.toThrow(
    'referral_bonuses: not the first credited deposit',
  )

  const transfer = (owner: string, amount: number, ref: string) =>
    env.DB.prepare(
      `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
       VALUES (?1, ?2 || ':granted', ?2 || ':available', ?3, 'bonus', ?4, 'system', 1)`,
    )
      .bind(crypto.randomUUID(), owner, amount, ref)
      .run()
  const { bonus } = await oneOf<{ bonus: string }>(
    'SELECT id AS bonus FROM referral_bonuses WHERE invitee = ?',
    ben.id,
  )
  await expect(transfer(ana.id, 25_00, bonus)).rejects.toThrow('transfers: no matching cause')
  await runCron()
  await expect(transfer(ana.id, 25_00, bonus)).rejects.toThrow('transfers: no matching cause')
  await expect(transfer(eve.id, 25_00, bonus)).rejects.toThrow('transfers: no matching cause')
  await expect(
    env.DB.prepare('UPDATE referral_bonuses SET granted_at = 2 WHERE invitee = ?').bind(ben.id).run(),
  ).rejects.toThrow('already_decided')
  await expect(
    env.DB.prepare('UPDATE referral_bonuses SET reversed_at = 2 WHERE invitee = ?').bind(ben.id).run(),
  ).rejects.toThrow('referral_bonuses: deposit not reversed')
  await expect(
    env.DB.prepare('DELETE FROM referral_bonuses WHERE invitee = ?').bind(ben.id).run(),
  ).rejects.toThrow('never deleted')
})

test('neither list answers without a session', async () => {
  for (const path of ['/users/referrals', '/users/referral-terms'])
    expect((await call('GET', path)).status).toBe(401)
})

async function creditOnce(person: Person, amount = '100'): Promise<string> {
  const id = await deposit(person, amount, { paymentTo })
  const { status } = await approveDeposit(operator, id)
  if (status !== 200) throw new Error(`The deposit was answered with ${status}`)
  return id
}

/** Credits the first deposit of an invited person without requests, which would take longer. */
async function becomeDue({ id: investor }: Person): Promise<void> {
  const id = await creditInvestor(investor, 100_00)
  await runBatch(openDatabase(env.DB), [recordDueBonus({ id, investor }, Date.now())])
}

/** When everything that is due by now has matured. */
function runCron(): Promise<void> {
  return grantReferralBonuses(env, openDatabase(env.DB), Date.now() + 31 * DAY_MS)
}

async function countDue(referrer: Person): Promise<number> {
  const due =
    'SELECT count(*) AS due FROM referral_bonuses WHERE referrer = ? AND granted_at IS NULL AND lapsed_at IS NULL'
  return (await oneOf<{ due: number }>(due, referrer.id)).due
}

async function termsOf(person: Person): Promise<ReferralTerms> {
  return (await call<ReferralTerms>('GET', '/users/referral-terms', { token: person.token })).body
}

async function oneOf<Row = Record<string, unknown>>(query: string, id: string): Promise<Row> {
  const row = await env.DB.prepare(query).bind(id).first<Row>()
  if (row === null) throw new Error(`Nothing answers ${query}`)
  return row
}
