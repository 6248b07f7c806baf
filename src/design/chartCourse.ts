import { formatUsd } from '../contract/money.ts'
/** What a chart shows: something's worth day by day, what it is compared with, and what stands about the waterline under it. */
export type ChartCourse = FallsCourse | GainsCourse

interface Worth {
  /** What the worth is of: Slow Trend. */
  readonly label: string
  /** UTC days, oldest first: 2026-06-30. */
  readonly days: readonly string[]
  /** In dollars at the close of each day. */
  readonly worth: readonly number[]
  /** What it is compared with, in dollars; null where there is nothing yet. */
  readonly beside?: readonly ChartLine[]
  /** `ratio`: the same step up is the same gain in per cent. Dollars otherwise. */
  readonly scale?: 'ratio'
  /** The first day of the period by which nothing was chosen. */
  readonly heldOutFrom?: string
}

export interface FallsCourse extends Worth {
  /** How far each lies below the highest before it, as a share: 0.2 is 20 % under it. `fallsOf` tells. */
  readonly falls: readonly number[]
}

export interface GainsCourse extends Worth {
  /** What was gained until each, in dollars: a loss is below zero. */
  readonly gains: readonly number[]
}

export interface ChartLine {
  readonly label: string
  /** Unless it is told, all but the first are. */
  readonly isDashed?: boolean
  readonly worth: readonly (number | null)[]
}

/** A row of the table that stands for the picture. */
export interface ChartRow {
  /** A day, or the month that it closes: 2026-06. */
  readonly time: string
  readonly worth: number
  /** The deepest fall of the days that it stands for, or what was gained until the last of them. */
  readonly under: number
  readonly beside: readonly (number | null)[]
}

/** How far each worth lies below the highest before it, of which what was paid in is the first. */
export function fallsOf(worth: readonly number[], paidIn = 0): number[] {
  let highest = paidIn
  return worth.map((usd) => {
    highest = Math.max(highest, usd)
    return 1 - usd / highest
  })
}

/** So many days are listed one by one; where there are more, their months are. */
const MOST_DAYS = 62

/** The numbers of a chart as a table: each day, or each month as it ended. */
export function chartRows(course: ChartCourse): ChartRow[] {
  const isDaily = course.days.length <= MOST_DAYS
  const rows = new Map<string, ChartRow>()
  const { values, isDeepest } = underOf(course)
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

/** What a chart says of one of its days. */
export function chartReading(course: ChartCourse, index: number): string {
  const others = (course.beside ?? []).flatMap(({ label, worth }) => {
    const value = worth[index]
    return value === null || value === undefined ? [] : [`${label} ${formatUsd(value)}`]
  })
  const { values, said } = underOf(course)
  return [
    `${dayText(course.days[index] ?? '')}: ${formatUsd(course.worth[index] ?? 0)}`,
    said(values[index] ?? 0),
    ...others,
    ...(isHeldOut(course, index) ? ['not used for choosing'] : []),
  ].join(', ')
}

/** What stands about the waterline, and how it is told. */
export interface Under {
  readonly values: readonly number[]
  readonly header: string
  readonly legend: string
  /** Of several days the deepest is told, and not the last. */
  readonly isDeepest: boolean
  /** A value by itself, and as a part of a sentence. */
  readonly text: (value: number) => string
  readonly said: (value: number) => string
}

export function underOf(course: ChartCourse): Under {
  return 'gains' in course ? { ...GAINS, values: course.gains } : { ...FALLS, values: course.falls }
}

const FALLS: Omit<Under, 'values'> = {
  header: 'Deepest fall',
  legend: 'Below its highest',
  isDeepest: true,
  text: percentText,
  said: (fall) => (fall === 0 ? 'at its highest' : `${percentText(fall)} below its highest`),
}

const GAINS: Omit<Under, 'values'> = {
  header: 'Gain or loss',
  legend: 'Gain or loss',
  isDeepest: false,
  text: signedUsdText,
  said: (gain) =>
    gain === 0
      ? 'neither gain nor loss'
      : gain > 0
        ? `a gain of ${formatUsd(gain)}`
        : `a loss of ${formatUsd(-gain)}`,
}

/** Whether a day belongs to the period by which nothing was chosen. */
export function isHeldOut({ days, heldOutFrom }: ChartCourse, index: number): boolean {
  return heldOutFrom !== undefined && (days[index] ?? '') >= heldOutFrom
}

const percents = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })
const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const months = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** An amount with its sign: a plus for a gain. */
function signedUsdText(usd: number): string {
  return `${usd > 0 ? '+' : ''}${formatUsd(usd)}`
}

/** A share in per cent, with one figure after the point at most. */
export function percentText(share: number): string {
  return percents.format(share)
}

/** Jun 30, 2026; or Jun 2026 where only the month is given. */
export function dayText(day: string): string {
  return day.length === 7 ? months.format(new Date(`${day}-01`)) : dates.format(new Date(day))
}
