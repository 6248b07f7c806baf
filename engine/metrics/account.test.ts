import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/time.ts'
import { randomRuns } from '../../test/random.ts'
import { computeMoneyWeightedReturn, computeXirr } from './moneyWeighted.ts'
import { computeTimeWeightedReturn } from './returns.ts'

const day = (date: string) => Date.parse(date) / DAY_MS

describe('the time-weighted return', () => {
  it('is 32 % for 10 % followed by 20 %, whatever was paid in between', () => {
    const paidIn = (flow: number) => [
      { value: 0, flow: 1000 },
      { value: 1100, flow },
      { value: (1100 + flow) * 1.2, flow: 0 },
    ]
    for (const flow of [-1000, -1, 0, 1, 1e6])
      expect(computeTimeWeightedReturn(paidIn(flow))).toBeCloseTo(0.32, 12)
  })

  it('does not change with flows', () => {
    const month = fc.record({
      grows: fc.double({ min: -0.9, max: 2, noNaN: true }),
      flow: fc.double({ min: -0.9, max: 10, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(month, { minLength: 1, maxLength: 30 }), (months) => {
        let value = 1000
        const valuations = [{ value: 0, flow: 1000 }]
        for (const { grows, flow } of months) {
          value *= 1 + grows
          // A share of what is there is added or taken.
          valuations.push({ value, flow: value * flow })
          value += value * flow
        }
        const grown = months.reduce((product, { grows }) => product * (1 + grows), 1)
        expect((1 + (computeTimeWeightedReturn(valuations) ?? 0)) / grown).toBeCloseTo(1, 9)
      }),
    )
  })

  it('leaves out times without money, and is null if there never was any', () => {
    const out = [
      { value: 0, flow: 100 },
      { value: 110, flow: -110 },
      { value: 0, flow: 100 },
      { value: 120, flow: 0 },
    ]
    expect(computeTimeWeightedReturn(out)).toBeCloseTo(0.32, 12)
    expect(computeTimeWeightedReturn([])).toBeNull()
    expect(computeTimeWeightedReturn([{ value: 0, flow: 100 }])).toBeNull()
  })

  it('is −100 % if everything was lost', () => {
    expect(
      computeTimeWeightedReturn([
        { value: 0, flow: 100 },
        { value: 0, flow: 0 },
      ]),
    ).toBe(-1)
  })
})

describe('the internal rate of return', () => {
  const worth = (flows: { day: number; amount: number }[], rate: number) =>
    flows.reduce(
      (sum, flow) => sum + flow.amount / (1 + rate) ** ((flow.day - (flows[0]?.day ?? 0)) / 365),
      0,
    )

  // The example in the documentation of the spreadsheet function XIRR.
  const published = [
    { day: day('2008-01-01'), amount: -10_000 },
    { day: day('2008-03-01'), amount: 2750 },
    { day: day('2008-10-30'), amount: 4250 },
    { day: day('2009-02-15'), amount: 3250 },
    { day: day('2009-04-01'), amount: 2750 },
  ]

  it('is 37.34 % in the spreadsheets’ example, with a present value of 0', () => {
    expect(computeXirr(published)).toBeCloseTo(0.373362535, 7)
    expect(worth(published, computeXirr(published) ?? 0)).toBeCloseTo(0, 8)
  })

  it('is that of the compound growth of a single payment', () => {
    expect(
      computeXirr([
        { day: 0, amount: -100 },
        { day: 730, amount: 121 },
      ]),
    ).toBeCloseTo(0.1, 12)
    expect(
      computeXirr([
        { day: 0, amount: -100 },
        { day: 365, amount: 100 },
      ]),
    ).toBeCloseTo(0, 12)
    expect(
      computeXirr([
        { day: 0, amount: -100 },
        { day: 365, amount: 40 },
      ]),
    ).toBeCloseTo(-0.6, 12)
  })

  it('gives the result of a short time without annualising it', () => {
    const tenDays = [
      { day: 0, amount: -100 },
      { day: 10, amount: 102 },
    ]
    expect(computeMoneyWeightedReturn(tenDays)).toBeCloseTo(0.02, 12)
    expect(computeXirr(tenDays)).toBeCloseTo(1.02 ** 36.5 - 1, 9)
  })

  it('accepts flows in any order, several on a day, and later payments in', () => {
    const flows = [
      { day: 365, amount: 1110 },
      { day: 0, amount: -600 },
      { day: 0, amount: -400 },
      { day: 100, amount: -50 },
      { day: 100, amount: 50 },
    ]
    expect(computeXirr(flows)).toBeCloseTo(0.11, 12)
  })

  it('is null without a rate', () => {
    expect(computeXirr([])).toBeNull()
    expect(computeXirr([{ day: 0, amount: -100 }])).toBeNull()
    expect(
      computeXirr([
        { day: 0, amount: -100 },
        { day: 100, amount: -1 },
      ]),
    ).toBeNull()
    expect(
      computeXirr([
        { day: 3, amount: -100 },
        { day: 3, amount: 110 },
      ]),
    ).toBeNull()
    // 100 − 200/(1+r) + 101/(1+r)² has no real root.
    expect(
      computeXirr([
        { day: 0, amount: 100 },
        { day: 365, amount: -200 },
        { day: 730, amount: 101 },
      ]),
    ).toBeNull()
  })

  it('is null with several rates', () => {
    // −1000·(x − 1.1)(x − 1.5) with x = 1 + r: rates of 10 % and of 50 %.
    const two = [
      { day: 0, amount: -1000 },
      { day: 365, amount: 2600 },
      { day: 730, amount: -1650 },
    ]
    expect(worth(two, 0.1)).toBeCloseTo(0, 9)
    expect(worth(two, 0.5)).toBeCloseTo(0, 9)
    expect(computeXirr(two)).toBeNull()
  })

  it('is found if signs change several times but there is one rate', () => {
    const flows = [
      { day: 0, amount: -1000 },
      { day: 200, amount: 500 },
      { day: 300, amount: -400 },
      { day: 700, amount: 1200 },
    ]
    const rate = computeXirr(flows)
    expect(rate).not.toBeNull()
    expect(worth(flows, rate ?? 0)).toBeCloseTo(0, 8)
  })

  it('always ends, with a rate at which the present value is 0, or with null', () => {
    const flow = fc.record({
      day: fc.integer({ min: 0, max: 2000 }),
      amount: fc.integer({ min: -10_000, max: 10_000 }),
    })
    fc.assert(
      fc.property(fc.array(flow, { maxLength: 20 }), (flows) => {
        const gained = computeMoneyWeightedReturn(flows)
        if (gained === null) {
          expect(computeXirr(flows)).toBeNull()
          return
        }
        const moved = flows
          .filter(({ day, amount }) => amount !== 0 && netOf(day) !== 0)
          .map(({ day }) => day)
        const [first, span] = [Math.min(...moved), Math.max(...moved) - Math.min(...moved)]
        // A day without a net flow counts for nothing, but would be 0 × ∞ where its factor overflows.
        const worths = flows
          .filter(({ day }) => netOf(day) !== 0)
          .map(({ day, amount }) => amount * (1 + gained) ** ((first - day) / span))
        const size = worths.reduce((sum, worth) => sum + Math.abs(worth), 0)
        expect(Math.abs(worths.reduce((sum, worth) => sum + worth, 0))).toBeLessThanOrEqual(1e-6 * size)
        expect(computeXirr(flows) ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(-1)

        function netOf(day: number): number {
          return flows.reduce((sum, flow) => (flow.day === day ? sum + flow.amount : sum), 0)
        }
      }),
      randomRuns(1000),
    )
  })
})
