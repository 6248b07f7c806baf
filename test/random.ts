import { inject } from 'vitest'

// How many random cases a test tries. `npm test` tries a short fixed set. `npm run test:long` tries many more, from a seed that it
// prints (LONG_SEED=… repeats it).

declare module 'vitest' {
  interface ProvidedContext {
    /** The seed of a long run; null in a short one. */
    longSeed: number | null
    /** Whether `npm run mutate` runs the tests; absent otherwise. */
    isMutating?: true
  }
}

/** Whether this is a long run. */
export const isLong: boolean = inject('longSeed') !== null

/** The seed of properties without one of their own. */
const SEED = 20_261_122

/** The parameters of a fast-check property: as given in a short run, 20 times as many runs in a long one. */
export function randomRuns(numRuns: number, seed = SEED): { numRuns: number; seed: number } {
  const longSeed = inject('longSeed')
  return longSeed === null ? { numRuns, seed } : { numRuns: numRuns * 20, seed: longSeed }
}
