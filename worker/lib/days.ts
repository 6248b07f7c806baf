export const DAY_MS = 86_400_000

/** A time's date in UTC, ISO 8601: 2026-11-21. */
export function isoDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

/** A time's date in UTC, for people: 21 November 2026. */
export function dateInWords(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
