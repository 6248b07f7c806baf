import { and, eq } from 'drizzle-orm'
import type { ActorCall } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { passkeys } from '../../lib/tables/people.ts'
import type { PasskeyRow } from '../factors/keys.ts'

/** The passkey that `:id` names, if it is the actor's own; refuses `not_found`. */
export async function ownPasskey({ actor, db, params }: ActorCall): Promise<PasskeyRow> {
  const [row] = await db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.id, params.id ?? ''), eq(passkeys.userId, actor.id)))
  return row ?? refuse('not_found')
}
