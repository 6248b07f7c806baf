import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { OperatorInvestor } from '../../../src/contract/console/investors.ts'
import { DAY_MS } from '../../../src/time.ts'
import { turnOnApp } from '../../../test/support/factors.ts'
import { fileDeposit } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { as } from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { sign } from '../../lib/crypto/signature.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

const NEW_PASSWORD = 'ein Kahn im Hafen'

afterEach(() => {
  vi.useRealTimers()
})

let networks = 0
const lock = (token: unknown) =>
  call('POST', '/auth/lock-account', { json: { token }, ip: `198.19.0.${++networks % 250}` })
const signIn = ({ email }: Person, password: string) =>
  call<{ token: string; code?: string }>('POST', '/auth/login', { json: { email, password } })

/** Changes a user's password and returns the lock token of the mail about it. */
async function tokenOf(person: Person): Promise<string> {
  const json = { currentPassword: person.password, newPassword: NEW_PASSWORD }
  expect(await call('PATCH', '/users/user-info', { token: person.token, json })).toMatchObject({
    status: 200,
  })
  return lockToken(person, /^Your password was changed/)
}

async function lockToken({ email }: Person, subject: RegExp): Promise<string> {
  return linkIn(await mailTo(email, subject), '/lock-account').searchParams.get('token') ?? ''
}

async function accountRow({ id }: Person) {
  return env.DB.prepare('SELECT frozen_at, frozen_reason FROM users WHERE id = ?')
    .bind(id)
    .first<{ frozen_at: number | null; frozen_reason: string | null }>()
}

async function locks({ id, email }: Person) {
  const audit = await env.DB.prepare(
    "SELECT count(*) AS total FROM audit_log WHERE subject = ? AND action = 'account.locked'",
  )
    .bind(id)
    .first<number>('total')
  const mails = (await mailsTo(email)).filter(({ subject }) => subject === 'Your account is locked')
  return { audit, mails: mails.length }
}

describe('locking one’s account', () => {
  test('locking freezes the account, ends every session and sends a mail', async () => {
    const ana = await newInvestor({ availableCents: 100_00 })
    const token = await tokenOf(ana)
    const other = await anotherSession(ana)
    const reply = await lock(token)
    expect(reply).toMatchObject({
      status: 200,
      body: { msg: expect.stringMatching(/^Your account is locked/) },
    })
    for (const session of [ana.token, other])
      expect(await call('GET', '/users/user-info', { token: session })).toMatchObject({ status: 401 })
    const { text } = await mailTo(ana.email, /^Your account is locked/)
    expect(text).toMatch(/\/forgot-password[\s\S]*lifted, write to \S+@\S+ [\s\S]*\/contact-us/)
    expect(await locks(ana)).toEqual({ audit: 1, mails: 1 })

    expect(await signIn(ana, NEW_PASSWORD)).toMatchObject({ status: 403, body: { code: 'account_locked' } })
  })

  test('ends the links to choose a new password that were mailed before, and lets a new one be asked for', async () => {
    const ana = await newInvestor()
    const token = await tokenOf(ana)
    const reset = async () => {
      const link = linkIn(await mailTo(ana.email, /^Choose/), '/change-password')
      const json = { password: 'a new boat', confirmPassword: 'a new boat', email: ana.email }
      return call('POST', '/auth/reset-password', {
        json: { ...json, token: link.searchParams.get('token') },
      })
    }
    await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
    await mailTo(ana.email, /^Choose/)
    await lock(token)
    expect(await reset()).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
    await expect
      .poll(async () => (await mailsTo(ana.email)).filter(({ subject }) => /^Choose/.test(subject)).length)
      .toBe(2)
    expect(await reset()).toMatchObject({ status: 200 })
    expect(await accountRow(ana)).toMatchObject({ frozen_at: expect.any(Number) })
  })

  test('a repeated call has the same answer and sends no second mail', async () => {
    const ana = await newInvestor()
    const token = await tokenOf(ana)
    const first = await lock(token)
    const before = await accountRow(ana)
    const again = await lock(token)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await accountRow(ana)).toEqual(before)
    expect(await locks(ana)).toEqual({ audit: 2, mails: 1 })
  })

  test('twenty parallel calls lock once and get the same answer', async () => {
    const ana = await newInvestor()
    const token = await tokenOf(ana)
    const replies = await Promise.all(Array.from({ length: 20 }, () => lock(token)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect((await locks(ana)).mails).toBe(1)
    expect(await call('GET', '/users/user-info', { token: ana.token })).toMatchObject({ status: 401 })
  })

  test('leaves an operator’s freeze and its reason as they are', async () => {
    const [operator, ana] = [await newOperator(), await newInvestor()]
    const token = await tokenOf(ana)
    await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'A complaint' })
    const before = await accountRow(ana)
    expect(await lock(token)).toMatchObject({ status: 200 })
    expect(await accountRow(ana)).toEqual(before)
    expect(before).toMatchObject({ frozen_reason: 'A complaint' })
    expect(await call('GET', '/users/user-info', { token: ana.token })).toMatchObject({ status: 401 })
    expect((await locks(ana)).mails).toBe(0)
  })

  test('two operators lift an owner’s lock', async () => {
    const [operator, second, ana] = [await newOperator(), await newOperator(), await newInvestor()]
    const token = await tokenOf(ana)
    await lock(token)
    const path = `/operator/investors/${ana.id}`
    expect((await as(operator, 'GET', path)).body).toMatchObject({
      frozen: true,
      frozenReason: 'Locked by its owner, with the link in a mail',
    })
    expect(await as(operator, 'POST', `${path}/unfreeze`, { reason: 'A test' })).toMatchObject({
      status: 202,
      body: { frozen: true, awaiting: 'second_operator', firstUnlock: { byId: operator.id } },
    })
    expect(await as(operator, 'POST', `${path}/unfreeze`, { reason: 'A test' })).toMatchObject({
      status: 403,
      body: { code: 'second_operator_required' },
    })
    expect(await as(second, 'POST', `${path}/unfreeze`, { reason: 'A test' })).toMatchObject({
      status: 200,
      body: { frozen: false, lockedAt: null },
    })
    const free = { ...ana, token: await anotherSession(ana) }
    expect((await fileDeposit(free)).status).toBe(201)
    // The owner may need the link again.
    expect(await lock(token)).toMatchObject({ status: 200 })
    expect(await locks(ana)).toEqual({ audit: 2, mails: 2 })
  })
})

describe('the lock of an owner', () => {
  const unlock = (by: Person, ana: Person) =>
    as<OperatorInvestor>(by, 'POST', `/operator/investors/${ana.id}/unfreeze`, { reason: 'A test' })
  const takesTwo = { status: 403, body: { code: 'second_operator_required' } }

  test('no single operator lifts an owner’s lock, whatever they do first', async () => {
    const [operator, ana] = [await newOperator(), await newInvestor()]
    await lock(await tokenOf(ana))
    await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'Mine now' })
    const first = await unlock(operator, ana)
    expect(first).toMatchObject({ status: 202, body: { firstUnlock: { byId: operator.id } } })
    expect(Date.parse(first.body.firstUnlock?.at ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(await unlock(operator, ana)).toMatchObject(takesTwo)
    expect((await accountRow(ana))?.frozen_at).not.toBeNull()
    expect((await signIn(ana, NEW_PASSWORD)).body.code).toBe('account_locked')
    const third = await newOperator()
    // The operator's freeze stays, and takes one operator to lift.
    expect(await unlock(third, ana)).toMatchObject({ status: 200, body: { frozen: true, lockedAt: null } })
    expect(await unlock(third, ana)).toMatchObject({ status: 200, body: { frozen: false } })
  })

  test('SQL with one operator’s agreement does not lift an owner’s lock', async () => {
    const [operator, auditor, ana] = [
      await newOperator(),
      await newOperator({ roles: ['auditor'] }),
      await newInvestor(),
    ]
    await lock(await tokenOf(ana))
    await unlock(operator, ana)
    const locked = `(SELECT locked_at FROM users WHERE id = '${ana.id}')`
    const agree = (by: Person, step: number) =>
      `INSERT INTO lock_liftings (investor, locked_at, operator, step, at) VALUES ('${ana.id}', ${locked}, '${by.id}', ${step}, 1)`
    for (const [sql, refusal] of [
      [`UPDATE users SET frozen_at = NULL WHERE id = '${ana.id}'`, /second_operator_required/],
      [`UPDATE users SET locked_at = NULL WHERE id = '${ana.id}'`, /second_operator_required/],
      [`UPDATE users SET locked_at = 1 WHERE id = '${ana.id}'`, /second_operator_required/],
      [
        `UPDATE users SET locked_at = NULL, frozen_at = NULL WHERE id = '${ana.id}'`,
        /second_operator_required/,
      ],
      [agree(operator, 2), /second_operator_required/],
      [agree(auditor, 2), /forbidden/],
      [agree(ana, 2), /forbidden/],
      [`UPDATE lock_liftings SET operator = '${auditor.id}'`, /immutable/],
      ['DELETE FROM lock_liftings', /never deleted/],
    ] as const)
      await expect(env.DB.prepare(sql).run(), sql).rejects.toThrow(refusal)
  })

  test('a repeated lock cancels an operator’s earlier agreement', async () => {
    const [first, second, ana] = [await newOperator(), await newOperator(), await newInvestor()]
    const token = await tokenOf(ana)
    await lock(token)
    expect(await unlock(first, ana)).toMatchObject({ status: 202 })
    await lock(token)
    expect(await unlock(second, ana)).toMatchObject({ status: 202 })
    expect(await unlock(second, ana)).toMatchObject(takesTwo)
    expect(await unlock(first, ana)).toMatchObject({ status: 200, body: { frozen: false } })
  })

  test('is lifted once when several agree at the same moment', async () => {
    const operators = [await newOperator(), await newOperator(), await newOperator()]
    const ana = await newInvestor()
    await lock(await tokenOf(ana))
    const replies = await Promise.all(operators.map((by) => unlock(by, ana)))
    for (const { status } of replies) expect([200, 202, 409]).toContain(status)
    const row = await env.DB.prepare(
      'SELECT count(*) AS agreed, count(DISTINCT operator) AS people FROM lock_liftings WHERE investor = ?',
    )
      .bind(ana.id)
      .first<{ agreed: number; people: number }>()
    expect(row?.agreed).toBe(row?.people)
    expect((await accountRow(ana))?.frozen_at === null).toBe(row?.agreed === 2)
  })
})

describe('the link that locks', () => {
  test('every mail about the password or the second factor has the link that locks', async () => {
    const ana = await newInvestor()
    const { token } = ana
    const { recoveryCodes } = await turnOnApp(ana)
    const json = { password: ana.password, code: recoveryCodes[0] }
    await call('POST', '/auth/two-factor/disable', { token, json })
    await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
    const reset = linkIn(await mailTo(ana.email, /^Choose/), '/change-password').searchParams
    await call('POST', '/auth/reset-password', {
      json: { ...Object.fromEntries(reset), password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD },
    })
    for (const subject of [/^Your second factor is on/, /^Your second factor was/, /^Your password was/]) {
      const link = await lockToken(ana, subject)
      expect(await lock(link), String(subject)).toMatchObject({ status: 200 })
    }
  })

  test('a lock link works for seven days, and no part of it is stored', async () => {
    const ana = await newInvestor()
    const token = await tokenOf(ana)
    const [, expires = ''] = token.split('.')
    expect(Math.abs(Number(expires) - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000)
    const { results } = await env.DB.prepare('SELECT purpose FROM email_tokens WHERE user_id = ?')
      .bind(ana.id)
      .all()
    expect(results).toEqual([])

    vi.useFakeTimers({ now: Number(expires), toFake: ['Date'] })
    expect(await lock(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    vi.setSystemTime(Number(expires) - 1)
    expect(await lock(token)).toMatchObject({ status: 200 })
  })

  test('a lock link is refused if it was altered, is for somebody else, or has another purpose', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    const token = await tokenOf(ana)
    const [id = '', expires = '', version = '', mac = ''] = token.split('.')
    const later = String(Number(expires) + DAY_MS)
    const other = await sign(env.VAULT_KEYS, 'newsletter-unsubscribe', `${ana.id}.${expires}`)
    for (const wrong of [
      'wrong',
      `${ben.id}.${expires}.${version}.${mac}`,
      `${id}.${later}.${version}.${mac}`,
      `${id}.${expires}.2.${mac}`,
      `${id}.${expires}.${version}.${mac.slice(0, -2)}AA`,
      `${id}.${expires}.${other}`,
      `${id}.${version}.${mac}`,
      ` ${token}`,
    ]) {
      const { status, body } = await lock(wrong)
      expect([status, body.code], wrong).toEqual([400, 'invalid_token'])
    }
    for (const person of [ana, ben]) expect(await accountRow(person)).toMatchObject({ frozen_at: null })
  })

  test('is for investors alone: an operator’s account is locked by none', async () => {
    const operator = await newOperator()
    await call('POST', '/auth/forgot-password', { json: { email: operator.email } })
    const reset = linkIn(await mailTo(operator.email, /^Choose/), '/change-password').searchParams
    await call('POST', '/auth/reset-password', {
      json: { ...Object.fromEntries(reset), password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD },
    })
    expect((await mailTo(operator.email, /^Your password was/)).text).not.toContain('/lock-account')
    const content = `${operator.id}.${Date.now() + DAY_MS}`
    const token = `${content}.${await sign(env.VAULT_KEYS, 'lock-account', content)}`
    expect(await lock(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('opening the lock link alone changes nothing, and a missing field is named', async () => {
    const ana = await newInvestor({ totpSecret: newTotpSecret() })
    const token = await tokenOf(ana)
    expect((await call('GET', `/auth/lock-account?token=${token}`)).status).toBe(405)
    expect(await accountRow(ana)).toMatchObject({ frozen_at: null })
    for (const wrong of [undefined, null, 5, '', { $ne: null }, 'a'.repeat(10_000)])
      expect((await lock(wrong)).status, String(wrong).slice(0, 20)).toBe(422)
  })

  test('is tried sixty times an hour from one network at most', async () => {
    const tries = await Promise.all(
      Array.from({ length: 61 }, () =>
        call('POST', '/auth/lock-account', { json: { token: 'wrong' }, ip: '192.0.2.77' }),
      ),
    )
    const late = tries.filter(({ status }) => status === 429)
    expect(late).toHaveLength(1)
    expect(Number(late[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})
