import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseUsd } from './money.ts'
import { readAmount } from './typedAmounts.ts'

const BITCOIN = { decimals: 18, unit: 'BTC' }

test('an amount is understood as people of many countries write it', () => {
  const amounts = {
    '1500': '1500',
    '1500.5': '1500.5',
    ' 1500.50 ': '1500.50',
    '1500,50': '1500.50',
    '1,500.50': '1500.50',
    '1.500,50': '1500.50',
    '$1,000': '1000',
    'US$ 1,000.00': '1000.00',
    '1000 USD': '1000',
    '1 000 $': '1000',
    '1 000': '1000',
    '1\u00a0000,5': '1000.5',
    '1\u202f000.5': '1000.5',
    "1'500": '1500',
    '1’500.–': '1500',
    '1500,-': '1500',
    '1500.': '1500',
    '.50': '0.50',
    ',5': '0.5',
    '1.500.000': '1500000',
    '1,500,000': '1500000',
    '1,00,000.25': '100000.25',
    '۱۵۰۰٫۵۰': '1500.50',
    '١٬٥٠٠': '1500',
    '१५००': '1500',
    '１，５００．５０': '1500.50',
    '\u200e1500\u202c': '1500',
  }
  for (const [typed, amount] of Object.entries(amounts))
    expect([typed, readAmount(typed)]).toEqual([typed, { amount, choices: [] }])
})

test('a person chooses where a point or a comma can mean two things', () => {
  expect(readAmount('1.500')).toEqual({ amount: null, choices: ['1500', '1.5'] })
  expect(readAmount('1.234')).toEqual({ amount: null, choices: ['1234'] })
  expect(readAmount('1,500', BITCOIN)).toEqual({ amount: null, choices: ['1500', '1.500'] })
})

test('a quantity has many decimals', () => {
  for (const [typed, amount] of [
    ['1.500', '1.500'],
    ['0,015', '0.015'],
    ['0.015 BTC', '0.015'],
    ['1,2345', '1.2345'],
    ['1.234,5', '1234.5'],
  ])
    expect(readAmount(typed ?? '', BITCOIN)).toEqual({ amount, choices: [] })
})

test('what is no amount is not made one', () => {
  for (const typed of [
    '',
    ' ',
    '$',
    '-5',
    '+5',
    '1e3',
    '1,5,5',
    '1 50',
    '1.234.56',
    '1,234,56',
    '0,500,000',
    '€5',
    '5 EUR',
    '1500.123',
    '1,500.123',
    'ten',
    '½',
    '10²',
    '1'.repeat(61),
  ])
    expect([typed, readAmount(typed)]).toEqual([typed, { amount: null, choices: [] }])
})

const cents = fc.integer({ min: 1, max: 999_999_999_999 })

test('what the contract takes is never read as something else', () => {
  fc.assert(
    fc.property(cents, fc.constantFrom(0, 1, 2), (cents, decimals) => {
      const strict = (cents / 100).toFixed(decimals)
      expect(readAmount(strict)).toEqual({ amount: strict, choices: [] })
    }),
  )
})

test('an amount in the format of any language is understood, or is among the choices', () => {
  const locales = [
    'en',
    'de',
    'de-CH',
    'fr',
    'es',
    'pt-BR',
    'ru',
    'pl',
    'sv',
    'it',
    'tr',
    'hi',
    'en-IN',
    'ja',
    'zh',
  ]
  const native = ['ar-EG', 'fa', 'bn', 'mr', 'ne', 'my', 'th-u-nu-thai', 'hi-u-nu-deva', 'ja-u-nu-fullwide']
  fc.assert(
    fc.property(
      cents,
      fc.constantFrom(...locales, ...native),
      fc.constantFrom(0, 2),
      fc.constantFrom('', ' ', '\u200f'),
      (cents, locale, decimals, around) => {
        const usd = decimals === 0 ? Math.ceil(cents / 100) : cents / 100
        const format = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals })
        const { amount, choices } = readAmount(`${around}${format.format(usd)}${around}`)
        const meanings = (amount === null ? choices : [amount]).map((reading) => parseUsd(reading))
        expect(meanings).toContain(Math.round(usd * 100))
        // With cents there is nothing to ask.
        if (decimals === 2) expect(choices).toEqual([])
      },
    ),
  )
})

test('any text has a reading that the contract takes, or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.,' $٣٫٬-’"), maxLength: 12 }), (typed) => {
      const { amount, choices } = readAmount(typed)
      for (const reading of amount === null ? choices : [amount])
        expect(reading).toMatch(/^\d+(?:\.\d{1,2})?$/)
    }),
  )
})
