import { rolesIn } from '../../../src/contract/roles.ts'
import { site } from '../../../src/site.ts'
import { lockParts } from '../../identity/credentials/lockToken.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail, linkTo } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

interface Recipient {
  readonly email: string
  readonly name: string
}

/** The mail with the link that accepts an invitation. */
export function invitationMail(env: Env, to: Recipient, roles: string, token: string): Mail {
  return composeMail(to.email, `You are invited to operate ${site.brand}`, to.name, [
    `two administrators of ${site.brand} invite you to work there as ${rolesInWords(roles)}. Please open this link within three days to choose a password. It works once.`,
    { label: 'Accept the invitation', href: linkTo(env, '/accept-invitation', { token }) },
    'Then sign in and turn on a second factor: without one, no page for operators opens.',
    'If you do not know of this, ignore this mail: without the link nothing happens.',
  ])
}

/** Welcomes a new operator, and warns them if somebody else accepted the invitation. */
export function joinedMail(env: Env, to: Recipient): Mail {
  return composeMail(to.email, 'Your operator account is open', to.name, [
    'your password is set. Sign in and turn on a second factor: without one, no page for operators opens.',
    { label: 'Sign in', href: linkTo(env, '/sign-in') },
    'If it was not you who opened the link, tell an administrator at once to disable the account.',
  ])
}

export function rolesChanged(to: Recipient, roles: string): Mail {
  return composeMail(to.email, 'Your roles were changed', to.name, [
    `two administrators decided that from now on you are ${rolesInWords(roles)}.`,
    'If you did not expect it, ask one of them.',
  ])
}

export function operatorDisabled(to: Recipient): Mail {
  return composeMail(to.email, 'Your operator account was disabled', to.name, [
    'an administrator disabled your account: every session has ended, and it is let in no more.',
    'If you have a question, ask an administrator. Two of them can let you in again.',
  ])
}

export function operatorEnabled(env: Env, to: Recipient): Mail {
  return composeMail(to.email, 'Your operator account is let in again', to.name, [
    'two administrators decided that you are let in again.',
    { label: 'Sign in', href: linkTo(env, '/sign-in') },
  ])
}

/** How to sign in again after losing a second factor: a new password by mail, then a new factor. */
export function factorReset(env: Env, to: Recipient, token: string): Mail {
  return composeMail(to.email, 'Your second factor was taken off', to.name, [
    'two administrators decided to take off your second factor. Every session has ended, and your password works no more. Please open this link within one hour to choose a new one:',
    {
      label: 'Choose a new password',
      href: linkTo(env, '/change-password', { email: to.email, token }),
    },
    'After the hour, ask for another link on the page for signing in. Then turn on a new second factor: without one, no page for operators opens.',
    'If you did not ask for it, tell an administrator at once.',
  ])
}

/** Notifies a user that an operator ended their sessions. */
export async function sessionsEnded(
  env: Env,
  to: {
    readonly id: string
    readonly email: string
    readonly displayName: string
    readonly role: 'investor' | 'operator'
  },
  nowMs: number,
): Promise<Mail> {
  return composeMail(to.email, 'You were signed out everywhere', to.displayName, [
    'one of our operators ended every session of your account. Please sign in again.',
    { label: 'Sign in', href: linkTo(env, '/sign-in') },
    'If you did not ask for it, somebody else may have got in: choose a new password.',
    { label: 'Choose a new password', href: linkTo(env, '/forgot-password') },
    ...(await lockParts(env, to, nowMs)),
  ])
}

// "a reviewer and a treasurer"
function rolesInWords(roles: string): string {
  return rolesIn(roles)
    .map((role) => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`)
    .join(' and ')
}
