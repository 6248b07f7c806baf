import { countries } from 'countries-list'
import { expect, test } from 'vitest'
import { listCountries, searchLabel } from '../../../contract/countries.ts'
import { findEnglishName, findPhoneCountry } from './PersonFields.tsx'

const listed = listCountries().map((country) => ({ value: country.label, label: searchLabel(country) }))

test('each country is listed once', () => {
  expect(new Set(listed.map(({ value }) => value)).size).toBe(listCountries().length)
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
  expect(findEnglishName(listed, typed)).toBe(name)
})

const dialled = listCountries().map(({ value, label }) => ({
  name: label,
  code: value,
  dial: countries[value as keyof typeof countries].phone.map(String),
}))

test.each([
  ['+351 912 345 678', ['en-GB'], 'Portugal'],
  [' +41791234567', ['de-CH', 'de'], 'Switzerland'],
  ['+1 242 555 0199', ['en-US'], 'Bahamas'],
  ['+1 555 010 0199', ['en-US'], 'United States'],
  ['+1 555 010 0199', ['fr-CA', 'fr'], 'Canada'],
  // Several countries share the code, and the language names none of them.
  ['+1 555 010 0199', ['pt-PT'], null],
  ['+44 20 7946 0000', ['en-GB', 'en'], 'United Kingdom'],
  ['0351 912 345 678', ['pt-PT'], null],
  ['912 345 678', ['pt-PT'], null],
  ['+', ['pt-PT'], null],
])('the phone number %s and the languages %s suggest %s', (phone, languages, name) => {
  expect(findPhoneCountry(dialled, phone, languages)).toBe(name)
})
