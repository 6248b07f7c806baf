import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import {
  computeRecipientFingerprint,
  RECOVERY_NAME,
  type Recipient,
} from '../../../src/contract/identity/kyc.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { readTogether, type Statement, selectRows } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'
import { reviewerKeys } from '../../lib/tables/kyc.ts'
import { users } from '../../lib/tables/people.ts'

/** The public keys that a browser encrypts a document to. None if no reviewer has a key: the document is then sent plain. */
export async function listRecipients(call: ActorCall): Promise<Answer<Recipient[]>> {
  const [keys] = await readTogether(call.db, readActiveKeys())
  return ok([...(await buildRecipients(call.env, keys))])
}

type ActiveKey = Pick<Recipient, 'recipient' | 'name'>

/** The reviewers' active keys, oldest first. */
export function readActiveKeys() {
  const { recipient, userId, approvedAt, retiredAt, seq } = reviewerKeys
  return selectRows({ recipient, name: users.displayName })
    .from(reviewerKeys)
    .innerJoin(users, eq(users.id, userId))
    .where(and(isNotNull(approvedAt), isNull(retiredAt)))
    .orderBy(seq)
}

/**
 * The keys that documents are encrypted to, the recovery key last. Refuses `unavailable` if reviewers have keys and there
 * is no recovery key: if the reviewers lost theirs, the document would be unreadable.
 */
export async function buildRecipients(env: Env, keys: readonly ActiveKey[]): Promise<readonly Recipient[]> {
  if (keys.length > 0) requireRecoveryKey(env)
  const names = new Map(keys.map(({ recipient, name }) => [recipient, name]))
  return Promise.all(
    withRecovery(env, [...names.keys()]).map(async (recipient) => ({
      recipient,
      name: names.get(recipient) ?? RECOVERY_NAME,
      fingerprint: await computeRecipientFingerprint(recipient),
    })),
  )
}

/** The keys with the recovery key added; empty if either is missing. */
export function withRecovery(
  { KYC_RECOVERY_RECIPIENT: recovery = '' }: Env,
  keys: readonly string[],
): string[] {
  return keys.length === 0 || recovery === '' ? [] : [...new Set([...keys, recovery])]
}

/** The recovery key. Refuses `unavailable` without one. */
export function requireRecoveryKey({ KYC_RECOVERY_RECIPIENT: recipient = '' }: Env): string {
  if (recipient !== '') return recipient
  console.error('KYC_RECOVERY_RECIPIENT is missing: documents cannot be encrypted to the reviewers.')
  return refuse('unavailable', {
    msg: 'Documents cannot be encrypted right now: KYC_RECOVERY_RECIPIENT is missing.',
  })
}

/** Refuses `recipients_changed` unless fingerprints and stanza count match exactly these recipients. */
export function assertSealedTo(
  recipients: readonly Recipient[],
  fingerprints: string,
  stanzas: number,
): void {
  const sent = fingerprints.split(',').map((fingerprint) => fingerprint.trim().toUpperCase())
  const expected = new Set(recipients.map(({ fingerprint }) => fingerprint))
  const isCurrent =
    sent.length === expected.size &&
    new Set(sent).size === expected.size &&
    sent.every((fingerprint) => expected.has(fingerprint))
  if (!isCurrent || stanzas !== expected.size) refuse('recipients_changed')
}

/** Replaces the recorded keys that a document is encrypted to. */
export function recordRecipients(submission: string, recipients: readonly Recipient[]): readonly Statement[] {
  const list = JSON.stringify(recipients.map(({ recipient }) => recipient))
  return [
    sql`DELETE FROM kyc_document_recipients WHERE submission_id = ${submission}`,
    sql`
      INSERT INTO kyc_document_recipients (submission_id, recipient) SELECT ${submission}, value FROM json_each(${list})`,
  ]
}
