import { DAY_MS } from '../../../src/time.ts'
import { sign, verifySignature } from '../../lib/crypto/signature.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeNews, type Part } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

const LABEL = 'lock-account'
const LIFE_MS = 7 * DAY_MS

/**
 * The token that locks an account, valid for seven days. It is signed, not stored: every security mail has one, and an attacker
 * who triggers many mails must not invalidate earlier links.
 */
async function signLockToken(env: Env, userId: string, nowMs: number): Promise<string> {
  const content = `${userId}.${nowMs + LIFE_MS}`
  return `${content}.${await sign(env.VAULT_KEYS, LABEL, content)}`
}

/** The id of the account that a token locks; null if the signature is wrong or the token has expired. */
export async function verifyLockToken(env: Env, token: string, nowMs: number): Promise<string | null> {
  const [, content, id, expiresAt, signature] =
    /^(([0-9a-f-]{36})\.([1-9]\d{12}))\.(\d+\.[\w-]+)$/.exec(token) ?? []
  if (content === undefined || id === undefined || signature === undefined) return null
  if (Number(expiresAt) <= nowMs) return null
  return (await verifySignature(env.VAULT_KEYS, LABEL, content, signature)) ? id : null
}

/** The person whose account a mail is about. */
export interface AccountOwner {
  readonly id: string
  readonly email: string
  readonly displayName: string
  readonly role: 'investor' | 'operator'
}

/** A mail about a security change. It ends with what to do if the owner did not make that change. */
export async function buildSecurityMail(
  env: Env,
  to: AccountOwner,
  nowMs: number,
  subject: string,
  parts: readonly Part[],
  ifNotYou = 'If it was not you, choose a new password at once and write to us.',
): Promise<Mail> {
  const lock = await lockParts(env, to, nowMs)
  return composeNews(
    to.email,
    subject,
    to.displayName,
    [...parts, ifNotYou, newPasswordLink(env), ...lock],
    lock,
  )
}

export function newPasswordLink(env: Env): Part {
  return { label: 'Choose a new password', href: buildLink(env, '/forgot-password') }
}

/**
 * The paragraph and link for locking the account, in every security mail. Operators get none: no one could lift that lock, and
 * another operator can disable the account.
 */
export async function lockParts(
  env: Env,
  owner: Pick<AccountOwner, 'id' | 'role'>,
  nowMs: number,
): Promise<Part[]> {
  if (owner.role === 'operator') return []
  const token = await signLockToken(env, owner.id, nowMs)
  return [
    'You can also lock your account. This ends all sessions and stops all money movements until you ask us to lift the lock. The link works for seven days.',
    { label: 'Lock my account', href: buildLink(env, '/lock-account', { token }) },
  ]
}
