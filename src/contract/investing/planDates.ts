import { DAY_MS } from '../../time.ts'
import { readZoneOffset } from '../timeZones.ts'

/** How often a plan is due: every so many days, or months. */
const STEPS = {
  weekly: { days: 7 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  yearly: { months: 12 },
} as const satisfies Record<string, { readonly days: number } | { readonly months: number }>

export const RHYTHMS = ['weekly', 'monthly', 'quarterly', 'yearly'] as const satisfies (keyof typeof STEPS)[]
export type Rhythm = (typeof RHYTHMS)[number]

/** When a plan is due: on dates of its owner, at 9:00 in their time zone. */
export interface Schedule {
  readonly rhythm: Rhythm
  /** The first date, YYYY-MM-DD. */
  readonly starts: string
  /** The day of the month, 1 to 31. A shorter month has it on its last day. Not used by a weekly plan. */
  readonly day: number
  /** IANA time zone. */
  readonly zone: string
}

export interface DueDate {
  /** The owner's date, YYYY-MM-DD. */
  readonly on: string
  /** When it is due, epoch milliseconds. */
  readonly atMs: number
}

/** The local hour at which plans run. */
export const PLAN_HOUR = 9
const HOUR_MS = 3_600_000
/** A run is announced at least this long before. The database checks it. */
export const ANNOUNCED_MS = DAY_MS
/** Announcements are written so long before a date: an hour early, so that the run is on time. */
export const ANNOUNCE_AHEAD_MS = ANNOUNCED_MS + HOUR_MS
/** A run that is later than this is left out. Less than a week, so that the dates of a weekly plan do not meet. */
export const MOST_DAYS_LATE = 5

/** The dates that a plan made or changed now would have next. Each can still be announced a day ahead. */
export function listNextDates(schedule: Schedule, nowMs: number, count = 3): DueDate[] {
  return listDueDates(schedule, nowMs + ANNOUNCE_AHEAD_MS, count)
}

/** The first dates that are due after a moment. Pure: the same dates for the same schedule, whatever ran before. */
export function listDueDates(schedule: Schedule, afterMs: number, count: number): DueDate[] {
  const dates: DueDate[] = []
  for (let place = estimatePlace(schedule, afterMs); dates.length < count; place++) {
    const on = computeDate(schedule, place)
    const atMs = computeLocalTime(on, PLAN_HOUR, schedule.zone)
    if (atMs > afterMs) dates.push({ on, atMs })
  }
  return dates
}

/** Whether a schedule starts on a date of its own: on its day, or on the last day of a shorter month. */
export function isStartInStep({ rhythm, starts, day }: Pick<Schedule, 'rhythm' | 'starts' | 'day'>): boolean {
  const { year, month, date } = parseDay(starts)
  return 'days' in STEPS[rhythm] || date === Math.min(day, countDays(year, month))
}

/** A place at or before the first date after a moment, at least 0. */
function estimatePlace({ rhythm, starts }: Schedule, afterMs: number): number {
  const step = STEPS[rhythm]
  const sinceStartDays = (afterMs - Date.parse(starts)) / DAY_MS
  // Two steps early: time zones and short months move a date by less.
  const steps = 'days' in step ? sinceStartDays / step.days : sinceStartDays / 31 / step.months
  return Math.max(0, Math.floor(steps) - 2)
}

/** The date at a place of the schedule, counted from its start. */
function computeDate({ rhythm, starts, day }: Schedule, place: number): string {
  const step = STEPS[rhythm]
  if ('days' in step) return formatDate(Date.parse(starts) + place * step.days * DAY_MS)
  const { year, month } = parseDay(starts)
  const months = year * 12 + month + place * step.months
  const [inYear, inMonth] = [Math.floor(months / 12), months % 12]
  return formatDate(Date.UTC(inYear, inMonth, Math.min(day, countDays(inYear, inMonth))))
}

function parseDay(day: string) {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return { year, month: month - 1, date }
}

/** The days of a month, counted from 0. */
function countDays(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
}

function formatDate(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

/**
 * The moment of a local hour on a date. An hour that clocks skip counts from the offset before, and of an hour that comes twice it
 * is the first.
 */
export function computeLocalTime(day: string, hour: number, zone: string): number {
  const wall = Date.parse(day) + hour * HOUR_MS
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((atMs) => readZoneOffset(atMs, zone))
  const candidates = [wall - (before ?? 0), wall - (after ?? 0)].filter(
    (atMs) => atMs + readZoneOffset(atMs, zone) === wall,
  )
  return candidates.length > 0 ? Math.min(...candidates) : wall - (before ?? 0)
}
