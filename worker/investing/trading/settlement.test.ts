import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computePerformanceFee, type Movement, Settling, type WaitingOrder } from './settlement.ts'

const NO_FEES = { performanceBasisPoints: 0, subscriptionCents: 0 }
const A_FIFTH = { performanceBasisPoints: 2000, subscriptionCents: 0 }
const AT_100 = { unit: 100_000_000, issue: 100_000_000, redeem: 100_000_000 }
const AT_150 = { unit: 150_000_000, issue: 150_000_000, redeem: 150_000_000 }

describe('settling orders', () => {
  it('issues units at the allocation price and redeems them at the redemption price', () => {
    const prices = { unit: 100_000_000, issue: 100_350_250, redeem: 99_650_250 }
    const settling = new Settling(prices, NO_FEES, new Map())
    const [issued] = settling.settle(order('in', 'allocate', 100_000))
    expect(issued).toMatchObject({ units: 9_965_097, cents: 100_000, cost: 100_000, highWater: 100_350_250 })
    const [part] = settling.settle(order('part', 'redeem', 50_000))
    expect(part).toMatchObject({ code: 'redeem', cents: 50_000, price: 99_650_250, units: -5_017_549 })
    const [rest] = settling.settle(order('rest', 'redeem', null))
    expect((part?.cost ?? 0) + (rest?.cost ?? 0)).toBe(100_000)
    expect((part?.units ?? 0) + (rest?.units ?? 0)).toBe(-(issued?.units ?? 0))
  })

  it('cancels an order for units that are gone', () => {
    const settling = new Settling(AT_100, NO_FEES, new Map([['ana', holdingOf(1_000_000, 10_000)]]))
    expect(settling.settle(order('first', 'redeem', null))).toHaveLength(1)
    expect(settling.settle(order('second', 'redeem', 100))).toEqual([])
  })

  it('redeems everything if more is requested, and takes no larger fee for it', () => {
    const settled = (prices: typeof AT_100, cents: number | null) =>
      new Settling(prices, A_FIFTH, new Map([['ana', holdingOf(1_000_000, 10_000)]])).settle(
        order('out', 'redeem', cents),
      )
    expect(settled(AT_100, 99_999)).toMatchObject([{ units: -1_000_000, cents: 10_000 }])
    expect(settled(AT_150, 99_999)).toEqual(settled(AT_150, null))
  })

  it('cancels the allocation of an investor with a debt, and settles their redemption', () => {
    const settling = new Settling(AT_100, NO_FEES, new Map([['ana', holdingOf(1_000_000, 10_000)]]))
    expect(settling.settle({ ...order('in', 'allocate', 5_000), owes: 1 })).toEqual([])
    expect(settling.settle({ ...order('out', 'redeem', 5_000), owes: 1 })).toMatchObject([{ cents: 5_000 }])
  })

  it('takes a fee on profit alone, once, and not again until the price is higher than ever', () => {
    const refs = { performance: 'ana:2026-02', subscription: null }
    const at = (prices: typeof AT_100, holding: ReturnType<typeof holdingOf>) =>
      new Settling(prices, A_FIFTH, new Map([['ana', holding]])).chargeMonth('ana', refs)
    // Ten units bought at 100 are worth 150 each: a fifth of 500 USD.
    const [fee] = at(AT_150, holdingOf(10_000_000, 100_000))
    expect(fee).toMatchObject({ code: 'fee', cents: 10_000, highWater: 150_000_000 })
    const after = {
      units: 10_000_000 + (fee?.units ?? 0),
      cost: 100_000 - (fee?.cost ?? 0),
      highWater: 150_000_000,
    }
    expect(at(AT_150, after)).toEqual([])
    expect(at(AT_100, after)).toEqual([])
    expect(at(AT_100, holdingOf(10_000_000, 100_000))).toEqual([])
    // Below the mark the company shares no loss.
    expect(computePerformanceFee(10_000_000, 150_000_000, 100_000_000, A_FIFTH)).toBe(0)
  })

  it('averages the high-water mark with later money, so that its profit is not counted twice', () => {
    const settling = new Settling(AT_150, A_FIFTH, new Map([['ana', holdingOf(10_000_000, 100_000)]]))
    const [topUp] = settling.settle(order('more', 'allocate', 150_000))
    expect(topUp).toMatchObject({ units: 10_000_000, highWater: 125_000_000 })
    const [fee] = settling.chargeMonth('ana', { performance: 'p', subscription: null })
    // The second ten units have no gain: the fifth is of the first ten units' 500 USD.
    expect(fee).toMatchObject({ cents: 10_000 })
  })

  it('takes the fee on a redemption in addition, and pays the requested amount', () => {
    const settling = new Settling(AT_150, A_FIFTH, new Map([['ana', holdingOf(10_000_000, 100_000)]]))
    const [fee, part] = settling.settle(order('out', 'redeem', 75_000))
    expect(fee).toMatchObject({ ref: 'out:charge', code: 'fee', cents: 5000, highWater: 100_000_000 })
    expect(part).toMatchObject({ code: 'redeem', cents: 75_000 })
    const [lastFee, rest] = settling.settle(order('all', 'redeem', null))
    const units = [fee, part, lastFee, rest].reduce((sum, movement) => sum + (movement?.units ?? 0), 0)
    expect(units).toBe(-10_000_000)
    expect(lastFee?.cents).toBe(computePerformanceFee(4_666_666, 100_000_000, 150_000_000, A_FIFTH))
  })

  it('takes a subscription once a month, and never the last of a position', () => {
    const terms = { performanceBasisPoints: 0, subscriptionCents: 1000 }
    const charged = (units: number) =>
      new Settling(AT_100, terms, new Map([['ana', holdingOf(units, 1)]])).chargeMonth('ana', {
        performance: 'p',
        subscription: { ref: 's', cents: 1000 },
      })
    expect(charged(1_000_000)).toMatchObject([
      { ref: 's', cents: 1000, units: -100_000, highWater: 100_000_000 },
    ])
    expect(charged(50_000)).toMatchObject([{ cents: 499, units: -49_999 }])
    expect(charged(1)).toEqual([])
  })

  it('never moves missing units, nor loses a cent of cost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.option(fc.integer({ min: 100, max: 9_999_999 }))), {
          maxLength: 12,
        }),
        fc.integer({ min: 1_000_000, max: 900_000_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (wishes, unit, performanceBasisPoints) => {
          const prices = { unit, issue: Math.ceil(unit * 1.0035), redeem: Math.floor(unit * 0.9965) }
          const terms = { performanceBasisPoints, subscriptionCents: 0 }
          const settling = new Settling(prices, terms, new Map([['ana', holdingOf(5_000_000, 12_345)]]))
          let units = 5_000_000
          let cost = 12_345
          for (const [place, [isIn, cents]] of wishes.entries()) {
            const isAllocation = isIn && cents !== null
            const wish = order(`${place}`, isAllocation ? 'allocate' : 'redeem', cents)
            for (const movement of settling.settle(wish)) {
              units += movement.units
              cost += movement.code === 'issue' ? movement.cost : -movement.cost
              expect(units).toBeGreaterThanOrEqual(0)
              expect(cost).toBeGreaterThanOrEqual(0)
              expect(isWhole(movement)).toBe(true)
            }
          }
          if (units === 0) expect(cost).toBe(0)
        },
      ),
    )
  })
})

function isWhole({ units, cents, cost, highWater }: Movement): boolean {
  return [units, cents, cost, highWater].every(Number.isSafeInteger) && units !== 0
}

function order(id: string, kind: WaitingOrder['kind'], cents: number | null): WaitingOrder {
  return { id, investor: 'ana', kind, cents, owes: 0 }
}

function holdingOf(units: number, cost: number) {
  return { units, cost, highWater: 100_000_000 }
}
