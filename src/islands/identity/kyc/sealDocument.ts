import { toHex } from '../../../contract/bytes.ts'
import { computeRecipientFingerprint, type Recipient } from '../../../contract/identity/kyc.ts'
import { AGE_TYPE, MAX_UPLOAD_BYTES, UPLOAD_WORDS } from '../../../contract/uploads.ts'
import { inspectImage } from '../../../pictures/inspect.ts'
import { seal } from '../../lib/age/age.ts'

export type SealedDocument =
  | { ok: true; file: File; fingerprints: readonly string[]; pictureHash: string }
  | { ok: false; msg: string }

/**
 * Encrypts a picture to the recipients. The server cannot inspect an encrypted picture, so the same checks run here
 * first: the type is detected from the bytes, and metadata such as the location is removed. Throws if the browser cannot
 * encrypt.
 */
export async function sealDocument(picture: Blob, recipients: readonly Recipient[]): Promise<SealedDocument> {
  const image = inspectImage(new Uint8Array(await picture.arrayBuffer()))
  if (!image.ok) return image
  const keys = recipients.map(({ recipient }) => recipient)
  // The original file name is not sent, because it may reveal personal data.
  const file = new File([await seal(image.bytes, keys)], 'document.age', { type: AGE_TYPE })
  if (file.size > MAX_UPLOAD_BYTES) return { ok: false, msg: UPLOAD_WORDS.tooLarge }
  const hash = await crypto.subtle.digest('SHA-256', image.bytes)
  return {
    ...{ ok: true, file, pictureHash: toHex(new Uint8Array(hash)) },
    fingerprints: await Promise.all(keys.map(computeRecipientFingerprint)),
  }
}
