import { sql } from 'drizzle-orm'
import {
  type submitKyc as endpoint,
  getKycKind,
  KYC_KINDS,
  type Recipient,
  SEALED_WORDS,
} from '../../../src/contract/identity/kyc.ts'
import { AGE_TYPE } from '../../../src/contract/uploads.ts'
import { type ActorCall, type Answer, type CallOf, created } from '../../http/call.ts'
import { withStoredFile } from '../../http/files.ts'
import { parseSample } from '../../http/samples.ts'
import { requireInvestor } from '../../http/scopes.ts'
import { hashForEquality } from '../../lib/crypto/signature.ts'
import { newId, newRef, sha256Hex } from '../../lib/crypto/tokens.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import { readTogether, selectRows } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { kycSubmissions } from '../../lib/tables/kyc.ts'
import { assertSealedTo, buildRecipients, readActiveKeys, recordRecipients } from './recipients.ts'

type SubmitCall = CallOf<typeof endpoint>

/** Loads the rows that a submission depends on, before the document is read. */
export async function loadSubmitting(call: ActorCall) {
  await requireInvestor(call)
  const [open, keys] = await readTogether(
    call.db,
    selectRows({ final: kycSubmissions.final, kind: kycSubmissions.kind })
      .from(kycSubmissions)
      .where(sql`user_id = ${call.actor.id} AND (status IN ('pending', 'approved') OR final = 1)`)
      .limit(KYC_KINDS.length + 1),
    readActiveKeys(),
  )
  return { open, keys }
}

/**
 * Stores an identity document or a proof of address: a picture, or a file that the browser encrypted to the reviewers. It is encrypted with its own
 * key, bound to person and file. Refuses `kyc_open` if a document of this kind is pending or approved, `kyc_final` after a final rejection, and `recipients_changed` if the file
 * is not encrypted to the current keys.
 */
export async function submitKyc(
  call: SubmitCall,
  { open, keys }: Awaited<ReturnType<typeof loadSubmitting>>,
): Promise<Answer<{ msg: string }>> {
  const { db, env, nowMs, actor, body } = call
  const sample = parseSample(call)
  const file = await getSentDocument(call)
  const kind = getKycKind(body.document)
  if (open.some(({ final }) => final === 1)) refuse('kyc_final')
  if (open.some((submission) => submission.kind === kind)) refuse('kyc_open')
  const recipients: readonly Recipient[] = file.sealedBy === 'browser' ? await buildRecipients(env, keys) : []
  if (file.sealedBy === 'browser') assertSealedTo(recipients, file.recipients, file.stanzas)

  const id = newId()
  const fileKey = `kyc/${newId()}`
  const sealed = await openVault(env.VAULT_KEYS).sealFile(file.bytes, buildDocumentContext(actor.id, fileKey))
  const pictureHash = await hashForEquality(env.VAULT_KEYS, 'document-picture', file.pictureHash)
  const answer = created({ msg: 'Your document was sent and awaits review.' })
  await withStoredFile(call, fileKey, sealed.ciphertext, 'application/octet-stream', () =>
    call.commit({
      statements: [
        db.insert(kycSubmissions).values({
          id,
          ref: newRef('KYC'),
          userId: actor.id,
          document: body.document,
          kind,
          mediaType: file.type,
          fileKey,
          wrappedKey: sealed.wrappedKey,
          keyVersion: sealed.keyVersion,
          createdAt: nowMs,
          sealedBy: file.sealedBy,
          sample: sample ? 1 : 0,
          pictureHash,
        }),
        ...(file.sealedBy === 'browser' ? recordRecipients(id, recipients) : []),
      ],
      audit: [
        {
          action: 'kyc.submitted',
          subject: id,
          detail: { document: body.document, sealedBy: file.sealedBy, ...(sample && { sample }) },
        },
      ],
      answer,
    }),
  )
  return answer
}

/** The document as sent, plain or encrypted, and the hash of its picture, which a browser says of an encrypted one. */
async function getSentDocument({ body, pictures, sealed }: SubmitCall) {
  const picture = pictures.image
  if (picture !== undefined) {
    if (body.recipients !== undefined) refuseField('image', SEALED_WORDS.notEncrypted)
    const { type, bytes } = picture
    return { sealedBy: 'server', type, bytes, pictureHash: await sha256Hex(bytes) } as const
  }
  const file = sealed.image
  if (file === undefined) throw new Error('The pipeline demands the picture.')
  const {
    recipients = refuseField('recipients', 'Please name the keys that the document is encrypted to'),
    pictureHash = refuseField('pictureHash', 'Please send the SHA-256 of the picture'),
  } = body
  return {
    sealedBy: 'browser',
    type: AGE_TYPE,
    bytes: file.bytes,
    stanzas: file.recipients,
    ...{ recipients, pictureHash },
  } as const
}

/** Binds an encrypted document to this person and file. */
export function buildDocumentContext(userId: string, fileKey: string): string {
  return `${userId}:${fileKey}`
}
