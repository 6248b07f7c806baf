import { expect, test } from 'vitest'
import { drawPath, findRange } from './playbackShape.ts'

test('the scale knows no later day', () => {
  const lines = [
    [100, 90, 500],
    [100, 110, 1],
  ]
  expect(findRange(lines, 1, 100)).toEqual({ least: 88.9, most: 111.1 })
  expect(findRange(lines, 0, 100)).toEqual({ least: 99, most: 101 })
})

test('a path ends where its day is, between the lowest and the highest value', () => {
  const range = { least: 0, most: 100 }
  expect(drawPath([50, 0, 100], 4, range)).toBe('M0.0 150.0L250.0 300.0L500.0 0.0')
  expect(drawPath([], 4, range)).toBe('')
})
