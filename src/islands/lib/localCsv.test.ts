import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDecimalCommas, usesDecimalComma } from './localCsv.ts'

test('a language of the browser says how its spreadsheets write decimals', () => {
  expect(usesDecimalComma(['en-US'])).toBe(false)
  expect(usesDecimalComma(['en-GB', 'ja', 'hi'])).toBe(false)
  expect(usesDecimalComma(['de'])).toBe(true)
  expect(usesDecimalComma(['en-US', 'pt-BR'])).toBe(true)
  expect(usesDecimalComma([])).toBe(false)
})

test('a file for decimal commas has semicolons between its fields, and the same texts', () => {
  expect(
    toDecimalCommas('"Time (UTC)","Entry",Amount\r\n"2026-01-31","1,5; ""a"" 2.5",-12.05\r\n,,0.00012345'),
  ).toBe('"Time (UTC)";"Entry";Amount\r\n"2026-01-31";"1,5; ""a"" 2.5";-12,05\r\n;;0,00012345')
})

test('any fields stay what they are, one by one', () => {
  const text = fc
    .string({ unit: fc.constantFrom(...'a,;."\n-1') })
    .map((text) => `"${text.replaceAll('"', '""')}"`)
  const number = fc.integer({ min: -99_999, max: 99_999 }).map((cents) => (cents / 100).toFixed(2))
  const field = fc.oneof(fc.constant(''), text, number)
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 1 }), { minLength: 1 }), (lines) => {
      const join = (separator: string, write: (field: string) => string) =>
        lines.map((line) => `${line.map(write).join(separator)}\r\n`).join('')
      const wanted = join(';', (field) => (field.startsWith('"') ? field : field.replace('.', ',')))
      expect(toDecimalCommas(join(',', (field) => field))).toBe(wanted)
    }),
  )
})
