import type { Broken } from '../../../src/contract/console/audit.ts'
import type { Digests } from './chain.ts'

/** More is not named at once: who took everything out has made their point. */
export const MOST_NAMED = 1000

/**
 * Compares lines as they were written with lines as they are, and names each that differs: `changed`, `deleted`, `inserted`, or
 * `moved` where the line of one number stands under another. Numbers from `first` to `last` are given without a gap.
 */
export function compareLines(written: Digests, found: Digests, first: number, last: number): Broken[] {
  const writtenOnes = new Set(written.values())
  const foundOnes = new Set(found.values())
  const broken: Broken[] = []
  for (const seq of [...new Set([...written.keys(), ...found.keys()])].sort((a, b) => a - b)) {
    const was = written.get(seq)
    const is = found.get(seq)
    if (is !== undefined && is !== was)
      broken.push({ seq, why: writtenOnes.has(is) ? 'moved' : was === undefined ? 'inserted' : 'changed' })
    else if (is === undefined && was !== undefined)
      broken.push({ seq, why: foundOnes.has(was) ? 'moved' : 'deleted' })
  }
  for (let seq = first; seq <= last && broken.length < MOST_NAMED; seq++)
    if (!written.has(seq) && !found.has(seq)) broken.push({ seq, why: 'deleted' })
  return broken
}
