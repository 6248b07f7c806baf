import { eq } from 'drizzle-orm'
import type { OperatorKyc, resealKycDocument } from '../../../src/contract/console/kyc.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import { type ActorCall, type Answer, type CheckedCall, ok } from '../../http/call.ts'
import { withStoredFile } from '../../http/store.ts'
import { assertSealedTo, recipientsOf, recordRecipients } from '../../identity/kyc/recipients.ts'
import { documentContext } from '../../identity/kyc/submit.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { readAge } from '../../lib/files/age.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { type Submission, submissionRow } from './submission.ts'

/**
 * Takes a document that a reviewer's browser sealed to today's keys: a new header before the very bytes that are stored, so
 * that nobody can put another document in its place. It gets a new key of its own, which shreds the file that stood.
 * Refuses `recipients_changed` where it is sealed to others, and `conflict` where somebody else sealed it so first.
 */
export async function resealDocument(
  call: CheckedCall<BodyOf<typeof resealKycDocument>, unknown> & ActorCall,
  submission: Submission,
): Promise<Answer<OperatorKyc>> {
  const { db, env, body, sealed } = call
  const file = sealed.image
  if (file === undefined) throw new Error('The pipeline demands the document.')
  const { id, investor, fileKey: replacedFile, wrappedKey } = submission
  const recipients = await recipientsOf(env, keysOf(submission))
  assertSealedTo(recipients, body.recipients, file.recipients)
  if (submission.sealedBy !== 'browser') refuse('conflict', { msg: 'No browser encrypted this document.' })
  const stands = await submissionRow(env, submission)
  if (wrappedKey !== null && !stands.outdated)
    refuse('conflict', { msg: 'This document is sealed to today’s keys already.' })
  const stored = wrappedKey === null ? null : await env.FILES.get(replacedFile)
  if (wrappedKey === null || stored === null)
    refuse('not_found', { msg: 'The document is no longer stored.' })
  const vault = openVault(env.VAULT_KEYS)
  const before = readAge(
    await vault.openFile(
      new Uint8Array(await stored.arrayBuffer()),
      wrappedKey,
      documentContext(investor, replacedFile),
    ),
  )
  if (before === null || !isSame(before.payload, file.payload))
    refuseField('image', 'This is another document than the one that is stored')

  const fileKey = `kyc/${newId()}`
  const again = await vault.sealFile(file.bytes, documentContext(investor, fileKey))
  const sealedTo = recipients.map(({ fingerprint }) => fingerprint).toSorted()
  const answer = ok({ ...stands, sealedTo, outdated: false })
  await withStoredFile(call, fileKey, again.ciphertext, 'application/octet-stream', () =>
    call.commit({
      statements: [
        db
          .update(kycSubmissions)
          .set({ fileKey, wrappedKey: again.wrappedKey, keyVersion: again.keyVersion, replacedFile })
          .where(eq(kycSubmissions.id, id)),
        ...recordRecipients(db, id, recipients),
      ],
      audit: [{ action: 'kyc.document_resealed', subject: id }],
    }),
  )
  call.defer(env.FILES.delete(replacedFile))
  return answer
}

/** The reviewers' keys that count now; whose they are does not matter here. */
function keysOf({ activeKeys }: Submission) {
  return (JSON.parse(activeKeys) as string[]).map((recipient) => ({ recipient, name: '' }))
}

function isSame(stored: Uint8Array, sent: Uint8Array): boolean {
  return stored.length === sent.length && stored.every((byte, i) => byte === sent[i])
}
