import { expect, test } from 'vitest'
import { COUNTRIES, searchLabel } from '../../../contract/countries.ts'
import { englishName } from './PersonFields.tsx'

const listed = COUNTRIES.map((country) => ({ value: country.label, label: searchLabel(country) }))

test('each country is listed once', () => {
  expect(new Set(listed.map(({ value }) => value)).size).toBe(COUNTRIES.length)
})

test.each([
  ['Netherlands', 'Netherlands'],
  [' nederland ', 'Netherlands'],
  ['holland', 'Netherlands'],
  ['Ivory Coast', 'Ivory Coast'],
  ['Côte d’Ivoire', 'Ivory Coast'],
  ["cote d'ivoire", 'Ivory Coast'],
  ['Deutschland', 'Germany'],
  ['日本', 'Japan'],
  ['UK', 'United Kingdom'],
  ['Malta', 'Malta'],
  ['Atlantis', null],
  ['', null],
])('%s is found as %s', (typed, name) => {
  expect(englishName(listed, typed)).toBe(name)
})
