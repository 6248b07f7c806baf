import { eq } from 'drizzle-orm'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { removePasskey as endpoint } from '../../../src/contract/identity/passkeys.ts'
import { type ActorCall, type Answer, type CheckedCall, noContent } from '../../http/call.ts'
import { passkeys } from '../../lib/tables/people.ts'
import { commitWithProof } from '../factors/commitWithProof.ts'
import type { PasskeyRow } from '../factors/keys.ts'
import { passkeyRemovedMail } from './mails.ts'

/**
 * Removes a passkey, with the password and a proof: a code, or an answer of any passkey, this one included. Recovery codes
 * go with the last second factor; an operator's last one stays.
 */
export async function removePasskey(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
  row: PasskeyRow,
): Promise<Answer<undefined>> {
  const { actor, db, env, nowMs, body } = call
  await commitWithProof(call, body, {
    statements: [db.delete(passkeys).where(eq(passkeys.id, row.id))],
    audit: [{ action: 'passkey.removed', subject: row.id }],
    mails: [await passkeyRemovedMail(env, { ...actor, displayName: actor.name }, row.name, nowMs)],
  })
  return noContent()
}
