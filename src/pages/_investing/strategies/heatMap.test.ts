import { expect, test } from 'vitest'
import { computeHeatLevels, describeSweep } from './heatMap.ts'

test('losses are below 0 and gains above, and the strongest colour is for the largest change of either kind', () => {
  expect(computeHeatLevels([[-0.5, -0.1, 0, 0.05, 1, null]])).toEqual([[-3, -1, 0, 1, 3, 0]])
})

test('halving is as strong as doubling', () => {
  const [levels] = computeHeatLevels([[-0.5, 1]])
  expect(levels).toEqual([-3, 3])
})

test('a grid without any change has no colour', () => {
  expect(computeHeatLevels([[0, 0]])).toEqual([[0, 0]])
})

test('a sentence says how many combinations gained', () => {
  expect(describeSweep([[0.5, 0.5]])).toContain('same return')
  expect(describeSweep([[0.5, 0.6, null]])).toContain('All combinations gained')
  expect(describeSweep([[-0.5, -0.6]])).toBe('No combination gained.')
  expect(
    describeSweep([
      [-0.5, 0.6],
      [0, 0.1],
    ]),
  ).toContain('2 of 4 combinations gained')
})
