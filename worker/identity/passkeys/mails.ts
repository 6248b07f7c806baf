import { site } from '../../../src/site.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail } from '../../lib/mail/compose.ts'
import { linkTo } from '../../lib/mail/linkTo.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { lockParts } from '../credentials/lockToken.ts'

interface Owner {
  readonly id: string
  readonly role: 'investor' | 'operator'
  readonly email: string
  readonly displayName: string
}

export function passkeyAddedMail(env: Env, to: Owner, name: string, nowMs: number): Promise<Mail> {
  return passkeyMail(env, to, nowMs, 'A passkey was added to your account', [
    `the passkey “${name}” was added to your account at ${site.brand}. Signing in asks for it, or for another second factor of yours.`,
  ])
}

export function passkeyRemovedMail(env: Env, to: Owner, name: string, nowMs: number): Promise<Mail> {
  return passkeyMail(env, to, nowMs, 'A passkey was removed from your account', [
    `the passkey “${name}” was removed from your account at ${site.brand} and no longer opens it. For three days, withdrawals ask for extra proof.`,
  ])
}

async function passkeyMail(
  env: Env,
  to: Owner,
  nowMs: number,
  subject: string,
  what: string[],
): Promise<Mail> {
  return composeMail(to.email, subject, to.displayName, [
    ...what,
    'If it was not you, choose a new password at once and write to us.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
    ...(await lockParts(env, to, nowMs)),
  ])
}
