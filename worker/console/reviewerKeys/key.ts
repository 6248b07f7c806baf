import { type SQL, sql } from 'drizzle-orm'
import type { ReviewerKey } from '../../../src/contract/console/reviewerKeys.ts'
import { recipientFingerprint } from '../../../src/contract/identity/kyc.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { iso } from '../../http/paging.ts'
import { type Read, reading, readTogether } from '../../lib/database.ts'
import { refuse } from '../../lib/errors.ts'

/** A reviewer's key, and whose it is. */
export interface KeyFacts {
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
export async function listReviewerKeys(call: ActorCall): Promise<Answer<ReviewerKey[]>> {
  const [keys] = await readTogether(call.db, readKeys(sql`1`))
  return ok(await Promise.all(keys.map((key) => keyRow(call.actor.id, key))))
}

/** The key that `:id` names. */
export async function loadReviewerKey(call: ActorCall): Promise<KeyFacts> {
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
export async function keyRow(viewer: string, key: KeyFacts): Promise<ReviewerKey> {
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
