import { eq } from 'drizzle-orm'
import type { ReviewerKey } from '../../../src/contract/console/reviewerKeys.ts'
import { rolesIn } from '../../../src/contract/console/roles.ts'
import { recipientFingerprint } from '../../../src/contract/identity/kyc.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { refuse } from '../../lib/errors.ts'
import { reviewerKeys } from '../../lib/tables/kyc.ts'
import { type KeyFacts, keyRow } from './key.ts'
import { keyRetired } from './mails.ts'

/**
 * Encrypts nothing to a key any more: its owner's act, or an administrator's when its owner has left. One operator is
 * enough, because it gives nobody anything to read. The last key that counts stays: without one, browsers would send
 * documents unencrypted, and whoever stole one session could bring that about.
 */
export async function retireReviewerKey(call: ActorCall, key: KeyFacts): Promise<Answer<ReviewerKey>> {
  const { db, actor, nowMs } = call
  const own = key.owner === actor.id
  if (!own && !rolesIn(actor.operatorRoles).includes('administrator'))
    refuse('forbidden', { msg: 'Only an administrator retires somebody else’s key.' })
  if (key.approvedAt === null)
    refuse('already_decided', { msg: 'This key never counted: its proposal can be rejected instead.' })
  if (key.retiredAt !== null) refuse('already_decided', { msg: 'This key is retired already.' })
  const answer = ok(await keyRow(actor.id, { ...key, retiredAt: nowMs }))
  await call.commit({
    statements: [
      db
        .update(reviewerKeys)
        .set({ retiredBy: actor.id, retiredAt: nowMs })
        .where(eq(reviewerKeys.id, key.id)),
    ],
    audit: [{ action: 'reviewer_key.retired', subject: key.id, detail: { owner: key.owner } }],
    mails: own ? [] : [keyRetired(key, await recipientFingerprint(key.recipient))],
    answer,
  })
  return answer
}
