import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { newAuthenticator } from '../../../test/support/authenticator.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { mailedFactorCode, turnOnApp } from '../../../test/support/factors.ts'
import { CRYPTO_WITHDRAWAL, mailedCode } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { begin, send as sendPasskey } from '../../../test/support/passkeys.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'

// An attacker who has the password or the token of an open session, but not the owner's mailbox.

type Fields = Readonly<Record<string, unknown>>
const ASKED = {
  status: 403,
  body: { code: 'step_up_required', methods: ['email'], reasons: ['new_factor'] },
}
const WRONG = { status: 403, body: { code: 'invalid_code', fields: { proof: expect.any(String) } } }

afterEach(() => {
  vi.useRealTimers()
})

let network = 0
async function signIn({ email, password }: Person): Promise<string> {
  const ip = `198.51.100.${++network}`
  return (await call<{ token: string }>('POST', '/auth/login', { json: { email, password }, ip })).body.token
}
const setUp = async (token: string) =>
  (await call<{ secret: string }>('POST', '/auth/two-factor/setup', { token })).body.secret
const enable = (token: string, json: Fields) => call('POST', '/auth/two-factor/enable', { token, json })
const twoFactorStatus = async (token: string) => (await call('GET', '/auth/two-factor', { token })).body
const factorMails = async ({ email }: Person) =>
  (await mailsTo(email)).filter(({ subject }) => subject === 'Confirm your new second factor').length
const signedInAgo = (person: Person, ms: number) =>
  env.DB.prepare('UPDATE sessions SET created_at = ? WHERE user_id = ?')
    .bind(Date.now() - ms, person.id)
    .run()
/** A code different from this one. */
const wrong = (code: string) => (code === '123456' ? '654321' : '123456')

describe('a thief', () => {
  test('a thief with only the password enrols no second factor, and withdraws nothing at once', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const token = await signIn(ana)
    const secret = await setUp(token)
    const guesses = [undefined, '', '000000', 'abcdef', totpCode(secret)]
    expect(await enable(token, { code: totpCode(secret) })).toMatchObject(ASKED)
    expect(await enable(token, { code: totpCode(secret), password: ana.password })).toMatchObject(ASKED)
    const code = await mailedFactorCode(ana.email)
    for (const proof of guesses) {
      const reply = await enable(token, { code: totpCode(secret), proof })
      if (proof !== code) expect([403, 429]).toContain(reply.status)
    }
    expect(await twoFactorStatus(token)).toMatchObject({ on: false })
    // The only proof left is the owner's mailbox, and even then a new destination is delayed.
    const everything = { ...CRYPTO_WITHDRAWAL, amount: '1000.00' }
    const asked = await call('POST', '/withdrawals', { token, json: everything })
    expect(asked).toMatchObject({ body: { code: 'step_up_required', methods: ['email'] } })
    const filed = await call('POST', '/withdrawals', {
      token,
      json: { ...everything, code: totpCode(secret) },
    })
    expect(filed).toMatchObject({ status: 403, body: { code: 'invalid_code' } })
  })

  test('a thief with the token of a new session does not either', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const { token } = ana
    const secret = await setUp(token)
    expect(await enable(token, { code: totpCode(secret) })).toMatchObject(ASKED)
    expect(await enable(token, { code: totpCode(secret), proof: '000000' })).toMatchObject(WRONG)
    expect(await twoFactorStatus(token)).toMatchObject({ on: false })
    const mail = await mailTo(ana.email, /^Confirm your new second factor/)
    expect(mail.text).toContain('an authenticator app')
    expect(mail.text).toContain('/lock-account?')
    expect(mail.text.match(/\b\d{6}\b/g)).toHaveLength(1)
  })

  test('a thief enrols no passkey, with the password or with a stolen session', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const token = await signIn(ana)
    expect(await begin({ ...ana, token, password: 'a guess' })).toMatchObject({ status: 422 })
    const made = await (await newAuthenticator()).create((await begin({ ...ana, token })).body)
    expect(await sendPasskey({ token }, made)).toMatchObject(ASKED)
    expect(await sendPasskey({ token }, made, { proof: '000000' })).toMatchObject(WRONG)
    expect(await twoFactorStatus(token)).toMatchObject({ on: false })
    // The owner reads the mail, and the same passkey is accepted with the code.
    expect((await mailTo(ana.email, /^Confirm your new second factor/)).text).toContain(
      'the passkey “Ana’s phone”',
    )
    const proof = await mailedFactorCode(ana.email)
    expect(await sendPasskey({ token }, made, { proof })).toMatchObject({ status: 201 })
  })

  test('a thief adds no factor beside an existing one', async () => {
    const ana = await newInvestor()
    const { secret } = await turnOnApp(ana)
    const options = await begin(ana, { code: totpCode(secret) })
    const made = await (await newAuthenticator()).create(options.body)
    expect(await sendPasskey(ana, made)).toMatchObject(ASKED)
  })

  test('an operator’s password alone enrols no factor', async () => {
    const olu = await newOperator({ twoFactor: false })
    const secret = await setUp(olu.token)
    expect(await enable(olu.token, { code: totpCode(secret) })).toMatchObject(ASKED)
    await turnOnApp(olu)
    expect(await twoFactorStatus(olu.token)).toMatchObject({ on: true })
  })
})

describe('the mailed code for a new second factor', () => {
  test('lets the same call through, with the same code of the app minutes later, and works once', async () => {
    const ana = await newInvestor()
    const { token } = ana
    const secret = await setUp(token)
    const code = totpCode(secret)
    expect(await enable(token, { code })).toMatchObject(ASKED)
    const proof = await mailedFactorCode(ana.email)
    vi.useFakeTimers({ now: Date.now() + 9 * 60_000, toFake: ['Date'] })
    // Only the code that was shown, no other old one.
    expect(await enable(token, { code: totpCode(secret, -5), proof })).toMatchObject({ status: 403 })
    const typed = `${proof.slice(0, 3)} ${proof.slice(3)}`
    expect(await enable(token, { code, proof: typed })).toMatchObject({ status: 200 })
    expect(await twoFactorStatus(token)).toMatchObject({ on: true })
    const row = env.DB.prepare('SELECT used_at FROM withdrawal_codes WHERE investor = ?').bind(ana.id)
    expect(await row.first('used_at')).toEqual(expect.any(Number))
  })

  test('also lets a newer code of the app through', async () => {
    const ana = await newInvestor()
    const secret = await setUp(ana.token)
    await enable(ana.token, { code: totpCode(secret) })
    const proof = await mailedFactorCode(ana.email)
    expect(await enable(ana.token, { code: totpCode(secret, 1), proof })).toMatchObject({ status: 200 })
  })

  test('the mailed code ends after ten minutes, five tries, or a newer code', async () => {
    const ana = await newInvestor()
    const { token } = ana
    const secret = await setUp(token)
    const code = totpCode(secret)
    await enable(token, { code })
    const first = await mailedFactorCode(ana.email)
    await enable(token, { code })
    const second = await mailedFactorCode(ana.email)
    if (first !== second) expect(await enable(token, { code, proof: first })).toMatchObject(WRONG)
    expect(await factorMails(ana)).toBe(2)
    for (let i = 0; i < 5; i++) await enable(token, { code, proof: wrong(second) })
    expect(await enable(token, { code, proof: second })).toMatchObject(WRONG)
    // A wrong code sends no mail.
    expect(await factorMails(ana)).toBe(2)

    const bela = await newInvestor()
    const theirs = await setUp(bela.token)
    await enable(bela.token, { code: totpCode(theirs) })
    const late = await mailedFactorCode(bela.email)
    vi.useFakeTimers({ now: Date.now() + 10 * 60_000 + 1, toFake: ['Date'] })
    expect(await enable(bela.token, { code: totpCode(theirs), proof: late })).toMatchObject(WRONG)
  })

  test('the mailed code confirms only its factor and session, and no withdrawal', async () => {
    const ana = await newInvestor({ availableCents: 1000_00 })
    const { token } = ana
    const secret = await setUp(token)
    await enable(token, { code: totpCode(secret) })
    const proof = await mailedFactorCode(ana.email)
    const made = await (await newAuthenticator()).create((await begin(ana)).body)
    expect(await sendPasskey(ana, made, { proof })).toMatchObject(WRONG)
    const other = await anotherSession(ana)
    expect(await enable(other, { code: totpCode(secret, 1), proof })).toMatchObject(WRONG)
    const withdrawal = await call('POST', '/withdrawals', {
      token,
      json: { ...CRYPTO_WITHDRAWAL, code: proof },
    })
    expect(withdrawal).toMatchObject({ status: 403, body: { code: 'invalid_code' } })
    await call('POST', '/withdrawals', { token, json: CRYPTO_WITHDRAWAL })
    const another = await mailedCode(ana.email)
    if (another !== proof)
      expect(await enable(token, { code: totpCode(secret), proof: another })).toMatchObject(WRONG)
    // A new set-up has a new secret.
    const next = await setUp(token)
    expect(await enable(token, { code: totpCode(next), proof })).toMatchObject(WRONG)
  })

  test('the mailed code is requested after everything else was right', async () => {
    const ana = await newInvestor()
    const { token } = ana
    const secret = await setUp(token)
    expect(await enable(token, { code: '000000' })).toMatchObject({ body: { code: 'invalid_code' } })
    await signedInAgo(ana, 16 * 60_000)
    const code = totpCode(secret)
    expect(await enable(token, { code })).toMatchObject({
      status: 422,
      body: { fields: { password: expect.any(String) } },
    })
    expect(await enable(token, { code, password: 'a guess' })).toMatchObject({
      status: 422,
      body: { code: 'wrong_password' },
    })
    expect(await factorMails(ana)).toBe(0)
    const { password } = ana
    expect(await enable(token, { code, password })).toMatchObject(ASKED)
    const proof = await mailedFactorCode(ana.email)
    expect(await enable(token, { code, proof })).toMatchObject({ status: 422 })
    expect(await enable(token, { code, password, proof })).toMatchObject({ status: 200 })
  })

  test('is mailed thirty times an hour at most, withdrawals’ codes counted', async () => {
    const ana = await newInvestor()
    const secret = await setUp(ana.token)
    await env.DB.prepare('INSERT INTO rate_counters (key, window_start, used) VALUES (?, ?, 30)')
      .bind(`code-mails:account:${ana.id}`, Date.now())
      .run()
    expect(await enable(ana.token, { code: totpCode(secret) })).toMatchObject({ status: 429 })
    expect(await factorMails(ana)).toBe(0)
  })
})
