import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GAIN_METHODS } from '../../../src/contract/money/gains.ts'
import { sum } from '../../../src/contract/numbers.ts'
import { DAY_MS } from '../../../src/time.ts'
import { computeCostPart, computeUnits, valueCents } from '../../ledger/units.ts'
import { type Lot, type Movement, matchLots, type YearRules } from './matchLots.ts'

const YEAR_MS = 365 * DAY_MS
const rules = (method: YearRules['method'], choices: YearRules['choices'] = {}): YearRules => ({
  method,
  holdingDays: 365,
  choices,
})
const unit = 1_000_000

test('the oldest lots are sold first, each at its own cost, and are long after the holding period', () => {
  const movements = [
    { id: 'a', units: 10 * unit, cents: 100_000, atMs: 0 },
    { id: 'b', units: 10 * unit, cents: 120_000, atMs: 300 * DAY_MS },
    { id: 's', units: -15 * unit, cents: 180_000, atMs: 366 * DAY_MS },
  ]
  const { disposals, lots } = matchLots(movements, () => rules('fifo'))
  expect(disposals).toMatchObject([
    { lot: 'a', units: 10 * unit, proceedsCents: 120_000, costCents: 100_000, isLong: true },
    { lot: 'b', units: 5 * unit, proceedsCents: 60_000, costCents: 60_000, isLong: false },
  ])
  expect(lots).toEqual([{ id: 'b', units: 5 * unit, costCents: 60_000, atMs: 300 * DAY_MS }])
  // The holding period is over a day later than it is long.
  const [first] = matchLots(
    [movements[0], { ...movements[2], units: -unit, atMs: 365 * DAY_MS }] as Movement[],
    () => rules('fifo'),
  ).disposals
  expect(first?.isLong).toBe(false)
})

test('a sale takes the lots that its owner chose, and the oldest for the rest', () => {
  const movements = [
    { id: 'a', units: 10 * unit, cents: 100_000, atMs: 0 },
    { id: 'b', units: 10 * unit, cents: 120_000, atMs: DAY_MS },
    { id: 's', units: -12 * unit, cents: 120_000, atMs: 2 * DAY_MS },
  ]
  const choices = { s: [{ lot: 'b', units: 10 * unit }] }
  const { disposals } = matchLots(movements, () => rules('chosen', choices))
  expect(disposals).toMatchObject([
    { lot: 'b', units: 10 * unit, costCents: 120_000 },
    { lot: 'a', units: 2 * unit, costCents: 20_000 },
  ])
  for (const choice of [
    { lot: 'b', units: 11 * unit },
    { lot: 'c', units: unit },
  ])
    expect(() => matchLots(movements, () => rules('chosen', { s: [choice] }))).toThrow(RangeError)
})

test('after a year of average costs, each lot has its part of the average', () => {
  const movements = [
    { id: 'a', units: 10 * unit, cents: 100_000, atMs: 0 },
    { id: 'b', units: 10 * unit, cents: 200_001, atMs: DAY_MS },
    { id: 's', units: -5 * unit, cents: 80_000, atMs: 2 * DAY_MS },
    { id: 't', units: -5 * unit, cents: 80_000, atMs: YEAR_MS + DAY_MS },
  ]
  const { disposals, lots } = matchLots(movements, (soldMs) => rules(soldMs < YEAR_MS ? 'average' : 'fifo'))
  expect(disposals.map(({ costCents }) => costCents)).toEqual([75_000, 75_000])
  expect(lots).toMatchObject([{ id: 'b', units: 10 * unit, costCents: 150_001 }])
})

/** A random history, as the ledger would record it: units rounded down, proceeds rounded down, never more sold than owned. */
const histories = fc
  .array(
    fc.record({
      isSale: fc.boolean(),
      cents: fc.integer({ min: 1, max: 100_000_000 }),
      price: fc.integer({ min: 1_000_000, max: 900_000_000 }),
      share: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constant(1_000)),
      days: fc.integer({ min: 0, max: 200 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((steps) => {
    let [owned, atMs] = [0, 0]
    return steps.flatMap(({ isSale, cents, price, share, days }, n): Movement[] => {
      atMs += days * DAY_MS
      const units = isSale ? -Math.floor((owned * share) / 1_000) : computeUnits(cents, price)
      if (units === 0) return []
      owned += units
      return [{ id: `m${n}`, units, cents: isSale ? valueCents(-units, price) : cents, atMs }]
    })
  })

test('10,000 random histories agree with the ledger to the cent, under each method', () => {
  const methods = fc.array(fc.constantFrom(...GAIN_METHODS), { minLength: 20, maxLength: 20 })
  let sales = 0
  fc.assert(
    fc.property(histories, methods, (movements, years) => {
      const ofYear = (ms: number) => Math.floor(ms / YEAR_MS) % years.length
      const choices = chooseNewest(movements)
      for (const findRules of [
        ...GAIN_METHODS.map((method) => () => rules(method, choices)),
        // Another method each year. The choices may then not fit, so none is made.
        (ms: number) => rules(years[ofYear(ms)] ?? 'fifo'),
      ]) {
        const { disposals, lots } = matchLots(movements, findRules)
        const bought = movements.filter(({ units }) => units > 0)
        const sold = movements.filter(({ units }) => units < 0)
        sales += sold.length
        const cost = sum(disposals.map(({ costCents }) => costCents))
        expect(cost + sum(lots.map(({ costCents }) => costCents))).toBe(sum(bought.map(({ cents }) => cents)))
        for (const { id, units, cents } of sold) {
          const parts = disposals.filter(({ sale }) => sale === id)
          expect(sum(parts.map((part) => part.units))).toBe(-units)
          expect(sum(parts.map(({ proceedsCents }) => proceedsCents))).toBe(cents)
        }
        for (const { id, units } of bought) {
          const parts = [...disposals.filter(({ lot }) => lot === id), ...lots.filter((lot) => lot.id === id)]
          expect(sum(parts.map((part) => part.units))).toBe(units)
        }
        for (const { costCents, proceedsCents, boughtMs, soldMs } of disposals)
          expect(Math.min(costCents, proceedsCents, soldMs - boughtMs)).toBeGreaterThanOrEqual(0)
      }
      expect(costsBySale(movements, matchLots(movements, () => rules('average')).disposals)).toEqual(
        ledgerCosts(movements),
      )
    }),
    { numRuns: 10_000, seed: 20_261_129 },
  )
  expect(sales).toBeGreaterThan(50_000)
}, 120_000)

/** The cost that each sale moves in the ledger: the share of the position's cost, rounded down. */
function ledgerCosts(movements: readonly Movement[]): number[] {
  let [units, cost] = [0, 0]
  return movements.flatMap((movement) => {
    const part = movement.units < 0 ? computeCostPart(cost, -movement.units, units) : -movement.cents
    units += movement.units
    cost -= part
    return movement.units < 0 ? [part] : []
  })
}

function costsBySale(
  movements: readonly Movement[],
  disposals: readonly { sale: string; costCents: number }[],
) {
  return movements
    .filter(({ units }) => units < 0)
    .map(({ id }) => sum(disposals.filter(({ sale }) => sale === id).map(({ costCents }) => costCents)))
}

/** Names the newest lot for each sale, as far as it goes. */
function chooseNewest(movements: readonly Movement[]): YearRules['choices'] {
  const choices: Record<string, { lot: string; units: number }[]> = {}
  for (const [n, { id, units }] of movements.entries()) {
    if (units > 0) continue
    const before = matchLots(movements.slice(0, n), () => rules('chosen', choices))
    const newest: Lot | undefined = before.lots.at(-1)
    if (newest) choices[id] = [{ lot: newest.id, units: Math.min(-units, newest.units) }]
  }
  return choices
}
