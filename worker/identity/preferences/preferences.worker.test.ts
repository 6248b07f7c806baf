import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { DEFAULT_PREFERENCES, type Preferences } from '../../../src/contract/identity/preferences.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

const show = ({ token }: Person) => call<Preferences>('GET', '/users/preferences', { token })
const change = ({ token }: Person, json: unknown) =>
  call<Preferences>('PATCH', '/users/preferences', { token, json })

async function subjectsTo({ email }: Person): Promise<string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject)
}

const FEWER = 'Security warnings were turned off'

describe('preferences', () => {
  test('are the defaults until somebody chooses', async () => {
    const reply = await show(await newInvestor())
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        activityLog: true,
        emails: {
          unusualActivity: true,
          newBrowserSignIn: false,
          salesNews: true,
          features: true,
          tips: true,
        },
      },
    ])
  })

  test('a change of some preferences returns all and leaves the others', async () => {
    const ana = await newInvestor()
    const first = await change(ana, { emails: { tips: false, newBrowserSignIn: true } })
    expect([first.status, first.body]).toEqual([
      200,
      { activityLog: true, emails: { ...DEFAULT_PREFERENCES.emails, tips: false, newBrowserSignIn: true } },
    ])
    const second = await change(ana, { activityLog: false })
    const chosen = { ...first.body, activityLog: false }
    expect(second.body).toEqual(chosen)
    for (const nothing of [{}, { emails: {} }, { role: 'operator', emails: { spam: true } }])
      expect((await change(ana, nothing)).body).toEqual(chosen)
    expect((await show(ana)).body).toEqual(chosen)
  })

  test('of one person do not affect others', async () => {
    const [ana, ben, olu] = [await newInvestor(), await newInvestor(), await newOperator()]
    await change(ana, { activityLog: false, emails: { salesNews: false } })
    expect((await show(ben)).body).toEqual(DEFAULT_PREFERENCES)
    expect((await show(olu)).body).toEqual(DEFAULT_PREFERENCES)
    expect((await change(olu, { emails: { features: false } })).body.emails.features).toBe(false)
  })

  test('are refused without a session', async () => {
    for (const method of ['GET', 'PATCH']) {
      const { status, body } = await call(method, '/users/preferences', {
        json: method === 'PATCH' ? {} : undefined,
      })
      expect([status, body.code]).toEqual([401, 'unauthorized'])
    }
  })

  test.each([
    [{ activityLog: 'false' }, 'activityLog', 'activityLog is true or false'],
    [{ activityLog: null }, 'activityLog', 'activityLog is true or false'],
    [{ emails: { tips: 0 } }, 'emails.tips', 'tips is true or false'],
    [{ emails: 'none' }, 'emails', 'emails is an object of the kinds of mail'],
  ])('take true or false and nothing like it: %j', async (json, field, problem) => {
    const ana = await newInvestor()
    const { status, body } = await call('PATCH', '/users/preferences', { token: ana.token, json })
    expect([status, body.code, body.fields]).toEqual([422, 'validation_failed', { [field]: problem }])
    expect((await show(ana)).body).toEqual(DEFAULT_PREFERENCES)
  })

  test('twenty parallel changes keep each sent choice', async () => {
    const ana = await newInvestor()
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        change(ana, i % 2 ? { emails: { tips: false } } : { emails: { features: false } }),
      ),
    )
    expect((await show(ana)).body.emails).toMatchObject({ tips: false, features: false, salesNews: true })
  })
})

describe('turning off warnings', () => {
  test('turning warnings off sends a mail with a link that locks the account', async () => {
    const ana = await newInvestor()
    await change(ana, { activityLog: false, emails: { unusualActivity: false } })
    const mail = await mailTo(ana.email, /^Security warnings/)
    expect(mail.text).toContain(
      'the activity log (its entries were deleted) and mails about unusual activity',
    )
    expect(linkIn(mail, '/lock-account').searchParams.get('token')).not.toBe('')
    expect(mail.headers).toEqual({})
  })

  test('is mailed if it changes something, at most three times a day', async () => {
    const ana = await newInvestor()
    await change(ana, { emails: { unusualActivity: true, tips: false } })
    await change(ana, { activityLog: true })
    expect(await subjectsTo(ana)).toEqual([])
    for (let i = 0; i < 5; i++) {
      await change(ana, { activityLog: false })
      await change(ana, { activityLog: false })
      await change(ana, { activityLog: true })
    }
    expect(await subjectsTo(ana)).toEqual([FEWER, FEWER, FEWER])
  })
})

describe('a mail that its owner must get', () => {
  test('security mails come although everything is turned off: password, second factor, address, lock', async () => {
    const secret = newTotpSecret()
    const ana = await newInvestor({ totpSecret: secret })
    const off = {
      unusualActivity: false,
      newBrowserSignIn: false,
      salesNews: false,
      features: false,
      tips: false,
    }
    await change(ana, { activityLog: false, emails: off })

    const newPassword = 'another-password-for-tests'
    const { token } = ana
    await call('PATCH', '/users/user-info', { token, json: { currentPassword: ana.password, newPassword } })
    const changed = await mailTo(ana.email, /^Your password was changed/)
    await call('POST', '/auth/two-factor/disable', {
      token,
      json: { password: newPassword, code: totpCode(secret) },
    })
    await mailTo(ana.email, /^Your second factor was turned off/)
    await call('POST', '/users/email', { token, json: { email: `new-${ana.email}`, password: newPassword } })
    await mailTo(ana.email, /^Confirm the change of your e-mail address/)
    await call('POST', '/auth/lock-account', {
      json: { token: linkIn(changed, '/lock-account').searchParams.get('token') },
    })
    await mailTo(ana.email, /^Your account is locked/)
    for (const { headers } of await mailsTo(ana.email)) expect(headers).toEqual({})
  })
})

describe('the database', () => {
  test('accepts only booleans', async () => {
    const ana = await newInvestor()
    const insert = env.DB.prepare('INSERT INTO preferences (user_id, tips, changed_at) VALUES (?, 2, 1)')
    await expect(insert.bind(ana.id).run()).rejects.toThrow('CHECK')
  })
})
