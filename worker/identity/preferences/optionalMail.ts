import { NEWS_TOPICS, type NewsTopic } from '../../../src/contract/identity/preferences.ts'
import { MAILS_OFF } from '../../../src/contract/outreach/announcements.ts'
import { sign, verifySignature } from '../../lib/crypto/signature.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeMail, type Part } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import type { AccountOwner } from '../credentials/lockToken.ts'

/** The recipient of a mail that they can turn off. */
export type Reader = Pick<AccountOwner, 'id' | 'email' | 'displayName'>

/**
 * Composes a mail that its reader can turn off: with an unsubscribe link and the headers for one-click unsubscribing (RFC
 * 8058). The caller checks whether the reader wants it. Warnings are not among them: they have no link, since whoever opens a
 * mailbox once could end them all without a trace.
 */
export async function buildOptionalMail(
  env: Env,
  to: Reader,
  kind: NewsTopic,
  { subject, parts }: { readonly subject: string; readonly parts: readonly Part[] },
): Promise<Mail> {
  const token = await signMailsOffToken(env, to.id, kind)
  const mail = composeMail(to.email, subject, to.displayName, [
    ...parts,
    MAILS_OFF.words,
    { label: MAILS_OFF.label, href: buildLink(env, '/unsubscribe', { token }) },
  ])
  return {
    ...mail,
    headers: {
      'List-Unsubscribe': `<${buildLink(env, '/api/v1/users/preferences/unsubscribe', { token })}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

const LABEL = 'mail-preference-off'

/**
 * The token that turns one kind of mail off for one person. Signed, not stored: the same in each mail, and valid while its key
 * is in `VAULT_KEYS`.
 */
export async function signMailsOffToken(env: Env, userId: string, kind: NewsTopic): Promise<string> {
  const content = `${userId}.${kind}`
  return `${content}.${await sign(env.VAULT_KEYS, LABEL, content)}`
}

/** The person and the kind of mail of a token; null if the signature is wrong. */
export async function verifyMailsOffToken(
  env: Env,
  token: string,
): Promise<{ readonly userId: string; readonly kind: NewsTopic } | null> {
  const [, userId = '', name, signature = ''] =
    /^([0-9a-f-]{36})\.([A-Za-z]+)\.(\d+\.[\w-]+)$/.exec(token) ?? []
  const kind = NEWS_TOPICS.find((topic) => topic === name)
  if (kind === undefined) return null
  return (await verifySignature(env.VAULT_KEYS, LABEL, `${userId}.${kind}`, signature))
    ? { userId, kind }
    : null
}
