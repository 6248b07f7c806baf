import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { reduceSeries, type SeriesPoint } from '../../../contract/series.ts'
import {
  type ChartMark,
  computeFalls,
  type FallsCourse,
} from '../../../islands/investing/chart/chartCourse.ts'

/** The picture's height in units: fine enough for any screen, coarse enough for short paths. */
const HEIGHT = 400
/** Vertical positions: the highest and the lowest worth, the waterline and the deepest fall. */
const TOP = 16
const FLOOR = 262
const WATER = 280
const DEPTH = 380
/** Each keeps its lowest and its highest value: about as many as a large screen has pixels. */
const STEPS = 400

/**
 * A course as SVG paths, a unit of width for each day, with text positions in per cent. Above the waterline: the worth on a logarithmic
 * scale. Below it: the drawdowns. The lines reach the highest and the lowest values, and both ends of the deepest fall.
 */
export function computeCourseShape(
  { days, worth, falls, beside, heldOutFrom, marks = [] }: FallsCourse,
  steps = STEPS,
) {
  const deepest = Math.max(...falls)
  const low = falls.indexOf(deepest)
  const peak = falls.lastIndexOf(0, low)
  const reduce = (values: readonly (number | null)[], kept: readonly number[] = []): SeriesPoint[] => {
    const begins = values.findIndex((usd) => usd !== null)
    const points = reduceSeries(
      values.slice(Math.max(0, begins)).map((usd) => usd ?? 0),
      steps,
      kept,
    )
    return points.map(({ index, value }) => ({ index: index + begins, value }))
  }
  const line = reduce(worth, [peak, low])
  const solid = beside?.find(({ isDashed }) => isDashed !== true)
  const held = solid && reduce(solid.worth)
  const shown = [...line, ...(held ?? [])].map(({ value }) => value)
  const [least, most] = [Math.min(...shown), Math.max(...shown)]
  const width = Math.max(1, days.length - 1)
  const height = Math.log(most / least) || 1
  const placeWorth = (usd: number) => Math.round(FLOOR - (Math.log(usd / least) / height) * (FLOOR - TOP))
  const placeFall = (share: number) => Math.round(WATER + (share / (deepest || 1)) * (DEPTH - WATER))
  const placeDay = (index: number) => Math.round((index / width) * 1000) / 10
  const findDay = (day: string) => days.findIndex((candidate) => candidate >= day)
  const heldOut = heldOutFrom === undefined ? -1 : findDay(heldOutFrom)
  return {
    width,
    height: HEIGHT,
    paths: {
      worth: drawLine(line, placeWorth),
      falls: drawArea(reduce(falls, [low]), placeFall, WATER),
      ...(held && { beside: drawLine(held, placeWorth) }),
    },
    water: WATER,
    heldOutAt: heldOut < 0 ? null : heldOut,
    marks: placeMarks(marks.map(({ day, words }) => ({ words, x: placeDay(findDay(day)) }))),
    ticks: roundSums(least, most).map((usd) => ({
      usd,
      at: placeWorth(usd),
      y: Math.round((placeWorth(usd) / HEIGHT) * 1000) / 10,
    })),
    /** The first day of each year. */
    years: days.flatMap((day, index) =>
      day.endsWith('-01-01') ? [{ year: day.slice(0, 4), x: placeDay(index) }] : [],
    ),
    low: { x: placeDay(low), y: Math.round((DEPTH / HEIGHT) * 1000) / 10, share: deepest },
  }
}

export type CoursePath = keyof ReturnType<typeof computeCourseShape>['paths']

/** The width of a letter in per cent of the chart on a phone. */
const LETTER = 2.3

/** Gives each mark a row above the chart, 0 for the lowest, so that no words overlap. Words without space at their right stand at their left. */
function placeMarks(marks: readonly (Pick<ChartMark, 'words'> & { readonly x: number })[]) {
  const ends: number[] = []
  return marks
    .filter(({ x }) => x >= 0)
    .map(({ words, x }) => {
      const length = words.length * LETTER
      const isLeft = x + length > 100
      const begin = isLeft ? x - length : x
      const free = ends.findIndex((end) => end < begin)
      const row = free < 0 ? ends.length : free
      ends[row] = begin + length
      return { words, x, isLeft, row }
    })
}

const SPARK_WIDTH = 240
const SPARK_STEPS = 80
/** Half of the line's width, which would be cut off. */
const SPARK_TOP = 1
const SPARK_WATER = 26
const SPARK_DEPTH = 14

/** The size of a small chart in its own units. */
export const SPARK = { width: SPARK_WIDTH, height: SPARK_WATER + SPARK_DEPTH }

/** A small chart for a list: worth on a logarithmic scale in the upper part, falls in the lower part. */
export function computeSparkPaths({ equity, startingCash }: Pick<Backtest, 'equity' | 'startingCash'>) {
  const falls = computeFalls(equity, startingCash)
  const low = falls.indexOf(Math.max(...falls))
  const [least, most] = [Math.min(...equity), Math.max(...equity)]
  const height = Math.log(most / least) || 1
  const scale = SPARK_WIDTH / Math.max(1, equity.length - 1)
  const reduce = (values: readonly number[]) =>
    reduceSeries(values, SPARK_STEPS, [falls.lastIndexOf(0, low), low]).map(({ index, value }) => ({
      index: Math.round(index * scale),
      value,
    }))
  return {
    worth: drawLine(reduce(equity), (usd) =>
      Math.round(SPARK_WATER - (Math.log(usd / least) / height) * (SPARK_WATER - SPARK_TOP)),
    ),
    falls: drawArea(reduce(falls), (share) => Math.round(SPARK_WATER + share * SPARK_DEPTH), SPARK_WATER),
  }
}

/**
 * Amounts of 1, 2 or 5 times a power of ten within the limits; only powers of ten if there are more than eight; the limits
 * themselves if there are fewer than two.
 */
function roundSums(least: number, most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(least))
  const powers = Array.from(
    { length: Math.ceil(Math.log10(most / power)) + 1 },
    (_, times) => power * 10 ** times,
  )
  const filterInRange = (sums: readonly number[]) => sums.filter((sum) => sum >= least && sum <= most)
  const fine = filterInRange(powers.flatMap((ten) => [ten, 2 * ten, 5 * ten]))
  const between = fine.length > 8 ? filterInRange(powers) : fine
  return between.length > 1 ? between : [least, most].map((sum) => Math.round(sum))
}

/** A path through points. Relative steps take half of the bytes of absolute ones. */
export function drawLine(points: readonly SeriesPoint[], place: (value: number) => number): string {
  const places = points.map(({ index, value }) => [index, place(value)] as const)
  const [[startX, startY] = [0, 0], ...rest] = places
  let [x, y] = [startX, startY]
  const steps = rest.map(([nextX, nextY]) => {
    const step = `${nextX - x} ${nextY - y}`
    x = nextX
    y = nextY
    return step
  })
  return `M${startX} ${startY}l${steps.join(' ')}`.replaceAll(' -', '-')
}

/** The area between a line through points and a horizontal line at `edge`. */
export function drawArea(
  points: readonly SeriesPoint[],
  place: (value: number) => number,
  edge: number,
): string {
  return `${drawLine(points, place)}V${edge}H${points[0]?.index ?? 0}z`
}
