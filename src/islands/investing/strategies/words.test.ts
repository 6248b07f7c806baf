import { describe, expect, it } from 'vitest'
import { plainSpaces } from '../../../../test/support/plainSpaces.ts'
import { testedStrategy } from '../../../../test/support/testedStrategy.ts'
import type { Strategy } from '../../../contract/investing/strategies.ts'
import {
  describeBasis,
  describeHoldingPeriod,
  describeHoldings,
  describeLiveReturn,
  describeMissingReturn,
  describeOwnReturn,
  describeShareChange,
  describeStrategyReturn,
  describeTestedPeriods,
  describeWait,
  describeWorstYear,
  formatPricingTime,
  formatSignedPercent,
  formatUnits,
  formatWholeUsd,
  formatWorstFall,
  listAmountChoices,
  ORDERS,
} from './words.ts'

const tested = (became: number, recoveredDays: number | null, maximumDrawdown = 0.4, lostAgain = false) => ({
  name: `Fell ${maximumDrawdown}`,
  ...testedStrategy({
    maximumDrawdown,
    worstYear: { became, recoveredDays, lostAgain },
    pausedOn: lostAgain ? ['2023-01-17'] : [],
  }),
})

describe('the words about strategies', () => {
  it('give a share its sign, and none to nothing', () => {
    expect([0.0321, -0.14, 0, -0.0001].map(formatSignedPercent)).toEqual(['+3.2%', '−14.0%', '0.0%', '0.0%'])
  })

  it('tell how much was traded by what it made of the pool', () => {
    expect(describeShareChange({ before: 0, after: 0.3312 })).toBe('0.0% → 33.1%')
    expect(describeShareChange({ before: 0.4, after: null })).toBe('40.0% → not closed yet')
    expect(describeShareChange({ before: 1, after: 0.9999 })).toBe('100.0%, unchanged')
    expect(describeShareChange({ before: null, after: null })).toBe('Not known')
  })

  it('say first what the worst year of the test did with just this amount', () => {
    expect(describeWorstYear(tested(648.97, 48), 500)).toBe(
      'In the worst year of the test, 2022, $500.00 became $324.49, and it took 48 days more to recover. Simulated, after costs.',
    )
    expect(describeWorstYear(tested(790.2, 118, 0.5, true), 1000)).toContain(
      'more to recover, and then it was lost again.',
    )
    expect(describeWorstYear(tested(700, null), 1000)).toContain('it had not recovered when the test ended')
    expect(describeWorstYear(tested(1010, 0), 1000)).toContain('it ended that year without a loss')
    expect(describeWorstYear({ backtest: null }, 1000)).toBeNull()
  })

  it('offer usual amounts that can be invested, and all of what is available', () => {
    expect(listAmountChoices(10, 500)).toEqual([10, 100, 500])
    expect(listAmountChoices(10, 7321.5)).toEqual([500, 1000, 5000, 7321.5])
    expect(listAmountChoices(10, 4)).toEqual([])
    expect(listAmountChoices(10, null)).toEqual([1000, 5000, 10_000])
    expect([1000, 7321.5].map(formatWholeUsd)).toEqual(['$1,000', '$7,321.50'])
  })

  it('name what was held, and the rest as cash', () => {
    const assets = [
      { _id: 'a', name: 'Alder' },
      { _id: 'b', name: 'Birch' },
    ]
    expect(describeHoldings({ a: 800_000 }, assets)).toBe('Alder 80.0%, cash 20.0%')
    expect(describeHoldings({}, assets)).toBe('cash 100.0%')
  })

  it('sort by the deepest drawdown first, with untested strategies last', () => {
    const all = [tested(1, 1, 0.2), tested(1, 1, 0.6), { name: 'None', backtest: null }] as Strategy[]
    expect(all.toSorted(ORDERS[0].compare).map(formatWorstFall)).toEqual(['−60.0%', '−20.0%', 'Not tested'])
  })

  it('name the markets and the days of tests', () => {
    expect(plainSpaces(describeTestedPeriods([tested(1, 1), { backtest: null }]))).toBe(
      'Practice market, Jan 2, 2020 to Jun 30, 2026, after costs.',
    )
    const { backtest } = tested(1, 1)
    const onKraken = {
      backtest: { ...backtest, market: { ...backtest.market, name: 'Kraken' }, from: '2016-02-26' },
    }
    expect(plainSpaces(describeTestedPeriods([{ backtest }, onKraken]))).toBe(
      'Practice market, Jan 2, 2020 to Jun 30, 2026; Kraken, Feb 26, 2016 to Jun 30, 2026, after costs.',
    )
    expect(describeTestedPeriods([{ backtest: null }])).toBe('')
  })

  it('say whose prices figures are of, and that money is simulated', () => {
    const simulated = { id: 'simulated' as const, name: 'Practice market', real: false }
    const kraken = { id: 'kraken' as const, name: 'Kraken', real: true }
    expect([simulated, kraken].map(describeBasis)).toEqual([
      'Simulated, after costs.',
      'Prices of Kraken, simulated money, after costs.',
    ])
  })

  it('tell of a record only once a day has closed', () => {
    const live = {
      ...{ from: null, to: null, days: 0, band: null },
      ...{ totalReturn: null, testReturn: null, maximumDrawdown: null },
    }
    expect(describeLiveReturn({ live })).toBe('No day closed yet')
    expect(describeLiveReturn({ live: { ...live, from: '2026-11-01', days: 1, totalReturn: -0.02 } })).toBe(
      '−2.0% in 1 day',
    )
  })

  it('tell when something is priced, and once where that is the same', () => {
    const at = '2026-11-23T00:00:00.000Z'
    expect(plainSpaces(formatPricingTime(at, 'UTC'))).toBe('Nov 23, 2026, 12:00 AM UTC')
    expect(plainSpaces(formatPricingTime(at, 'Europe/Zurich'))).toBe(
      'Nov 23, 2026, 12:00 AM UTC, which is Nov 23, 2026, 1:00 AM where you are',
    )
  })

  it('tell a return with its period, a yearly one only where there is one, and why there is none', () => {
    const held = { from: '2026-10-08', to: null, at: '2026-11-22T15:30:00.000Z' }
    const left = { ...held, to: '2026-11-20' }
    expect([held, left].map(describeHoldingPeriod).map(plainSpaces)).toEqual([
      'Oct 8, 2026 to now: 45 days',
      'Oct 8, 2026 to Nov 20, 2026: 43 days',
    ])
    expect(describeOwnReturn({ ...left, moneyWeighted: -0.0321, xirr: null })).toBe('−3.2% in 43 days')
    expect(describeOwnReturn({ ...held, from: '2024-11-22', moneyWeighted: 0.21, xirr: 0.1 })).toBe(
      '+21.0% in 730 days, +10.0% a year',
    )
    expect(describeStrategyReturn({ ...held, twr: 0.01 })).toBe('+1.0% in 45 days')
    expect(describeMissingReturn({ ...held, twr: 0 })).toBeNull()
    expect(describeMissingReturn({ ...held, from: '2026-11-22', twr: null })).toBe(
      'Shown after the first whole day',
    )
    expect(describeMissingReturn({ ...held, twr: null })).toBe('Not calculated beyond 500 orders')
  })

  it('write units to the millionth', () => {
    expect([1, 0.5, 1234.567891].map(formatUnits)).toEqual(['1', '0.5', '1,234.567891'])
  })
})

it('says how long an order waits for its price, in hours and whole minutes', () => {
  const wait = (nowIso: string) => describeWait('2026-11-30T00:00:00.000Z', Date.parse(nowIso))
  expect(
    [
      '2026-11-29T18:48:00Z',
      '2026-11-29T18:47:01Z',
      '2026-11-29T23:20:00Z',
      '2026-11-29T23:59:30Z',
      '2026-11-30T00:00:05Z',
    ].map(wait),
  ).toEqual(['5 h 12 min', '5 h 13 min', '40 min', 'less than a minute', 'less than a minute'])
})
