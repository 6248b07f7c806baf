import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { securityHeaders } from '../worker/lib/securityHeaders.ts'

const [everywhere = ''] = readFileSync(resolve(import.meta.dirname, '../public/_headers'), 'utf8').split(
  /\n\s*\n/,
)
const ofPages = Object.fromEntries(
  [...everywhere.matchAll(/^ {2}([\w-]+): (.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
)

test('pages have the same security headers as the Worker’s answers', () => {
  // Links on pages send the site's origin as the referrer. Answers of the API send none.
  expect(ofPages).toMatchObject({ ...securityHeaders, 'Referrer-Policy': 'strict-origin' })
})
