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

/** Numbers as ranges: `1-4,9`. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',')
}

/** The numbers of ranges; null for anything else. */
export function numbersOf(ranges: string): readonly number[] | null {
  const numbers: number[] = []
  for (const range of ranges.split(',')) {
    const [, first, last = first] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(range) ?? []
    if (first === undefined) return null
    for (let number = Number(first); number <= Number(last); number++) numbers.push(number)
  }
  return numbers
}
