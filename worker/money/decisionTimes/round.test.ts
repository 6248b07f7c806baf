import { expect, it } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { roundUpMinutes } from './read.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, DAY_MS]

it.each([
  [0, 5],
  [4 * MINUTE, 5],
  [5 * MINUTE, 5],
  [5 * MINUTE + 1, 10],
  [59 * MINUTE, 60],
  [HOUR, 60],
  [HOUR + 1, 120],
  [26 * HOUR - 1, 26 * 60],
  [47 * HOUR + 1, 48 * 60],
  [2 * DAY, 48 * 60],
  [2 * DAY + 1, 72 * 60],
])('%i ms are within %i minutes', (ms, minutes) => {
  expect(roundUpMinutes(ms)).toBe(minutes)
})
