import { eq } from 'drizzle-orm'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { Passkey } from '../../../src/contract/identity/passkeyList.ts'
import type { renamePasskey as endpoint } from '../../../src/contract/identity/passkeys.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { passkeys } from '../../lib/tables/people.ts'
import { type PasskeyRow, passkeyOf } from '../factors/keys.ts'

/** Gives a passkey another name. */
export async function renamePasskey(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
  row: PasskeyRow,
): Promise<Answer<Passkey>> {
  const { name } = call.body
  await call.commit({
    statements: [call.db.update(passkeys).set({ name }).where(eq(passkeys.id, row.id))],
    audit: [{ action: 'passkey.renamed', subject: row.id }],
  })
  return ok(passkeyOf({ ...row, name }))
}
