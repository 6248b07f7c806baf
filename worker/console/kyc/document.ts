import { eq } from 'drizzle-orm'
import type * as contract from '../../../src/contract/console/kyc.ts'
import { type CallOf, ok } from '../../http/call.ts'
import { createAttachment, withStoredFile } from '../../http/files.ts'
import { assertSealedTo, buildRecipients, recordRecipients } from '../../identity/kyc/recipients.ts'
import { buildDocumentContext } from '../../identity/kyc/submit.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import { parseStored } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { readAge } from '../../lib/files/age.ts'
import { kycLooks, kycSubmissions } from '../../lib/tables/kyc.ts'
import { recipientList, type Submission, toSubmissionRow } from './queue.ts'

/**
 * Returns the document without our own encryption. If a browser encrypted it too, the reviewer's browser decrypts it. The view
 * is written to the audit log and to the owner's list before anything is shown.
 */
export async function showDocument(call: CallOf<typeof contract.getKycDocument>, submission: Submission) {
  const { id, ref, mediaType } = submission
  const open = await readStored(call.env, submission)
  await call.commit({
    statements: [
      call.db.insert(kycLooks).values({ submissionId: id, reviewer: call.actor.id, at: call.nowMs }),
    ],
    audit: [{ action: 'kyc.document_viewed', subject: id }],
  })
  return createAttachment(await open(), mediaType, ref)
}

/** Reads a submission's file and returns a function that decrypts it. Refuses a document that is no longer stored. */
async function readStored(env: Env, { investor, fileKey, wrappedKey }: Submission) {
  const file = wrappedKey === null ? null : await env.FILES.get(fileKey)
  if (wrappedKey === null || file === null) refuse('not_found', { msg: 'The document is no longer stored.' })
  const bytes = new Uint8Array(await file.arrayBuffer())
  return () => openVault(env.VAULT_KEYS).openFile(bytes, wrappedKey, buildDocumentContext(investor, fileKey))
}

/**
 * Replaces a document by the same one encrypted to the current keys, as a reviewer's browser made it. Only the header may
 * differ; the encrypted bytes must equal the stored ones, so no reviewer can substitute another document. The file gets a new key of
 * its own, which shreds the former file. Refuses `recipients_changed` for other keys, and `conflict` if another reviewer was
 * first.
 */
export async function resealDocument(
  call: CallOf<typeof contract.resealKycDocument>,
  submission: Submission,
) {
  const { db, env, body, sealed } = call
  const file = sealed.image
  if (file === undefined) throw new Error('The pipeline demands the document.')
  const { id, investor, fileKey: replacedFile, wrappedKey } = submission
  const recipients = await buildRecipients(env, parseActiveKeys(submission))
  assertSealedTo(recipients, body.recipients, file.recipients)
  if (submission.sealedBy !== 'browser')
    refuse('conflict', { msg: 'This document was not encrypted in a browser.' })
  const stands = await toSubmissionRow(call, submission)
  if (wrappedKey !== null && !stands.outdated)
    refuse('conflict', { msg: 'This document is already sealed to the current keys.' })
  const open = await readStored(env, submission)
  const before = readAge(await open())
  if (before === null || !isSame(before.payload, file.payload))
    refuseField('image', 'This is not the stored document')

  const fileKey = `kyc/${newId()}`
  const again = await openVault(env.VAULT_KEYS).sealFile(file.bytes, buildDocumentContext(investor, fileKey))
  const sealedTo = recipients.map(({ fingerprint }) => fingerprint).toSorted()
  const answer = await withStoredFile(call, fileKey, again.ciphertext, 'application/octet-stream', () =>
    call.commit({
      statements: [
        db
          .update(kycSubmissions)
          .set({ fileKey, wrappedKey: again.wrappedKey, keyVersion: again.keyVersion, replacedFile })
          .where(eq(kycSubmissions.id, id)),
        ...recordRecipients(id, recipients),
      ],
      audit: [{ action: 'kyc.document_resealed', subject: id }],
      answer: ok({ ...stands, sealedTo, outdated: false }),
    }),
  )
  call.defer(() => env.FILES.delete(replacedFile))
  return answer
}

/** The active reviewers' keys. */
function parseActiveKeys({ activeKeys }: Submission) {
  return parseStored(recipientList, activeKeys).map((recipient) => ({ recipient, name: '' }))
}

function isSame(stored: Uint8Array, sent: Uint8Array): boolean {
  return stored.length === sent.length && stored.every((byte, i) => byte === sent[i])
}
