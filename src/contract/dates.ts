/**
 * Every date and time that a person reads is formatted here; test/dates.test.ts checks that. Running text has the reader's
 * order and clock, tables have one form of fixed width. Both are described under "Dates" in docs/glossary.md.
 */

/** For built pages, mails and API messages, whose reader's locale is not known: Nov 23, 2026, 2:05 PM. */
const SITE_LOCALE = 'en-US'
/** For readers in a country that has no English locale: 23 Nov 2026, 14:05. */
const NEUTRAL_LOCALE = 'en-GB'
/** Swedish dates are ISO 8601 with a space: 2026-11-23 14:05. */
const TABLE_LOCALE = 'sv-SE'

type DateParts = 'date' | 'both'

const TIME_STYLES = { date: undefined, both: 'short', exact: 'long' } as const

/**
 * A moment in running text: "Nov 23, 2026, 2:05 PM" in the United States, "23 Nov 2026, 14:05" in Germany. Its spaces do not
 * break. `exact` is for a tooltip: "23 Nov 2026, 14:05:09 CET". Zone and locale are the reader's unless given.
 */
export function formatDateTime(
  at: string | number,
  show: DateParts | 'exact' = 'both',
  timeZone?: string,
  locale?: string,
) {
  return formatWith(at, { dateStyle: 'medium', timeStyle: TIME_STYLES[show] }, timeZone, locale)
}

/** A UTC day in running text: "Jan 31, 2026", without the year if that is the year of the day `beside`. */
export function formatDay(day: string, beside?: string): string {
  const isSameYear = beside?.slice(0, 4) === day.slice(0, 4)
  if (!isSameYear) return formatDateTime(day, 'date', 'UTC')
  return formatWith(day, { month: 'short', day: 'numeric' }, 'UTC')
}

/** A UTC month: "Jun 2026", or "June 2026". */
export function formatMonth(month: string, form: 'short' | 'long' = 'short'): string {
  return formatWith(month, { month: form, year: 'numeric' }, 'UTC').replace(NO_BREAK, ' ')
}

/** The weekday of a UTC day: "Monday". */
export function formatWeekday(day: string): string {
  return formatWith(day, { weekday: 'long' }, 'UTC', SITE_LOCALE)
}

/** The time of day of a moment, with the day unless it is the day of `nowMs`: "2:05 PM". */
export function formatTime(atMs: number, nowMs = atMs): string {
  const isSameDay = new Date(atMs).toDateString() === new Date(nowMs).toDateString()
  return formatWith(atMs, {
    ...(!isSameDay && { month: 'short', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  })
}

/** A moment in a table: "2026-11-23 14:05", or its date. The zone is the reader's unless given. */
export function formatTableDate(at: string | number, show: DateParts = 'both', timeZone?: string): string {
  return formatWith(at, { dateStyle: 'short', timeStyle: TIME_STYLES[show] }, timeZone, TABLE_LOCALE)
}

/** A moment in a mail or an API message, always UTC: "Nov 23, 2026, 2:05 PM UTC", or the day alone: "Nov 23, 2026". */
export function mailDateText(atMs: number, show: DateParts = 'both'): string {
  const text = formatDateTime(atMs, show, 'UTC', SITE_LOCALE).replaceAll(NO_BREAK, ' ')
  return show === 'both' ? `${text} UTC` : text
}

/** The UTC day since which a legal text applies, in the form that these texts use: "September 10, 2023". */
export function formatLegalDay(day: Date): string {
  return formatWith(day.getTime(), { dateStyle: 'long' }, 'UTC', SITE_LOCALE)
}

/** The name of the reader's time zone: Europe/Lisbon. */
export function getReaderTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

const NO_BREAK = '\u00a0'

function formatWith(
  at: string | number,
  options: Intl.DateTimeFormatOptions,
  timeZone?: string,
  locale = getReaderLocale(),
): string {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone })
  return format.format(new Date(at)).replace(/\s/g, NO_BREAK)
}

let known: string | undefined

function getReaderLocale(): string {
  known ??=
    typeof document === 'undefined'
      ? SITE_LOCALE
      : toEnglishLocale(Intl.DateTimeFormat().resolvedOptions().locale)
  return known
}

/**
 * English with the date order and clock of a locale's country, because the site is in English: `en-DE` for `de`. Neutral where
 * no such English is known.
 */
export function toEnglishLocale(locale: string): string {
  const english = `en-${new Intl.Locale(locale).maximize().region}`
  return Intl.DateTimeFormat(english).resolvedOptions().locale === english ? english : NEUTRAL_LOCALE
}
