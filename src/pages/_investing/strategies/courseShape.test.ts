import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawUniform, mulberry32 } from '../../../../engine/random.ts'
import { readPath } from '../../../../test/support/readPath.ts'
import { computeFalls, type FallsCourse } from '../../../islands/investing/chart/chartCourse.ts'
import { buildCourse } from './course.ts'
import { computeCourseShape, computeSparkPaths, SPARK } from './courseShape.ts'
import { getBacktest } from './getBacktest.ts'
import { listAllTests } from './marketTests.ts'

const PAID_IN = 1000

function createCourse(worth: readonly number[], more: Partial<FallsCourse> = {}): FallsCourse {
  const days = worth.map((_, day) => new Date(Date.UTC(2016, 0, 1 + day)).toISOString().slice(0, 10))
  return { label: 'Slow Trend', days, worth, falls: computeFalls(worth, PAID_IN), ...more }
}

/** Random walks, mostly longer than the number of points: like prices, they have sudden peaks and long falls. */
const worths = fc
  .record({
    seed: fc.integer(),
    days: fc.integer({ min: 2, max: 3000 }),
    jump: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
  })
  .map(({ seed, days, jump }) => {
    const random = mulberry32(seed)
    let usd = PAID_IN
    return Array.from({ length: days }, () => {
      usd = Math.min(1e6, Math.max(0.01, usd * (1 + jump * (2 * drawUniform(random) - 1))))
      return usd
    })
  })

const findDeepest = (worth: readonly number[], paidIn: number) => Math.max(...computeFalls(worth, paidIn))
const toHeights = (path: string | undefined) => readPath(path ?? '').map(({ y }) => y)

test('the line touches the highest and the lowest worth, and the area the deepest fall', () => {
  fc.assert(
    fc.property(worths, fc.integer({ min: 1, max: 400 }), (worth, steps) => {
      const { paths, low, height } = computeCourseShape(createCourse(worth), steps)
      const water = Number(/^M0 (\d+)/.exec(paths.water)?.[1])
      const drawn = readPath(paths.worth)
      const drawnWorth = drawn.map(({ x }) => worth[x] ?? 0)
      expect(Math.max(...drawnWorth)).toBe(Math.max(...worth))
      expect(Math.min(...drawnWorth)).toBe(Math.min(...worth))
      expect(findDeepest(drawnWorth, PAID_IN)).toBe(findDeepest(worth, PAID_IN))
      expect(drawnWorth.at(-1)).toBe(worth.at(-1))
      // What is highest in dollars is highest on the screen.
      const heights = drawn.map(({ y }) => y)
      expect(heights[drawnWorth.indexOf(Math.max(...worth))]).toBe(Math.min(...heights))
      expect(low.share).toBe(findDeepest(worth, PAID_IN))
      expect(Math.max(...toHeights(paths.falls))).toBe(low.share === 0 ? water : (low.y / 100) * height)
    }),
  )
})

test('a fall within one step keeps both of its ends, though lower and higher values surround it', () => {
  const worth = [5, 100, 20, ...Array<number>(500).fill(101)]
  const { paths } = computeCourseShape(createCourse(worth, { falls: computeFalls(worth) }), 5)
  expect(
    readPath(paths.worth)
      .slice(0, 4)
      .map(({ x }) => worth[x]),
  ).toEqual([5, 100, 20, 101])
})

test('a small chart touches its extremes and its deepest fall', () => {
  fc.assert(
    fc.property(worths, (equity) => {
      const { worth, falls } = computeSparkPaths({ equity, startingCash: PAID_IN })
      const heights = toHeights(worth)
      const water = SPARK.height - 14
      expect(Math.min(...heights)).toBe(Math.max(...equity) === Math.min(...equity) ? water : 1)
      expect(Math.max(...heights)).toBe(water)
      expect(Math.max(...toHeights(falls))).toBe(water + Math.round(findDeepest(equity, PAID_IN) * 14))
      expect(readPath(worth).at(-1)?.x).toBe(SPARK.width)
    }),
  )
})

test('marks are placed at their days, and those after the last day are left out', () => {
  const course = createCourse(Array(1000).fill(PAID_IN), {
    marks: [
      { day: '2016-04-10', words: 'paused' },
      { day: '2018-08-28', words: 'out of sample' },
      { day: '2031-01-01', words: 'after the last day' },
    ],
  })
  const { along } = computeCourseShape(course).words
  expect(along).toEqual([
    '<text x="10%" dx="8" dy="4">paused</text>',
    '<text x="97.1%" dx="-8" dy="4">out of sample</text>',
  ])
})

describe('the picture of a test', () => {
  const tests = listAllTests().map((tested) => ({
    slug: `${tested.strategy.slug} on ${tested.on}`,
    name: tested.strategy.name,
    result: getBacktest(tested),
  }))

  test.each(tests)(
    'of $slug shows its peak, its deepest fall, its stop and its periods',
    ({ name, result }) => {
      const course = buildCourse(name, result)
      expect(course.days.at(-1)).toBe(result.lastDay)
      const shape = computeCourseShape(course)
      expect(-shape.low.share).toBeCloseTo(result.worstFalls[0]?.depth ?? 0, 4)
      const drawn = readPath(shape.paths.worth).map(({ x }) => result.equity[x] ?? 0)
      expect(Math.max(...drawn)).toBe(Math.max(...result.equity))
      expect(Number(/^M(\d+) /.exec(shape.paths.heldOut ?? '')?.[1])).toBeGreaterThan(shape.width / 2)
      const words = shape.words.along.map((text) => />(.+)</.exec(text)?.[1])
      expect(words).toContain('out of sample')
      expect(words.includes('forward')).toBe(result.forward !== null)
      expect(words.filter((word) => word === 'paused')).toHaveLength(result.pauses.length)
      const years = [...shape.words.years, ...shape.words.between].join('')
      expect(years).toContain(`>${result.holdOutFrom.slice(0, 4)}<`)
      expect(shape.words.sums.length).toBeGreaterThan(2)
      expect(Object.values(shape.paths).join('')).not.toContain('NaN')
    },
  )
})
