import { expect, test } from 'vitest'
import { nextTurn } from './schedule.ts'

const MINUTE_MS = 60_000
const NOON = Date.UTC(2026, 2, 10, 12)
const after = (state: 'whole' | 'more' | 'lacking', failures = 0, retryAfterMs = 0, nowMs = NOON) =>
  (nextTurn({ state, retryAfterMs }, failures, nowMs) - nowMs) / MINUTE_MS

test('a market that told all is asked at the next full hour, midnight among them', () => {
  expect(after('whole')).toBe(60)
  expect(after('whole', 0, 0, NOON + 50 * MINUTE_MS)).toBe(10)
  expect(after('whole', 0, 0, Date.UTC(2026, 2, 10, 23, 59))).toBe(1)
})

test('one that has more is asked the next minute', () => {
  expect(after('more')).toBe(1)
})

test('one that lacks something is asked in five minutes, then ever later, up to an hour', () => {
  expect([0, 1, 2, 3, 4, 50].map((failures) => after('lacking', failures))).toEqual([5, 10, 20, 40, 60, 60])
})

test('never before it allows, but each day', () => {
  expect(after('lacking', 0, 30 * MINUTE_MS)).toBe(30)
  expect(after('lacking', 0, 1e12)).toBe(24 * 60)
})
