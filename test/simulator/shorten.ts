import { type Failure, type RunOptions, run } from './run.ts'

interface Limits {
  /** The most runs. */
  readonly tries: number
  /** Returns true once there is no time left. */
  readonly isLate: () => boolean
}

/** The steps of a failed run that are enough to break the same rule, and how they break it. */
export interface Shortened {
  readonly steps: readonly number[]
  readonly failure: Failure
  /** How many runs it took. */
  readonly tries: number
}

/**
 * Leaves steps out while the same rule stays broken: half of them, then quarters, eighths and so on. This is delta debugging
 * (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002) without its last rounds.
 */
export async function shorten(
  options: RunOptions,
  failure: Failure,
  all: readonly number[],
  { tries: most, isLate }: Limits,
): Promise<Shortened> {
  let steps = all.filter((number) => failure.step === null || number <= failure.step.number)
  let found = failure
  let tries = 0
  for (let parts = 2; parts <= steps.length; parts *= 2) {
    const size = Math.ceil(steps.length / parts)
    for (let from = 0; from < steps.length && tries < most && !isLate(); ) {
      const rest = [...steps.slice(0, from), ...steps.slice(from + size)]
      tries += 1
      const outcome = await run({ ...options, only: new Set(rest) })
      if (outcome.failure?.rule === failure.rule) {
        steps = rest
        found = outcome.failure
      } else {
        from += size
      }
    }
    if (tries >= most || isLate()) break
  }
  return { steps, failure: found, tries }
}
