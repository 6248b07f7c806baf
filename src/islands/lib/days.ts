/** The day in UTC, as the ledger counts days: `2026-01-31`. */
export function toIsoDay(at: Date | string | number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** An ISO day from a date field or the URL; blank if it is not a valid day. */
export function parseDay(value: string | null): string {
  return value !== null && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : ''
}

/** Whether the year is complete: while 2026 is typed, browsers report 0002, 0020 and 0202 first. */
export function isYearTyped(day: string): boolean {
  return day >= '1000'
}
