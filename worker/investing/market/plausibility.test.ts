import { expect, test } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { canConfirmJumps, filterJumps } from './plausibility.ts'

const coin = (id: string, current_price: number) => ({ id, current_price })
const before = new Map([
  ['dogecoin', 0.1],
  ['bitcoin', 60_000],
])

test('an ordinary change is plausible at once, and so is a newly listed coin', () => {
  const told = [coin('dogecoin', 0.19), coin('bitcoin', 48_500), coin('newcomer', 5)]
  expect(filterJumps(told, before, {})).toEqual({ rows: told, held: {} })
})

test('the first price of a coin of deposits is shown, and believed once it comes twice', () => {
  const first = filterJumps([coin('tether', 10)], before, {})
  expect(first).toEqual({ rows: [coin('tether', 10)], held: { tether: 10 } })
  expect(filterJumps([coin('tether', 10.2)], before, first.held).held).toEqual({})
  expect(filterJumps([coin('tether', 1)], before, first.held).held).toEqual({ tether: 1 })
})

test('after a jump the previous price stays until the jump comes twice', () => {
  const first = filterJumps([coin('dogecoin', 10)], before, {})
  expect(first).toEqual({ rows: [coin('dogecoin', 0.1)], held: { dogecoin: 10 } })
  const second = filterJumps([coin('dogecoin', 10.5)], before, first.held)
  expect(second).toEqual({ rows: [coin('dogecoin', 10.5)], held: {} })
})

test('two different jumps are both unconfirmed, and a return to the old price is plausible', () => {
  const second = filterJumps([coin('dogecoin', 3)], before, { dogecoin: 10 })
  expect(second).toEqual({ rows: [coin('dogecoin', 0.1)], held: { dogecoin: 3 } })
  expect(filterJumps([coin('dogecoin', 0.11)], before, second.held).held).toEqual({})
})

test('the limit is lower for coins of deposits, up and down', () => {
  for (const price of [45_000, 76_000])
    expect(filterJumps([coin('bitcoin', price)], before, {}).held).toEqual({ bitcoin: price })
})

test('a coin named like a property of every object is a coin like others', () => {
  const told = [coin('constructor', 5)]
  expect(filterJumps(told, new Map([['constructor', 1]]), {}).held).toEqual({ constructor: 5 })
})

test.each([
  ['a later list', { seenAtMs: 1, nowMs: 1 }, true],
  ['a list a day later', { seenAtMs: DAY_MS, nowMs: DAY_MS }, true],
  ['a list after more than a day', { seenAtMs: 86_400_001, nowMs: 86_400_001 }, false],
  ['the same list', { seenAtMs: 0, nowMs: 600_000 }, false],
])('jumps may be confirmed by %s', (_, times, may) => {
  expect(canConfirmJumps({ heldAtMs: 0, ...times })).toBe(may)
})
