import { expect, test } from 'vitest'
import { computeNextTry, FEEDS } from './schedule.ts'

const NOW = Date.parse('2026-01-31T09:30:00.000Z')
const MINUTE_MS = 60_000
const inMinutes = (next: { dueAtMs: number }) => (next.dueAtMs - NOW) / MINUTE_MS

test('a first failure is followed by a hurried try, so that the list is 15 minutes old at most', () => {
  const next = computeNextTry('coins', { failures: 0, hurriedAtMs: 0 }, 0, NOW)
  expect(next.hurried).toBe(true)
  expect(inMinutes(next) + FEEDS.coins / MINUTE_MS).toBe(15)
})

test('further failures are followed by ever longer pauses, up to an hour', () => {
  const pauses = [1, 2, 3, 4, 50].map((failures) =>
    inMinutes(computeNextTry('coins', { failures, hurriedAtMs: 0 }, 0, NOW)),
  )
  expect(pauses).toEqual([10, 20, 40, 60, 60])
})

test('at most one early retry in two hours', () => {
  const next = computeNextTry('trending', { failures: 0, hurriedAtMs: NOW - 119 * MINUTE_MS }, 0, NOW)
  expect([next.hurried, inMinutes(next)]).toEqual([false, 10])
})

test('the provider is left alone for as long as it asks, a day at most', () => {
  const claim = { failures: 0, hurriedAtMs: 0 }
  expect(inMinutes(computeNextTry('coins', claim, 30 * MINUTE_MS, NOW))).toBe(30)
  expect(inMinutes(computeNextTry('coins', claim, 1e15, NOW))).toBe(24 * 60)
})

test('a month of requests stays below a free key’s 10,000 calls, whatever fails', () => {
  // The worst case: each early retry succeeds, and two hours later the list fails again.
  let calls = 0
  for (const name of ['coins', 'trending', 'series'] as const) {
    let hurriedAtMs = -Infinity
    let failures = 0
    for (let at = 0; at < 31 * 24 * 60 * MINUTE_MS; ) {
      calls++
      const fails = failures === 0 && at - hurriedAtMs >= 120 * MINUTE_MS
      const next = fails ? computeNextTry(name, { failures, hurriedAtMs }, 0, at) : null
      if (next?.hurried) hurriedAtMs = at
      failures = fails ? 1 : 0
      at = next?.dueAtMs ?? at + FEEDS[name]
    }
  }
  expect(calls).toBeGreaterThan(9_000)
  expect(calls).toBeLessThan(10_000)
})
