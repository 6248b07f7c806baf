import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { ActivityRow } from '../../../src/contract/identity/activity.ts'
import type { EmailChange } from '../../../src/contract/identity/emailChange.ts'
import { DAY_MS } from '../../../src/time.ts'
import { CRYPTO_WITHDRAWAL } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { as } from '../../../test/support/operating.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { generateText, UNAMBIGUOUS } from '../../lib/crypto/tokens.ts'

const CONFIRM = /^Confirm the change/
const CHANGED = /^Your e-mail address was changed/

let networks = 0
const newIp = () => `198.18.9.${++networks % 250}`
const newAddress = () => `moved-${generateText(10, UNAMBIGUOUS)}@example.com`
const ask = (person: Person, email: unknown, password: unknown = person.password) =>
  call('POST', '/users/email', { token: person.token, json: { email, password } })
const confirm = (token: unknown) =>
  call('POST', '/auth/confirm-email-change', { json: { token }, ip: newIp() })
const signIn = (email: string, password: string) =>
  call('POST', '/auth/login', { json: { email, password }, ip: newIp() })

async function tokenTo(email: string): Promise<string> {
  return linkIn(await mailTo(email, CONFIRM), '/confirm-email').searchParams.get('token') ?? ''
}

/** An investor who requested another address, with the tokens of both mailboxes. */
async function asking(options: Parameters<typeof newInvestor>[0] = {}) {
  const ana = await newInvestor(options)
  const email = newAddress()
  expect(await ask(ana, email)).toMatchObject({ status: 200 })
  return { ana, email, oldToken: await tokenTo(ana.email), newToken: await tokenTo(email) }
}

async function addressOf({ id }: Person): Promise<string | null> {
  return env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(id).first<string>('email')
}

async function age({ id }: Person, ms: number): Promise<void> {
  // A trigger forbids changing a request, so time passes by inserting it again in the past.
  await env.DB.batch([
    env.DB.prepare(
      `CREATE TABLE aged AS SELECT id, user_id, session_id, old_email, new_email, old_token_hash, new_token_hash,
              created_at - ${ms} AS created_at, expires_at - ${ms} AS expires_at FROM email_changes WHERE user_id = ?`,
    ).bind(id),
    env.DB.prepare('DELETE FROM email_changes WHERE user_id = ?').bind(id),
    env.DB.prepare(
      `INSERT INTO email_changes (id, user_id, session_id, old_email, new_email, old_token_hash, new_token_hash,
              created_at, expires_at) SELECT * FROM aged`,
    ),
    env.DB.prepare('DROP TABLE aged'),
  ])
}

describe('another e-mail address', () => {
  test.each([
    ['the old mailbox first', ['oldToken', 'newToken']],
    ['the new mailbox first', ['newToken', 'oldToken']],
  ] as const)('comes once both mailboxes have confirmed it, %s', async (_, [first, second]) => {
    const change = await asking({ availableCents: 100_00 })
    const { ana, email } = change
    const other = await anotherSession(ana)
    await as(ana, 'POST', '/users/messages', { message: 'Hello' })
    const half = await confirm(change[first])
    expect(half).toMatchObject({ status: 200, body: { msg: expect.stringMatching(/other mailbox/) } })
    expect(await addressOf(ana)).toBe(ana.email)
    // A second confirmation from the same mailbox does not count twice.
    expect((await confirm(change[first])).body).toEqual(half.body)
    expect(await addressOf(ana)).toBe(ana.email)

    const done = await confirm(change[second])
    expect(done).toMatchObject({ status: 200, body: { msg: expect.stringMatching(/was changed/) } })
    expect(await addressOf(ana)).toBe(email)
    expect(await signIn(ana.email, ana.password)).toMatchObject({ status: 401 })
    expect(await signIn(email, ana.password)).toMatchObject({ status: 200 })
    // The requesting session stays, all others have ended.
    expect(await as(ana, 'GET', '/users/user-info?fields=email')).toMatchObject({
      status: 200,
      body: { email },
    })
    expect(await call('GET', '/users/user-info', { token: other })).toMatchObject({ status: 401 })
    for (const mailbox of [ana.email, email]) linkIn(await mailTo(mailbox, CHANGED), '/lock-account')
    const { body } = await as(ana, 'POST', '/withdrawals', { ...CRYPTO_WITHDRAWAL, amount: '10.00' })
    expect(body).toMatchObject({ code: 'step_up_required' })
    expect(body.reasons).toContain('recent_security_change')
    const { results } = await env.DB.prepare(
      "SELECT action FROM audit_log WHERE subject = ? AND action LIKE 'email.%' ORDER BY seq",
    )
      .bind(ana.id)
      .all()
    expect(results).toEqual([{ action: 'email.change_asked' }, { action: 'email.changed' }])

    // Replies to earlier messages go to the new address.
    const thread = env.DB.prepare('SELECT email FROM contact_messages WHERE investor = ?').bind(ana.id)
    expect(await thread.first()).toEqual({ email })

    // Repeated confirmations return the current state, and nothing happens twice.
    for (const token of [change.oldToken, change.newToken])
      expect((await confirm(token)).body).toEqual(done.body)
    expect((await mailsTo(email)).filter(({ subject }) => CHANGED.test(subject))).toHaveLength(1)
  })

  test('happens once when both mailboxes confirm in parallel, ten times each', async () => {
    const { ana, email, oldToken, newToken } = await asking()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => confirm(i % 2 === 0 ? oldToken : newToken)),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(await addressOf(ana)).toBe(email)
    for (const mailbox of [ana.email, email])
      expect((await mailsTo(mailbox)).filter(({ subject }) => CHANGED.test(subject))).toHaveLength(1)
  })

  test('ends the links to choose a new password', async () => {
    const { ana, oldToken, newToken } = await asking()
    await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
    const link = linkIn(await mailTo(ana.email, /^Choose/), '/change-password').searchParams
    await confirm(oldToken)
    await confirm(newToken)
    const reply = await call('POST', '/auth/reset-password', {
      json: { ...Object.fromEntries(link), password: 'a new boat', confirmPassword: 'a new boat' },
    })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
  })

  test('is asked for with the password, which may be wrong ten times', async () => {
    const ana = await newInvestor()
    const email = newAddress()
    expect(await ask(ana, email, 'wrong')).toMatchObject({ status: 422, body: { code: 'wrong_password' } })
    expect(await mailsTo(email)).toEqual([])
    const ben = await newInvestor()
    const tries = await Promise.all(Array.from({ length: 12 }, () => ask(ben, email, 'wrong')))
    expect(tries.filter(({ body }) => body.code === 'wrong_password').length).toBeLessThanOrEqual(10)
    expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(2)
    expect(await mailsTo(email)).toEqual([])
  })

  test('a used address gets the same answer and its owner a mail, and nothing reveals it to the asker', async () => {
    const [ana, ben, cy] = [
      await newInvestor(),
      await newInvestor({ name: 'Ben Okafor' }),
      await newInvestor(),
    ]
    const free = newAddress()
    const replies = [await ask(ana, ben.email.toUpperCase()), await ask(cy, free)]
    expect(replies[0]?.body).toEqual(replies[1]?.body)
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const notice = await mailTo(ben.email, /^You already have an account/)
    expect(notice.text).toContain('Hello there,')
    expect(notice.text).not.toContain('confirm-email')
    const shapes = await Promise.all(
      [ana, cy].map(async (person) => {
        const { text } = await mailTo(person.email, CONFIRM)
        return text.replaceAll(/https?:\S+|\S+@\S+/g, '…')
      }),
    )
    expect(shapes[0]).toBe(shapes[1])
    expect((await confirm(await tokenTo(ana.email))).body).toEqual(
      (await confirm(await tokenTo(cy.email))).body,
    )
    expect([await addressOf(ana), await addressOf(ben)]).toEqual([ana.email, ben.email])
  })

  test('goes to one of two accounts that want it, and to none once somebody registered with it', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    const email = newAddress()
    await ask(ana, email)
    const anas = await tokenTo(email)
    await ask(ben, email)
    await expect
      .poll(async () => (await mailsTo(email)).filter(({ subject }) => CONFIRM.test(subject)).length)
      .toBe(2)
    const bens = await tokenTo(email)
    for (const person of [ana, ben]) await confirm(await tokenTo(person.email))
    const replies = await Promise.all([confirm(anas), confirm(bens)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    const addresses = [await addressOf(ana), await addressOf(ben)]
    expect(addresses.filter((address) => address === email)).toHaveLength(1)
  })

  test('is refused to its own address, to operators, and while the account is frozen', async () => {
    const [ana, ben, operator] = [
      await newInvestor(),
      await newInvestor({ frozen: true }),
      await newOperator(),
    ]
    expect((await ask(ana, ana.email)).body.fields).toEqual({ email: 'This is already your address' })
    expect(await ask(ben, newAddress())).toMatchObject({ status: 403, body: { code: 'account_frozen' } })
    expect(await ask(operator, newAddress())).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await call('POST', '/users/email', { json: {} })).toMatchObject({ status: 401 })
  })

  test('is asked for ten times an hour at most, and a mailbox gets five such mails a day', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    const email = newAddress()
    for (const person of [ana, ben])
      for (let i = 0; i < 4; i++) expect(await ask(person, email)).toMatchObject({ status: 200 })
    await expect.poll(async () => (await mailsTo(email)).length).toBe(5)
    for (let i = 0; i < 6; i++) await ask(ana, newAddress())
    expect(await ask(ana, newAddress())).toMatchObject({ status: 429 })
  })
})

describe('a pending change', () => {
  const show = ({ token }: Person) =>
    call<{ email: string; change: EmailChange | null }>('GET', '/users/email', { token })
  const cancel = (person: Person) => as(person, 'POST', '/users/email/cancel')

  test('is shown to its owner with both confirmations, until it is complete', async () => {
    const idle = await newInvestor()
    expect(await show(idle)).toMatchObject({ status: 200, body: { email: idle.email, change: null } })
    const { ana, email, oldToken, newToken } = await asking()
    expect((await show(ana)).body).toEqual({
      email: ana.email,
      change: {
        newEmail: email,
        askedAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
        isConfirmedByPresent: false,
        isConfirmedByNew: false,
      },
    })
    await confirm(newToken)
    expect((await show(ana)).body.change).toMatchObject({
      isConfirmedByPresent: false,
      isConfirmedByNew: true,
    })
    expect((await show(idle)).body.change).toBeNull()
    await confirm(oldToken)
    expect((await show(ana)).body).toEqual({ email, change: null })
  })

  test('looks the same if the new address has an account', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    await ask(ana, ben.email)
    await confirm(await tokenTo(ana.email))
    expect((await show(ana)).body.change).toMatchObject({
      newEmail: ben.email,
      isConfirmedByPresent: true,
      isConfirmedByNew: false,
    })
  })

  test('is called off by its owner, once, and its links with it, on a frozen account too', async () => {
    const { ana, oldToken, newToken } = await asking()
    await env.DB.prepare('UPDATE users SET frozen_at = 1 WHERE id = ?').bind(ana.id).run()
    expect(await cancel(ana)).toMatchObject({ status: 200 })
    await env.DB.prepare('UPDATE users SET frozen_at = NULL WHERE id = ?').bind(ana.id).run()
    expect((await show(ana)).body.change).toBeNull()
    expect(await cancel(ana)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
    for (const token of [oldToken, newToken])
      expect(await confirm(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect(await addressOf(ana)).toBe(ana.email)
    const { body } = await call<ActivityRow[]>('GET', '/users/activity', { token: ana.token })
    expect(body.map(({ event }) => event)).toContain('email.change_cancelled')
  })

  test('is either completed or cancelled by parallel calls', async () => {
    for (let i = 0; i < 4; i++) {
      const { ana, email, oldToken, newToken } = await asking()
      await confirm(oldToken)
      const [off, on] = await Promise.all([cancel(ana), confirm(newToken)])
      const changed = (await addressOf(ana)) === email
      expect([off.status, on.status]).toEqual(changed ? [409, 200] : [200, 400])
    }
  })

  test('is no longer shown nor called off once its links have expired', async () => {
    const { ana } = await asking()
    await age(ana, DAY_MS)
    expect((await show(ana)).body.change).toBeNull()
    expect((await cancel(ana)).status).toBe(409)
  })
})

describe('the links that confirm it', () => {
  test('links stop working after a newer change, a new password or a lock', async () => {
    const newer = await asking()
    await ask(newer.ana, newAddress())
    const changed = await asking()
    await call('PATCH', '/users/user-info', {
      token: changed.ana.token,
      json: { currentPassword: changed.ana.password, newPassword: 'ein Kahn im Hafen' },
    })
    const locked = await asking()
    const lock = linkIn(await mailTo(locked.ana.email, CONFIRM), '/lock-account').searchParams.get('token')
    expect(await call('POST', '/auth/lock-account', { json: { token: lock } })).toMatchObject({ status: 200 })
    for (const { ana, oldToken, newToken } of [newer, changed, locked]) {
      for (const token of [oldToken, newToken, 'wrong'])
        expect(await confirm(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
      expect(await addressOf(ana)).toBe(ana.email)
    }
  })

  test('links do not change a frozen account, also if it was frozen between the two', async () => {
    const { ana, oldToken, newToken } = await asking()
    await confirm(oldToken)
    const operator = await newOperator()
    await as(operator, 'POST', `/operator/investors/${ana.id}/freeze`, { reason: 'A complaint' })
    expect(await confirm(newToken)).toMatchObject({ status: 403, body: { code: 'account_frozen' } })
    expect(await addressOf(ana)).toBe(ana.email)
    await expect(
      env.DB.prepare(
        'UPDATE email_changes SET new_confirmed_at = 1, completed_at = 1, ended_at = 1 WHERE user_id = ?',
      )
        .bind(ana.id)
        .run(),
    ).rejects.toThrow('account_frozen')
  })

  test('work for 24 hours', async () => {
    const { ana, oldToken, newToken } = await asking()
    await age(ana, DAY_MS - 60_000)
    expect(await confirm(oldToken)).toMatchObject({ status: 200 })
    const late = await asking()
    await age(late.ana, DAY_MS)
    for (const token of [late.oldToken, late.newToken])
      expect(await confirm(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect(await confirm(newToken)).toMatchObject({ status: 200 })
    expect(await addressOf(ana)).not.toBe(ana.email)
  })

  test('links are stored as hashes, and opening them alone changes nothing', async () => {
    const { ana, oldToken, newToken } = await asking()
    const row = await env.DB.prepare('SELECT * FROM email_changes WHERE user_id = ?').bind(ana.id).first()
    for (const token of [oldToken, newToken]) {
      expect(token.length).toBeGreaterThan(40)
      expect(JSON.stringify(row)).not.toContain(token)
      expect((await call('GET', `/auth/confirm-email-change?token=${token}`)).status).toBe(405)
    }
    expect(row).toMatchObject({ old_confirmed_at: null, new_confirmed_at: null })
  })

  test('are no links of another purpose, and another purpose’s are none of these', async () => {
    const { ana, oldToken, newToken } = await asking()
    await call('POST', '/auth/forgot-password', { json: { email: ana.email } })
    const reset = linkIn(await mailTo(ana.email, /^Choose/), '/change-password').searchParams.get('token')
    const lock = linkIn(await mailTo(ana.email, CONFIRM), '/lock-account').searchParams.get('token')
    for (const token of [reset, lock]) expect((await confirm(token)).status).toBe(400)
    for (const token of [oldToken, newToken]) {
      expect((await call('POST', '/auth/lock-account', { json: { token } })).status).toBe(400)
      const json = { email: ana.email, token, password: 'a new boat', confirmPassword: 'a new boat' }
      expect((await call('POST', '/auth/reset-password', { json })).status).toBe(400)
    }
  })

  test('complete a change by SQL neither without both mailboxes nor twice', async () => {
    const { ana, oldToken, newToken } = await asking()
    const complete = () =>
      env.DB.prepare('UPDATE email_changes SET completed_at = ?1, ended_at = ?1 WHERE user_id = ?2')
        .bind(Date.now(), ana.id)
        .run()
    await confirm(oldToken)
    await expect(complete()).rejects.toThrow('invalid_token')
    await confirm(newToken)
    await expect(complete()).rejects.toThrow('already_decided')
  })
})
