import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call } from '../../test/support/http.ts'
import { deposit } from '../../test/support/operating.ts'
import { newInvestor, newOperator, type Person } from '../../test/support/people.ts'
import { newTotpSecret } from '../lib/crypto/totp.ts'

let logged: string[] = []
beforeEach(() => {
  logged = []
  vi.spyOn(console, 'warn').mockImplementation((line) => void logged.push(String(line)))
})
afterEach(() => vi.restoreAllMocks())

/** The lines of the log, read by a program. */
const lines = () => logged.map((line) => JSON.parse(line) as Record<string, string>)
const login = (json: Record<string, unknown>, ip = '198.51.100.9') =>
  call('POST', '/auth/login', { json, ip })
const credentials = ({ email, password }: Person) => ({ email, password })

describe('what is logged', () => {
  test('all failed sign-ins are logged, for any cause, and no successful ones', async () => {
    const ana = await newInvestor({ totpSecret: newTotpSecret() })
    const ben = await newInvestor()
    await login({ email: 'nobody@example.com', password: 'wrong-password' })
    await login({ ...credentials(ana), password: 'wrong-password' })
    await login(credentials(ana))
    await login({ ...credentials(ana), code: '000000' })
    expect((await login(credentials(ben))).status).toBe(200)
    expect(lines().map(({ event, code, path }) => [event, code, path])).toEqual([
      ['sign_in_failed', 'invalid_credentials', '/auth/login'],
      ['sign_in_failed', 'invalid_credentials', '/auth/login'],
      ['sign_in_failed', 'two_factor_required', '/auth/login'],
      ['sign_in_failed', 'invalid_sign_in_code', '/auth/login'],
    ])
  })

  test('attempts at forbidden routes and at other people’s items are logged', async () => {
    const [ana, ben, operator] = [
      await newInvestor(),
      await newInvestor({ frozen: true }),
      await newOperator({ twoFactor: false }),
    ]
    const id = await deposit(ana, '50')
    await call('GET', '/users/user-info')
    await call('GET', '/operator/overview', { token: ana.token })
    await call('GET', '/operator/overview', { token: operator.token })
    await call('GET', `/transaction-history/${id}`, { token: ben.token })
    await call('POST', '/withdrawals', { token: ben.token, json: {} })
    await call('POST', '/contact-us', { json: {}, headers: { Origin: 'https://elsewhere.example' } })
    expect(lines().map(({ event, code, path, actor }) => [event, code, path, actor])).toEqual([
      ['access_refused', 'unauthorized', '/users/user-info', undefined],
      ['access_refused', 'forbidden', '/operator/overview', ana.id],
      ['access_refused', 'two_factor_not_enabled', '/operator/overview', operator.id],
      ['access_refused', 'not_found', '/transaction-history/:id', ben.id],
      ['access_refused', 'account_frozen', '/withdrawals', ben.id],
      ['access_refused', 'csrf_rejected', '/contact-us', undefined],
    ])
  })

  test('wrong passwords and codes of signed-in people, invalid links, and reached limits are logged', async () => {
    const ana = await newInvestor()
    const json = { currentPassword: 'wrong-password', newPassword: 'another-good-passphrase' }
    for (let i = 0; i < 11; i++) await call('PATCH', '/users/user-info', { token: ana.token, json })
    await call('POST', '/auth/lock-account', { json: { token: 'made-up' } })
    expect(lines().map(({ event, code }) => `${event} ${code}`)).toEqual([
      ...Array<string>(10).fill('proof_failed wrong_password'),
      'limit_hit too_many_requests',
      'proof_failed invalid_token',
    ])
    expect(lines()[10]?.actor).toBe(ana.id)
  })

  test('invalid fields and successful calls are not logged', async () => {
    const ana = await newInvestor()
    await call('POST', '/deposits', { token: ana.token, json: { amount: 'x' } })
    await call('POST', '/auth/register', { json: {} })
    await call('GET', '/nowhere')
    await call('GET', '/users/user-info', { token: ana.token })
    expect(logged).toEqual([])
  })
})

describe('a line of the log', () => {
  test('a line names request, event and route, and distinguishes accounts and networks without naming them', async () => {
    const ana = await newInvestor()
    const wrong = { email: ana.email.toUpperCase(), password: 'a-guess-of-mine' }
    const reply = await login(wrong, '2001:db8:1:2::1')
    await login({ ...wrong, email: ana.email }, '2001:db8:1:2::ffff')
    await login({ ...wrong, email: 'ben@example.com' }, '198.51.100.10')
    const [first, second, third] = lines()
    expect(first).toEqual({
      level: 'security',
      event: 'sign_in_failed',
      code: 'invalid_credentials',
      requestId: reply.headers.get('X-Request-Id'),
      method: 'POST',
      path: '/auth/login',
      account: expect.stringMatching(/^1\.[\w-]{16}$/),
      network: expect.stringMatching(/^1\.[\w-]{16}$/),
    })
    expect([second?.account, second?.network]).toEqual([first?.account, first?.network])
    expect(third?.account).not.toBe(first?.account)
    expect(third?.network).not.toBe(first?.network)
    const log = logged.join('\n').toLowerCase()
    for (const secret of [ana.email, 'a-guess-of-mine', '2001:db8', '198.51.100', 'ben@example.com', ana.id])
      expect(log).not.toContain(secret.toLowerCase())
  })

  test('a line of the log contains no token, id or submitted field', async () => {
    const ana = await newInvestor()
    const id = 'an-id-of-somebody-else'
    await call('GET', `/transaction-history/${id}?limit=secret-query`, { token: ana.token })
    await call('GET', '/users/user-info', { token: `${'a'.repeat(20)}.${'b'.repeat(43)}` })
    const log = logged.join('\n')
    expect(logged).toHaveLength(2)
    for (const sent of [id, 'secret-query', ana.token.split('.')[1] ?? '', 'a'.repeat(20), 'b'.repeat(43)])
      expect(log).not.toContain(sent)
  })
})
