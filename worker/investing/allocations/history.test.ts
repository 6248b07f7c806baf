import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { buildPositionHistory, type PricedMovement } from './performance.ts'

const close = (day: number, dollars: number) => ({ day: day * DAY_MS, unitPrice: Math.round(dollars * 1e6) })
const moved = (code: PricedMovement['code'], day: number, units: number, dollars: number) => ({
  code,
  day: day * DAY_MS,
  units: units * 1e6,
  cents: dollars * 100,
})

describe('the value of a position over time', () => {
  it('the value is shown beside net deposits, from the first unit to the last', () => {
    const closes = [close(1, 100), close(2, 110), close(3, 120), close(4, 90), close(5, 80), close(6, 70)]
    const movements = [
      moved('issue', 2, 3, 300),
      moved('redeem', 4, -1, 115),
      moved('fee', 5, -1, 85),
      moved('redeem', 6, -1, 75),
    ]
    const days = buildPositionHistory(closes, movements)
    // A fee reduces the value, but not the net deposits.
    expect(days.map(({ units, value, putIn }) => [units, value, putIn])).toEqual([
      [3, 330, 300],
      [3, 360, 300],
      [2, 180, 185],
      [1, 80, 185],
    ])
    expect(days[0]?.day).toBe('1970-01-03')
  })

  it('includes movements before the first close, and continues when units return', () => {
    const movements = [moved('issue', 1, 2, 20), moved('redeem', 9, -2, 18), moved('issue', 11, 1, 12)]
    const days = buildPositionHistory([close(8, 10), close(9, 10), close(10, 10), close(11, 10)], movements)
    expect(days.map(({ value, putIn }) => [value, putIn])).toEqual([
      [20, 20],
      [10, 14],
    ])
  })

  it('is empty without units, and rounds down to the cent', () => {
    expect(buildPositionHistory([close(1, 100)], [])).toEqual([])
    expect(buildPositionHistory([close(1, 33.333_333)], [moved('issue', 1, 1, 33.4)])[0]?.value).toBe(33.33)
  })
})
