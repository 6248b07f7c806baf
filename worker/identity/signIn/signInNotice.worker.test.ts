import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { totpCode } from '../../../test/support/codes.ts'
import { turnOnApp } from '../../../test/support/factors.ts'
import { call, deviceOf } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

const HOME = '198.51.100.7'
const AWAY = '192.0.2.44'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

interface From {
  readonly ip?: string
  readonly device?: string
  readonly code?: string
  readonly password?: string
  readonly userAgent?: string
}

async function signIn(person: Person, { ip = HOME, device, code, password, userAgent = FIREFOX }: From = {}) {
  const reply = await call('POST', '/auth/login', {
    json: { email: person.email, password: password ?? person.password, ...(code !== undefined && { code }) },
    ip,
    headers: { 'User-Agent': userAgent },
    ...(device !== undefined && { device }),
  })
  return { ...reply, device: deviceOf(reply) ?? device }
}

async function subjectsTo({ email }: Person): Promise<string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject)
}

const choose = ({ token }: Person, emails: object) =>
  call('PATCH', '/users/preferences', { token, json: { emails } })

/** A user who turned a second factor on through the API, with one of the recovery codes. */
async function withRecoveryCode(): Promise<{ ana: Person; recoveryCode: string }> {
  const ana = await newInvestor()
  const { recoveryCodes } = await turnOnApp(ana)
  return { ana, recoveryCode: recoveryCodes[0] ?? '' }
}

// The notice of a failed sign-in is written a while after the answer.
const LATER = { timeout: 5_000 }

const NEW_PLACE = 'A sign-in from somewhere new'
const NEW_BROWSER = 'A sign-in from a new browser'
const GUESSED = 'Failed sign-ins to your account'
const RECOVERY = 'A recovery code was used to sign in'

describe('the mail about a sign-in from somewhere new', () => {
  test('a sign-in from a new browser and network sends a mail with time, place and links', async () => {
    const ana = await newInvestor()
    await signIn(ana)
    expect((await signIn(ana, { ip: AWAY })).status).toBe(200)
    const mail = await mailTo(ana.email, new RegExp(NEW_PLACE))
    expect(mail.text).toMatch(
      /When: \w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M UTC\. Browser: Firefox on Linux\. Network address: 192\.0\.2\.44\./,
    )
    expect(linkIn(mail, '/lock-account').searchParams.get('token')).not.toBe('')
    expect(mail.headers).toEqual({})
    expect(mail.text).not.toContain('/unsubscribe')
  })

  test('is not sent for the first sign-in, a known browser or a known network', async () => {
    const ana = await newInvestor()
    const first = await signIn(ana)
    expect((await signIn(ana, { ip: AWAY, device: first.device })).status).toBe(200)
    expect((await signIn(ana, { ip: HOME })).status).toBe(200)
    expect((await signIn(ana, { ip: AWAY })).status).toBe(200)
    expect(await subjectsTo(ana)).toEqual([])
  })

  test('takes the addresses of one IPv6 network for one', async () => {
    const ana = await newInvestor()
    await signIn(ana, { ip: '2001:db8:1:2::1' })
    await signIn(ana, { ip: '2001:db8:1:2:ffff::9' })
    expect(await subjectsTo(ana)).toEqual([])
    await signIn(ana, { ip: '2001:db8:1:3::1' })
    expect(await subjectsTo(ana)).toEqual([NEW_PLACE])
  })

  test('sign-in mails come three times a day at most, and never if turned off', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    await choose(ben, { unusualActivity: false })
    for (const person of [ana, ben]) {
      for (let i = 0; i < 6; i++) expect((await signIn(person, { ip: `192.0.2.${i}` })).status).toBe(200)
    }
    expect(await subjectsTo(ana)).toEqual([NEW_PLACE, NEW_PLACE, NEW_PLACE])
    expect(await subjectsTo(ben)).toEqual(['Security warnings were turned off'])
  })

  test('the mail does not repeat a stranger’s user agent', async () => {
    const ana = await newInvestor()
    await signIn(ana)
    await signIn(ana, { ip: AWAY, userAgent: 'Call +1 555 0100 at once: https://evil.example/' })
    const mail = await mailTo(ana.email, new RegExp(NEW_PLACE))
    expect(mail.text).toContain('Browser: unknown.')
    expect(mail.text + mail.html).not.toMatch(/evil\.example|555 0100/)
  })
})

describe('the mail about a new browser', () => {
  test('owners who chose it get a mail about each sign-in from a new browser', async () => {
    const ana = await newInvestor()
    const { device } = await signIn(ana)
    await choose(ana, { newBrowserSignIn: true })
    await signIn(ana, { device })
    expect(await subjectsTo(ana)).toEqual([])
    await signIn(ana)
    const mail = await mailTo(ana.email, new RegExp(NEW_BROWSER))
    expect(mail.text).toContain('Browser: Firefox on Linux. Network address: 198.51.100.7.')
    expect(linkIn(mail, '/lock-account').searchParams.get('token')).not.toBe('')
    expect(mail.headers).toEqual({})
    expect(mail.text).not.toContain('/unsubscribe')
  })

  test('replaces the mail about somewhere new: one mail for one sign-in', async () => {
    const ana = await newInvestor()
    await signIn(ana)
    await choose(ana, { newBrowserSignIn: true })
    await signIn(ana, { ip: AWAY })
    expect(await subjectsTo(ana)).toEqual([NEW_BROWSER])
  })

  test('stays away unless it was chosen, and at the first sign-in of all', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor()]
    await choose(ben, { newBrowserSignIn: true })
    await signIn(ben)
    await signIn(ana)
    await signIn(ana)
    expect([await subjectsTo(ana), await subjectsTo(ben)]).toEqual([[], []])
  })
})

describe('the mail about a recovery code', () => {
  test('a sign-in with a recovery code sends a mail and is in the activity log', async () => {
    const { ana, recoveryCode } = await withRecoveryCode()
    expect((await signIn(ana, { code: recoveryCode })).status).toBe(200)
    const mail = await mailTo(ana.email, new RegExp(RECOVERY))
    expect(linkIn(mail, '/lock-account').searchParams.get('token')).not.toBe('')
    const { body } = await call<{ event: string }[]>('GET', '/users/activity', { token: ana.token })
    expect(body.map(({ event }) => event)).toEqual([
      'session.opened',
      'recovery_code_used',
      'two_factor.enabled',
    ])
  })

  test('is not sent if turned off, or after an app code', async () => {
    const { ana, recoveryCode } = await withRecoveryCode()
    await choose(ana, { unusualActivity: false })
    expect((await signIn(ana, { code: recoveryCode })).status).toBe(200)
    const secret = newTotpSecret()
    const ben = await newInvestor({ totpSecret: secret })
    expect((await signIn(ben, { code: totpCode(secret) })).status).toBe(200)
    expect(await subjectsTo(ana)).not.toContain(RECOVERY)
    expect(await subjectsTo(ben)).toEqual([])
  })
})

describe('the mail about failed sign-ins', () => {
  const fail = async (person: Person, times: number) => {
    for (let i = 0; i < times; i++) await signIn(person, { password: 'wrong', ip: `192.0.2.${i}` })
  }

  test('the mail about failed sign-ins comes at the limit, once a day', async () => {
    const ana = await newInvestor()
    await fail(ana, 9)
    expect(await subjectsTo(ana)).toEqual([])
    await fail(ana, 1)
    const mail = await mailTo(ana.email, new RegExp(GUESSED))
    expect(mail.text).toContain('10 times within 15 minutes')
    expect(linkIn(mail, '/lock-account').searchParams.get('token')).not.toBe('')
    await env.DB.prepare("DELETE FROM rate_counters WHERE key LIKE 'sign-in:%'").run()
    await fail(ana, 10)
    await expect
      .poll(
        async () => (await call<unknown[]>('GET', '/users/activity', { token: ana.token })).body.length,
        LATER,
      )
      .toBe(20)
    expect(await subjectsTo(ana)).toEqual([GUESSED])
  })

  test('fifty parallel failed sign-ins send one mail', async () => {
    const ana = await newInvestor()
    const tries = Array.from({ length: 50 }, (_, i) => signIn(ana, { password: 'wrong', ip: `192.0.2.${i}` }))
    await Promise.all(tries)
    await mailTo(ana.email, new RegExp(GUESSED))
    expect(await subjectsTo(ana)).toEqual([GUESSED])
  })

  test('is not sent if turned off, or to an unverified address', async () => {
    const [ana, ben] = [await newInvestor(), await newInvestor({ verified: false })]
    await choose(ana, { unusualActivity: false })
    await fail(ana, 11)
    await fail(ben, 11)
    await expect
      .poll(
        async () => (await call<unknown[]>('GET', '/users/activity', { token: ana.token })).body.length,
        LATER,
      )
      .toBe(11)
    expect(await subjectsTo(ana)).toEqual(['Security warnings were turned off'])
    expect(await subjectsTo(ben)).toEqual([])
  })

  test('is written to an operator without a link that locks', async () => {
    const olu = await newOperator()
    await fail(olu, 10)
    const mail = await mailTo(olu.email, new RegExp(GUESSED))
    expect(mail.text).not.toContain('/lock-account')
  })
})
