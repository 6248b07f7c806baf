import type { ActorCall } from '../../http/call.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import type { Statement } from '../../lib/database.ts'
import { investorNotes } from '../../lib/tables/operators.ts'

/** Keeps a note about an investor that only operators read: it is in no mail, no timeline and not in the investor's download. */
export function addInternalNote({ db, actor, nowMs }: ActorCall, investor: string, text: string): Statement {
  return db.insert(investorNotes).values({ id: newId(), investor, author: actor.id, at: nowMs, text })
}
