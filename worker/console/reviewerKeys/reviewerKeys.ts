import { eq, type SQL, sql } from 'drizzle-orm'
import type { ReviewerKey } from '../../../src/contract/console/reviewerKeys.ts'
import * as reviewerKeysContract from '../../../src/contract/console/reviewerKeys.ts'
import { recipientFingerprint } from '../../../src/contract/identity/kyc.ts'
import { rolesIn } from '../../../src/contract/roles.ts'
import type { Actor } from '../../http/actor.ts'
import { type ActorCall, accepted, ok, route, routeOf } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { checkPassword } from '../../identity/credentials/tries.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { recoveryOf } from '../../identity/kyc/recipients.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { isAgeRecipient, isSealedIdentity } from '../../lib/files/age.ts'
import { composeMail, linkTo } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { reviewerKeys } from '../../lib/tables/kyc.ts'
import { insertProposal, newProposal, proposalRow } from '../proposals/proposal.ts'

/** A reviewer's key, and whose it is. */
interface KeyFacts {
  readonly id: string
  readonly owner: string
  readonly ownerName: string
  readonly ownerEmail: string
  readonly recipient: string
  readonly identity: string
  readonly method: ReviewerKey['method']
  readonly createdAt: number
  readonly approvedAt: number | null
  readonly retiredAt: number | null
  readonly ownerReviews: 0 | 1
}

/** The reviewers' keys, newest first; each has its private key, encrypted, for its owner alone. */
export const listReviewerKeys = route(reviewerKeysContract.listReviewerKeys, async (call) => {
  const [keys] = await readTogether(call.db, readKeys(sql`1`))
  return ok(await Promise.all(keys.map((key) => keyRow(call.actor.id, key))))
})

/** The key that `:id` names. */
async function loadReviewerKey(call: ActorCall): Promise<KeyFacts> {
  const [[key]] = await readTogether(call.db, readKeys(sql`k.id = ${call.params.id ?? ''}`))
  return key ?? refuse('not_found')
}

// A key that was rejected never counted and never will: it is not among them.
function readKeys(where: SQL): Read<KeyFacts> {
  return reading(sql`
    SELECT k.id, k.user_id AS owner, u.display_name AS ownerName, u.email AS ownerEmail, k.recipient, k.identity, k.method,
           k.created_at AS createdAt, k.approved_at AS approvedAt, k.retired_at AS retiredAt,
           k.user_id IN (SELECT id FROM active_reviewers) AS ownerReviews
    FROM reviewer_keys k JOIN users u ON u.id = k.user_id JOIN proposals p ON p.id = k.proposal
    WHERE p.status <> 'rejected' AND ${where} ORDER BY k.seq DESC`)
}

/** A key as an operator sees it: with the encrypted private key where it is their own. */
async function keyRow(viewer: string, key: KeyFacts): Promise<ReviewerKey> {
  const own = key.owner === viewer
  return {
    _id: key.id,
    owner: { _id: key.owner, name: key.ownerName },
    recipient: key.recipient,
    fingerprint: await recipientFingerprint(key.recipient),
    method: key.method,
    status: key.approvedAt === null ? 'awaiting' : key.retiredAt === null ? 'active' : 'retired',
    createdAt: iso(key.createdAt),
    ownerReviews: key.ownerReviews === 1,
    own,
    ...(own && { identity: key.identity }),
  }
}

/**
 * Encrypts nothing to a key any more: its owner's act, or an administrator's when its owner has left. One operator is
 * enough, because it gives nobody anything to read. The last key that counts stays: without one, browsers would send
 * documents unencrypted, and whoever stole one session could bring that about.
 */
export const retireReviewerKey = routeOf(
  reviewerKeysContract.retireReviewerKey,
  loadReviewerKey,
  async (call, key) => {
    const { db, actor, nowMs } = call
    const own = key.owner === actor.id
    if (!own && !rolesIn(actor.operatorRoles).includes('administrator'))
      refuse('forbidden', { msg: 'Only an administrator retires somebody else’s key.' })
    if (key.approvedAt === null)
      refuse('already_decided', { msg: 'This key never counted: its proposal can be rejected instead.' })
    if (key.retiredAt !== null) refuse('already_decided', { msg: 'This key is retired already.' })
    return call.commit({
      statements: [
        db
          .update(reviewerKeys)
          .set({ retiredBy: actor.id, retiredAt: nowMs })
          .where(eq(reviewerKeys.id, key.id)),
      ],
      audit: [{ action: 'reviewer_key.retired', subject: key.id, detail: { owner: key.owner } }],
      mails: own ? [] : [keyRetired(key, await recipientFingerprint(key.recipient))],
      answer: ok(await keyRow(actor.id, { ...key, retiredAt: nowMs })),
    })
  },
)

/**
 * Proposes a key of the actor's own: nothing is encrypted to it until another operator has approved it, having compared
 * its fingerprint. Asks for the password, because a session may be stolen. Refuses a private key that is not encrypted.
 */
export const addReviewerKey = route(reviewerKeysContract.addReviewerKey, async (call) => {
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
  return commitWithFactor(call, act, {
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
    answer: accepted(proposalRow(proposal)),
  })
})

/** Tells a reviewer of a key proposed from their account: if it was not them, their session was stolen. */
function keyProposed(env: Env, actor: Pick<Actor, 'email' | 'displayName'>, fingerprint: string): Mail {
  return composeMail(actor.email, 'A reviewer key was proposed from your account', actor.displayName, [
    'a public key was proposed as yours, to which identity documents will be encrypted once another operator has approved it.',
    `Its fingerprint: ${fingerprint}`,
    'If it was not you, choose a new password at once and tell another operator to reject it.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
  ])
}

/** Tells a reviewer that somebody else retired their key. */
function keyRetired(
  { ownerEmail, ownerName }: Pick<KeyFacts, 'ownerEmail' | 'ownerName'>,
  fingerprint: string,
): Mail {
  return composeMail(ownerEmail, 'Your reviewer key was retired', ownerName, [
    'an administrator retired your reviewer key: no further identity document is encrypted to it.',
    `Its fingerprint: ${fingerprint}`,
    'What was encrypted to it before still opens with it.',
  ])
}
