import { sha256Hex } from '../../lib/crypto/tokens.ts'
import type { auditLog } from '../../lib/tables.ts'

export type AuditRow = typeof auditLog.$inferSelect

/** What the first block continues. */
export const GENESIS = '0'.repeat(64)

/**
 * The hash of a block: SHA-256 of the hash before it and of every row, each as a JSON array of its columns on a line of
 * its own. A row that is changed, taken out, added or moved changes it and all that follow.
 */
export function blockHash(previousHash: string, rows: readonly AuditRow[]): Promise<string> {
  const lines = rows.map(({ seq, id, at, actor, action, subject, detail }) =>
    JSON.stringify([seq, id, at, actor, action, subject, detail]),
  )
  return sha256Hex([previousHash, ...lines].join('\n'))
}
