import { site } from '../../../src/site.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail, linkTo } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { lockParts } from '../credentials/lockToken.ts'

/** Whose account a mail about security lets lock. */
interface Owner {
  readonly id: string
  readonly email: string
  readonly displayName: string
  readonly role: 'investor' | 'operator'
}

export async function secondFactorOnMail(env: Env, to: Owner, nowMs: number): Promise<Mail> {
  return composeMail(to.email, 'Your second factor is on', to.displayName, [
    `signing in to ${site.brand} now asks for a code of your authenticator app. Keep the recovery codes where you find them without your phone.`,
    'If it was not you, choose a new password at once and write to us.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
    ...(await lockParts(env, to, nowMs)),
  ])
}

/** @param passkeys how many are left: while there is one, signing in asks for it */
export async function secondFactorOffMail(
  env: Env,
  to: Owner,
  passkeys: number,
  nowMs: number,
): Promise<Mail> {
  const [subject, asks] =
    passkeys === 0
      ? ['Your second factor was turned off', 'the password alone from now on']
      : ['Your authenticator app was turned off', 'the password and a passkey from now on']
  return composeMail(to.email, subject, to.displayName, [
    `signing in to ${site.brand} asks for ${asks}. For three days, withdrawals ask for extra proof.`,
    'If it was not you, choose a new password at once and write to us.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
    ...(await lockParts(env, to, nowMs)),
  ])
}

export async function recoveryCodesRenewedMail(env: Env, to: Owner, nowMs: number): Promise<Mail> {
  return composeMail(to.email, 'Your recovery codes were replaced', to.displayName, [
    `ten new recovery codes were made for your account at ${site.brand}; the old ones no longer work. For three days, withdrawals ask for extra proof.`,
    'If it was not you, choose a new password at once and write to us.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
    ...(await lockParts(env, to, nowMs)),
  ])
}

/** So many codes were wrong that codes of the app are refused: somebody else may be guessing them. */
export async function manyWrongCodesMail(env: Env, to: Owner, codes: number, nowMs: number): Promise<Mail> {
  return composeMail(to.email, 'Codes from your authenticator app are refused for now', to.displayName, [
    `${codes} wrong codes were sent to your account at ${site.brand} within seven days. Whoever sent them knows your password or has one of your sessions. So that nobody guesses a right code, codes from your app are refused until the oldest of these wrong codes is seven days old.`,
    'You can still sign in with your password and a passkey or a recovery code.',
    'If you did not send them, choose a new password at once.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
    ...(await lockParts(env, to, nowMs)),
  ])
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
