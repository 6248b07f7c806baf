import { formatDay } from '../../../contract/dates.ts'
import { formatUsd } from '../../../contract/money.ts'
/** The data of a chart: daily values, lines to compare with, and falls or gains for the pane below. */
export type ChartCourse = FallsCourse | GainsCourse

interface Worth {
  /** The name of the main line: Slow Trend. */
  readonly label: string
  /** UTC days, oldest first: 2026-06-30. */
  readonly days: readonly string[]
  /** In dollars at the close of each day. */
  readonly worth: readonly number[]
  /** Lines to compare with, in dollars; null before their first value. */
  readonly beside?: readonly ChartLine[]
  /** `ratio`: a logarithmic scale. Linear otherwise. */
  readonly scale?: 'ratio'
  /** The first day of the hold-out period. */
  readonly heldOutFrom?: string
  /** Days on which something changed, in order, drawn as upright lines with their words. */
  readonly marks?: readonly ChartMark[]
}

export interface ChartMark {
  readonly day: string
  /** A few words: stopped. */
  readonly words: string
}

export interface FallsCourse extends Worth {
  /** The drawdown at each day, as a positive share: 0.2 is 20 % below the peak. See `computeFalls`. */
  readonly falls: readonly number[]
}

export interface GainsCourse extends Worth {
  /** The gain until each day, in dollars; a loss is negative. */
  readonly gains: readonly number[]
}

export interface ChartLine {
  readonly label: string
  /** By default all but the first are dashed. */
  readonly isDashed?: boolean
  readonly worth: readonly (number | null)[]
}

/** Where the words of a mark stand: along its line, at its right or left, this many pixels below the top. */
export interface MarkPlace {
  readonly isLeft: boolean
  readonly top: number
}

/** Between two words on the same line, so that they do not read as one. */
const WORDS_GAP = 24

/**
 * Places the words of upright lines so that they do not overlap. `x`, `space` (a line of text) and `width` have one unit; `length`, how
 * far the words reach down, is in pixels. Words stand at the right of their line, or at the left if the next line or the edge is too
 * close, or at the side where they stand higher.
 */
export function placeMarks(
  marks: readonly { readonly x: number; readonly length: number }[],
  space: number,
  width: number,
): MarkPlace[] {
  const placed: (MarkPlace & { readonly begin: number; readonly bottom: number })[] = []
  for (const [index, { x, length }] of marks.entries()) {
    const [right, left] = [false, true].map((isLeft) => {
      const begin = isLeft ? x - space : x
      const close = placed.filter((words) => Math.abs(words.begin - begin) < space)
      const top = Math.max(0, ...close.map(({ bottom }) => bottom + WORDS_GAP))
      return { isLeft, top, begin, bottom: top + length }
    }) as [(typeof placed)[0], (typeof placed)[0]]
    const hasSpace = x + space <= Math.min(width, marks[index + 1]?.x ?? width)
    const [usual, other] = hasSpace ? [right, left] : [left, right]
    placed.push(other.top < usual.top && other.begin + space <= width ? other : usual)
  }
  return placed.map(({ isLeft, top }) => ({ isLeft, top }))
}

/** A row of the chart's table. */
export interface ChartRow {
  /** A day, or a month: 2026-06. */
  readonly time: string
  readonly worth: number
  /** The deepest fall within the row's days, or the gain until the last of them. */
  readonly under: number
  readonly beside: readonly (number | null)[]
}

/** The drawdown of each value. The amount paid in counts as the first peak. */
export function computeFalls(worth: readonly number[], paidIn = 0): number[] {
  let highest = paidIn
  return worth.map((usd) => {
    highest = Math.max(highest, usd)
    return 1 - usd / highest
  })
}

/** The table lists up to this many days one by one, and months beyond. */
const MOST_DAYS = 62

/** The rows of the chart's table: each day, or each month at its end. */
export function buildChartRows(course: ChartCourse): ChartRow[] {
  const isDaily = course.days.length <= MOST_DAYS
  const rows = new Map<string, ChartRow>()
  const { values, isDeepest } = getUnder(course)
  for (const [index, day] of course.days.entries()) {
    const time = isDaily ? day : day.slice(0, 7)
    const under = values[index] ?? 0
    rows.set(time, {
      time,
      worth: course.worth[index] ?? 0,
      under: isDeepest ? Math.max(under, rows.get(time)?.under ?? 0) : under,
      beside: (course.beside ?? []).map(({ worth }) => worth[index] ?? null),
    })
  }
  return [...rows.values()]
}

/** Describes one day of a chart in words. */
export function describeReading(course: ChartCourse, index: number): string {
  const others = (course.beside ?? []).flatMap(({ label, worth }) => {
    const value = worth[index]
    return value === null || value === undefined ? [] : [`${label} ${formatUsd(value)}`]
  })
  const { values, phrase } = getUnder(course)
  return [
    `${formatDay(course.days[index] ?? '')}: ${formatUsd(course.worth[index] ?? 0)}`,
    phrase(values[index] ?? 0),
    ...others,
    ...(isHeldOut(course, index) ? ['not used for choosing'] : []),
    ...(course.marks ?? []).flatMap(({ day, words }) => (day === course.days[index] ? [words] : [])),
  ].join(', ')
}

/** The pane below: falls or gains, and how they are worded. */
export interface Under {
  readonly values: readonly number[]
  readonly header: string
  readonly legend: string
  /** Whether a row shows the deepest value of its days instead of the last. */
  readonly isDeepest: boolean
  /** A value alone, and as a part of a sentence. */
  readonly text: (value: number) => string
  readonly phrase: (value: number) => string
}

export function getUnder(course: ChartCourse): Under {
  return 'gains' in course ? { ...GAINS, values: course.gains } : { ...FALLS, values: course.falls }
}

const FALLS: Omit<Under, 'values'> = {
  header: 'Worst fall',
  legend: 'Below its highest',
  isDeepest: true,
  text: formatPercent,
  phrase: (fall) => (fall === 0 ? 'at its highest' : `${formatPercent(fall)} below its highest`),
}

const GAINS: Omit<Under, 'values'> = {
  header: 'Gain or loss',
  legend: 'Gain or loss',
  isDeepest: false,
  text: formatSignedUsd,
  phrase: (gain) =>
    gain === 0
      ? 'neither gain nor loss'
      : gain > 0
        ? `a gain of ${formatUsd(gain)}`
        : `a loss of ${formatUsd(-gain)}`,
}

/** Whether a day belongs to the hold-out period. */
export function isHeldOut({ days, heldOutFrom }: ChartCourse, index: number): boolean {
  return heldOutFrom !== undefined && (days[index] ?? '') >= heldOutFrom
}

const percents = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

function formatSignedUsd(usd: number): string {
  return `${usd > 0 ? '+' : ''}${formatUsd(usd)}`
}

/** A share in percent, with at most one decimal. */
export function formatPercent(share: number): string {
  return percents.format(share)
}
