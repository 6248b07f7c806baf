import type { BrokenLine } from '../../../src/contract/console/audit.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import type { auditLog } from '../../lib/tables/platform.ts'

/** Differences beyond this number are not listed. */
export const MOST_NAMED = 1000

/**
 * Compares lines as written with lines as found and lists each difference: `changed`, `deleted`, `inserted`, or `moved` if a
 * line has another number. Numbers from `first` to `last` have no gap.
 */
export function compareLines(written: Digests, found: Digests, first: number, last: number): BrokenLine[] {
  const writtenOnes = new Set(written.values())
  const foundOnes = new Set(found.values())
  const broken: BrokenLine[] = []
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

export type AuditRow = typeof auditLog.$inferSelect

/** The previous hash of the first block. */
export const GENESIS = '0'.repeat(64)

/** Digests of log lines by line number. */
type Digests = ReadonlyMap<number, string>

/** SHA-256 of each line as a JSON array of its columns without the number, so a moved line is recognised. */
export async function hashRows(rows: readonly AuditRow[]): Promise<Digests> {
  return new Map(
    await Promise.all(
      rows.map(async ({ seq, id, at, actor, action, subject, detail }) => {
        const digest = await sha256Hex(JSON.stringify([id, at, actor, action, subject, detail]))
        return [seq, digest] as const
      }),
    ),
  )
}

/** A block's list of sealed lines: one number and digest per line, in order. */
export function formatEntries(digests: Digests): string {
  return [...digests].map(([seq, digest]) => `${seq} ${digest}`).join('\n')
}

/** Parses the text that `formatEntries` wrote. */
export function readEntries(entries: string): Digests {
  return new Map(
    entries.split('\n').map((line) => {
      const [seq = '', digest = ''] = line.split(' ')
      return [Number(seq), digest]
    }),
  )
}

/** The hash of a block: SHA-256 of the previous hash and of the lines it lists. */
export function sealHash(previousHash: string, entries: string): Promise<string> {
  return sha256Hex(`${previousHash}\n${entries}`)
}
