import type { Backtest } from '../../../../engine/backtest/backtestResult.ts'
import { reduceSeries, type SeriesPoint } from '../../../contract/series.ts'
import { computeFalls, type FallsCourse, placeMarks } from '../../../islands/investing/chart/chartCourse.ts'
import { formatPercent, formatWholeUsd } from './figures.ts'

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
 * A course as SVG: paths, a unit of width for each day, and texts. Above the waterline: the worth on a logarithmic
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
  const placed = marks
    .map(({ day, words }) => ({ words, index: findDay(day), length: words.length * LETTER }))
    .filter(({ index }) => index >= 0)
    .map((mark) => ({ ...mark, x: placeDay(mark.index) }))
  const places = placeMarks(placed, LINE, 100)
  const sums = roundSums(least, most)
  /** The first day of each year. */
  const years = days.flatMap((day, index) =>
    day.endsWith('-01-01') ? [{ year: day.slice(0, 4), x: placeDay(index) }] : [],
  )
  return {
    width,
    height: HEIGHT,
    /** In the order in which they are drawn. */
    paths: {
      ...(heldOut >= 0 && { heldOut: `M${heldOut} 0H${width}V${HEIGHT}H${heldOut}z` }),
      grid: sums.map((usd) => `M0 ${placeWorth(usd)}h${width}`).join(''),
      falls: drawArea(reduce(falls, [low]), placeFall, WATER),
      ...(held && { beside: drawLine(held, placeWorth) }),
      worth: drawLine(line, placeWorth),
      marks: placed.map(({ index }) => `M${index} 0V${DEPTH}`).join(''),
      water: `M0 ${WATER}h${width}`,
    },
    /** Texts keep their size, so they are placed in per cent of the chart and pixels. */
    words: {
      sums: [
        ...sums.map((usd) =>
          renderText(formatWholeUsd(usd), `x="-8" y="${toPercent(placeWorth(usd))}%" dy="4"`),
        ),
        renderText('0%', `x="-8" y="${toPercent(WATER)}%" dy="4"`),
      ],
      years: years.filter((_, index) => index % 2 === 0).map(renderYear),
      /** Every second year: left out on small screens. */
      between: years.filter((_, index) => index % 2 === 1).map(renderYear),
      along: placed.map(({ words, x }, index) => {
        const { isLeft, top } = places[index] ?? { isLeft: false, top: 0 }
        return renderText(words, `x="${x}%" dx="${isLeft ? -8 : 8}" dy="${Math.round(top) + 4}"`)
      }),
      worst: [renderWorst(placeDay(low), deepest)],
    },
    low: { x: placeDay(low), y: toPercent(DEPTH), share: deepest },
  }
}

function renderYear({ year, x }: { year: string; x: number }): string {
  return renderText(year, `x="${x}%" y="100%" dy="22"`)
}

/** Near an edge, the words end or begin there. */
function renderWorst(x: number, share: number): string {
  const anchor = x > 66 ? 'end' : x < 34 ? 'start' : 'middle'
  const at = { start: Math.max(0, x - 12), middle: x, end: Math.min(100, x + 12) }[anchor]
  return renderText(
    `worst fall ${formatPercent(-share)}`,
    `x="${at}%" y="${toPercent(DEPTH)}%" dy="16" text-anchor="${anchor}"`,
  )
}

function renderText(text: string, place: string): string {
  return `<text ${place}>${text}</text>`
}

function toPercent(units: number): number {
  return Math.round((units / HEIGHT) * 1000) / 10
}

/** The length of a letter in pixels, and the height of a line of text in per cent of the chart's width on a phone. */
const LETTER = 6.5
const LINE = 4.8

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
