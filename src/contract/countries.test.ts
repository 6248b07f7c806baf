import { expect, test } from 'vitest'
import { findCountryCode, formatCountry, listCountries } from './countries.ts'

test('the list is complete, has no code twice and is sorted by English name', () => {
  expect(listCountries().length).toBeGreaterThanOrEqual(249)
  expect(new Set(listCountries().map((country) => country.value)).size).toBe(listCountries().length)
  expect(
    listCountries().every((country) => /^[A-Z]{2}$/.test(country.value) && country.label && country.native),
  ).toBe(true)
  const labels = listCountries().map((country) => country.label)
  expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b, 'en')))
  expect(listCountries()).toContainEqual({ value: 'DE', label: 'Germany', native: 'Deutschland' })
})

test('every country is found by its code and by each of its names, in any case', () => {
  for (const country of listCountries()) {
    for (const text of [country.value, country.label, country.native, formatCountry(country)]) {
      expect([text, findCountryCode(text)]).toEqual([text, country.value])
      expect([text, findCountryCode(` ${text.toLowerCase()} `)]).toEqual([text, country.value])
    }
  }
})

test('a native name is shown only where it differs', () => {
  expect(
    listCountries()
      .filter((country) => ['DE', 'MT'].includes(country.value))
      .map(formatCountry),
  ).toEqual(['Germany (Deutschland)', 'Malta'])
})

test.each([
  ['USA', 'US'],
  ['U.S.A.', 'US'],
  ['united states of america', 'US'],
  ['UK', 'GB'],
  ['uae', 'AE'],
  ['Turkiye', 'TR'],
  ['Turkey', 'TR'],
  ['Czech Republic', 'CZ'],
  ['Cote d’Ivoire', 'CI'],
  ['Trinidad & Tobago', 'TT'],
  ['Russian Federation', 'RU'],
])('%s is understood as %s', (text, code) => {
  expect(findCountryCode(text)).toBe(code)
})

test('what names no country is refused', () => {
  for (const text of ['', ' ', 'XX', 'Atlantis', 'constructor', 'germany deutschland', 'a'.repeat(10_000)]) {
    expect(findCountryCode(text)).toBeNull()
  }
})
