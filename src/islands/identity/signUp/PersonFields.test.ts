import { expect, test } from 'vitest'
import { COUNTRIES, countryLabel } from '../../../contract/countries.ts'
import { byNativeName } from './PersonFields.tsx'

test('a country is also listed by the name that it has at home, if that is another one', () => {
  const listed = byNativeName(
    COUNTRIES.map((country) => ({ value: country.label, label: countryLabel(country) })),
  )
  expect(listed).toContainEqual({ value: 'Germany', label: 'Deutschland (Germany)' })
  expect(listed).toContainEqual({ value: 'Japan', label: '日本 (Japan)' })
  expect(listed.map(({ value }) => value)).not.toContain('Malta')
  expect(listed).toHaveLength(COUNTRIES.filter(({ native, label }) => native !== label).length)
})
