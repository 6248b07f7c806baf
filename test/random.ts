import { inject } from 'vitest'

// How much is tried at random. `npm test` tries a short fixed set, the same on each run; `npm run test:long` tries much more,
// from a seed that it prints (LONG_SEED=… repeats it).

declare module 'vitest' {
  interface ProvidedContext {
    /** The seed of a long run; null in a short one. */
    longSeed: number | null
  }
}

/** Whether this is a long run. */
export const isLong: boolean = inject('longSeed') !== null

/** The seed of properties that have none of their own. */
const SEED = 20_261_122

/** How often, and from which seed, a property is tried: as given in a short run, 20 times as often in a long one. */
export function randomRuns(numRuns: number, seed = SEED): { numRuns: number; seed: number } {
  const longSeed = inject('longSeed')
  return longSeed === null ? { numRuns, seed } : { numRuns: numRuns * 20, seed: longSeed }
}
