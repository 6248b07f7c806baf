import { inspectImage } from '../../../pictures/inspect.ts'
import { ApiFailure } from '../../lib/ApiFailure.ts'
import { AgeFault } from '../../lib/age/AgeFault.ts'
import { open } from '../../lib/age/age.ts'

/**
 * Decrypts a document that a browser encrypted, and checks that its bytes are a picture, which the server could not do.
 * Rewrites the picture, as the server does with unencrypted uploads, and refuses an SVG that could run or load anything.
 * Throws an `ApiFailure` with the sentence to show.
 */
export async function openPicture(sealed: Blob, identity: string): Promise<Blob> {
  const bytes = await open(new Uint8Array(await sealed.arrayBuffer()), identity).catch((error: unknown) => {
    throw error instanceof AgeFault ? createFailure(error.reason, FAULTS[error.reason]) : error
  })
  const image = inspectImage(bytes)
  if (!image.ok)
    throw createFailure(
      'no_picture',
      `The document was decrypted, but it is not an accepted picture, so it is not shown: ${image.msg}.`,
    )
  return new Blob([image.bytes], { type: image.type })
}

function createFailure(code: string, msg: string): ApiFailure {
  return new ApiFailure(0, { code, msg })
}

const ALTERED = 'This file was changed after it was encrypted, or is incomplete. It cannot be opened.'

const FAULTS: Record<AgeFault['reason'], string> = {
  not_sealed_to_you:
    'This document is not encrypted to your key. Ask a colleague who can open it to encrypt it again, under Document keys.',
  altered: ALTERED,
  wrong_passphrase: ALTERED,
}
