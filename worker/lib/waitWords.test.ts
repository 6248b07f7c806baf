import { expect, test } from 'vitest'
import { waitWords } from './errors.ts'

test.each([
  [0, '1 second'],
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [2700, '45 minutes'],
  [3541, '1 hour'],
  [3601, '2 hours'],
])('a wait of %s seconds is said as %s', (seconds, words) => {
  expect(waitWords(seconds)).toBe(words)
})
