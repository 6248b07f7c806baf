import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { createApp } from '../app.ts'
import { routes } from '../routes.ts'

const SITE = 'https://evenkeel.example'
const DESK = 'https://desk.example'
const app = createApp(routes)

afterEach(() => vi.restoreAllMocks())

async function fetchHeaders(
  method: string,
  path: string,
  headers: Record<string, string>,
  changed: object = {},
): Promise<Headers> {
  const response = await app.fetch(
    new Request(`${SITE}/api/v1${path}`, { method, headers }),
    { ...env, PUBLIC_ORIGIN: SITE, ALLOWED_ORIGINS: DESK, ...changed },
    createExecutionContext(),
  )
  await response.body?.cancel()
  return response.headers
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replace(/:[a-z]+/gi, '[^/]+')}$`).test(path)
}

test('a preflight allows exactly the methods of the routes at its path, and reads no database', async () => {
  const paths = new Set(routes.map(({ endpoint }) => endpoint.path))
  expect(paths.size).toBeGreaterThan(100)
  const headers = { Origin: DESK, 'Access-Control-Request-Method': 'PUT' }
  for (const path of paths) {
    const methods = routes.flatMap(({ endpoint }) => (matches(endpoint.path, path) ? [endpoint.method] : []))
    const answer = await fetchHeaders('OPTIONS', path, headers, { DB: null })
    const allowed = answer.get('Access-Control-Allow-Methods') ?? ''
    expect(allowed.split(',').sort(), path).toEqual([...new Set<string>(methods)].sort())
  }
  const document = await fetchHeaders('OPTIONS', '/operator/kyc/1/document', headers)
  expect(document.get('Access-Control-Allow-Methods')).toContain('PUT')
})

test('only the origins that the operator named may read answers, whatever the answer is', async () => {
  const read = async (path: string, origin: string, changed?: object) => {
    const headers = await fetchHeaders('GET', path, { Origin: origin, 'If-None-Match': '*' }, changed)
    return [
      headers.get('Access-Control-Allow-Origin'),
      headers.get('Access-Control-Allow-Credentials'),
      headers.get('Vary'),
    ]
  }
  // Refusals before any route are logged.
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  const answers: [path: string, changed?: object][] = [
    ['/health'],
    ['/market/coins'],
    ['/kyc'],
    ['/nothing-here'],
    [`/${'a'.repeat(300)}`],
    ['/health', { FLOOD: { limit: async () => ({ success: false }) } }],
    ['/health', { VAULT_KEYS: '' }],
  ]
  for (const [path, changed] of answers) {
    expect(await read(path, DESK, changed), path).toEqual([DESK, 'true', 'Origin'])
    for (const origin of [SITE, 'null', 'https://evil.example', `${DESK}.evil.example`])
      expect(await read(path, origin, changed), path).toEqual([null, null, null])
  }
})

test('a preflight of another origin allows nothing', async () => {
  const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' }
  const answer = await fetchHeaders('OPTIONS', '/auth/login', headers)
  expect([...answer.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  expect(answer.get('Allow')).toBe('POST')
})
