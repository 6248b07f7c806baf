import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitLongNumbers } from './codes.ts'

test('text without six digits in a row stays as it is', () => {
  const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  expect(splitLongNumbers(`the Bitcoin address ${address}`)).toBe(`the Bitcoin address ${address}`)
  expect(splitLongNumbers('$100,000.00')).toBe('$100,000.00')
})

test('a word with six digits in a row is set in groups of four', () => {
  expect(splitLongNumbers('at Bank 250655, held')).toBe('at Bank 2506 55, held')
  expect(splitLongNumbers('code “250655”.')).toBe('code “2506 55”.')
  expect(splitLongNumbers('0x52908400098527886E0F7030069857D2E4169EE7')).toBe(
    '0x52 9084 0009 8527 886E 0F70 3006 9857 D2E4 169E E7',
  )
})

test('the result contains nothing like a code, and loses nothing', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('1', '7', 'a', ' ', '-', 'é', '😀'), maxLength: 60 }),
      (text) => {
        const safe = splitLongNumbers(text)
        expect(safe).not.toMatch(/\d{6}/)
        expect(safe.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      },
    ),
  )
})
