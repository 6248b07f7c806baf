import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactSum } from './exactSum.ts'
import { Spread } from './spread.ts'

/** A double as a whole number of 2⁻¹⁰⁷⁴, the smallest there is. */
function whole(value: number): bigint {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  const word = bits.getBigUint64(0)
  const exponent = Number((word >> 52n) & 0x7ffn)
  const fraction = word & 0xfffffffffffffn
  const size = exponent === 0 ? fraction : (fraction | (1n << 52n)) << BigInt(exponent - 1)
  return word >> 63n === 0n ? size : -size
}

/** The same for the double nearest to a quotient, found among a guess and its neighbours by comparing exactly. */
function isNearest(value: number, numerator: bigint, denominator: bigint): boolean {
  const off = whole(value) * denominator - numerator
  const distance = off < 0n ? -off : off
  const gap = whole(Math.abs(value) * (1 + 2 ** -52)) - whole(Math.abs(value))
  return distance * 2n <= gap * denominator
}

const price = fc.double({ min: 1e-6, max: 1e6, noNaN: true })

describe('an exact sum', () => {
  it('is the true sum, rounded once, whatever it contained before', () => {
    fc.assert(
      fc.property(
        fc.array(price, { minLength: 1, maxLength: 60 }),
        fc.array(price, { maxLength: 60 }),
        (kept, gone) => {
          const sum = new ExactSum()
          for (const value of gone) sum.add(value)
          for (const value of kept) sum.add(value)
          for (const value of gone) sum.add(-value)
          const fresh = new ExactSum()
          for (const value of kept.toReversed()) fresh.add(value)
          const exact = kept.reduce((total, value) => total + whole(value), 0n)
          expect(isNearest(sum.value, exact, 1n)).toBe(true)
          expect(sum.value).toBe(fresh.value)
          expect(sum.over(kept.length)).toBe(fresh.over(kept.length))
          expect(isNearest(sum.over(kept.length), exact, BigInt(kept.length))).toBe(true)
        },
      ),
    )
  })

  it('divided by how many equal values are in it is that very value', () => {
    fc.assert(
      fc.property(price, fc.integer({ min: 1, max: 1000 }), (value, count) => {
        const sum = new ExactSum()
        for (let added = 0; added < count; added++) sum.add(value)
        expect(sum.over(count)).toBe(value)
      }),
    )
  })

  it('keeps the last digit when a plain sum loses it', () => {
    const sum = new ExactSum()
    for (const value of [1e16, 1, 1, 1, -1e16]) sum.add(value)
    expect(sum.value).toBe(3)
    expect(1e16 + 1 + 1 + 1 - 1e16).not.toBe(3)
  })
})

describe('a spread', () => {
  it('is exactly 0 if all values are equal, also after others', () => {
    fc.assert(
      fc.property(price, fc.array(price, { maxLength: 30 }), (value, before) => {
        const spread = new Spread(7)
        for (const other of before) spread.push(other)
        for (let pushed = 0; pushed < 14; pushed++) spread.push(value)
        expect(spread.mean).toBe(value)
        expect(spread.squaredDistances).toBe(0)
      }),
    )
  })

  it('is found if the values differ only in their last digits', () => {
    const spread = new Spread(2)
    spread.push(1_000_000)
    spread.push(1_000_000.000_01)
    // Half the square of the difference, as exactly as doubles of that size allow.
    const difference = 1_000_000.000_01 - 1_000_000
    expect(spread.squaredDistances / (difference ** 2 / 2)).toBeCloseTo(1, 4)
  })
})
