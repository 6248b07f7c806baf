import { and, eq, inArray } from 'drizzle-orm'
import type { BodyOf } from '../../src/contract/endpoint.ts'
import type { submitKyc as endpoint } from '../../src/contract/kyc.ts'
import { type ActorCall, type Answer, type CheckedCall, created } from '../lib/call.ts'
import { newId, newRef } from '../lib/crypto/tokens.ts'
import { openVault } from '../lib/crypto/vault.ts'
import { refuse } from '../lib/errors.ts'
import { withStoredFile } from '../lib/files/store.ts'
import { documentContext } from './documentContext.ts'
import { kycSubmissions } from './tables.ts'

/**
 * Takes an identity document: sealed under a key of its own, bound to the person and the file, before it is stored.
 * Refuses `kyc_open` while another one waits or stands.
 */
export async function submitKyc(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
): Promise<Answer<{ msg: string }>> {
  const { db, env, nowMs, actor, body, pictures } = call
  const [open] = await db
    .select({ id: kycSubmissions.id })
    .from(kycSubmissions)
    .where(and(eq(kycSubmissions.userId, actor.id), inArray(kycSubmissions.status, ['pending', 'approved'])))
    .limit(1)
  if (open !== undefined) refuse('kyc_open')

  const picture = pictures.image
  if (picture === undefined) throw new Error('The pipeline demands the picture.')
  const id = newId()
  const fileKey = `kyc/${newId()}`
  const sealed = await openVault(env.VAULT_KEYS).sealFile(picture.bytes, documentContext(actor.id, fileKey))
  const answer = created({ msg: 'Your document was sent and awaits review.' })
  await withStoredFile(call, fileKey, sealed.ciphertext, 'application/octet-stream', () =>
    call.commit({
      statements: [
        db.insert(kycSubmissions).values({
          id,
          ref: newRef('KYC'),
          userId: actor.id,
          document: body.document,
          mediaType: picture.type,
          fileKey,
          wrappedKey: sealed.wrappedKey,
          keyVersion: sealed.keyVersion,
          createdAt: nowMs,
        }),
      ],
      audit: [{ action: 'kyc.submitted', subject: id, detail: { document: body.document } }],
      answer,
    }),
  )
  return answer
}
