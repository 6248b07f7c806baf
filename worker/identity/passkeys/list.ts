import type { Passkey } from '../../../src/contract/identity/passkeyList.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { passkeyOf, readPasskeys } from '../factors/keys.ts'

/** The actor's passkeys, newest first. */
export async function listPasskeys({ actor, db }: ActorCall): Promise<Answer<Passkey[]>> {
  const rows = await readPasskeys(db, actor.id)
  return ok(rows.reverse().map(passkeyOf))
}
