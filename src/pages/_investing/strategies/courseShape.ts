import type { FallsCourse } from '../../../design/chartCourse.ts'

/** The picture is so many units high: fine enough for any screen, and coarse enough to be written in few bytes. */
const HEIGHT = 400
/** Where the highest worth and the lowest are drawn, the waterline, and the deepest fall. */
const TOP = 16
const FLOOR = 262
const WATER = 280
const DEPTH = 380
/** Days that one unit of width stands for. */
const STEP = 28

/** A course as lines in units, and the places of its words in per cent of the picture. */
export interface CourseShape {
  width: number
  height: number
  worth: string
  /** What it is compared with; null where there is nothing. */
  beside: string | null
  falls: string
  water: number
  /** From where on nothing was chosen by it; null where it is not there. */
  heldOutAt: number | null
  ticks: { usd: number; at: number; y: number }[]
  /** The first day of each year that begins within it. */
  years: { year: string; x: number }[]
  /** The deepest fall. */
  low: { x: number; y: number; share: number }
}

/**
 * Worth above the waterline, on a scale on which the same step up is the same gain in per cent, and below it how far it lies under its
 * highest: the deepest of each step of days, so that none is lost.
 */
export function courseShape({ days, worth, falls, beside, heldOutFrom }: FallsCourse): CourseShape {
  const other = beside?.[0]?.worth.map((usd) => usd ?? 0)
  const [lines, others] = [ends(worth), other && ends(other)]
  const shown = [...lines, ...(others ?? [])]
  const [least, most] = [Math.min(...shown), Math.max(...shown)]
  const deepest = Math.max(...falls)
  const width = Math.max(1, lines.length - 1)
  const height = Math.log(most / least) || 1
  const worthAt = (usd: number) => Math.round(FLOOR - (Math.log(usd / least) / height) * (FLOOR - TOP))
  const fallAt = (share: number) => Math.round(WATER + (share / (deepest || 1)) * (DEPTH - WATER))
  const across = (index: number) => Math.round((Math.max(0, index) / STEP / width) * 1000) / 10
  const heldOut = heldOutFrom === undefined ? -1 : days.findIndex((day) => day >= heldOutFrom)
  const low = falls.indexOf(deepest)
  return {
    width,
    height: HEIGHT,
    worth: line(lines.map(worthAt)),
    beside: others === undefined ? null : line(others.map(worthAt)),
    falls: `${line([WATER, ...deepestOf(falls).map(fallAt)], 0)}V${WATER}z`,
    water: WATER,
    heldOutAt: heldOut < 0 ? null : heldOut / STEP,
    ticks: roundSums(least, most).map((usd) => ({
      usd,
      at: worthAt(usd),
      y: Math.round((worthAt(usd) / HEIGHT) * 1000) / 10,
    })),
    years: days.flatMap((day, index) =>
      day.endsWith('-01-01') ? [{ year: day.slice(0, 4), x: across(index) }] : [],
    ),
    low: { x: across(low), y: Math.round((DEPTH / HEIGHT) * 1000) / 10, share: deepest },
  }
}

/** The first value, and the last of each step. */
function ends(values: readonly number[]): number[] {
  return values.filter((_, index) => index % STEP === 0 || index === values.length - 1)
}

function deepestOf(falls: readonly number[]): number[] {
  return ends(falls).map((_, step) =>
    Math.max(...falls.slice(Math.max(0, (step - 1) * STEP + 1), step * STEP + 1)),
  )
}

/** The round sums between two that are 1, 2 or 5 times a power of ten, or finer ones where those are too few. */
function roundSums(least: number, most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(least))
  const sums = [1, 10, 100].flatMap((times) => FIRST_DIGITS.map((digits) => digits * times * power))
  const between = sums.filter((sum) => sum >= least && sum <= most)
  return between.length > 1 ? between : [least, most].map((sum) => Math.round(sum))
}

const FIRST_DIGITS = [1, 2, 5]

/** Steps of one from the left, each said by how much it goes down: a quarter of the bytes that absolute places take. */
export function line([start = 0, ...rest]: readonly number[], firstStep = 1): string {
  let y = start
  const steps = rest.map((next, index) => {
    const step = `${index === 0 ? firstStep : 1} ${next - y}`
    y = next
    return step
  })
  return `M0 ${start}l${steps.join(' ')}`.replaceAll(' -', '-')
}
