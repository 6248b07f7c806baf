import { describe, expect, it } from 'vitest'
import { historyOf } from './history.ts'

const DAY = 86_400_000
const close = (day: number, dollars: number) => ({ day: day * DAY, unitPrice: Math.round(dollars * 1e6) })
const moved = (day: number, units: number) => ({ day: day * DAY, units: units * 1e6 })

describe('the value of a position over time', () => {
  it('is what was held at each close, from the first unit on', () => {
    const closes = [close(4, 90), close(3, 120), close(2, 110), close(1, 100)]
    const days = historyOf(closes, [moved(4, -1), moved(2, 3)], 2e6)
    expect(days.map(({ units, value }) => [units, value])).toEqual([
      [3, 330],
      [3, 360],
      [2, 180],
    ])
    expect(days[0]?.day).toBe('1970-01-03')
  })

  it('tells of the latest days also where not every movement was read', () => {
    const days = historyOf([close(9, 10), close(8, 10)], [moved(9, 1), moved(7, 1)], 5e6)
    expect(days.map(({ units }) => units)).toEqual([4, 5])
  })

  it('is nothing before there were units, and rounds down to the cent', () => {
    expect(historyOf([close(1, 100)], [], 0)).toEqual([])
    expect(historyOf([close(1, 33.333_333)], [moved(1, 1)], 1e6)[0]?.value).toBe(33.33)
  })
})
