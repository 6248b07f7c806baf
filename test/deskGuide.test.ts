import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

// Where labels of the console are written.
const sources = [
  'src/islands/console/**/*.tsx',
  'src/islands/console/**/*.ts',
  'src/contract/console/*.ts',
  'src/site.ts',
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((path) => !path.includes('.test.'))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n')

/** Whether a label is, or begins with, these words. */
function isLabel(words: string): boolean {
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "[’']")
  return new RegExp(`['"\`>]\\s*${escaped}\\s*(?:['"\`<]|\\$\\{| of \\$\\{|\\.)`).test(sources)
}

test('every page, button and field that the guide for operators names is in the console', () => {
  const guide = readFileSync(join(root, 'docs/desk.md'), 'utf8')
  // A bold beginning of a paragraph is a heading.
  const named = [...guide.matchAll(/(^|\n)?\*\*([^*]+)\*\*/g)].flatMap(([, start, name = '']) =>
    start === undefined ? [name] : [],
  )
  expect(named.length).toBeGreaterThan(40)
  expect([...new Set(named)].filter((name) => !isLabel(name))).toEqual([])
  expect(isLabel('Approve everything')).toBe(false)
})

test('the guide for operators has three pages at most', () => {
  const words = readFileSync(join(root, 'docs/desk.md'), 'utf8').match(/\S*\w\S*/g) ?? []
  expect(words.length).toBeLessThanOrEqual(1600)
})
