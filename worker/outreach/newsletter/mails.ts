import { site } from '../../../src/site.ts'
import { sign, verifySignature } from '../../lib/crypto/signature.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeMail, type Part } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

/** The double opt-in mail: its link proves that the address's owner wants the newsletter. */
export function confirmMail(env: Env, email: string, token: string): Mail {
  return write(email, 'Confirm your subscription', [
    `Somebody, perhaps you, subscribed to the newsletter of ${site.brand} with this e-mail address. To confirm, open this link within seven days:`,
    { label: 'Confirm your subscription', href: buildLink(env, '/newsletter/confirm', { token }) },
    'If it was not you, ignore this mail. You get no newsletter, and we delete your address after seven days.',
  ])
}

/** The first mail after confirmation. */
export async function buildWelcomeMail(
  env: Env,
  to: { readonly id: string; readonly email: string },
): Promise<Mail> {
  const token = await createUnsubscribeToken(env, to.id)
  const mail = write(to.email, 'Your newsletter subscription is confirmed', [
    `Your subscription to the newsletter of ${site.brand} is confirmed.`,
    'To unsubscribe, open this link. Each issue contains the same link:',
    { label: 'Unsubscribe', href: buildLink(env, '/newsletter/unsubscribe', { token }) },
  ])
  return { ...mail, headers: unsubscribeHeaders(env, token) }
}

/** Headers for one-click unsubscribe in mail programs (RFC 8058), for each mail to a subscriber. */
function unsubscribeHeaders(env: Env, token: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${buildLink(env, '/api/v1/newsletter/unsubscribe', { token })}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

function write(email: string, subject: string, parts: readonly Part[]): Mail {
  return { ...composeMail(email, subject, 'there', parts), list: 'newsletter' }
}

const LABEL = 'newsletter-unsubscribe'

/**
 * The token that ends a subscription. It is signed, not stored: the database has no data that could unsubscribe a reader, a
 * mail needs no row of its own, and old links work while the signing key stays in `VAULT_KEYS`.
 */
export async function createUnsubscribeToken(env: Env, subscriberId: string): Promise<string> {
  return `${subscriberId}.${await sign(env.VAULT_KEYS, LABEL, subscriberId)}`
}

/** The subscription that a token ends; null if we did not issue the token. */
export async function verifyUnsubscribeToken(env: Env, token: string): Promise<string | null> {
  const [, id, signature] = /^([0-9a-f-]{36})\.(.+)$/.exec(token) ?? []
  if (id === undefined || signature === undefined) return null
  return (await verifySignature(env.VAULT_KEYS, LABEL, id, signature)) ? id : null
}
