import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { phoneField } from './fields.ts'
import { normalizeTyped, readCode, readPhone } from './typedText.ts'

/** Numbering systems of ten digits. The others write numbers in words or signs. */
const NUMBERING_SYSTEMS = Intl.supportedValuesOf('numberingSystem').filter((system) =>
  /^\p{Nd}+$/u.test(formatDigits('0123456789', system)),
)

function formatDigits(digits: string, system: string): string {
  const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
  return Array.from(digits, (digit) => format.format(Number(digit))).join('')
}

test('a code is read in the digits of any script', () => {
  expect(NUMBERING_SYSTEMS.length).toBeGreaterThan(50)
  fc.assert(
    fc.property(
      fc.stringMatching(/^\d{6}$/),
      fc.constantFrom(...NUMBERING_SYSTEMS),
      fc.constantFrom('', ' ', '-', '\u00a0', '\u200b'),
      (code, system, gap) => {
        const typed = formatDigits(code, system)
        const digits = Array.from(typed)
        expect(readCode(` ${digits.slice(0, 3).join('')}${gap}${digits.slice(3).join('')}\u200e`)).toBe(code)
      },
    ),
  )
})

test('a recovery code keeps its letters and hyphens', () => {
  expect(readCode(' ab12-cd34 ')).toBe('ab12-cd34')
  expect(readCode('')).toBe('')
})

test('a phone number is read as address books and websites write it', () => {
  const numbers = {
    '+1 555 010 0199': '+1 555 010 0199',
    '\u202a+1 (555) 010-0199\u202c': '+1 555 010 0199',
    '+1.555.010.0199': '+1 555 010 0199',
    '+44 (0)20 7946 0018': '+44 20 7946 0018',
    '0044 20 7946 0018': '+44 20 7946 0018',
    '(+49) 30/901820': '+49 30 901820',
    'tel:+49-30-901820': '+49 30 901820',
    '＋８１ ３－１２３４－５６７８': '+81 3 1234 5678',
    '+٩٦٦ ٥٠ ١٢٣ ٤٥٦٧': '+966 50 123 4567',
    '+ 1\u00a0555\u2011010\u20110199': '+1 555 010 0199',
    // Nothing is made of what is no international number.
    '555 010 0199': '555 010 0199',
    ' call me ': 'call me',
    '': '',
  }
  for (const [typed, phone] of Object.entries(numbers))
    expect([typed, readPhone(typed)]).toEqual([typed, phone])
})

test('a valid phone number stays as it is, and with marks between its digits it stays valid', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[1-9]\d{1,4}$/), { minLength: 3, maxLength: 3 }),
      fc.constantFrom('-', '.', ' - ', ') ', ' (', '\u00a0', '\u2011', '/'),
      fc.constantFrom('', '\u200e', '\u202a', '\ufeff'),
      (groups, mark, hidden) => {
        const phone = `+${groups.join(' ')}`
        expect(readPhone(phone)).toBe(phone)
        const read = readPhone(`${hidden}+${groups.join(mark)}${hidden}`)
        expect(read).toBe(phone)
        expect(z.safeParse(phoneField(), read).success).toBe(phone.replace(/\D/g, '').length >= 7)
      },
    ),
  )
})

test('reading a text twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const once = normalizeTyped(text)
      expect(normalizeTyped(once)).toBe(once)
    }),
  )
})
