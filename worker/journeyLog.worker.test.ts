import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callWith } from '../test/support/app.ts'
import { totpCode } from '../test/support/codes.ts'
import { BANK_WITHDRAWAL, CRYPTO_WITHDRAWAL } from '../test/support/filing.ts'
import type { AnyBody } from '../test/support/http.ts'
import { readIdentityData } from '../test/support/identityData.ts'
import { linkIn, mailTo } from '../test/support/mailbox.ts'
import { newOperator, type Operator } from '../test/support/people.ts'
import { newPicture } from '../test/support/picture.ts'
import { newWallet } from '../test/support/wallets.ts'
import { runDueWork } from './cron.ts'
import { generateText, UNAMBIGUOUS } from './lib/crypto/tokens.ts'
import type { Env } from './lib/env.ts'

const HEX = '0123456789abcdef'

const logged: string[] = []

beforeEach(() => {
  logged.length = 0
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void logged.push(words.map(String).join(' ')))
})
afterEach(() => vi.restoreAllMocks())

/** Everything in a journey that no log may contain, by kind. */
const secrets = new Map<string, string>()
function secret(what: string, value: string): string {
  secrets.set(what, value)
  return value
}

test('a whole journey logs no secret and no personal data', async () => {
  await journey(env)
  await runDueWork(env, Date.now())
  expect(secrets.size).toBeGreaterThan(25)
  expect(found()).toEqual([])
})

test('a journey with failing database steps logs the failures, and no secret', async () => {
  await journey(env, async (method, path, options) => {
    // At once and, for signed-in writes, also after the first round trip. A read has no other.
    for (const answered of options.token === undefined || method === 'GET' ? [0] : [0, 1]) {
      const { status } = await ask({ ...env, DB: failingAfter(answered) }, method, path, options)
      // Requests for mails are processed after the answer.
      expect([path, status === 500 || (options.token === undefined && status < 300)]).toEqual([path, true])
    }
  })
  expect(logged.length).toBeGreaterThan(20)
  expect(logged.every((line) => line.includes('no such column'))).toBe(true)
  expect(found()).toEqual([])
})

test('the search finds a secret that is in a log', () => {
  const value = secret('an example', 'example-of-a-secret')
  for (const written of [value, btoa(`a ${value}`), btoa(value), hex(new TextEncoder().encode(value))]) {
    logged.length = 0
    expect(found()).toEqual([])
    console.warn(`before ${written} after`)
    expect(found()).not.toEqual([])
  }
  secrets.delete('an example')
})

interface Options {
  token?: string
  json?: Record<string, unknown>
  form?: Record<string, string | Blob>
}

type Before = (method: string, path: string, options: Options) => Promise<void>

/** Every possible act once. `before` is called before each one. */
async function journey(bindings: Env, before: Before = async () => {}): Promise<void> {
  const asked = async (method: string, path: string, options: Options = {}) => {
    await before(method, path, options)
    const answer = await ask(bindings, method, path, options)
    expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body])
    return answer.body
  }
  const operator = await newOperator()
  const paymentTo = secret('receiving address', (await newWallet()).address)
  secret('operator’s token', operator.token)
  secret('operator’s second factor', operator.secret ?? '')
  const person = newcomer()

  await asked('POST', '/auth/register', { json: person })
  const verify = linkIn(await mailTo(person.email, /verify/i), '/verify-email')
  const verificationToken = secret('verification token', verify.searchParams.get('verificationToken') ?? '')
  await asked('POST', '/auth/verify-email', { json: { email: person.email, verificationToken } })
  await asked('POST', '/auth/forgot-password', { json: { email: person.email } })
  const reset = linkIn(await mailTo(person.email, /password/i), '/change-password')
  const password = secret('new password', generateText(20, UNAMBIGUOUS))
  const resetToken = secret('reset token', reset.searchParams.get('token') ?? '')
  const change = { email: person.email, token: resetToken, password, confirmPassword: password }
  await asked('POST', '/auth/reset-password', { json: change })
  const token = secret(
    'bearer token',
    (await asked('POST', '/auth/login', { json: { email: person.email, password } })).token ?? '',
  )
  await asked('POST', '/auth/sign-in-link', { json: { email: person.email } })
  const signIn = linkIn(await mailTo(person.email, /sign-in link/i), '/sign-in-link')
  const linkToken = secret('token of the sign-in link', signIn.searchParams.get('token') ?? '')
  await asked('POST', '/auth/sign-in-link/use', { json: { email: person.email, token: linkToken } })
  secret('half of the bearer token', token.split('.')[1] ?? '')

  const { image, base64, run } = await document()
  await asked('POST', '/kyc', { token, form: { document: 'Passport', image } })
  secret('document in base64', base64)
  secret('document in hex', run)
  const [submission] = (await asked('GET', '/kyc', { token })) as unknown as AnyBody[]
  await asked('GET', `/operator/kyc/${submission?._id}/document`, { token: operator.token })
  await asked('POST', `/operator/kyc/${submission?._id}/approve`, {
    token: operator.token,
    json: readIdentityData(submission?._id),
  })
  await payIn(asked, { token, operator, paymentTo })
  await withdrawTwice(asked, token, person.email)
  await asked('GET', '/transaction-history', { token })
  await asked('PATCH', '/users/user-info', {
    token,
    json: {
      address: secret('home address', '17 Example Quay, Basel'),
      phone: secret('another phone number', '+41791112233'),
    },
  })

  const set = await asked('POST', '/auth/two-factor/setup', { token, json: { password } })
  const totp = secret('second factor', set.secret ?? '')
  const enable = { code: totpCode(totp), password }
  await ask(bindings, 'POST', '/auth/two-factor/enable', { token, json: enable })
  const asks = await mailTo(person.email, /^Confirm your new second factor/)
  const proof = secret('mailed code for the second factor', asks.text.match(/\b\d{6}\b/)?.[0] ?? '')
  const { recoveryCodes = [] } = await asked('POST', '/auth/two-factor/enable', {
    token,
    json: { ...enable, proof },
  })
  for (const [i, code] of recoveryCodes.entries()) secret(`recovery code ${i}`, code)
  await asked('POST', '/auth/login', { json: { email: person.email, password, code: recoveryCodes[0] } })
  await asked('POST', '/contact-us', {
    json: {
      name: person.displayName,
      email: person.email,
      message: secret('message', 'Words for support alone'),
    },
  })
  await asked('POST', '/newsletter', { json: { email: secret('subscriber', newcomer().email) } })
  await asked('POST', '/auth/logout', { token })
}

function newcomer() {
  const nonce = generateText(10, UNAMBIGUOUS)
  const password = secret('first password', generateText(18, UNAMBIGUOUS))
  return {
    fullname: `lea ${nonce}`.toLowerCase(),
    displayName: secret('name', `Lea ${nonce}`),
    email: secret('e-mail address', `lea-${nonce.toLowerCase()}@example.com`),
    phone: secret('phone number', '+41797654321'),
    country: 'Switzerland',
    password,
    confirmPassword: password,
  }
}

type Asked = (method: string, path: string, options?: Options) => Promise<Answer>

async function payIn(
  asked: Asked,
  { token, operator, paymentTo }: { token: string; operator: Operator; paymentTo: string },
): Promise<void> {
  const txid = secret('transaction id', generateText(64, HEX))
  const { _id } = await asked('POST', '/deposits', {
    token,
    form: { type: 'bitcoin', amount: '1000', paymentTo, txid, image: newPicture() },
  })
  await asked('GET', `/operator/deposits/${_id}/receipt`, { token: operator.token })
  const json = {
    riskReason: 'Called back, all is in order',
    reference: secret('reference', generateText(64, HEX)),
    quantity: '0.01557632',
  }
  // After a reset password the risk is high, so two operators credit it.
  for (const by of [operator, await newOperator()])
    await asked('POST', `/operator/deposits/${_id}/approve`, { token: by.token, json })
}

async function withdrawTwice(asked: Asked, token: string, email: string): Promise<void> {
  const bank = {
    ...BANK_WITHDRAWAL,
    accountNumber: secret('account number', '99887766554433'),
    clientNumber: secret('client number', 'C-55667788'),
    accountHolderName: secret('account holder', 'Lea Accountholder'),
  }
  secret('destination', CRYPTO_WITHDRAWAL.address)
  for (const [path, json] of [
    ['/withdrawals', CRYPTO_WITHDRAWAL],
    ['/withdrawals/online-service', bank],
  ] as const) {
    // The first asks for a code, which is mailed.
    const first = await ask(env, 'POST', path, { token, json })
    expect([path, first.status]).toEqual([path, 403])
    const codes = (await mailTo(email, /confirm/i)).text.match(/\b\d{6}\b/g) ?? []
    await asked('POST', path, {
      token,
      json: { ...json, code: secret(`mailed code for ${path}`, codes[0] ?? '') },
    })
  }
}

interface Answer extends Partial<AnyBody> {
  readonly token?: string
  readonly secret?: string
  readonly recoveryCodes?: readonly string[]
}

async function ask(bindings: Env, method: string, path: string, options: Options) {
  const ip = secret('network address', '198.51.100.77')
  const { status, body } = await callWith<Answer>({ ...bindings, RATE_LIMITS: 'off' }, method, path, {
    ...options,
    ip,
  })
  return { status, body: typeof body === 'object' ? body : ({} as Answer) }
}

/** A picture, and unique bytes of it in two encodings. */
async function document() {
  const image = newPicture()
  const bytes = (await image.bytes()).subarray(60, 100)
  return {
    image,
    base64: btoa(String.fromCharCode(...bytes)).slice(0, 32),
    run: hex(bytes.subarray(0, 16)),
  }
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The secrets in the log: as they are, in base64 at any of the three offsets, in hex, or as a list of numbers. */
function found(): string[] {
  const log = logged.join('\n')
  return [...secrets].flatMap(([what, value]) => {
    expect(value.length, what).toBeGreaterThan(5)
    return waysToWrite(value)
      .filter((way) => log.toLowerCase().includes(way.toLowerCase()))
      .map((way) => `${what}: ${way}`)
  })
}

function waysToWrite(value: string): string[] {
  const bytes = new TextEncoder().encode(value)
  const in64 = [0, 1, 2].map((offset) =>
    // The characters at both ends also depend on their neighbours.
    btoa(' '.repeat(offset) + String.fromCharCode(...bytes))
      .slice(offset === 0 ? 0 : 4)
      .replace(/=+$/, '')
      .slice(0, -1),
  )
  return [value, encodeURIComponent(value), hex(bytes), bytes.join(','), ...in64]
}

/** A database that answers this many batches and then refuses everything. */
function failingAfter(batches: number): D1Database {
  let left = batches
  const refuse = () => Promise.reject(new Error('D1_ERROR: no such column: x: SQLITE_ERROR'))
  const inner = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get: (target, name) => {
        if (name === 'bind') return (...values: unknown[]) => wrap(target.bind(...values))
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return left > 0 ? member.bind(target) : refuse
      },
    })
    inner.set(wrapped, statement)
    return wrapped
  }
  return new Proxy(env.DB, {
    get: (target, name) => {
      if (name === 'prepare') return (query: string) => wrap(target.prepare(query))
      if (name === 'batch')
        return (statements: D1PreparedStatement[]) =>
          left-- > 0 ? target.batch(statements.map((each) => inner.get(each) ?? each)) : refuse()
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
