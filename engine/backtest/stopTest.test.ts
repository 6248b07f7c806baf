import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDayNumber } from '../metrics/dailyEquity.ts'
import { groupStopEntries, listStopEntries } from './stopTest.ts'

const FIRST_DAY = '2020-01-01'
const terms = fc.record({
  below: fc.integer({ min: 1, max: 95 }).map((percent) => percent / 100),
  cost: fc.constantFrom(0, 0.0035, 0.02),
})
/** Two years and a bit of daily values. */
const equities = fc
  .array(fc.double({ min: -0.08, max: 0.08, noNaN: true }), { minLength: 760, maxLength: 760 })
  .map((returns) => {
    let usd = 1000
    return returns.map((share) => (usd *= 1 + share))
  })
const toDayIndex = (day: string) => toDayNumber(day) - toDayNumber(FIRST_DAY)
const runs = { numRuns: 40 }

/** 1000 on each day but these. */
function flat(days: number, changes: Readonly<Record<number, number>>): number[] {
  return Array.from({ length: days }, (_, day) => changes[day] ?? 1000)
}

test('a fall reaches the stop, and it sells at the next day’s value', () => {
  // Of the 366 days of 2020 only its first month is followed by a year.
  const equity = flat(366, { 100: 800, 101: 700 })
  const [entry, ...others] = listStopEntries({ firstDay: FIRST_DAY, equity }, { below: 0.2, cost: 0 })
  expect(others).toEqual([])
  expect(entry).toMatchObject({
    day: FIRST_DAY,
    fired: { on: '2020-04-10', soldOn: '2020-04-11' },
    without: 0,
  })
  expect(entry?.with).toBeCloseTo(-0.3, 12)
  const [year, all] = groupStopEntries(entry === undefined ? [] : [entry])
  expect(year).toMatchObject({ year: 2020, entries: 1, fired: 1, helped: 0, hurt: 1, worstWithout: 0 })
  expect(all).toEqual({ ...year, year: null })
})

test('the stop is below what was paid, with the cost of buying, and the sale costs too', () => {
  const equity = flat(366, { 100: 808.01, 200: 808 })
  const [entry] = listStopEntries({ firstDay: FIRST_DAY, equity }, { below: 0.2, cost: 0.01 })
  expect(entry?.fired?.on).toBe('2020-07-19')
  expect(entry?.with).toBeCloseTo(990 / 1010 - 1, 12)
  expect(entry?.without).toBeCloseTo(1000 / 1010 - 1, 12)
})

test('a fall on the last day of the year sells nothing, and a lasting fall is where it helps', () => {
  const late = listStopEntries(
    { firstDay: FIRST_DAY, equity: flat(366, { 365: 10 }) },
    { below: 0.2, cost: 0 },
  )
  expect(late).toMatchObject([{ fired: null, with: -0.99, without: -0.99 }])
  const lasting = flat(366, {}).map((usd, day) => (day < 50 ? usd : day < 52 ? 790 : 300))
  const [year] = groupStopEntries(
    listStopEntries({ firstDay: FIRST_DAY, equity: lasting }, { below: 0.2, cost: 0 }),
  )
  expect(year).toMatchObject({ helped: 1, hurt: 0 })
  expect(year?.worstWith).toBeCloseTo(-0.21, 12)
})

test('nothing is tested without a year after an entry', () => {
  expect(listStopEntries({ firstDay: FIRST_DAY, equity: flat(365, {}) }, { below: 0.2, cost: 0 })).toEqual([])
  expect(groupStopEntries([])).toEqual([])
})

test('every entry is followed for a year, and an entry without a sale has the same result both ways', () => {
  fc.assert(
    fc.property(equities, terms, (equity, { below, cost }) => {
      const entries = listStopEntries({ firstDay: FIRST_DAY, equity }, { below, cost })
      expect(entries.map(({ day }) => day.slice(8))).toEqual(entries.map(() => '01'))
      expect(entries).toHaveLength(13)
      for (const { day, fired, without, ...entry } of entries) {
        const paid = (equity[toDayIndex(day)] ?? 0) * (1 + cost)
        expect(without).toBeCloseTo((equity[toDayIndex(day) + 365] ?? 0) / paid - 1, 9)
        const held = equity.slice(toDayIndex(day) + 1, toDayIndex(day) + 365)
        expect(fired !== null).toBe(held.some((usd) => usd <= paid * (1 - below)))
        if (fired === null) expect(entry.with).toBe(without)
      }
    }),
    runs,
  )
})

test('it never sells at the value that reached it, and never before a value at or below the stop', () => {
  fc.assert(
    fc.property(equities, terms, (equity, stop) => {
      for (const { day, fired, ...entry } of listStopEntries({ firstDay: FIRST_DAY, equity }, stop)) {
        if (fired === null) continue
        const [start, on, soldOn] = [toDayIndex(day), toDayIndex(fired.on), toDayIndex(fired.soldOn)]
        const price = (equity[start] ?? 0) * (1 + stop.cost) * (1 - stop.below)
        expect(soldOn).toBe(on + 1)
        expect(soldOn).toBeLessThanOrEqual(start + 365)
        expect(equity[on]).toBeLessThanOrEqual(price)
        expect(Math.min(...equity.slice(start + 1, on), Number.POSITIVE_INFINITY)).toBeGreaterThan(price)
        // Another value of that day, still at or below the stop, changes nothing.
        const lower = equity.with(on, (equity[on] ?? 0) / 2)
        const again = listStopEntries({ firstDay: FIRST_DAY, equity: lower }, stop)
        expect(again.find((other) => other.day === day)?.with).toBe(entry.with)
      }
    }),
    runs,
  )
})

test('a lower stop fires no more often, and each fired entry helped, hurt or changed nothing', () => {
  fc.assert(
    fc.property(equities, terms, (equity, stop) => {
      const test = (below: number) =>
        groupStopEntries(listStopEntries({ firstDay: FIRST_DAY, equity }, { ...stop, below }))
      const [close, deep] = [test(stop.below), test(Math.min(0.99, stop.below + 0.05))]
      expect(deep.at(-1)?.fired).toBeLessThanOrEqual(close.at(-1)?.fired ?? 0)
      for (const { entries, fired, helped, hurt } of close) {
        expect(helped + hurt).toBeLessThanOrEqual(fired)
        expect(fired).toBeLessThanOrEqual(entries)
      }
      const add = (key: 'entries' | 'fired' | 'helped' | 'hurt') =>
        close.slice(0, -1).reduce((sum, year) => sum + year[key], 0)
      expect(close.at(-1)).toMatchObject({ entries: add('entries'), fired: add('fired'), hurt: add('hurt') })
    }),
    runs,
  )
})
