import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { site } from '../src/site.ts'

test('pages and Worker are set to the same address', () => {
  const settings = readFileSync(resolve(import.meta.dirname, '../wrangler.toml'), 'utf8')
  expect(/^PUBLIC_ORIGIN = "(.*)"$/m.exec(settings)?.[1]).toBe(site.origin)
  expect(new URL(site.origin).origin).toBe(site.origin)
})
