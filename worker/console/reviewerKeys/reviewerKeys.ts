import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type * as contract from '../../../src/contract/console/reviewerKeys.ts'
import { computeRecipientFingerprint } from '../../../src/contract/identity/kyc.ts'
import { parseRoles } from '../../../src/contract/roles.ts'
import type { Actor } from '../../http/actor.ts'
import { type ActorCall, accepted, type CallOf, ok } from '../../http/call.ts'
import { toIso } from '../../http/paging.ts'
import { addStep, parseSteps, selectHistory } from '../../http/steps.ts'
import { checkPassword } from '../../identity/credentials/tries.ts'
import { assertFactor, commitWithFactor } from '../../identity/factors/actFactor.ts'
import { requireRecoveryKey } from '../../identity/kyc/recipients.ts'
import { newId } from '../../lib/crypto/tokens.ts'
import { type RowOf, readTogether, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse, refuseField } from '../../lib/errors.ts'
import { isAgeRecipient, isSealedIdentity } from '../../lib/files/age.ts'
import { buildLink, composeMail } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { reviewerKeys } from '../../lib/tables/kyc.ts'
import { proposals } from '../../lib/tables/operators.ts'
import { users } from '../../lib/tables/people.ts'
import { insertProposal, newProposal, toProposalRow } from '../proposals/proposal.ts'

/** A reviewer's key with its owner. */
type KeyFacts = RowOf<typeof readKeys>

/** Lists the reviewers' keys, newest first. Only the owner gets the encrypted private key. */
export async function listReviewerKeys(call: CallOf<typeof contract.listReviewerKeys>) {
  const [keys] = await readTogether(call.db, readKeys(sql`1`))
  return ok(await Promise.all(keys.map((key) => toKeyRow(call.actor.id, key))))
}

export async function loadReviewerKey(call: ActorCall): Promise<KeyFacts> {
  const [[key]] = await readTogether(call.db, readKeys(sql`k.id = ${call.params.id ?? ''}`))
  return key ?? refuse('not_found')
}

// Rejected keys are left out: they were never active.
function readKeys(where: SQL) {
  const [k, u, p] = [alias(reviewerKeys, 'k'), alias(users, 'u'), alias(proposals, 'p')]
  return selectRows({
    ...getTableColumns(k),
    owner: k.userId,
    ownerName: u.displayName,
    ownerEmail: u.email,
    steps: selectHistory(
      { step: 'proposed', at: sql`k.created_at`, by: sql`k.user_id` },
      { step: 'approved', at: sql`k.approved_at`, by: sql`k.approved_by` },
      { step: 'retired', at: sql`k.retired_at`, by: sql`k.retired_by` },
    ),
    ownerReviews: sql<0 | 1>`k.user_id IN (SELECT id FROM active_reviewers)`,
  })
    .from(k)
    .innerJoin(u, eq(u.id, k.userId))
    .innerJoin(p, eq(p.id, k.proposal))
    .where(sql`p.status <> 'rejected' AND ${where}`)
    .orderBy(desc(k.seq))
}

/** A key as an operator sees it: with the encrypted private key if it is their own. */
async function toKeyRow(viewer: string, key: KeyFacts): Promise<contract.ReviewerKey> {
  const own = key.owner === viewer
  return {
    _id: key.id,
    owner: { _id: key.owner, name: key.ownerName },
    recipient: key.recipient,
    fingerprint: await computeRecipientFingerprint(key.recipient),
    method: key.method,
    status: key.approvedAt === null ? 'awaiting' : key.retiredAt === null ? 'active' : 'retired',
    createdAt: toIso(key.createdAt),
    steps: parseSteps(key.steps),
    ownerReviews: key.ownerReviews === 1,
    own,
    ...(own && { identity: key.identity }),
  }
}

/**
 * Retires a key: browsers no longer encrypt to it. Its owner does this, or an administrator if the owner has left. One operator
 * is enough, because no one gains access. The last active key stays: otherwise one stolen session could make browsers send
 * documents unencrypted.
 */
export async function retireReviewerKey(call: CallOf<typeof contract.retireReviewerKey>, key: KeyFacts) {
  const { db, actor, nowMs } = call
  const own = key.owner === actor.id
  if (!own && !parseRoles(actor.operatorRoles).includes('administrator'))
    refuse('forbidden', { msg: 'Only an administrator can retire another reviewer’s key.' })
  if (key.approvedAt === null)
    refuse('already_decided', { msg: 'This key was never active. Reject its proposal instead.' })
  if (key.retiredAt !== null) refuse('already_decided', { msg: 'This key is already retired.' })
  return call.commit({
    statements: [
      db
        .update(reviewerKeys)
        .set({ retiredBy: actor.id, retiredAt: nowMs })
        .where(eq(reviewerKeys.id, key.id)),
    ],
    audit: [{ action: 'reviewer_key.retired', subject: key.id, detail: { owner: key.owner } }],
    mails: own ? [] : [buildKeyRetiredMail(key, await computeRecipientFingerprint(key.recipient))],
    answer: ok(
      await toKeyRow(actor.id, { ...key, retiredAt: nowMs, steps: addStep(key.steps, 'retired', call) }),
    ),
  })
}

/**
 * Proposes a key of the actor. It becomes active once another operator has compared its fingerprint and approved it. Asks for
 * the password, because a session may be stolen. Refuses an unencrypted private key.
 */
export async function addReviewerKey(call: CallOf<typeof contract.addReviewerKey>) {
  const { db, env, actor, nowMs, body } = call
  const { recipient, identity, method } = body
  if (!isAgeRecipient(recipient)) refuseField('recipient', 'This is not a valid age public key')
  if (!isSealedIdentity(identity, method))
    refuseField('identity', 'Please send the private key encrypted, as an armored age file')
  if (recipient === requireRecoveryKey(env)) refuse('conflict', { msg: 'This is the recovery key.' })
  const act = { about: recipient }
  await assertFactor(call, act)
  const shown = await checkPassword(call, body.password)
  const [[own], [awaiting]] = await readTogether(
    db,
    selectRows({ id: reviewerKeys.id }).from(reviewerKeys).where(eq(reviewerKeys.recipient, recipient)),
    readKeys(sql`k.user_id = ${actor.id} AND p.status = 'pending'`),
  )
  if (own !== undefined)
    refuse('conflict', { msg: 'This key was already proposed. Please create a new one.' })
  if (awaiting !== undefined) refuse('conflict', { msg: 'Another key of yours already awaits approval.' })

  const id = newId()
  const fingerprint = await computeRecipientFingerprint(recipient)
  const proposal = newProposal(call, {
    kind: 'reviewer_key',
    payload: { key: id, recipient, fingerprint, method },
    reason: null,
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
    mails: [buildKeyProposedMail(env, actor, fingerprint)],
    answer: accepted(toProposalRow(proposal)),
  })
}

/** Notifies a reviewer that a key was proposed from their account. If it was not them, their session was stolen. */
function buildKeyProposedMail(
  env: Env,
  actor: Pick<Actor, 'email' | 'displayName'>,
  fingerprint: string,
): Mail {
  return composeMail(actor.email, 'A reviewer key was proposed from your account', actor.displayName, [
    'A public key was proposed from your account. Once another operator approves it, identity documents will be encrypted to it.',
    `Its fingerprint: ${fingerprint}`,
    'If it was not you, choose a new password at once and ask another operator to reject the key.',
    { label: 'Choose a new password', href: buildLink(env, '/forgot-password') },
  ])
}

/** Notifies a reviewer that another operator retired their key. */
function buildKeyRetiredMail(
  { ownerEmail, ownerName }: Pick<KeyFacts, 'ownerEmail' | 'ownerName'>,
  fingerprint: string,
): Mail {
  return composeMail(ownerEmail, 'Your reviewer key was retired', ownerName, [
    'An administrator retired your reviewer key. No new identity documents are encrypted to it.',
    `Its fingerprint: ${fingerprint}`,
    'You can still open documents that were encrypted to it before.',
  ])
}
