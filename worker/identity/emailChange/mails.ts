import { site } from '../../../src/site.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeMail, composeNews, type Part } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { type AccountOwner, lockParts, newPasswordLink } from '../credentials/lockToken.ts'

export interface Change {
  readonly owner: Pick<AccountOwner, 'id' | 'role' | 'displayName'>
  readonly oldEmail: string
  readonly newEmail: string
}

const SUBJECT = 'Confirm the change of your e-mail address'

/** To the current mailbox: one link confirms, another locks the account. */
export async function buildConfirmOldMail(
  env: Env,
  change: Change,
  token: string,
  nowMs: number,
): Promise<Mail> {
  return composeMail(change.oldEmail, SUBJECT, change.owner.displayName, [
    `You asked to change the e-mail address of your account at ${site.brand} to ${change.newEmail}. Both mailboxes must confirm the change. To confirm it from this mailbox, open this link within 24 hours:`,
    confirmLink(env, token),
    'If it was not you, do not open the link: nothing changes without it. Somebody else is in your account and knows your password. Choose a new password: this also cancels the change.',
    newPasswordLink(env),
    ...(await lockParts(env, change.owner, nowMs)),
  ])
}

/** To the new mailbox. */
export function buildConfirmNewMail(env: Env, change: Change, token: string): Mail {
  return composeMail(change.newEmail, SUBJECT, null, [
    `Somebody asked to use this e-mail address for an account at ${site.brand}. The account’s current mailbox must confirm this too. To confirm it, open this link within 24 hours:`,
    confirmLink(env, token),
    'If you did not ask for this, ignore this mail: nothing changes without the link.',
  ])
}

/** To the owner of an address that was requested for another account. Only they learn that it has an account. */
export function buildAddressTakenMail(env: Env, email: string): Mail {
  return composeMail(email, 'You already have an account', null, [
    `Somebody, perhaps you, asked to use this e-mail address for another account at ${site.brand}. You already have an account with this address. Nothing was changed.`,
    { label: 'Sign in', href: buildLink(env, '/sign-in') },
    'If it was not you, you do not need to do anything.',
  ])
}

/** To both mailboxes, after the change. */
export async function buildEmailChangedMails(env: Env, change: Change, nowMs: number): Promise<Mail[]> {
  const { owner, oldEmail, newEmail } = change
  const lock = await lockParts(env, owner, nowMs)
  // The notifications are those of the account, which has the new address.
  const write = (to: string, parts: readonly Part[]) =>
    composeNews(to, 'Your e-mail address was changed', owner.displayName, parts, lock)
  return [
    write(oldEmail, [
      `The e-mail address of your account at ${site.brand} is now ${newEmail}. You can no longer sign in with the old address, and we no longer send mails about the account to it.`,
      'If it was not you, lock the account and write to us.',
      ...lock,
    ]),
    write(newEmail, [
      `Your account at ${site.brand} now has this e-mail address. Please sign in with it. We ended your other sessions. For three days, withdrawals need extra proof.`,
      'If it was not you, choose a new password at once and write to us.',
      newPasswordLink(env),
      ...lock,
    ]),
  ]
}

function confirmLink(env: Env, token: string): Part {
  return { label: 'Confirm the change', href: buildLink(env, '/confirm-email', { token }) }
}
