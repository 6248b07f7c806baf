import { attachment } from '../../http/attachment.ts'
import type { ActorCall } from '../../http/call.ts'
import { documentContext } from '../../identity/kyc/submit.ts'
import { openVault } from '../../lib/crypto/vault.ts'
import { refuse } from '../../lib/errors.ts'
import { kycLooks } from '../../lib/tables/kyc.ts'
import type { Submission } from './submission.ts'

/**
 * The document, decrypted for this one answer; what a browser encrypted comes as it was sent, for a reviewer's browser to
 * open. The look is on the audit log, and on its owner's list, before anything is shown.
 */
export async function showDocument(call: ActorCall, submission: Submission): Promise<Response> {
  const { id, ref, investor, fileKey, wrappedKey, mediaType } = submission
  const file = wrappedKey === null ? null : await call.env.FILES.get(fileKey)
  if (wrappedKey === null || file === null) refuse('not_found', { msg: 'The document is no longer stored.' })
  await call.commit({
    statements: [
      call.db.insert(kycLooks).values({ submissionId: id, reviewer: call.actor.id, at: call.nowMs }),
    ],
    audit: [{ action: 'kyc.document_viewed', subject: id }],
  })
  const bytes = await openVault(call.env.VAULT_KEYS).openFile(
    new Uint8Array(await file.arrayBuffer()),
    wrappedKey,
    documentContext(investor, fileKey),
  )
  return attachment(bytes, mediaType, ref)
}
