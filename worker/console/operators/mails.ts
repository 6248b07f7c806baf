import { parseRoles } from '../../../src/contract/roles.ts'
import { site } from '../../../src/site.ts'
import { lockParts } from '../../identity/credentials/lockToken.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeMail, composeNews } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'

interface Recipient {
  readonly email: string
  readonly name: string
}

/** The mail with the link that accepts an invitation. */
export function buildInvitationMail(env: Env, to: Recipient, roles: string, token: string): Mail {
  return composeMail(to.email, `You are invited to operate ${site.brand}`, to.name, [
    `Two administrators of ${site.brand} invite you to work there, with ${describeRoles(roles)}. To choose a password, open this link within three days. It works once.`,
    { label: 'Accept the invitation', href: buildLink(env, '/accept-invitation', { token }) },
    'Then sign in and turn on a second factor. It opens the console, where you work and where your own account is.',
    'If you did not expect this, ignore this mail: nothing happens without the link.',
  ])
}

/** Welcomes a new operator, and warns them if another person accepted the invitation. */
export function buildJoinedMail(env: Env, to: Recipient): Mail {
  return composeMail(to.email, 'Your operator account is open', to.name, [
    'Your password is set. Sign in and turn on a second factor. You need it to open the console.',
    { label: 'Sign in', href: buildLink(env, '/sign-in', { next: '/operator/account#security' }) },
    'If you did not open the link, ask an administrator at once to disable the account.',
  ])
}

export function buildRolesChangedMail(to: Recipient, roles: string): Mail {
  return composeMail(to.email, 'Your roles were changed', to.name, [
    `Two administrators changed your access. You now have ${describeRoles(roles)}.`,
    'If you did not expect this, ask an administrator.',
  ])
}

export function buildOperatorDisabledMail(to: Recipient): Mail {
  return composeMail(to.email, 'Your operator account was disabled', to.name, [
    'An administrator disabled your account. All your sessions have ended, and you can no longer sign in.',
    'If you have a question, ask an administrator. Two administrators can enable your account again.',
  ])
}

export function buildOperatorEnabledMail(env: Env, to: Recipient): Mail {
  return composeMail(to.email, 'Your operator account was enabled again', to.name, [
    'Two administrators enabled your account again.',
    { label: 'Sign in', href: buildLink(env, '/sign-in') },
  ])
}

/** How to sign in again after losing a second factor: a new password by mail, then a new factor. */
export function buildFactorResetMail(env: Env, to: Recipient, token: string): Mail {
  return composeMail(to.email, 'Your second factor was removed', to.name, [
    'Two administrators removed your second factor. All your sessions have ended, and your password no longer works. To choose a new password, open this link within one hour:',
    {
      label: 'Choose a new password',
      href: buildLink(env, '/change-password', { email: to.email, token }),
    },
    'After one hour, ask for another link on the sign-in page. Then turn on a new second factor. You need it to open the console.',
    'If you did not ask for this, tell an administrator at once.',
  ])
}

/** Notifies a user that an operator ended their sessions. */
export async function buildSessionsEndedMail(
  env: Env,
  to: {
    readonly id: string
    readonly email: string
    readonly displayName: string
    readonly role: 'investor' | 'operator'
  },
  nowMs: number,
): Promise<Mail> {
  const lock = await lockParts(env, to, nowMs)
  const parts = [
    'One of our operators ended all sessions of your account. Please sign in again.',
    ...(to.role === 'investor'
      ? [
          'Your keys for programs and guest links were revoked. Pending withdrawals were cancelled, and their money is available again. Approved ones need a new decision by two operators.',
        ]
      : []),
    { label: 'Sign in', href: buildLink(env, '/sign-in') },
    'If you did not ask for this, somebody else may have had access. Choose a new password.',
    { label: 'Choose a new password', href: buildLink(env, '/forgot-password') },
    ...lock,
  ]
  return composeNews(to.email, 'You were signed out everywhere', to.displayName, parts, lock)
}

/** "the role of support", "the roles of reviewer and treasurer". */
function describeRoles(roles: string): string {
  const named = parseRoles(roles)
  return `${named.length === 1 ? 'the role' : 'the roles'} of ${new Intl.ListFormat('en-GB').format(named)}`
}
