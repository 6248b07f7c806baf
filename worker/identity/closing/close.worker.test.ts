import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { ClosingConditions } from '../../../src/contract/identity/closing.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { BANK_WITHDRAWAL, CRYPTO_WITHDRAWAL, changeAddress, withdraw } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { txid } from '../../../test/support/ledger/txid.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import {
  approveProposal,
  approveWithdrawal,
  as,
  completeWithdrawal,
  deposit,
  propose,
  withdrawal,
} from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newPicture } from '../../../test/support/picture.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'
import { DELETED_AT_CLOSING } from '../personalData/list.ts'

const close = (person: Person, fields: Readonly<Record<string, unknown>> = {}) =>
  call('POST', '/users/close', { token: person.token, json: { password: person.password, ...fields } })
const closingInfo = async (person: Person) =>
  (await as<ClosingConditions>(person, 'GET', '/users/closing')).body
const signIn = (person: Person, password = person.password) =>
  call('POST', '/auth/login', { json: { email: person.email, password } })
const userOf = (person: Person) =>
  env.DB.prepare('SELECT * FROM users WHERE id = ?').bind(person.id).first<Record<string, unknown>>()

/** Pays out a user's whole balance. */
async function payOutAll(person: Person, amount: string): Promise<void> {
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await withdrawal(person, amount)
  await approveWithdrawal(first, id)
  expect((await completeWithdrawal(second, id)).status).toBe(200)
}

describe('closing an account', () => {
  test('closing ends sessions and links, deletes unneeded data, and a last mail says what is kept', async () => {
    const ana = await newInvestor({ availableCents: 80_00, kyc: 'approved' })
    const other = await anotherSession(ana)
    await payOutAll(ana, '80.00')
    await changeAddress(ana, {
      label: 'Mine',
      type: 'bitcoin',
      network: 'btc',
      address: CRYPTO_WITHDRAWAL.address,
    })
    await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
    const reset = linkIn(await mailTo(ana.email, /Choose a new password/), '/change-password')
    await call('POST', '/users/email', {
      token: ana.token,
      json: { email: `new-${ana.email}`, password: ana.password },
    })
    expect(await closingInfo(ana)).toEqual({
      obstacles: [],
      methods: [],
      keptDays: { documents: 1825, person: 1825 },
    })

    expect(await close(ana)).toMatchObject({ status: 200, body: { msg: expect.stringContaining('closed') } })

    for (const token of [ana.token, other])
      expect((await call('GET', '/users/user-info', { token })).status).toBe(401)
    expect(DELETED_AT_CLOSING.length).toBeGreaterThan(10)
    for (const { table, owner } of DELETED_AT_CLOSING) {
      const rows = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${owner} = ?`)
        .bind(ana.id)
        .first<number>('n')
      expect([table, rows]).toEqual([table, 0])
    }
    const spent = await call('POST', '/auth/reset-password', {
      json: {
        email: ana.email,
        token: reset.searchParams.get('token'),
        password: 'another-fine-password',
        confirmPassword: 'another-fine-password',
      },
    })
    expect(spent).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    const change = await env.DB.prepare('SELECT ended_at FROM email_changes WHERE user_id = ?')
      .bind(ana.id)
      .first<number>('ended_at')
    expect(change).not.toBeNull()
    const mail = await mailTo(ana.email, /Your account is closed/)
    expect(mail.text).toMatch(/Kept until \w+ \d+, 20\d\d: your identity documents/)
    expect(mail.text).toContain('If you get our newsletter, you keep getting it')
    const acts = await env.DB.prepare(
      "SELECT actor FROM audit_log WHERE subject = ? AND action = 'account.closed'",
    )
      .bind(ana.id)
      .all()
    expect(acts.results).toEqual([{ actor: ana.id }])
  })

  test('an account with money cannot be closed, and the answer names each obstacle with the way out', async () => {
    const ana = await newInvestor({ availableCents: 300_00 })
    expect(await close(ana)).toMatchObject({
      status: 409,
      body: { code: 'money_left', msg: expect.stringContaining('$300.00 is available. Withdraw all of it') },
    })
    await deposit(ana, '40.00')
    const held = (await withdraw(ana, { amount: '100.00' })).body._id
    const { obstacles } = await closingInfo(ana)
    expect(obstacles.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['deposits', 40],
      ['withdrawals', 100],
      ['available', 200],
    ])
    expect(await close(ana)).toMatchObject({ status: 409, body: { code: 'money_left' } })
    expect((await userOf(ana))?.closed_at).toBeNull()
    await call('POST', `/withdrawals/${held}/cancel`, { token: ana.token })
    expect((await closingInfo(ana)).obstacles.map(({ kind }) => kind)).toEqual(['deposits', 'available'])
  })

  test('is refused while something is owed', async () => {
    const ana = await newInvestor()
    const [first, second] = [await newOperator(), await newOperator()]
    const id = await deposit(ana, '50.00')
    await as(first, 'POST', `/operator/deposits/${id}/approve`, {
      riskReason: 'Called back, all is in order',
      reference: txid(id),
      quantity: '0.00077882',
    })
    await payOutAll(ana, '50.00')
    const wrong = await propose(first, { kind: 'reversal', request: id, reason: 'Never arrived' })
    expect((await closingInfo(ana)).obstacles.map(({ kind }) => kind)).toEqual(['correction'])
    expect(await close(ana)).toMatchObject({ status: 409, body: { code: 'money_left' } })
    await approveProposal(second, wrong.body._id)
    expect((await closingInfo(ana)).obstacles).toMatchObject([{ kind: 'owed', amount: 50 }])
    expect(await close(ana)).toMatchObject({ status: 409, body: { code: 'money_left' } })
  })

  test('closing asks for the password, and slows down guessing', async () => {
    const ana = await newInvestor()
    expect(await close(ana, { password: '' })).toMatchObject({
      status: 422,
      body: { fields: { password: 'Password is required' } },
    })
    for (let tries = 0; tries < 10; tries++)
      expect(await close(ana, { password: 'wrong' })).toMatchObject({
        status: 422,
        body: { code: 'wrong_password' },
      })
    expect((await close(ana)).status).toBe(429)
    expect((await userOf(ana))?.closed_at).toBeNull()
  })

  test('closing asks for a code of the second factor, and deletes the factor', async () => {
    const secret = newTotpSecret()
    const ana = await newInvestor({ totpSecret: secret })
    expect(await closingInfo(ana)).toMatchObject({ methods: ['totp'] })
    expect(await close(ana)).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
    expect(await close(ana, { code: '000000' })).toMatchObject({
      status: 403,
      body: { code: 'invalid_code' },
    })
    expect((await userOf(ana))?.closed_at).toBeNull()
    expect((await close(ana, { code: totpCode(secret) })).status).toBe(200)
    const left = await env.DB.prepare('SELECT count(*) AS n FROM second_factors WHERE user_id = ?')
      .bind(ana.id)
      .first<number>('n')
    expect(left).toBe(0)
  })

  test('is refused for operators, frozen accounts and visitors', async () => {
    expect(await close(await newOperator())).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await as(await newOperator(), 'GET', '/users/closing')).status).toBe(403)
    const frozen = await newInvestor({ frozen: true })
    expect(await close(frozen)).toMatchObject({ status: 403, body: { code: 'account_frozen' } })
    expect((await closingInfo(frozen)).obstacles).toMatchObject([{ kind: 'frozen' }])
    expect((await call('POST', '/users/close', { json: {} })).status).toBe(401)
  })

  test('sets an unreviewed document aside', async () => {
    const ana = await newInvestor({ kyc: 'none' })
    await call('POST', '/kyc', { token: ana.token, form: { document: 'Passport', image: newPicture() } })
    expect((await close(ana)).status).toBe(200)
    const row = await env.DB.prepare(
      'SELECT status, decided_by, reason FROM kyc_submissions WHERE user_id = ?',
    )
      .bind(ana.id)
      .first()
    expect(row).toEqual({ status: 'rejected', decided_by: null, reason: 'The account was closed' })
  })

  test('happens once among parallel calls, or loses to an earlier request', async () => {
    const ana = await newInvestor()
    const replies = await Promise.all(Array.from({ length: 8 }, () => close(ana)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const racing = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const ben = await newInvestor()
        const [closed, filed] = await Promise.all([close(ben), deposit(ben, '10.00').catch(() => null)])
        const open = await env.DB.prepare('SELECT count(*) AS n FROM requests WHERE investor = ?')
          .bind(ben.id)
          .first<number>('n')
        return { closed: closed.status === 200, filed: filed !== null, open }
      }),
    )
    for (const { closed, filed, open } of racing) {
      expect(closed && filed).toBe(false)
      expect(open).toBe(filed ? 1 : 0)
    }
  })
})

describe('a closed account', () => {
  test('only somebody with the password learns that it is closed', async () => {
    const ana = await newInvestor()
    await close(ana)
    const right = await signIn(ana)
    expect(right).toMatchObject({ status: 403, body: { code: 'account_closed' } })
    expect(right.body.msg).toMatch(/closed on \w+ \d+, 20\d\d and cannot be opened again.*@/)
    const wrong = await signIn(ana, 'not-the-password')
    const unknown = await signIn({ ...ana, email: 'nobody@example.com' })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual(unknown.body)
  })

  test('registration and password resets do not reveal it, and mail its owner', async () => {
    const ana = await newInvestor()
    await close(ana)
    const asked = await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
    const other = await call('POST', '/auth/forgot-password', { json: { email: 'x@example.com' } })
    expect(asked.body).toEqual(other.body)
    const registration = {
      fullname: 'ana',
      phone: '+41 79 123 45 67',
      password: 'a-fine-long-password',
      country: 'Switzerland',
    }
    const again = await call('POST', '/auth/register', { json: { ...registration, email: ana.email } })
    const fresh = await call('POST', '/auth/register', {
      json: { ...registration, email: `fresh-${ana.email}` },
    })
    expect([again.status, again.body]).toEqual([fresh.status, fresh.body])
    await expect
      .poll(async () => (await mailsTo(ana.email)).filter(({ text }) => text.includes('Somebody')).length)
      .toBe(2)
    expect((await mailsTo(ana.email)).some(({ text }) => text.includes('change-password'))).toBe(false)
    const invited = await call('POST', '/auth/register', {
      json: { ...registration, email: `invited-${ana.email}`, referralID: ana.referralCode },
    })
    expect(invited.body.fields).toHaveProperty('referralID')
  })

  test('cannot be locked, and links of older mails do nothing', async () => {
    const ana = await newInvestor()
    await call('PATCH', '/users/user-info', {
      token: ana.token,
      json: { currentPassword: ana.password, newPassword: 'another-fine-password' },
    })
    const lock = linkIn(await mailTo(ana.email, /password was changed/), '/lock-account')
    await close(ana, { password: 'another-fine-password' })
    const reply = await call('POST', '/auth/lock-account', {
      json: { token: lock.searchParams.get('token') },
    })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })
})

describe('hand-written SQL', () => {
  const run = (sql: string, ...values: unknown[]) =>
    env.DB.prepare(sql)
      .bind(...values)
      .run()
  const endSessions = (person: Person) =>
    run('UPDATE sessions SET ended_at = 1 WHERE user_id = ? AND ended_at IS NULL', person.id)
  const closeByHand = (person: Person) => run('UPDATE users SET closed_at = 5 WHERE id = ?', person.id)

  test('SQL closes no account with money, open requests, a freeze or a live session, and no operator’s account', async () => {
    const rich = await newInvestor({ availableCents: 1 })
    await endSessions(rich)
    await expect(closeByHand(rich)).rejects.toThrow('money_left')
    const waiting = await newInvestor()
    await deposit(waiting, '10.00')
    await endSessions(waiting)
    await expect(closeByHand(waiting)).rejects.toThrow('money_left')
    const frozen = await newInvestor({ frozen: true })
    await endSessions(frozen)
    await expect(closeByHand(frozen)).rejects.toThrow('account_frozen')
    const operator = await newOperator()
    await endSessions(operator)
    await expect(closeByHand(operator)).rejects.toThrow('forbidden')
    await expect(closeByHand(await newInvestor())).rejects.toThrow(/open sessions/)
  })

  test('SQL files nothing for a closed account, moves no money, and opens no session', async () => {
    const ana = await newInvestor()
    const [first, second] = [await newOperator(), await newOperator()]
    const bonus = await propose(first, {
      kind: 'bonus',
      investor: ana.id,
      amount: '5.00',
      reason: 'Kindness',
    })
    await run(
      "UPDATE proposals SET status = 'approved', decided_by = ?, decided_at = 1 WHERE id = ?",
      second.id,
      bonus.body._id,
    )
    await endSessions(ana)
    await closeByHand(ana)
    const refused: [string, ...unknown[]][] = [
      [
        `INSERT INTO requests (id, ref, investor, kind, queue, amount, asked, created_at)
         VALUES ('after', 'DEP-AFTER', ?, 'deposit', 'deposits', 100, 100, 1)`,
        ana.id,
      ],
      [
        `INSERT INTO transfers (id, from_account, to_account, amount, code, ref, actor, at)
         VALUES ('after', ?1 || ':granted', ?1 || ':available', 500, 'bonus', ?2, ?3, 1)`,
        ana.id,
        bonus.body._id,
        second.id,
      ],
      [
        `INSERT INTO sessions (id, user_id, secret_hash, created_at, last_seen_at, expires_at)
         VALUES ('after', ?, 'x', 1, 1, 9999999999999)`,
        ana.id,
      ],
      ['UPDATE sessions SET ended_at = NULL WHERE user_id = ?', ana.id],
      [
        `INSERT INTO email_tokens (token_hash, user_id, purpose, created_at, expires_at)
         VALUES ('after', ?, 'reset-password', 1, 9999999999999)`,
        ana.id,
      ],
      ['UPDATE users SET closed_at = NULL WHERE id = ?', ana.id],
      ["UPDATE users SET password_hash = 'x' WHERE id = ?", ana.id],
      ["UPDATE users SET email = 'thief@example.com' WHERE id = ?", ana.id],
    ]
    for (const [sql, ...values] of refused) {
      await expect(run(sql, ...values), sql).rejects.toThrow('account_closed')
    }
  })

  test('cannot grant a bonus to a closed account', async () => {
    const [first, second] = [await newOperator(), await newOperator()]
    const ana = await newInvestor()
    const bonus = await propose(first, {
      kind: 'bonus',
      investor: ana.id,
      amount: '5.00',
      reason: 'Kindness',
    })
    await close(ana)
    expect(await approveProposal(second, bonus.body._id)).toMatchObject({
      status: 403,
      body: { code: 'account_closed' },
    })
  })
})

test('the destination of a bank withdrawal needs no money left for the account to close', async () => {
  const ana = await newInvestor({ availableCents: 100_00 })
  const [first, second] = [await newOperator(), await newOperator()]
  const id = await withdrawal(ana, BANK_WITHDRAWAL.amount, '/withdrawals/online-service')
  await approveWithdrawal(first, id)
  await completeWithdrawal(second, id)
  expect((await close(ana)).status).toBe(200)
})
