import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { REAL_TESTS } from '../../../../engine/backtest/realTests.ts'
import { CATALOGUE } from '../../../../engine/catalogue.ts'
import { strategyWords } from '../../../content/schemas.ts'
import { fill } from './words.ts'

const folder = resolve(import.meta.dirname, '../../../content/strategies')
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))

test('each strategy of the catalogue has words, and there are words for no other', () => {
  expect(files.map((name) => name.replace('.yaml', '')).sort()).toEqual(
    CATALOGUE.map(({ slug }) => slug).sort(),
  )
})

describe.each(CATALOGUE)('the words about $slug', ({ slug, definition }) => {
  const words = strategyWords.parse(parse(readFileSync(resolve(folder, `${slug}.yaml`), 'utf8')))
  const all = [words.summary, words.loses, ...words.rules, words.holds, words.notFor]

  test('take every number from the definition, and have none of their own', () => {
    for (const text of all) {
      expect(text.replace(/\{\w+\}/g, ''), 'a number of its own').not.toMatch(/\d/)
      expect(fill(text, definition)).not.toMatch(/[{}]/)
    }
    for (const test of REAL_TESTS.filter(({ strategy }) => strategy === slug))
      for (const text of all) expect(fill(text, test.definition)).not.toMatch(/[{}]/)
    const told = words.rules.join(' ')
    const untold = Object.keys(definition.values).filter((name) => !told.includes(`{${name}}`))
    expect(untold, 'values that no rule tells of').toEqual([])
  })
})

test('a number that the definition does not have is refused', () => {
  expect(() => fill('After {slow} days.', { values: { fast: 5 }, assets: [] })).toThrow('no slow')
})

test('assets are named as a list, and per cent stands beside its number', () => {
  const definition = { values: { share: 80 }, assets: ['sim-alder', 'sim-birch', 'sim-index'] }
  expect(fill('{share} % of {assets}', definition)).toBe('80% of Alder, Birch and the Index of Four Coins')
  const real = { values: {}, assets: ['bitcoin', 'ethereum', 'ripple'] }
  expect(fill('{assets}, or cash: {assets}', real)).toBe(
    'Bitcoin, ether and XRP, or cash: bitcoin, ether and XRP',
  )
})
