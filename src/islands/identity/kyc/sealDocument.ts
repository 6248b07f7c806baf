import { AGE_TYPE, type Recipient, recipientFingerprint } from '../../../contract/identity/kyc.ts'
import { MAX_UPLOAD_BYTES, UPLOAD_WORDS } from '../../../contract/uploads.ts'
import { inspectImage } from '../../../pictures/inspect.ts'
import { seal } from '../../lib/age/age.ts'

export type SealedDocument =
  | { ok: true; file: File; fingerprints: readonly string[] }
  | { ok: false; msg: string }

/**
 * Encrypts a picture to the recipients. What the server does with a picture that it can read is done here before, by
 * the same program, since nobody can do it after: its type is told by its bytes, and what hangs on it, such as the place
 * where it was taken, is left out. Throws where the browser cannot encrypt.
 */
export async function sealDocument(picture: Blob, recipients: readonly Recipient[]): Promise<SealedDocument> {
  const image = inspectImage(new Uint8Array(await picture.arrayBuffer()))
  if (!image.ok) return image
  const keys = recipients.map(({ recipient }) => recipient)
  // A file's name may reveal more than the picture, so it is not sent.
  const file = new File([await seal(image.bytes, keys)], 'document.age', { type: AGE_TYPE })
  if (file.size > MAX_UPLOAD_BYTES) return { ok: false, msg: UPLOAD_WORDS.tooLarge }
  return { ok: true, file, fingerprints: await Promise.all(keys.map(recipientFingerprint)) }
}
