export const DAY_MS = 86_400_000

/** A time's date in UTC, ISO 8601: 2026-11-21. */
export function formatIsoDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
