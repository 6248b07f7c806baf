import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { daily, flat } from '../../test/support/engine/markets.ts'
import { buildMarket } from './align.ts'
import { type Candles, takeExcerpt } from './market.ts'
import { joinSegments, measureSeam } from './segments.ts'

/** Daily bars from 1 January 2024 plus so many days. */
function segment(closes: readonly number[], after = 0): Candles {
  const candles = daily(closes.map(flat))
  return { ...candles, time: candles.time.map((opens) => opens + after * DAY_MS) }
}

const day = (after: number) => Date.UTC(2024, 0, 1) + after * DAY_MS

describe('a series of several venues', () => {
  it('continues on the day after the last bar of the venue before, and knows where', () => {
    const joined = joinSegments([segment([1, 2, 3]), segment([20, 30, 40, 50], 1), segment([60], 5)])
    expect([...joined.close]).toEqual([1, 2, 3, 40, 50, 60])
    expect([...joined.time]).toEqual([0, 1, 2, 3, 4, 5].map(day))
    expect(joined.seams).toEqual([day(3), day(5)])
  })

  it('keeps its seams in an excerpt', () => {
    const joined = joinSegments([segment([1, 2]), segment([3, 4], 2)])
    const market = buildMarket([{ asset: 'a', candles: joined }], DAY_MS)
    expect(takeExcerpt(market, 1).candles[0]?.seams).toEqual([day(2)])
  })

  it('of one venue has no seam, and a venue without later bars adds none', () => {
    expect(joinSegments([segment([1, 2])]).seams).toBeUndefined()
    expect([...joinSegments([segment([1, 2, 3]), segment([9, 9], 1)]).close]).toEqual([1, 2, 3])
  })

  it('is refused if days are missing between two venues, and without bars', () => {
    expect(() => joinSegments([segment([1, 2]), segment([3], 3)])).toThrow(
      'One venue ends on 2024-01-02, the next begins on 2024-01-04.',
    )
    expect(() => joinSegments([])).toThrow('at least one segment')
  })
})

it('the seam is the difference of the closes on the last day, and how near they were before', () => {
  const seam = measureSeam(segment([100, 100, 200]), segment([101, 199.2, 300], 1))
  expect(seam).toEqual({
    day: '2024-01-03',
    difference: expect.closeTo(-0.004, 12),
    days: 2,
    within: 0.5,
    median: expect.closeTo(0.007, 12),
  })
  expect(measureSeam(segment([100, 100]), segment([100], 2))).toBeNull()
})
