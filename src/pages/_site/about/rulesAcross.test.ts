import { describe, expect, test } from 'vitest'
import { drawRules, type Point } from './rulesAcross.ts'
import { drawLand, EQUATOR, MAP, placeOnMap } from './worldMap.ts'

const square = (left: number, top: number, side: number): Point[] => [
  [left, top],
  [left + side, top],
  [left + side, top + side],
  [left, top + side],
]

describe('rules across a shape', () => {
  test('run from edge to edge, by steps, and stop at the last height', () => {
    expect(drawRules([square(10, 0, 20)], { from: 5, to: 15, step: 5 })).toBe('M10 5H30M10 10H30M10 15H30')
    expect(drawRules([square(10, 0, 20)], { from: 15, to: 6, step: -5 })).toBe('M10 15H30M10 10H30')
  })

  test('leave out a lake, what is beside the shape, and specks', () => {
    const rings = [square(0, 0, 30), square(10, 10, 10), square(50, 0, 1)]
    expect(drawRules(rings, { from: 12, to: 12, step: 5 })).toBe('M0 12H10M20 12H30')
    expect(drawRules([square(50, 0, 1)], { from: 0.5, to: 1, step: 5 })).toBe('')
  })

  test('count a corner that lies on their height once', () => {
    const diamond: Point[] = [
      [10, 0],
      [20, 10],
      [10, 20],
      [0, 10],
    ]
    expect(drawRules([diamond], { from: 10, to: 10, step: 5 })).toBe('M0 10H20')
  })
})

describe('the map', () => {
  test('has land where there is land, and water where there is water', () => {
    for (const [name, longitude, latitude, isDry] of [
      ['the Sahara', 10, 22, true],
      ['Siberia', 100, 62, true],
      ['the Amazon', -60, -6, true],
      ['Australia', 134, -25, true],
      ['the Atlantic', -40, 25, false],
      ['the Indian Ocean', 80, -25, false],
      ['the Pacific', -150, 5, false],
    ] as const)
      expect(isLand(placeOnMap({ longitude, latitude })), name).toBe(isDry)
  })

  test('keeps land above the equator apart from land below, and ends above Antarctica', () => {
    const heights = (path: string) => [...path.matchAll(/M\d+ ([\d.]+)/g)].map(([, y]) => Number(y))
    expect(Math.max(...heights(drawLand().above))).toBeLessThan(EQUATOR)
    expect(Math.min(...heights(drawLand().below))).toBeGreaterThan(EQUATOR)
    expect(Math.max(...heights(drawLand().below))).toBeLessThan(MAP.height)
    expect(isLand(placeOnMap({ longitude: 0, latitude: -80 }))).toBe(false)
  })
})

/** Whether a line of the map crosses the place, or passes next to it. */
function isLand({ x, y }: { x: number; y: number }): boolean {
  const rules = [...`${drawLand().above}${drawLand().below}`.matchAll(/M(\d+) ([\d.]+)H(\d+)/g)]
  return rules.some(
    ([, start, height, end]) => Math.abs(Number(height) - y) < 5 && Number(start) <= x && x <= Number(end),
  )
}
