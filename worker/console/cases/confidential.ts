import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../http/actor.ts'
import { hasScope } from '../../http/scopes.ts'

/** Whether an operator may read confidential notes, silent freezes and their audit lines. The role in the settings, compliance and auditors may. */
export function canReadConfidential(operator: string): SQL {
  return sql`EXISTS (SELECT 1 FROM confidential_readers WHERE id = ${operator})`
}

/** Whether an operator may read the note `n` about an investor. */
export function canReadNote(reader: Actor): SQL {
  const isShown = sql`(n.confidential = 0 OR ${canReadConfidential(reader.id)})`
  return hasScope(reader, 'operator:sanctions.read') ? isShown : sql`(n.kind <> 'suspicion' AND ${isShown})`
}

/** Whether a silent freeze stands on the account of a user id. */
export function isReserved(user: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM silent_freezes WHERE investor = ${user} AND ended_at IS NULL)`
}
