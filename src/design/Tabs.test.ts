import { expect, test } from 'vitest'
import { findTabAfterKey } from './Tabs.tsx'

test('arrow keys go round the row of tabs, Home and End to its ends', () => {
  expect(findTabAfterKey('ArrowRight', 0, 3)).toBe(1)
  expect(findTabAfterKey('ArrowRight', 2, 3)).toBe(0)
  expect(findTabAfterKey('ArrowLeft', 0, 3)).toBe(2)
  expect(findTabAfterKey('Home', 2, 3)).toBe(0)
  expect(findTabAfterKey('End', 0, 3)).toBe(2)
})

test('other keys are left to the browser', () => {
  expect(findTabAfterKey('Tab', 1, 3)).toBeNull()
  expect(findTabAfterKey('a', 1, 3)).toBeNull()
})
