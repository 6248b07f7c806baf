import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Authenticator, newAuthenticator } from '../../../test/support/authenticator.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { call } from '../../../test/support/http.ts'
import { type Asking, begin, withPasskey } from '../../../test/support/passkeys.ts'
import { newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

type Proof = Readonly<Record<string, unknown>>

const signIn = ({ email, password }: Pick<Person, 'email' | 'password'>, proof: Proof = {}) =>
  call<Asking & { token: string }>('POST', '/auth/login', { json: { email, password, ...proof } })
const refused = { status: 401, body: { code: 'invalid_passkey' } }

/** The passkey challenge at sign-in. */
const asked = async (person: Person) => (await signIn(person)).body.passkey

// Wrong answers count as failed sign-ins, by address as well.
beforeEach(() => env.DB.prepare('DELETE FROM rate_counters').run())

async function keyRow({ id }: Person): Promise<Record<string, unknown> | null> {
  return env.DB.prepare('SELECT * FROM passkeys WHERE user_id = ?').bind(id).first()
}

describe('signing in with a passkey', () => {
  test('asks for it after the right password only, and takes its answer', async () => {
    const ana = await newInvestor()
    const { device } = await withPasskey(ana)
    const wrong = await signIn({ ...ana, password: 'something else' })
    expect(wrong.body).toEqual({ msg: expect.any(String), code: 'invalid_credentials' })
    const reply = await signIn(ana)
    expect(reply).toMatchObject({
      status: 401,
      body: {
        code: 'two_factor_required',
        methods: ['passkey'],
        passkey: {
          rpId: 'localhost',
          userVerification: 'preferred',
          allowCredentials: [{ type: 'public-key', id: device.id, transports: ['internal', 'hybrid'] }],
        },
      },
    })
    const passkey = await device.answer(reply.body.passkey)
    const entered = await signIn(ana, { passkey })
    expect(entered.status).toBe(200)
    expect(await call('GET', '/users/user-info', { token: entered.body.token })).toMatchObject({
      status: 200,
    })
    expect(await keyRow(ana)).toMatchObject({ sign_count: 2, last_used_at: expect.any(Number) })
    // A form can send it as text only.
    const asText = JSON.stringify(await device.answer(await asked(ana)))
    expect(await signIn(ana, { passkey: asText, code: '' })).toMatchObject({ status: 200 })
  })

  test('a passkey never replaces the password', async () => {
    const ana = await newInvestor()
    const { device } = await withPasskey(ana)
    const passkey = await device.answer(await asked(ana))
    expect(await signIn({ ...ana, password: 'something else' }, { passkey })).toMatchObject({
      body: { code: 'invalid_credentials' },
    })
    expect(await call('POST', '/auth/login', { json: { email: ana.email, passkey } })).toMatchObject({
      status: 422,
    })
  })

  test('works beside an authenticator app, and a recovery code in place of either', async () => {
    const secret = newTotpSecret()
    const ana = await newInvestor({ totpSecret: secret })
    const { device } = await withPasskey(ana, { code: totpCode(secret) })
    const reply = await signIn(ana)
    expect(reply.body.methods).toEqual(['passkey', 'totp'])
    expect(await signIn(ana, { passkey: await device.answer(reply.body.passkey) })).toMatchObject({
      status: 200,
    })
    expect(await signIn(ana, { code: totpCode(secret, 1) })).toMatchObject({ status: 200 })
    const bela = await newInvestor()
    const { recoveryCodes } = await withPasskey(bela)
    expect(await signIn(bela, { code: recoveryCodes[0] })).toMatchObject({ status: 200 })
    expect(await signIn(bela, { code: recoveryCodes[0] })).toMatchObject({
      status: 401,
      body: { code: 'invalid_code' },
    })
    expect(await signIn(bela, { code: '123456' })).toMatchObject({
      status: 401,
      body: { code: 'invalid_code' },
    })
  })

  test('lets an operator in whose only second factor it is', async () => {
    const olu = await newOperator({ twoFactor: false })
    expect(await call('GET', '/operator/overview', { token: olu.token })).toMatchObject({
      status: 403,
      body: { code: 'two_factor_not_enabled' },
    })
    const { device } = await withPasskey(olu)
    expect(await call('GET', '/operator/overview', { token: olu.token })).toMatchObject({ status: 200 })
    const { token } = (await signIn(olu, { passkey: await device.answer(await asked(olu)) })).body
    expect(await call('GET', '/operator/overview', { token })).toMatchObject({ status: 200 })
  })
})

describe('an answer of a passkey', () => {
  test('fifty parallel uses of a passkey’s answer open one session', async () => {
    const ana = await newInvestor()
    const { device } = await withPasskey(ana)
    const passkey = await device.answer(await asked(ana))
    await env.DB.prepare('DELETE FROM rate_counters').run()
    const replies = await Promise.all(Array.from({ length: 50 }, () => signIn(ana, { passkey })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { results } = await env.DB.prepare('SELECT id FROM sessions WHERE user_id = ?').bind(ana.id).all()
    expect(results).toHaveLength(2)
  })

  test('is refused when used again, even without a counter', async () => {
    const ana = await newInvestor()
    const { device } = await withPasskey(ana, {}, await newAuthenticator(false))
    const passkey = await device.answer(await asked(ana))
    expect(await signIn(ana, { passkey })).toMatchObject({ status: 200 })
    const again = await signIn(ana, { passkey })
    expect(again).toMatchObject(refused)
    // The refusal has a new challenge, so that the user need not start over.
    expect(await signIn(ana, { passkey: await device.answer(again.body.passkey) })).toMatchObject({
      status: 200,
    })
    expect(await keyRow(ana)).toMatchObject({ sign_count: 0 })
  })

  test.each<[string, Parameters<Authenticator['answer']>[1]]>([
    ['was given on another origin', { origin: 'https://invest.example' }],
    ['was given for another host', { rpId: 'invest.example' }],
    ['was signed by another key', { otherKey: true }],
    ['was given while nobody was there', { present: false }],
  ])('a passkey’s answer is refused when it %s', async (_, lie) => {
    const ana = await newInvestor()
    const { device } = await withPasskey(ana)
    expect(await signIn(ana, { passkey: await device.answer(await asked(ana), lie) })).toMatchObject(refused)
  })

  test('a passkey’s answer is refused after five minutes, and without our challenge', async () => {
    const ana = await newInvestor()
    const { device } = await withPasskey(ana)
    const question = await asked(ana)
    const rule = await env.DB.prepare(
      "SELECT sql FROM sqlite_master WHERE name = 'passkey_challenges_fixed_columns'",
    ).first('sql')
    await env.DB.prepare('DROP TRIGGER passkey_challenges_fixed_columns').run()
    await env.DB.prepare('UPDATE passkey_challenges SET expires_at = expires_at - 300000').run()
    await env.DB.prepare(String(rule)).run()
    expect(await signIn(ana, { passkey: await device.answer(question) })).toMatchObject(refused)
    const made = { ...question, challenge: 'bWFkZSB1cA' }
    expect(await signIn(ana, { passkey: await device.answer(made) })).toMatchObject(refused)
  })

  test('is refused when it is another person’s, or answers another person’s challenge', async () => {
    const [ana, bela] = [await newInvestor(), await newInvestor()]
    const hers = await withPasskey(ana)
    const theirs = await withPasskey(bela)
    expect(await signIn(ana, { passkey: await theirs.device.answer(await asked(ana)) })).toMatchObject(
      refused,
    )
    expect(await signIn(ana, { passkey: await hers.device.answer(await asked(bela)) })).toMatchObject(refused)
  })

  test('is refused when it answers a question put for something else', async () => {
    const ana = await newInvestor()
    const { device } = await withPasskey(ana)
    const { body } = await begin(ana)
    expect(await signIn(ana, { passkey: await device.answer(body.passkey) })).toMatchObject(refused)
  })

  test('an answer whose counter did not rise is refused and audited', async () => {
    const ana = await newInvestor()
    const { device, id } = await withPasskey(ana)
    const times = async (counter: number) =>
      signIn(ana, { passkey: await device.answer(await asked(ana), { counter }) })
    expect(await times(7)).toMatchObject({ status: 200 })
    expect(await times(7)).toMatchObject(refused)
    expect(await times(3)).toMatchObject(refused)
    expect(await times(0)).toMatchObject(refused)
    expect(await times(8)).toMatchObject({ status: 200 })
    const { results } = await env.DB.prepare(
      "SELECT subject, detail FROM audit_log WHERE action = 'passkey.counter_fell' AND actor = ? ORDER BY seq",
    )
      .bind(ana.id)
      .all()
    expect(results.map(({ subject, detail }) => [subject, JSON.parse(String(detail))])).toEqual([
      [id, { kept: 7, given: 7 }],
      [id, { kept: 7, given: 3 }],
      [id, { kept: 7, given: 0 }],
    ])
  })

  test('is refused when the passkey was removed meanwhile', async () => {
    const ana = await newInvestor()
    const first = await withPasskey(ana)
    await withPasskey(ana, { code: first.recoveryCodes[0] })
    const question = await asked(ana)
    await env.DB.prepare('DELETE FROM passkeys WHERE id = ?').bind(first.id).run()
    expect(await signIn(ana, { passkey: await first.device.answer(question) })).toMatchObject(refused)
  })

  test.each([
    ['a number', 7],
    ['a list', [1]],
    ['text that is no JSON', 'no'],
    ['an object of something else', { id: 'x', response: { clientDataJSON: 'e30' } }],
  ])('is refused when it is nonsense: %s', async (_, passkey) => {
    const ana = await newInvestor()
    await withPasskey(ana)
    const { status, body } = await signIn(ana, { passkey })
    expect([401, 422]).toContain(status)
    expect(['invalid_passkey', 'validation_failed']).toContain(body.code)
  })

  test('counts as a failed sign-in when it is wrong, and is not looked at after ten', async () => {
    const ana = await newInvestor()
    const { device } = await withPasskey(ana)
    const question = await asked(ana)
    for (let i = 0; i < 10; i++) expect(await signIn(ana, { passkey: '{}' })).toMatchObject(refused)
    expect(await signIn(ana, { passkey: await device.answer(question) })).toMatchObject({ status: 429 })
  })
})
