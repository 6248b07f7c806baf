/** The day in UTC, as the ledger counts days: `2026-01-31`. */
export function isoDay(at: Date | string | number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The day as a date field or the URL has it, blank if it is none. */
export function dayOrBlank(value: string | null): string {
  return value !== null && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : ''
}

/** While the year is typed, a browser reports 0002, 0020 and 0202 before 2026. */
export function isYearTyped(day: string): boolean {
  return day >= '1000'
}
