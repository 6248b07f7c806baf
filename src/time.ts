/** Milliseconds of a day of UTC, which has no leap seconds. */
export const DAY_MS = 86_400_000
