import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { Passkey } from '../../../src/contract/identity/passkeys.ts'
import { newAuthenticator } from '../../../test/support/authenticator.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { mailedFactorCode, withMailedCode } from '../../../test/support/factors.ts'
import { call } from '../../../test/support/http.ts'
import { mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { type Asking, add, begin, send, withPasskey } from '../../../test/support/passkeys.ts'
import { anotherSession, newInvestor, newOperator, type Person } from '../../../test/support/people.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

type Proof = Readonly<Record<string, unknown>>

const list = ({ token }: Pick<Person, 'token'>) => call<Passkey[]>('GET', '/users/passkeys', { token })
const remove = ({ token, password }: Pick<Person, 'token' | 'password'>, id: string, proof: Proof = {}) =>
  call<Asking>('POST', `/users/passkeys/${id}/remove`, { token, json: { password, ...proof } })
const twoFactorStatus = ({ token }: Person) => call('GET', '/auth/two-factor', { token })
const invalid = { status: 403, body: { code: 'invalid_passkey' } }

async function changedAt({ id }: Person): Promise<unknown> {
  return env.DB.prepare('SELECT security_changed_at FROM users WHERE id = ?')
    .bind(id)
    .first('security_changed_at')
}

async function codesOf({ id }: Person): Promise<unknown> {
  return env.DB.prepare('SELECT count(*) AS n FROM recovery_codes WHERE user_id = ?').bind(id).first('n')
}

/** The account's passkey acts in the audit log. */
async function acts({ id }: Person): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    "SELECT action FROM audit_log WHERE actor = ? AND action LIKE 'passkey.%' ORDER BY seq",
  )
    .bind(id)
    .all()
  return results.map(({ action }) => action)
}

describe('adding a passkey', () => {
  test('a first passkey turns the second factor on, with ten recovery codes and a mail that can lock the account', async () => {
    const ana = await newInvestor()
    const device = await newAuthenticator()
    const options = await begin(ana)
    expect(options).toMatchObject({
      status: 200,
      body: {
        rp: { id: 'localhost' },
        attestation: 'none',
        user: { name: ana.email },
        excludeCredentials: [],
        authenticatorSelection: { userVerification: 'preferred' },
      },
    })
    expect((await twoFactorStatus(ana)).body).toMatchObject({ on: false })
    const added = await add(ana, await device.create(options.body), '  Ana’s phone ')
    expect(added.status).toBe(201)
    expect(new Set(added.body.recoveryCodes)).toHaveProperty('size', 10)
    expect(added.body.passkey).toEqual({
      _id: expect.any(String),
      name: 'Ana’s phone',
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      backedUp: false,
    })
    expect((await list(ana)).body).toEqual([added.body.passkey])
    expect((await twoFactorStatus(ana)).body).toMatchObject({
      on: true,
      methods: ['passkey'],
      recoveryCodesLeft: 10,
    })
    expect((await mailTo(ana.email, /passkey was added/i)).text).toMatch(/\/lock-account\?token=/)
    expect(await acts(ana)).toEqual(['passkey.added'])
    expect(await changedAt(ana)).toEqual(expect.any(Number))
  })

  test('adding a passkey stores its public key and only a hash of the challenge', async () => {
    const ana = await newInvestor()
    const options = await begin(ana)
    const device = await newAuthenticator()
    await add(ana, await device.create(options.body))
    const row = await env.DB.prepare('SELECT * FROM passkeys WHERE user_id = ?').bind(ana.id).first()
    expect(row).toMatchObject({ credential_id: device.id, sign_count: 1, transports: 'internal hybrid' })
    const { results } = await env.DB.prepare('SELECT * FROM passkey_challenges WHERE user_id = ?')
      .bind(ana.id)
      .all()
    expect(results).toMatchObject([{ user_id: ana.id, purpose: 'register', used_by: row?.id }])
    expect(JSON.stringify(results)).not.toContain(options.body.challenge)
  })

  test('adding a passkey takes the password, and a proof of an existing second factor', async () => {
    const secret = newTotpSecret()
    const ana = await newInvestor({ totpSecret: secret })
    expect(await begin({ ...ana, password: 'something else' })).toMatchObject({
      status: 422,
      body: { code: 'wrong_password' },
    })
    expect(await begin(ana)).toMatchObject({
      status: 403,
      body: { code: 'second_factor_required', methods: ['totp'] },
    })
    expect(await begin(ana, { code: '000000' })).toMatchObject({
      status: 403,
      body: { code: 'invalid_code' },
    })
    const { device } = await withPasskey(ana, { code: totpCode(secret) })
    expect(await changedAt(ana)).toEqual(expect.any(Number))
    // No new recovery codes: the existing ones stay.
    expect(await codesOf(ana)).toBe(0)
    const second = await begin(ana)
    expect(second).toMatchObject({ status: 403, body: { methods: ['passkey', 'totp'] } })
    const passkey = await device.answer(second.body.passkey)
    expect(await begin(ana, { passkey })).toMatchObject({
      status: 200,
      body: { excludeCredentials: [{ id: device.id, transports: ['internal', 'hybrid'] }] },
    })
    expect(await begin(ana, { passkey })).toMatchObject(invalid)
  })

  test('is refused for another session’s, person’s or old challenge, and for a dishonest device', async () => {
    const ana = await newInvestor()
    const bela = await newInvestor()
    const device = await newAuthenticator()
    const { body: options } = await begin(ana)
    const good = await device.create(options)
    expect(await add({ ...ana, token: await anotherSession(ana) }, good)).toMatchObject(invalid)
    expect(await add(bela, good)).toMatchObject(invalid)
    for (const lie of [
      { origin: 'https://invest.example.attacker.test' },
      { rpId: 'attacker.test' },
      { present: false },
    ])
      expect([lie, await add(ana, await device.create(options, lie))]).toMatchObject([lie, invalid])
    for (const nonsense of [{}, { ...good, id: 'other' }, { ...good, response: {} }, { ...good, rawId: 5 }])
      expect(await add(ana, nonsense)).toMatchObject(invalid)
    await env.DB.prepare('DROP TRIGGER passkey_challenges_fixed_columns').run()
    await env.DB.prepare('UPDATE passkey_challenges SET expires_at = ?').bind(Date.now()).run()
    expect(await add(ana, good)).toMatchObject(invalid)
    expect((await list(ana)).body).toEqual([])
  })

  test('happens once among parallel calls, and a key belongs to one account', async () => {
    const ana = await newInvestor()
    const device = await newAuthenticator()
    const { body: options } = await begin(ana)
    const made = await device.create(options)
    expect(await send(ana, made)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
    const proof = await mailedFactorCode(ana.email)
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(ana, made, { proof })))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect((await list(ana)).body).toHaveLength(1)
    const bela = await newInvestor()
    expect(await add(bela, await device.create((await begin(bela)).body))).toMatchObject({
      status: 409,
      body: { code: 'passkey_exists' },
    })
  })

  test('stops at ten', async () => {
    const ana = await newInvestor()
    const { recoveryCodes } = await withPasskey(ana)
    const { body: options } = await begin(ana, { code: recoveryCodes[0] })
    await env.DB.batch(
      Array.from({ length: 9 }, (_, i) =>
        env.DB.prepare(
          `INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, transports, name, backed_up, created_at)
           VALUES (?1, ?2, ?1, 'x', 0, '', 'More', 0, 0)`,
        ).bind(`key-${i}`, ana.id),
      ),
    )
    const full = { status: 409, body: { code: 'too_many_passkeys' } }
    expect(await begin(ana)).toMatchObject(full)
    expect(await add(ana, await (await newAuthenticator()).create(options))).toMatchObject(full)
  })
})

describe('one’s passkeys', () => {
  test('are renamed by their owner only', async () => {
    const ana = await newInvestor()
    const bela = await newInvestor()
    const { id } = await withPasskey(ana)
    const rename = (person: Person, name: unknown) =>
      call<Passkey>('PATCH', `/users/passkeys/${id}`, { token: person.token, json: { name } })
    expect(await rename(ana, ' Work laptop ')).toMatchObject({ status: 200, body: { name: 'Work laptop' } })
    expect(await rename(ana, ' ')).toMatchObject({
      status: 422,
      body: { fields: { name: expect.any(String) } },
    })
    expect(await rename(bela, 'Mine')).toMatchObject({ status: 404 })
    expect(await remove(bela, id)).toMatchObject({ status: 404 })
    expect((await list(bela)).body).toEqual([])
    expect((await list(ana)).body).toMatchObject([{ name: 'Work laptop' }])
  })
})

describe('removing a passkey', () => {
  test('removing a passkey takes the password and a proof, and the last factor’s removal deletes the recovery codes', async () => {
    const ana = await newInvestor()
    const { device, id } = await withPasskey(ana)
    expect(await remove({ ...ana, password: 'something else' }, id)).toMatchObject({
      status: 422,
      body: { code: 'wrong_password' },
    })
    const asked = await remove(ana, id)
    expect(asked).toMatchObject({
      status: 403,
      body: { code: 'second_factor_required', methods: ['passkey'] },
    })
    expect(await remove(ana, id, { passkey: await device.answer(asked.body.passkey) })).toMatchObject({
      status: 204,
    })
    expect((await list(ana)).body).toEqual([])
    expect(await codesOf(ana)).toBe(0)
    expect(await changedAt(ana)).toEqual(expect.any(Number))
    expect((await mailTo(ana.email, /passkey was removed/i)).text).toMatch(/\/lock-account\?token=/)
    expect(await acts(ana)).toEqual(['passkey.added', 'passkey.removed'])
    const login = { email: ana.email, password: ana.password }
    expect(await call('POST', '/auth/login', { json: login })).toMatchObject({ status: 200 })
  })

  test('is confirmed by no answer to another question', async () => {
    const ana = await newInvestor()
    const first = await withPasskey(ana)
    const second = await withPasskey(ana, { code: first.recoveryCodes[0] })
    const asked = await remove(ana, first.id)
    const passkey = await second.device.answer(asked.body.passkey)
    // About another passkey, from another session, to another verb.
    expect(await remove(ana, second.id, { passkey })).toMatchObject(invalid)
    expect(await remove({ ...ana, token: await anotherSession(ana) }, first.id, { passkey })).toMatchObject(
      invalid,
    )
    expect(await begin(ana, { passkey })).toMatchObject(invalid)
    const again = await remove(ana, first.id, { passkey: { nothing: 'of the kind' } })
    expect(again).toMatchObject({ ...invalid, body: { methods: ['passkey'] } })
    // The refusal has a new challenge.
    expect(
      await remove(ana, first.id, { passkey: await second.device.answer(again.body.passkey) }),
    ).toMatchObject({ status: 204 })
    expect(await codesOf(ana)).toBe(10)
  })

  test('leaves an operator the last second factor', async () => {
    const olu = await newOperator()
    const { id, device } = await withPasskey(olu, { code: totpCode(olu.secret ?? '') })
    const off = { password: olu.password, code: totpCode(olu.secret ?? '', 1) }
    expect(await call('POST', '/auth/two-factor/disable', { token: olu.token, json: off })).toMatchObject({
      status: 204,
    })
    expect(await call('GET', '/operator/overview', { token: olu.token })).toMatchObject({ status: 200 })
    const passkey = await device.answer((await remove(olu, id)).body.passkey)
    expect(await remove(olu, id, { passkey })).toMatchObject({
      status: 409,
      body: { code: 'two_factor_mandatory' },
    })
    expect((await list(olu)).body).toHaveLength(1)
  })
})

describe('the authenticator app beside a passkey', () => {
  test('is turned on with the passkey only, and off without taking the recovery codes', async () => {
    const ana = await newInvestor()
    const { device } = await withPasskey(ana)
    const { token, password } = ana
    const { secret } = (await call<{ secret: string }>('POST', '/auth/two-factor/setup', { token })).body
    const enable = (proof: Proof) =>
      call<Asking & { recoveryCodes: string[] }>('POST', '/auth/two-factor/enable', {
        token,
        json: { code: totpCode(secret), ...proof },
      })
    expect(await enable({})).toMatchObject({
      status: 422,
      body: { fields: { password: expect.any(String) } },
    })
    const asked = await enable({ password })
    expect(asked).toMatchObject({
      status: 403,
      body: { code: 'second_factor_required', methods: ['passkey'] },
    })
    // The same passkey answer is sent again: a refusal spends nothing.
    const passkey = await device.answer(asked.body.passkey)
    const enabled = await withMailedCode(ana, (mailed) => enable({ password, passkey, proof: mailed }))
    expect(enabled.status).toBe(200)
    expect((await twoFactorStatus(ana)).body).toMatchObject({
      methods: ['passkey', 'totp'],
      recoveryCodesLeft: 10,
    })
    const code = enabled.body.recoveryCodes[0]
    expect(await call('POST', '/auth/two-factor/disable', { token, json: { password, code } })).toMatchObject(
      { status: 204 },
    )
    expect((await twoFactorStatus(ana)).body).toMatchObject({ methods: ['passkey'], recoveryCodesLeft: 9 })
    expect((await mailsTo(ana.email))[0]?.text).toContain('needs your password and a passkey')
  })
})
