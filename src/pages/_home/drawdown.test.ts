import { expect, test } from 'vitest'
import { drawdowns, worstFall } from './drawdown.ts'

// Worked by hand: 120 is the height before 90, which is a quarter below it; 150 before 120, a fifth.
const VALUES = [95, 120, 90, 150, 120]

test('a drawdown is the distance from the highest value so far, the capital being the first', () => {
  const shares = drawdowns(VALUES, 100)
  const expected = [-0.05, 0, -0.25, 0, -0.2]
  expect(shares).toHaveLength(expected.length)
  for (const [index, share] of expected.entries()) expect(shares[index]).toBeCloseTo(share, 12)
})

test('the worst fall is the deepest share, not the largest loss in dollars', () => {
  const fall = worstFall(VALUES, 100)
  expect(fall).toMatchObject({ from: 120, to: 90, at: 2 })
  expect(fall.share).toBeCloseTo(-0.25, 12)
})

test('a loss from the start is measured from the capital', () => {
  expect(worstFall([80, 60, 90], 100)).toEqual({ share: -0.4, from: 100, to: 60, at: 1 })
})

test('what never fell has a worst fall of nothing', () => {
  expect(worstFall([100, 110, 110], 100).share).toBe(0)
})
