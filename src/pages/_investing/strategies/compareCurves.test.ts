import { expect, test } from 'vitest'
import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { layOver } from './compareCurves.ts'

function createTest(name: string, firstDay: string, lastDay: string, equity: number[]) {
  return { name, backtest: { firstDay, lastDay, equity } as unknown as Backtest }
}

test('curves are laid over each other on the days that all have, each from $1,000', () => {
  const { course, period } = layOver([
    createTest('Long', '2020-01-01', '2020-01-05', [1000, 2000, 4000, 3000, 5000]),
    createTest('Short', '2020-01-02', '2020-01-04', [500, 550, 450]),
  ])
  expect(period).toEqual({ firstDay: '2020-01-02', lastDay: '2020-01-04' })
  expect(course.days).toEqual(['2020-01-02', '2020-01-03', '2020-01-04'])
  expect(course.worth).toEqual([1000, 2000, 1500])
  expect(course.falls).toEqual([0, 0, 0.25])
  expect(course.beside).toEqual([{ label: 'Short', worth: [1000, 1100, 900] }])
})
