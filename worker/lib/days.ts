export const DAY_MS = 86_400_000

/** A day as a person reads it, in UTC: 21 November 2026. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
}
