import { expect, test } from 'vitest'
import { tabAfterKey } from './Tabs.tsx'

test('arrow keys go round the row of tabs, Home and End to its ends', () => {
  expect(tabAfterKey('ArrowRight', 0, 3)).toBe(1)
  expect(tabAfterKey('ArrowRight', 2, 3)).toBe(0)
  expect(tabAfterKey('ArrowLeft', 0, 3)).toBe(2)
  expect(tabAfterKey('Home', 2, 3)).toBe(0)
  expect(tabAfterKey('End', 0, 3)).toBe(2)
})

test('other keys are left to the browser', () => {
  expect(tabAfterKey('Tab', 1, 3)).toBeNull()
  expect(tabAfterKey('a', 1, 3)).toBeNull()
})
