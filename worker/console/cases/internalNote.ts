import type { ActorCall } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import type { Statement } from '../../lib/database.ts'
import { investorNotes } from '../../lib/tables/operators.ts'

/**
 * Keeps the internal note of a decision with the notes about its investor, if there is one. Only operators read it: it is in no mail, no
 * timeline and not in the investor's download. Of a suspicion, only those who read hits on the sanctions list.
 * @param about names the decision: "DEP-…: "
 */
export function addInternalNote(
  { db, actor, nowMs }: ActorCall,
  investor: string,
  about: string,
  note: string | null | undefined,
  { id = newId(), kind = 'decision' }: { id?: string; kind?: 'decision' | 'suspicion' } = {},
): Statement[] {
  if (note === null || note === undefined) return []
  const text = `${about}: ${note}`
  return [db.insert(investorNotes).values({ id, investor, author: actor.id, at: nowMs, text, kind })]
}
