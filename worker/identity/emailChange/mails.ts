import { site } from '../../../src/site.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail, linkTo, type Part } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { type AccountOwner, lockParts, newPasswordLink } from '../credentials/lockToken.ts'

export interface Change {
  readonly owner: Pick<AccountOwner, 'id' | 'role' | 'displayName'>
  readonly oldEmail: string
  readonly newEmail: string
}

const SUBJECT = 'Confirm the change of your e-mail address'

/** To the present mailbox: one link confirms, another locks the account. */
export async function confirmOldMail(env: Env, change: Change, token: string, nowMs: number): Promise<Mail> {
  return composeMail(change.oldEmail, SUBJECT, change.owner.displayName, [
    `you asked to change the e-mail address of your account at ${site.brand} to ${change.newEmail}. It changes once both mailboxes have confirmed it. Please open this link within 24 hours to confirm it from this one:`,
    confirmLink(env, token),
    'If it was not you, do not open that link: without it nothing changes. Somebody who knows your password is in your account. Choose a new password, which calls the change off.',
    newPasswordLink(env),
    ...(await lockParts(env, change.owner, nowMs)),
  ])
}

/** To the new mailbox. */
export function confirmNewMail(env: Env, change: Change, token: string): Mail {
  return composeMail(change.newEmail, SUBJECT, change.owner.displayName, [
    `an account at ${site.brand} is to have this e-mail address. Please open this link within 24 hours to confirm it. The mailbox that the account has today must confirm it as well:`,
    confirmLink(env, token),
    'If you did not ask for it, ignore this mail: without the link nothing changes.',
  ])
}

/** To the owner of an address that was requested for another account. Only they learn that it has an account. */
export function takenMail(env: Env, email: string, displayName: string): Mail {
  return composeMail(email, 'You already have an account', displayName, [
    `somebody, perhaps you, asked to give this e-mail address to another account at ${site.brand}. It has an account already, and nothing was changed.`,
    { label: 'Sign in', href: linkTo(env, '/sign-in') },
    'If it was not you, there is nothing to do.',
  ])
}

/** To both mailboxes, after the change. */
export async function changedMails(env: Env, change: Change, nowMs: number): Promise<Mail[]> {
  const { owner, oldEmail, newEmail } = change
  const write = (to: string, parts: readonly Part[]) =>
    composeMail(to, 'Your e-mail address was changed', owner.displayName, parts)
  const lock = await lockParts(env, owner, nowMs)
  return [
    write(oldEmail, [
      `the e-mail address of your account at ${site.brand} is ${newEmail} from now on. This one no longer signs in and gets no further mails about the account.`,
      'If it was not you, lock the account and write to us.',
      ...lock,
    ]),
    write(newEmail, [
      `your account at ${site.brand} has this e-mail address from now on. Please sign in with it. Other sessions were ended, and for three days, withdrawals ask for extra proof.`,
      'If it was not you, choose a new password at once and write to us.',
      newPasswordLink(env),
      ...lock,
    ]),
  ]
}

function confirmLink(env: Env, token: string): Part {
  return { label: 'Confirm the change', href: linkTo(env, '/confirm-email', { token }) }
}
