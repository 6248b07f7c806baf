import { sql } from 'drizzle-orm'
import { RECOVERY_NAME, type Recipient, recipientFingerprint } from '../../../src/contract/identity/kyc.ts'
import { type ActorCall, type Answer, ok } from '../../http/call.ts'
import { type Read, reading, readTogether, type Statement } from '../../lib/database.ts'
import type { Env } from '../../lib/env.ts'
import { refuse } from '../../lib/errors.ts'

/** The public keys that a browser encrypts a document to. None while no reviewer has a key: then it comes plain. */
export async function listRecipients(call: ActorCall): Promise<Answer<Recipient[]>> {
  const [keys] = await readTogether(call.db, readActiveKeys())
  return ok([...(await recipientsOf(call.env, keys))])
}

type ActiveKey = Pick<Recipient, 'recipient' | 'name'>

/** The reviewers' active keys, oldest first. */
export function readActiveKeys(): Read<ActiveKey> {
  return reading(sql`
    SELECT k.recipient, u.display_name AS name FROM reviewer_keys k JOIN users u ON u.id = k.user_id
    WHERE k.approved_at IS NOT NULL AND k.retired_at IS NULL ORDER BY k.seq`)
}

/**
 * The keys that documents are encrypted to, the recovery key last. Refuses `unavailable` if reviewers have keys and there
 * is no recovery key: losing those keys would lose the document.
 */
export async function recipientsOf(env: Env, keys: readonly ActiveKey[]): Promise<readonly Recipient[]> {
  if (keys.length > 0) recoveryOf(env)
  const names = new Map(keys.map(({ recipient, name }) => [recipient, name]))
  return Promise.all(
    withRecovery(env, [...names.keys()]).map(async (recipient) => ({
      recipient,
      name: names.get(recipient) ?? RECOVERY_NAME,
      fingerprint: await recipientFingerprint(recipient),
    })),
  )
}

/** These keys and the recovery key, or none if either is missing. */
export function withRecovery(
  { KYC_RECOVERY_RECIPIENT: recovery = '' }: Env,
  keys: readonly string[],
): string[] {
  return keys.length === 0 || recovery === '' ? [] : [...new Set([...keys, recovery])]
}

/** The recovery key. Refuses `unavailable` without one. */
export function recoveryOf({ KYC_RECOVERY_RECIPIENT: recipient = '' }: Env): string {
  if (recipient !== '') return recipient
  console.error('KYC_RECOVERY_RECIPIENT is missing: documents cannot be encrypted to the reviewers.')
  return refuse('unavailable', {
    msg: 'Documents cannot be encrypted right now: KYC_RECOVERY_RECIPIENT is missing.',
  })
}

/**
 * Refuses `recipients_changed` unless the document is encrypted to exactly these, by fingerprints and number of stanzas.
 */
export function assertSealedTo(
  recipients: readonly Recipient[],
  fingerprints: string,
  stanzas: number,
): void {
  const sent = fingerprints.split(',').map((each) => each.trim().toUpperCase())
  const known = new Set(recipients.map(({ fingerprint }) => fingerprint))
  const isToday =
    sent.length === known.size && new Set(sent).size === known.size && sent.every((each) => known.has(each))
  if (!isToday || stanzas !== known.size) refuse('recipients_changed')
}

/** Records the keys that a document is encrypted to, replacing earlier ones. */
export function recordRecipients(submission: string, recipients: readonly Recipient[]): readonly Statement[] {
  const list = JSON.stringify(recipients.map(({ recipient }) => recipient))
  return [
    sql`DELETE FROM kyc_document_recipients WHERE submission_id = ${submission}`,
    sql`
      INSERT INTO kyc_document_recipients (submission_id, recipient) SELECT ${submission}, value FROM json_each(${list})`,
  ]
}
