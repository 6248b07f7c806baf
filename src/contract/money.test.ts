import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeChange, formatChange, formatPrice } from './money.ts'

test('a price has cents from a dollar on, and four digits that count below', () => {
  expect(
    [100_000, 64_200, 1488.5, 1, 0.6125, 0.5, 0.0184, 0.0000184, 0.000006, 0.00000612345].map(formatPrice),
  ).toEqual([
    '$100,000.00',
    '$64,200.00',
    '$1,488.50',
    '$1.00',
    '$0.6125',
    '$0.50',
    '$0.0184',
    '$0.0000184',
    '$0.000006',
    '$0.000006123',
  ])
})

test('a price just below a dollar is rounded up to it, not written with a hundred nines', () => {
  expect(formatPrice(0.99996)).toBe('$1.00')
})

test('no price above nothing reads as nothing, and none differs by more than a thousandth from what it is', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-15, max: 1e9, noNaN: true }), (usd) => {
      const read = Number(formatPrice(usd).replace(/[$,]/g, ''))
      expect(Math.abs(read - usd)).toBeLessThanOrEqual(Math.max(usd / 1000, usd >= 1 ? 0.005 : 0))
      expect(formatPrice(usd).length).toBeLessThanOrEqual(21)
    }),
  )
})

test('a change has its sign and a word', () => {
  expect(
    [9.412, -0.62, 0, -0.001, 1234.5].map((percent) => [formatChange(percent), describeChange(percent)]),
  ).toEqual([
    ['+9.41%', 'up'],
    ['−0.62%', 'down'],
    ['0.00%', 'unchanged'],
    ['0.00%', 'unchanged'],
    ['+1,234.50%', 'up'],
  ])
})
