import { expect, test } from 'vitest'
import { axisText, dayText, roundBottom, roundTop } from './balanceScale.ts'

test.each([
  [0, 1],
  [0.3, 0.5],
  [1, 1],
  [1050, 2000],
  [2100, 2500],
  [2600, 5000],
  [9999, 10_000],
])('a course of at most %d is drawn up to %d', (most, top) => {
  expect(roundTop(most)).toBeCloseTo(top, 10)
})

test('the axis begins at zero, and below it only where something is owed', () => {
  expect([roundBottom(12), roundBottom(0), roundBottom(-30)]).toEqual([0, 0, -50])
})

test('figures at the axis are short, with a real minus', () => {
  expect([axisText(2500), axisText(0), axisText(-50)]).toEqual(['$2.5K', '$0', '−$50'])
})

test('a day names its year only where it is another one', () => {
  expect([
    dayText('2026-01-31', '2026-11-01'),
    dayText('2025-12-31', '2026-01-01'),
    dayText('2026-01-01'),
  ]).toEqual(['Jan 31', 'Dec 31, 2025', 'Jan 1, 2026'])
})
