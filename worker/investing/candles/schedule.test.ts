import { expect, test } from 'vitest'
import { computeNextTurn } from './schedule.ts'

const MINUTE_MS = 60_000
const NOON = Date.UTC(2026, 2, 10, 12)
const after = (state: 'whole' | 'more' | 'lacking', failures = 0, retryAfterMs = 0, nowMs = NOON) =>
  (computeNextTurn({ state, retryAfterMs }, failures, nowMs) - nowMs) / MINUTE_MS

test('an up-to-date market is requested at the next full hour, including midnight', () => {
  expect(after('whole')).toBe(60)
  expect(after('whole', 0, 0, NOON + 50 * MINUTE_MS)).toBe(10)
  expect(after('whole', 0, 0, Date.UTC(2026, 2, 10, 23, 59))).toBe(1)
})

test('a market with more bars is requested the next minute', () => {
  expect(after('more')).toBe(1)
})

test('a market that lacks bars is requested after five minutes, then at growing intervals up to an hour', () => {
  expect([0, 1, 2, 3, 4, 50].map((failures) => after('lacking', failures))).toEqual([5, 10, 20, 40, 60, 60])
})

test('never before the provider allows, but at least daily', () => {
  expect(after('lacking', 0, 30 * MINUTE_MS)).toBe(30)
  expect(after('lacking', 0, 1e12)).toBe(24 * 60)
})
