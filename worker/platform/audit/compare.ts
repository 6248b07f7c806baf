import type { Broken } from '../../../src/contract/console/audit.ts'
import { sha256Hex } from '../../lib/crypto/tokens.ts'
import type { auditLog } from '../../lib/tables/platform.ts'

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

export type AuditRow = typeof auditLog.$inferSelect

/** What the first block continues. */
export const GENESIS = '0'.repeat(64)

/** Digests of lines of the log, each under its number. */
type Digests = ReadonlyMap<number, string>

/** SHA-256 of each line as a JSON array of its columns, the number apart: so a line is known again under another one. */
export async function digestsOf(rows: readonly AuditRow[]): Promise<Digests> {
  return new Map(
    await Promise.all(
      rows.map(async ({ seq, id, at, actor, action, subject, detail }) => {
        const digest = await sha256Hex(JSON.stringify([id, at, actor, action, subject, detail]))
        return [seq, digest] as const
      }),
    ),
  )
}

/** The lines that a block seals, as it names them: number and digest, one a line, in their order. */
export function entriesOf(digests: Digests): string {
  return [...digests].map(([seq, digest]) => `${seq} ${digest}`).join('\n')
}

/** What `entriesOf` wrote. */
export function readEntries(entries: string): Digests {
  return new Map(
    entries.split('\n').map((line) => {
      const [seq = '', digest = ''] = line.split(' ')
      return [Number(seq), digest]
    }),
  )
}

/** The hash of a block: SHA-256 of the hash before it and of the lines it names. */
export function sealHash(previousHash: string, entries: string): Promise<string> {
  return sha256Hex(`${previousHash}\n${entries}`)
}

/**
 * The hash of a block that names no lines, as blocks were sealed before they did: SHA-256 of the hash before it and of every
 * row, each as a JSON array of its columns on a line of its own. These begin with a bracket and named ones with a digit, so
 * that neither passes for the other.
 */
export function blockHash(previousHash: string, rows: readonly AuditRow[]): Promise<string> {
  const lines = rows.map(({ seq, id, at, actor, action, subject, detail }) =>
    JSON.stringify([seq, id, at, actor, action, subject, detail]),
  )
  return sha256Hex([previousHash, ...lines].join('\n'))
}
