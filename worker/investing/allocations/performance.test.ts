import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/time.ts'
import { computePerformance, type PricedMovement } from './performance.ts'

const unit = 1_000_000
const at = (day: number, dollars: number) => ({ atMs: day * DAY_MS, unitPrice: dollars * 1e6 })
const moved = (
  code: PricedMovement['code'],
  day: number,
  units: number,
  dollars: number,
  cents: number,
): PricedMovement => ({
  code,
  day: day * DAY_MS,
  units: units * unit,
  unitPrice: dollars * 1e6,
  cents,
})

describe('how a position did', () => {
  it('is null before a day has passed, and without purchases', () => {
    expect(computePerformance([], at(10, 100))).toEqual({ twr: null, moneyWeighted: null, xirr: null })
    expect(computePerformance([moved('issue', 10, 1, 100, 100_00)], at(10.5, 200)).twr).toBeNull()
  })

  it('equals the unit price’s return for one purchase without fees', () => {
    expect(computePerformance([moved('issue', 0, 2, 100, 200_00)], at(730, 121))).toEqual({
      twr: 0.21,
      moneyWeighted: 0.21,
      xirr: 0.1,
    })
  })

  it('distinguishes time-weighted and money-weighted returns', () => {
    // One unit doubles, nine more are bought at the top, then half is lost. The strategy is back at its start, the money is not.
    const both = [moved('issue', 0, 1, 100, 100_00), moved('issue', 100, 9, 200, 1800_00)]
    const { twr, moneyWeighted, xirr } = computePerformance(both, at(200, 100))
    expect(twr).toBe(0)
    expect(moneyWeighted).toBeLessThan(-0.6)
    expect(xirr).toBeNull()
  })

  it('includes the costs of entering and leaving, and ends with the last unit', () => {
    // 101 for a unit of 100, sold at 110 for 109.
    const closed = [moved('issue', 0, 1, 100, 101_00), moved('redeem', 10, -1, 110, 109_00)]
    const expected = Math.round((109 / 101 - 1) * 1e6) / 1e6
    expect(computePerformance(closed, at(500, 50))).toEqual({
      twr: expected,
      moneyWeighted: expected,
      xirr: null,
    })
  })

  it('takes a fee as a loss, not as money that went', () => {
    const charged = [moved('issue', 0, 10, 100, 1000_00), moved('fee', 10, -1, 100, 100_00)]
    expect(computePerformance(charged, at(20, 100))).toMatchObject({ twr: -0.1, moneyWeighted: -0.1 })
  })
})
