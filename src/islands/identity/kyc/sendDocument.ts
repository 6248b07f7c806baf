import type { Recipient } from '../../../contract/identity/kyc.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import type { SealedDocument } from './sealDocument.ts'

export type Seal = (picture: File, recipients: readonly Recipient[]) => Promise<SealedDocument>

type SealedPicture = Extract<SealedDocument, { ok: true }>

export interface DocumentSender<Answer> {
  /** Loads the current keys. */
  load: () => Promise<readonly Recipient[]>
  seal: Seal
  /** Null: the picture is sent as it is, and the server encrypts it. */
  send: (file: File, sealed: Pick<SealedPicture, 'fingerprints' | 'pictureHash'> | null) => Promise<Answer>
}

/** Failure code: the browser could not encrypt the document, so it was not sent. */
export const CANNOT_ENCRYPT = 'cannot_encrypt'

/**
 * Sends an identity document, encrypted to the keys that the investor was shown. If the keys have changed since, it is
 * encrypted again to the current ones, without asking. If there are no keys any more, it fails instead of sending the
 * document unencrypted. If no keys were shown but there are some now, it is encrypted to them.
 *
 * @param shown the keys on the screen; empty if the server encrypts
 */
export async function sendDocument<Answer>(
  picture: File,
  shown: readonly Recipient[],
  sender: DocumentSender<Answer>,
): Promise<Answer> {
  const load = () => sender.load().catch(throwEncryptionFailure)
  let recipients = shown.length > 0 ? shown : await load()
  if (recipients.length === 0) return sender.send(picture, null)
  for (let attempt = 1; ; attempt++) {
    const sealed = await sealPicture(picture, recipients, sender.seal)
    try {
      return await sender.send(sealed.file, sealed)
    } catch (failure) {
      if (!hasChanged(failure) || attempt === ATTEMPTS) throw failure
      recipients = await load()
      if (recipients.length === 0) throw createEncryptionFailure()
    }
  }
}

const ATTEMPTS = 3

/**
 * Encrypts a picture once for the same keys. Encrypting again would give another file, but a retry must send the same
 * request under the same `Idempotency-Key`.
 */
export function sealOnce(seal: Seal): Seal {
  let last: { picture: File; keys: string; sealed: Promise<SealedDocument> } | null = null
  return (picture, recipients) => {
    const keys = recipients.map(({ recipient }) => recipient).join()
    if (last?.picture !== picture || last.keys !== keys) {
      const sealed = seal(picture, recipients)
      last = { picture, keys, sealed }
      // A failure may be temporary, so it is not cached.
      sealed.catch(() => {
        last = null
      })
    }
    return last.sealed
  }
}

function hasChanged(failure: unknown): boolean {
  return failure instanceof ApiFailure && failure.code === 'recipients_changed'
}

async function sealPicture(picture: File, recipients: readonly Recipient[], seal: Seal) {
  const sealed = await seal(picture, recipients).catch(throwEncryptionFailure)
  // Shaped like the server's refusal, so that the form shows it beside the field.
  if (!sealed.ok)
    throw new ApiFailure(422, { msg: sealed.msg, code: 'validation_failed', fields: { image: sealed.msg } })
  return sealed
}

/** An error that is no API failure means that this browser cannot encrypt. */
function throwEncryptionFailure(error: unknown): never {
  if (error instanceof ApiFailure) throw error
  console.error(error)
  throw createEncryptionFailure()
}

function createEncryptionFailure(): ApiFailure {
  return new ApiFailure(0, {
    msg: 'Your browser could not encrypt the document. Nothing was sent.',
    code: CANNOT_ENCRYPT,
  })
}
