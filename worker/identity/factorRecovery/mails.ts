import { mailDateText } from '../../../src/contract/dates.ts'
import { site } from '../../../src/site.ts'
import { sign, verifySignature } from '../../lib/crypto/signature.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeMail, composeNews, type Part } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { DISTRUST_WORDS } from '../credentials/distrust.ts'
import { type AccountOwner, lockParts, newPasswordLink } from '../credentials/lockToken.ts'
import { CODE_MINUTES } from '../mailedCodes/codes.ts'

/** The investor whose second factor is to be removed. */
export type Owner = Pick<AccountOwner, 'id' | 'email' | 'displayName'>

const lock = (env: Env, { id }: Owner, nowMs: number) => lockParts(env, { id, role: 'investor' }, nowMs)

/** Has no lock link: the code must be the only number in the mail. */
export function buildCodeMail(env: Env, to: Owner, code: string): Mail {
  return composeMail(to.email, 'Your code to recover your account', to.displayName, [
    `We received a request to remove the lost second factor from your account at ${site.brand}. If it was you, enter this code within ${CODE_MINUTES} minutes: ${code}`,
    'If it was not you, do not share the code: nothing changes without it. The person who asked knows your password, so choose a new one.',
    newPasswordLink(env),
  ])
}

export async function buildFiledMail(env: Env, to: Owner, recovery: string, nowMs: number): Promise<Mail> {
  const mailOnly = [await stopLink(env, recovery), ...(await lock(env, to, nowMs))]
  const parts = [
    `We received your request to remove the second factor from your account at ${site.brand}. Two reviewers will check that it is you, and may write to you. When both have approved the request, we will mail you. We remove the factor three days after that.`,
    'If it was not you, or if you found your factor, stop the request with the link in our mail. You can do this at any time until the factor is removed.',
    ...mailOnly,
  ]
  return composeNews(to.email, 'Your request to remove your second factor', to.displayName, parts, mailOnly)
}

/** @param isReminder for the mail a day before the removal */
export async function buildAnnouncementMail(
  env: Env,
  to: Owner,
  recovery: { readonly id: string; readonly effectiveAt: number },
  nowMs: number,
  isReminder = false,
): Promise<Mail> {
  const subject = isReminder
    ? 'Your second factor is about to be removed'
    : 'Your second factor will be removed in three days'
  const mailOnly = [await stopLink(env, recovery.id), ...(await lock(env, to, nowMs))]
  const parts = [
    `Two reviewers approved the request to remove the second factor from your account at ${site.brand}. On ${mailDateText(recovery.effectiveAt)} we will remove your authenticator app, passkeys and recovery codes. This ends all your sessions. You then sign in with your password alone.`,
    'If it was not you, or if you found your factor, stop the request now with the link in our mail.',
    ...mailOnly,
  ]
  return composeNews(to.email, subject, to.displayName, parts, mailOnly)
}

export function buildCompletedMail(env: Env, to: Owner, nowMs: number): Promise<Mail> {
  return write(env, to, nowMs, 'Your second factor was removed', [
    `We removed the second factor from your account at ${site.brand} and ended all your sessions. Sign in with your password and turn on a new second factor. For three days, withdrawals need extra proof.`,
    DISTRUST_WORDS,
    { label: 'Sign in', href: buildLink(env, '/sign-in') },
    'If it was not you, choose a new password at once and write to us.',
    newPasswordLink(env),
  ])
}

export function buildStoppedMail(env: Env, to: Owner, nowMs: number): Promise<Mail> {
  return write(env, to, nowMs, 'Your second factor was not removed', [
    'Somebody stopped the request to remove your second factor with the link in one of our mails. Nothing was changed.',
    'If you did not make that request, somebody knows your password and reads your mail. Choose a new password for your account and for your mailbox.',
    newPasswordLink(env),
  ])
}

export function buildRejectedMail(env: Env, to: Owner, nowMs: number): Promise<Mail> {
  return write(env, to, nowMs, 'Your second factor was not removed', [
    `We rejected the request to remove the second factor from your account at ${site.brand}.`,
    'Nothing was changed. If you want to know why, contact support.',
    { label: 'Contact support', href: buildLink(env, '/contact-us') },
  ])
}

async function write(
  env: Env,
  to: Owner,
  nowMs: number,
  subject: string,
  parts: readonly Part[],
): Promise<Mail> {
  const mailOnly = await lock(env, to, nowMs)
  return composeNews(to.email, subject, to.displayName, [...parts, ...mailOnly], mailOnly)
}

const LABEL = 'stop-factor-recovery'

/** The id of the request that a token stops; null if the signature is wrong. */
export async function verifyStopToken(env: Env, token: string): Promise<string | null> {
  const [, id, signature] = /^([0-9a-f-]{36})\.(\d+\.[\w-]+)$/.exec(token) ?? []
  if (id === undefined || signature === undefined) return null
  return (await verifySignature(env.VAULT_KEYS, LABEL, id, signature)) ? id : null
}

/** The link that stops a request. Signed, not stored: each mail about the request has the same link. */
async function stopLink(env: Env, recovery: string): Promise<Part> {
  const token = `${recovery}.${await sign(env.VAULT_KEYS, LABEL, recovery)}`
  return { label: 'Stop the request', href: buildLink(env, '/stop-factor-recovery', { token }) }
}
