import { countries } from 'countries-list'
import { expect, test } from 'vitest'
import { listCountries, searchLabel } from '../../../contract/countries.ts'
import { completePhone, findEnglishName } from './PersonFields.tsx'

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

test.each([
  ['DE', '0151 234 5678', '+49 1512345678'],
  ['GB', '020 7946 0018', '+44 2079460018'],
  ['PT', '912 345 678', '+351 912345678'],
  ['IT', '06 1234 5678', '+39 0612345678'],
  ['HU', '06 20 123 4567', '+36 201234567'],
  ['RU', '8 912 345 67 89', '+7 9123456789'],
  ['RU', '812 345 67 89', '+7 8123456789'],
  ['US', '555 010 0199', '+1 5550100199'],
  ['US', '1 555 010 0199', '+1 5550100199'],
  ['BS', '555 0199', '+1242 5550199'],
  ['BS', '242 555 0199', '+1 2425550199'],
  ['DO', '829 555 0199', '+1 8295550199'],
  ['DE', '+41 79 123 45 67', '+41 79 123 45 67'],
  ['DE', '12', '12'],
  ['DE', 'none', 'none'],
])('in %s, the phone number %s is %s', (code, typed, phone) => {
  const dial = countries[code as keyof typeof countries].phone.map(String)
  expect(completePhone(typed, { code, dial })).toBe(phone)
})
