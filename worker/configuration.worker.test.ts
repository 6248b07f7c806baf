import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import production from './index.ts'
import type { Env } from './lib/env.ts'

const SECRET = btoa('a wrapping key of thirty-two by.')

const deployed: Env = {
  ...env,
  APP_ENV: 'production',
  PUBLIC_ORIGIN: 'https://evenkeel.example',
  VAULT_KEYS: `1:${SECRET}`,
}

afterEach(() => vi.restoreAllMocks())

/** The production entry's answer with these settings, and its log. */
async function deployWith(
  change: Partial<Record<keyof Env, string | undefined>>,
  path: string,
  origin = 'https://evenkeel.example',
) {
  const logged: string[] = []
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void logged.push(words.join(' ')))
  const context = createExecutionContext()
  const request = new Request(`${origin}/api/v1${path}`)
  const response = await production.fetch(request, { ...deployed, ...change } as Env, context)
  const { status, headers } = response
  const answer = { status, retryAfter: headers.get('Retry-After'), body: await response.text() }
  await waitOnExecutionContext(context)
  return { ...answer, logged: logged.join('\n') }
}

test('a complete deployment answers, and logs nothing', async () => {
  expect(await deployWith({}, '/health')).toMatchObject({ status: 200, logged: '' })
})

test.each([
  ['VAULT_KEYS', undefined],
  ['VAULT_KEYS', ''],
  ['VAULT_KEYS', SECRET],
  ['VAULT_KEYS', `1:${SECRET.slice(0, 20)}`],
  ['VAULT_KEYS', `1:${SECRET},1:${SECRET}`],
  ['PUBLIC_ORIGIN', undefined],
  ['PUBLIC_ORIGIN', 'http://evenkeel.example'],
  ['PUBLIC_ORIGIN', 'https://evenkeel.example/'],
  ['PUBLIC_ORIGIN', 'evenkeel.example'],
  ['KYC_RECOVERY_RECIPIENT', 'age1'],
  // A character changed, which its checksum shows; in capitals; an SSH key.
  ['KYC_RECOVERY_RECIPIENT', 'age16ppk02tscuz3rqrqrxahxnudmnu83nu80v4n7epqsnrf6cuj0d9q6vuarq'],
  ['KYC_RECOVERY_RECIPIENT', 'AGE16PPK02TSCUZ3RQRQRXAHXNUDMNU83NU80V4N7EPQSNRF6CUJ0D9Q6VUARX'],
  ['KYC_RECOVERY_RECIPIENT', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA'],
] as const)(
  'a deployment whose %s is missing or malformed answers nothing, and names it without its value (%j)',
  async (name, value) => {
    for (const path of ['/health', '/market/coins', '/users/user-info', '/no-such-route']) {
      const { status, retryAfter, body, logged } = await deployWith({ [name]: value }, path)
      expect([path, status]).toEqual([path, 503])
      expect(Number(retryAfter)).toBeGreaterThan(0)
      expect(JSON.parse(body)).toEqual({ code: 'unavailable', msg: expect.stringContaining(name) })
      expect(logged).toContain(name)
      for (const said of [body, logged]) {
        expect(said).not.toContain(SECRET.slice(0, 20))
        if (value) expect(said).not.toContain(value)
      }
    }
  },
)

test('a recovery key may be missing as long as no reviewer has a key, and be well-formed', async () => {
  for (const KYC_RECOVERY_RECIPIENT of [undefined, '', env.KYC_RECOVERY_RECIPIENT])
    expect(await deployWith({ KYC_RECOVERY_RECIPIENT }, '/health')).toMatchObject({ status: 200, logged: '' })
})

test('a deployment answers for its own host alone', async () => {
  for (const origin of [
    'https://evenkeel.someone.workers.dev',
    'https://www.evenkeel.example',
    'https://evenkeel.example:8443',
  ])
    for (const path of ['/health', '/auth/login', '/no-such-route']) {
      const { status, body } = await deployWith({}, path, origin)
      expect([origin, path, status]).toEqual([origin, path, 421])
      expect(JSON.parse(body)).toEqual({ code: 'wrong_host', msg: 'This host is not served here.' })
    }
  // Development is reached by any name of this machine.
  expect(await deployWith({ APP_ENV: 'development' }, '/health', 'http://127.0.0.1:8787')).toMatchObject({
    status: 200,
  })
})

test('a deployment without both names both', async () => {
  const { body } = await deployWith({ VAULT_KEYS: undefined, PUBLIC_ORIGIN: undefined }, '/health')
  expect(body).toContain('VAULT_KEYS, PUBLIC_ORIGIN')
})
