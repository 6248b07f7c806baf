import { expect, test } from 'vitest'
import { dollars, percent } from './figures.ts'

test('dollars are whole and grouped', () => {
  expect(dollars(1473.4)).toBe('$1,473')
  expect(dollars(996.5)).toBe('$997')
})

test('a loss carries a real minus sign, and nothing carries none', () => {
  expect(percent(-0.32316)).toBe('−32.3%')
  expect(percent(-0.0001)).toBe('0.0%')
  expect(percent(0.0035, 2)).toBe('0.35%')
})
