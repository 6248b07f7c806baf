const MINUTE_MS = 60_000

/** Up to here (minutes), in steps of so many. */
const STEPS: readonly { below: number; step: number }[] = [
  { below: 60, step: 5 },
  { below: 48 * 60, step: 60 },
  { below: Number.POSITIVE_INFINITY, step: 24 * 60 },
]

/**
 * A time in minutes, rounded up, so that "within" stays true: to five minutes within the hour, to hours within two days, to days
 * beyond.
 */
export function atMostMinutes(ms: number): number {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS))
  const { step } = STEPS.find(({ below }) => minutes < below) ?? { step: 1 }
  return Math.ceil(minutes / step) * step
}
