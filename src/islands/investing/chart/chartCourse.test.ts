import { expect, test } from 'vitest'
import { plainSpaces } from '../../../../test/support/plainSpaces.ts'
import {
  buildChartRows,
  type ChartCourse,
  computeFalls,
  describeReading,
  getUnder,
  placeMarks,
} from './chartCourse.ts'

const course: ChartCourse = {
  label: 'Slow Trend',
  days: ['2024-12-30', '2024-12-31', '2025-01-01'],
  worth: [1000, 850, 1234.5],
  falls: [0, 0.15, 0],
  beside: [{ label: 'Held', worth: [null, 900, 950] }],
  heldOutFrom: '2025-01-01',
}

test('a day is read with its worth, its fall, what it is compared with, and whether it chose anything', () => {
  expect(plainSpaces(describeReading(course, 0))).toBe('Dec 30, 2024: $1,000.00, at its highest')
  expect(plainSpaces(describeReading(course, 1))).toBe(
    'Dec 31, 2024: $850.00, 15% below its highest, Held $900.00',
  )
  expect(plainSpaces(describeReading(course, 2))).toBe(
    'Jan 1, 2025: $1,234.50, at its highest, Held $950.00, not used for choosing',
  )
})

test('a fall is measured from the highest worth before it, of which what was paid in is the first', () => {
  expect(computeFalls([900, 1200, 600, 1500], 1000)).toEqual(
    [0.1, 0, 0.5, 0].map((fall) => expect.closeTo(fall, 12)),
  )
  expect(computeFalls([900, 450])).toEqual([0, 0.5])
})

test('few days are listed one by one, many as their months with the deepest fall in each', () => {
  expect(buildChartRows(course)).toEqual([
    { time: '2024-12-30', worth: 1000, under: 0, beside: [null] },
    { time: '2024-12-31', worth: 850, under: 0.15, beside: [900] },
    { time: '2025-01-01', worth: 1234.5, under: 0, beside: [950] },
  ])
  const days = Array.from({ length: 90 }, (_, day) =>
    new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10),
  )
  const rows = buildChartRows({
    label: 'Slow Trend',
    days,
    worth: days.map((_, day) => 1000 + day),
    falls: days.map((_, day) => (day === 3 ? 0.4 : 0.1)),
  })
  expect(rows).toEqual([
    { time: '2024-01', worth: 1030, under: 0.4, beside: [] },
    { time: '2024-02', worth: 1059, under: 0.1, beside: [] },
    { time: '2024-03', worth: 1089, under: 0.1, beside: [] },
  ])
})

test('what was gained or lost is told with its sign, of a month as it stood at its end', () => {
  const days = Array.from({ length: 70 }, (_, day) =>
    new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10),
  )
  const gains: ChartCourse = {
    label: 'Worth',
    days,
    worth: days.map((_, day) => 100 + day),
    gains: days.map((_, day) => (day < 31 ? -day : day - 40)),
  }
  expect([0, 30, 69].map((day) => plainSpaces(describeReading(gains, day)))).toEqual([
    'Jan 1, 2024: $100.00, neither gain nor loss',
    'Jan 31, 2024: $130.00, a loss of $30.00',
    'Mar 10, 2024: $169.00, a gain of $29.00',
  ])
  expect(buildChartRows(gains).map(({ time, under }) => [time, getUnder(gains).text(under)])).toEqual([
    ['2024-01', '−$30.00'],
    ['2024-02', '+$19.00'],
    ['2024-03', '+$29.00'],
  ])
})

test('words of marks do not overlap: of a close pair one stands at each side, and closer ones stand below each other', () => {
  const place = (...marks: [x: number, length: number][]) =>
    placeMarks(
      marks.map(([x, length]) => ({ x, length })),
      5,
      100,
    )
  expect(place([10, 40], [13, 30], [50, 40])).toEqual([
    { isLeft: true, top: 0 },
    { isLeft: false, top: 0 },
    { isLeft: false, top: 0 },
  ])
  expect(place([70, 30], [70.5, 90])).toEqual([
    { isLeft: true, top: 0 },
    { isLeft: false, top: 0 },
  ])
  expect(place([46, 40], [49, 30], [49.5, 40])).toEqual([
    { isLeft: true, top: 0 },
    { isLeft: false, top: 0 },
    { isLeft: false, top: 54 },
  ])
  expect(place([98, 40])).toEqual([{ isLeft: true, top: 0 }])
})
