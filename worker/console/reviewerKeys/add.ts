import { sql } from 'drizzle-orm'
import type { Proposal } from '../../../src/contract/console/proposals.ts'
import type { addReviewerKey as endpoint } from '../../../src/contract/console/reviewerKeys.ts'
import type { BodyOf } from '../../../src/contract/endpoint.ts'
import { recipientFingerprint } from '../../../src/contract/identity/kyc.ts'
import { type ActorCall, type Answer, accepted, type CheckedCall } from '../../http/call.ts'
import { checkPassword } from '../../identity/credentials/tries.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { recoveryOf } from '../../identity/kyc/recipients.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { reading, readTogether } from '../../lib/database.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { isAgeRecipient, isSealedIdentity } from '../../lib/files/age.ts'
import { reviewerKeys } from '../../lib/tables/kyc.ts'
import { insertProposal, newProposal, proposalRow } from '../proposals/proposal.ts'
import { keyProposed } from './mails.ts'

/**
 * Proposes a key of the actor's own: nothing is encrypted to it until another operator has approved it, having compared
 * its fingerprint. Asks for the password, because a session may be stolen. Refuses a private key that is not encrypted.
 */
export async function addReviewerKey(
  call: CheckedCall<BodyOf<typeof endpoint>, unknown> & ActorCall,
): Promise<Answer<Proposal>> {
  const { db, env, actor, nowMs, body } = call
  const { recipient, identity, method } = body
  if (!isAgeRecipient(recipient))
    refuseField('recipient', 'This is no public key of age: a character is wrong')
  if (!isSealedIdentity(identity, method))
    refuseField('identity', 'Please send the private key encrypted, as an armored age file')
  if (recipient === recoveryOf(env)) refuse('conflict', { msg: 'This is the recovery key.' })
  const act = { about: recipient }
  await assertFactor(call, act)
  const shown = await checkPassword(call, body.password)
  const [[own], [awaiting]] = await readTogether(
    db,
    reading<{ id: string }>(sql`SELECT id FROM reviewer_keys WHERE recipient = ${recipient}`),
    reading<{ id: string }>(sql`
      SELECT k.id FROM reviewer_keys k JOIN proposals p ON p.id = k.proposal
      WHERE k.user_id = ${actor.id} AND p.status = 'pending'`),
  )
  if (own !== undefined) refuse('conflict', { msg: 'This key was proposed before. Please make a new one.' })
  if (awaiting !== undefined) refuse('conflict', { msg: 'A key of yours awaits another operator already.' })

  const id = newId()
  const fingerprint = await recipientFingerprint(recipient)
  const proposal = newProposal(call, {
    kind: 'reviewer_key',
    payload: JSON.stringify({ key: id, recipient, fingerprint, method }),
  })
  const answer = accepted(proposalRow(proposal))
  await commitWithFactor(call, act, {
    statements: [
      ...shown.passed(),
      insertProposal(db, proposal),
      db.insert(reviewerKeys).values({
        id,
        userId: actor.id,
        recipient,
        identity,
        method,
        proposal: proposal.id,
        createdAt: nowMs,
      }),
    ],
    audit: [
      { action: 'proposal.created', subject: proposal.id, detail: { kind: proposal.kind } },
      { action: 'reviewer_key.proposed', subject: id, detail: { proposal: proposal.id, fingerprint } },
    ],
    mails: [keyProposed(env, actor, fingerprint)],
    answer,
  })
  return answer
}
