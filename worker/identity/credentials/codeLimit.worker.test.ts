import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { totpCode } from '../../../test/support/codes.ts'
import { CRYPTO_WITHDRAWAL, mailedCode } from '../../../test/support/filing.ts'
import { call } from '../../../test/support/http.ts'
import { linkIn, mailsTo, mailTo } from '../../../test/support/mailbox.ts'
import { newInvestor, type Person } from '../../../test/support/people.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import { newTotpSecret } from '../../lib/crypto/totp.ts'

const STEP_MS = 30_000
const RECOVERY = 'k7qm9-tzd4h-xc2vp-8wtrn-5bj0e'
const tooMany = { status: 429, body: { code: 'too_many_codes' } }
const SUBJECT = 'Codes from your authenticator app are refused for now'

interface Owner extends Person {
  readonly secret: string
}

async function newOwner(): Promise<Owner> {
  const secret = newTotpSecret()
  const ana = await newInvestor({ totpSecret: secret, availableCents: 1000_00 })
  await env.DB.prepare('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)')
    .bind(ana.id, await sha256Hex(RECOVERY))
    .run()
  return { ...ana, secret }
}

/** The app's code at a moment. */
const codeAt = (secret: string, atMs: number) =>
  totpCode(secret, Math.floor(atMs / STEP_MS) - Math.floor(Date.now() / STEP_MS))

/** A code that is wrong at a moment. */
function wrongAt(secret: string, atMs: number, nth = 0): string {
  const right = [-1, 0, 1].map((step) => codeAt(secret, atMs + step * STEP_MS))
  return (
    Array.from({ length: nth + 4 }, (_, n) => String(100_000 + n)).filter((code) => !right.includes(code))[
      nth
    ] ?? ''
  )
}

let network = 0
const signIn = (person: Person, code: string, atMs = Date.now()) =>
  call('POST', '/auth/login', {
    json: { email: person.email, password: person.password, code },
    ip: `198.51.100.${++network % 250}`,
    headers: { 'X-Development-Time': new Date(atMs).toISOString() },
  })

/** Resets the 15-minute limits, as if a quarter of an hour had passed. */
const waitOutShortLimits = () =>
  env.DB.prepare(
    "DELETE FROM rate_counters WHERE key LIKE 'sign-in:%' OR key LIKE 'password:%' OR key LIKE 'codes:%'",
  ).run()

/** Inserts recent wrong codes. */
async function sentWrong(person: Person, count: number, mailed: 0 | 1 = 0): Promise<void> {
  const at =
    (await env.DB.prepare('SELECT enabled_at + 1 AS at FROM second_factors WHERE user_id = ?')
      .bind(person.id)
      .first<number>('at')) ?? Date.now() - 4 * DAY_MS
  await env.DB.batch(
    Array.from({ length: count }, () =>
      env.DB.prepare('INSERT INTO code_failures (id, user_id, at, mailed) VALUES (?, ?, ?, ?)').bind(
        crypto.randomUUID(),
        person.id,
        at,
        mailed,
      ),
    ),
  )
}

const countOf = (person: Person) =>
  env.DB.prepare('SELECT count(*) AS n FROM code_failures WHERE user_id = ?')
    .bind(person.id)
    .first<number>('n')
const warnings = async (person: Person) =>
  (await mailsTo(person.email)).filter(({ subject }) => subject === SUBJECT)

test('a patient guesser gets 30 codes in seven days, even if the owner signs in meanwhile', async () => {
  const ana = await newOwner()
  const start = Date.now()
  const compared: number[] = []
  for (let day = 0; day < 9; day++) {
    // Eight tries a day, below the limit of a quarter of an hour.
    await waitOutShortLimits()
    for (let nth = 0; nth < 8; nth++) {
      const at = start + day * DAY_MS + 3_600_000 + nth * 1000
      const reply = await signIn(ana, wrongAt(ana.secret, at, nth), at)
      if (reply.status === 401) compared.push(at)
      else expect(reply).toMatchObject(tooMany)
    }
    const noon = start + day * DAY_MS + DAY_MS / 2
    const owner = await signIn(ana, codeAt(ana.secret, noon), noon)
    // At the limit a right code is refused too, so the refusal reveals nothing about the code.
    expect(owner.status).toBe(compared.filter((at) => at > noon - 7 * DAY_MS).length < 30 ? 200 : 429)
  }
  for (const at of compared)
    expect(compared.filter((other) => other > at - 7 * DAY_MS && other <= at).length).toBeLessThanOrEqual(30)
  // The limit is temporary: codes are accepted again when the oldest wrong ones expire.
  expect(compared.length).toBeGreaterThan(30)
  expect(compared.filter((at) => at < start + 6 * DAY_MS)).toHaveLength(30)
}, 180_000)

describe('at the limit', () => {
  test('at the limit a right code is refused with the waiting time, a recovery code works, and the owner gets one mail', async () => {
    const ana = await newOwner()
    await sentWrong(ana, 29)
    expect(await signIn(ana, wrongAt(ana.secret, Date.now()))).toMatchObject({ status: 401 })
    const refused = await signIn(ana, totpCode(ana.secret))
    expect(refused).toMatchObject(tooMany)
    expect(refused.body.msg).toMatch(/passkey or a recovery code/)
    const wait = Number(refused.headers.get('Retry-After')) * 1000
    // The wrong codes are as old as the app, which the test's owner turned on four days ago.
    expect(wait).toBeGreaterThan(2.9 * DAY_MS)
    expect(wait).toBeLessThanOrEqual(3 * DAY_MS)
    expect(await signIn(ana, wrongAt(ana.secret, Date.now(), 1))).toMatchObject(tooMany)
    expect(await warnings(ana)).toHaveLength(1)
    expect(await signIn(ana, RECOVERY)).toMatchObject({ status: 200 })

    // Half a day later, one code is accepted again when the oldest wrong one expires, and no second mail is sent.
    await env.DB.prepare(
      'DELETE FROM code_failures WHERE id = (SELECT id FROM code_failures WHERE user_id = ? AND told = 0 LIMIT 1)',
    )
      .bind(ana.id)
      .run()
    expect(await signIn(ana, wrongAt(ana.secret, Date.now(), 2))).toMatchObject({ status: 401 })
    expect(await signIn(ana, wrongAt(ana.secret, Date.now(), 3))).toMatchObject(tooMany)
    expect(await warnings(ana)).toHaveLength(1)
  })

  test('at the limit a mailed code still confirms a withdrawal', async () => {
    const ana = await newOwner()
    await sentWrong(ana, 30)
    const ask = (code?: string) =>
      call('POST', '/withdrawals', {
        token: ana.token,
        json: { ...CRYPTO_WITHDRAWAL, ...(code && { code }) },
      })
    expect((await ask()).body.code).toBe('step_up_required')
    expect(await ask(totpCode(ana.secret))).toMatchObject(tooMany)
    expect(await ask(await mailedCode(ana.email))).toMatchObject({ status: 201 })
  })

  test('nobody without the password can reach the limit', async () => {
    const ana = await newOwner()
    for (let i = 0; i < 5; i++)
      await call('POST', '/auth/login', {
        json: { email: ana.email, password: 'not the password', code: '123456' },
        ip: '198.51.100.251',
      })
    expect(await countOf(ana)).toBe(0)
  })

  test('a right code does not clear the count', async () => {
    const ana = await newOwner()
    await sentWrong(ana, 20)
    expect(await signIn(ana, totpCode(ana.secret))).toMatchObject({ status: 200 })
    expect(await countOf(ana)).toBe(20)
  })

  test('at the limit the database also refuses a right code', async () => {
    const ana = await newOwner()
    const step = () =>
      env.DB.prepare('UPDATE second_factors SET last_step = ? WHERE user_id = ?')
        .bind(Math.floor(Date.now() / STEP_MS), ana.id)
        .run()
    await sentWrong(ana, 30)
    await expect(step()).rejects.toThrow('too_many_codes')
    await env.DB.prepare(
      'DELETE FROM code_failures WHERE id = (SELECT id FROM code_failures WHERE user_id = ? LIMIT 1)',
    )
      .bind(ana.id)
      .run()
    await step()
  })
})

type Door = (ana: Owner, code: string) => Promise<{ status: number; body: { code: string } }>
const proved =
  (path: string): Door =>
  (ana, code) =>
    call('POST', path, { token: ana.token, json: { password: ana.password, code } })
const DOORS: readonly (readonly [string, Door])[] = [
  ['signing in', signIn],
  [
    'a withdrawal',
    (ana, code) => call('POST', '/withdrawals', { token: ana.token, json: { ...CRYPTO_WITHDRAWAL, code } }),
  ],
  ['turning the app off', proved('/auth/two-factor/disable')],
  ['new recovery codes', proved('/auth/two-factor/recovery-codes')],
  ['adding a passkey', proved('/users/passkeys/options')],
  ['closing the account', proved('/users/close')],
]

test.each(DOORS)('wrong codes at %s count together with all others', async (_, door) => {
  const ana = await newOwner()
  await sentWrong(ana, 29)
  expect((await door(ana, wrongAt(ana.secret, Date.now()))).body.code).toBe('invalid_code')
  expect(await countOf(ana)).toBe(30)
  for (const [name, other] of DOORS)
    expect([name, await other(ana, totpCode(ana.secret))]).toMatchObject([name, tooMany])
  expect(await warnings(ana)).toHaveLength(1)
})

describe('mailed codes', () => {
  const MAILED_SUBJECT = 'Codes from our mails are refused for now'
  const ask = (person: Person, more: object = {}) =>
    call('POST', '/withdrawals', { token: person.token, json: { ...CRYPTO_WITHDRAWAL, ...more } })
  const otherThan = (code: string) => (code === '123456' ? '654321' : '123456')
  const mailedCount = ({ id }: Person) =>
    env.DB.prepare('SELECT count(*) AS n FROM code_failures WHERE user_id = ? AND mailed = 1')
      .bind(id)
      .first<number>('n')

  test('after 30 wrong mailed codes the right one is refused too, also among parallel ones for many withdrawals', async () => {
    const ana = await newInvestor({ availableCents: 5000_00 })
    const amounts = Array.from({ length: 10 }, (_, n) => `${100 + n}.00`)
    for (const amount of amounts) expect((await ask(ana, { amount })).body.code).toBe('step_up_required')
    const right = await mailedCode(ana.email)
    const replies = await Promise.all(
      amounts.flatMap((amount) =>
        Array.from({ length: 5 }, () => ask(ana, { amount, code: otherThan(right) })),
      ),
    )
    // Those that come after the limit was reached are refused for that.
    const codes = replies.map(({ body }) => body.code)
    expect(codes.filter((code) => code !== 'invalid_code' && code !== 'too_many_codes')).toEqual([])
    expect(await mailedCount(ana)).toBeGreaterThanOrEqual(30)
    // The right code too is refused, by the database if it was compared at the same moment, and no further one is mailed.
    await env.DB.prepare('UPDATE withdrawal_codes SET tries = 0 WHERE investor = ?').bind(ana.id).run()
    expect(await ask(ana, { amount: '109.00', code: right })).toMatchObject(tooMany)
    await expect(
      env.DB.prepare('UPDATE withdrawal_codes SET used_at = ? WHERE investor = ?')
        .bind(Date.now(), ana.id)
        .run(),
    ).rejects.toThrow('too_many_codes')
    expect(await ask(ana, { amount: '250.00' })).toMatchObject(tooMany)
    const told = (await mailsTo(ana.email)).filter(({ subject }) => subject === MAILED_SUBJECT)
    expect(told).toHaveLength(1)
  })

  test('at the limit the app still confirms, and a new password lifts it', async () => {
    const ana = await newOwner()
    await sentWrong(ana, 30, 1)
    expect((await ask(ana)).body).toMatchObject({ code: 'step_up_required', methods: ['totp'] })
    expect(await ask(ana, { code: totpCode(ana.secret) })).toMatchObject({ status: 201 })

    const ben = await newInvestor({ availableCents: 1000_00 })
    await sentWrong(ben, 30, 1)
    const refused = await ask(ben)
    expect(refused).toMatchObject(tooMany)
    expect(refused.body.msg).toMatch(/choose a new password/)
    await call('POST', '/auth/forgot-password', { json: { email: ben.email } })
    const { searchParams } = linkIn(await mailTo(ben.email, /^Choose a new password/), '/change-password')
    const password = 'another password for ben'
    const json = { ...Object.fromEntries(searchParams), password, confirmPassword: password }
    expect(await call('POST', '/auth/reset-password', { json })).toMatchObject({ status: 200 })
    expect(await mailedCount(ben)).toBe(0)
  })

  test('a right mailed code does not count, nor does an app code while a mailed one waits', async () => {
    const ana = await newOwner()
    await ask(ana)
    expect(await ask(ana, { code: totpCode(ana.secret) })).toMatchObject({ status: 201 })
    expect(await mailedCount(ana)).toBe(0)
    const ben = await newInvestor({ availableCents: 1000_00 })
    await ask(ben)
    expect(await ask(ben, { code: await mailedCode(ben.email) })).toMatchObject({ status: 201 })
    expect(await mailedCount(ben)).toBe(0)
  })

  test('wrong codes for a new factor and for a recovery count with those for withdrawals', async () => {
    const ana = await newOwner()
    await sentWrong(ana, 29, 1)
    const recovery = (path: string, more: object = {}) =>
      call('POST', `/auth/factor-recovery${path}`, {
        json: { email: ana.email, password: ana.password, ...more },
        ip: `198.51.100.${++network % 250}`,
      })
    await recovery('')
    const { text } = await mailTo(ana.email, /^Your code to recover/)
    const right = /\b\d{6}\b/.exec(text)?.[0] ?? ''
    expect((await recovery('/confirm', { code: otherThan(right) })).body.code).toBe('invalid_code')
    expect(await mailedCount(ana)).toBe(30)
    expect((await recovery('/confirm', { code: right })).body.code).toBe('invalid_code')

    const ben = await newInvestor({ availableCents: 1000_00 })
    await sentWrong(ben, 29, 1)
    const { secret } = (
      await call<{ secret: string }>('POST', '/auth/two-factor/setup', { token: ben.token })
    ).body
    const enable = (proof?: string) =>
      call('POST', '/auth/two-factor/enable', {
        token: ben.token,
        json: { code: totpCode(secret), ...(proof && { proof }) },
      })
    expect((await enable()).body.code).toBe('step_up_required')
    const mail = await mailTo(ben.email, /^Confirm your new second factor/)
    const proof = /\b\d{6}\b/.exec(mail.text)?.[0] ?? ''
    expect((await enable(otherThan(proof))).body.code).toBe('invalid_code')
    expect(await enable(proof)).toMatchObject(tooMany)
    expect(await ask(ben)).toMatchObject(tooMany)
  })
})
