import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { site as content } from '../site.ts'
import { refuseUnknown, site } from './checkedSite.ts'

test('a mistyped name in a legal text fails the build and is named', () => {
  const checked: Record<string, unknown> = refuseUnknown({ company: { name: 'Ltd' } }, 'site')
  expect(() => checked.brnd).toThrow('There is no site.brnd in src/content/site.json')
  expect(() => (checked.company as Record<string, unknown>).nam).toThrow('There is no site.company.nam')
})

test('names that exist give their words', () => {
  expect(site.brand).toBe(content.brand)
  expect(site.company.name).toBe(content.company.name)
})

test('every MDX text takes the details from here', () => {
  const files = globSync('**/*.mdx', { cwd: import.meta.dirname })
  expect(files.length).toBeGreaterThan(3)
  for (const file of files)
    expect(readFileSync(join(import.meta.dirname, file), 'utf8')).not.toMatch(/from '[^']*\/site\.ts'/)
})
