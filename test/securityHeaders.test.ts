import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { addSecurityHeaders } from '../worker/lib/securityHeaders.ts'

const [everywhere = ''] = readFileSync(resolve(import.meta.dirname, '../public/_headers'), 'utf8').split(
  /\n\s*\n/,
)
const ofPages = Object.fromEntries(
  [...everywhere.matchAll(/^ {2}([\w-]+): (.+)$/gm)].map(([, name = '', value = '']) => [
    name.toLowerCase(),
    value,
  ]),
)

async function readHeaders(own: Record<string, string> = {}): Promise<Record<string, string>> {
  const app = new Hono().use(addSecurityHeaders).get('/', () => new Response(null, { headers: own }))
  return Object.fromEntries((await app.request('/')).headers)
}

test('pages have the same security headers as the Worker’s answers', async () => {
  const { 'content-security-policy': policy, ...headers } = await readHeaders()
  expect(policy).toBe("default-src 'none'; frame-ancestors 'none'")
  expect(Object.keys(headers)).toHaveLength(6)
  // Links on pages send the site's origin as the referrer. Answers of the API send none.
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(ofPages).toMatchObject({ ...headers, 'referrer-policy': 'strict-origin' })
})

test('an answer keeps its own content security policy', async () => {
  const policy = "sandbox; default-src 'none'; frame-ancestors 'none'"
  expect(await readHeaders({ 'Content-Security-Policy': policy })).toMatchObject({
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
  })
})
