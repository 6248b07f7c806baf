import type { Closing } from '../../../src/contract/identity/closing.ts'
import { site } from '../../../src/site.ts'
import { DAY_MS, dateInWords } from '../../lib/days.ts'
import type { Env } from '../../lib/env.ts'
import { composeMail, linkTo } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import { type AccountOwner, newPasswordLink, securityMail } from '../credentials/lockToken.ts'

type Recipient = Pick<AccountOwner, 'email' | 'displayName'>

export function verificationMail(env: Env, to: Recipient, token: string): Mail {
  return composeMail(to.email, 'Verify your e-mail address', to.displayName, [
    `welcome to ${site.brand}. Please open this link within 24 hours to verify your e-mail address:`,
    {
      label: 'Verify your e-mail address',
      href: linkTo(env, '/verify-email', { email: to.email, verificationToken: token }),
    },
    'If you did not open an account, ignore this mail: without the link nothing happens.',
  ])
}

/** For a registration with an address that has an account. Only the owner learns of it. */
export function registeredAlreadyMail(env: Env, to: Recipient): Mail {
  return composeMail(to.email, 'You already have an account', to.displayName, [
    `somebody, perhaps you, tried to open an account at ${site.brand} with this e-mail address. It has one already, and nothing was changed.`,
    { label: 'Sign in', href: linkTo(env, '/sign-in') },
    newPasswordLink(env),
    'If it was not you, there is nothing to do.',
  ])
}

export function resetMail(env: Env, to: Recipient, token: string): Mail {
  return composeMail(to.email, 'Choose a new password', to.displayName, [
    'please open this link within one hour to choose a new password. It works once, and earlier ones no longer do.',
    {
      label: 'Choose a new password',
      href: linkTo(env, '/change-password', { email: to.email, token }),
    },
    'If you did not ask for it, ignore this mail: your password stays as it is.',
  ])
}

/** @param more further paragraphs about the effects of the change */
export function passwordChangedMail(
  env: Env,
  to: AccountOwner,
  nowMs: number,
  more: readonly string[] = [],
): Promise<Mail> {
  return securityMail(env, to, nowMs, 'Your password was changed', [
    `the password of your account at ${site.brand} was changed, and other sessions were ended. For three days, withdrawals ask for extra proof.`,
    ...more,
  ])
}

export function accountLockedMail(env: Env, to: Recipient, more: readonly string[]): Mail {
  return composeMail(to.email, 'Your account is locked', to.displayName, [
    `your account at ${site.brand} was locked with the link in one of our mails. Every session was ended, no money can be moved, and earlier links to choose a new password no longer work.`,
    ...more,
    'You can still sign in and read everything. If somebody may know your password, choose a new one.',
    newPasswordLink(env),
    `To have the lock lifted, write to ${site.supportEmail} from this address, or here:`,
    { label: 'Contact support', href: linkTo(env, '/contact-us') },
  ])
}

/** The last mail about an account: what is kept, why and until when. */
export function accountClosedMail(to: Recipient, keptDays: Closing['keptDays'], closedAtMs: number): Mail {
  const until = (days: number) => dateInWords(closedAtMs + days * DAY_MS)
  return composeMail(to.email, 'Your account is closed', to.displayName, [
    `your account at ${site.brand} was closed on ${dateInWords(closedAtMs)}. Every session has ended, nobody can sign in to it again, and this is our last mail about it.`,
    'Deleted at once: your address book, your devices, your second factor and its recovery codes, notices, and links that we mailed.',
    `Kept until ${until(keptDays.documents)}: your identity documents, because the law asks companies that move money to be able to show whom they dealt with. Then their keys are deleted, and nobody can read them.`,
    `Kept until ${until(keptDays.person)}, for the same reason: your name, e-mail address and other details, what you wrote to support, receipts, and where withdrawals went. Then they are erased.`,
    'Kept beyond that: your books and the log of what was done, which name you by a random id only.',
    'If you get our newsletter, it goes on until you leave it with the link in it.',
    `If it was not you who closed the account, or if you have a question, write to ${site.supportEmail}.`,
  ])
}

/** For a registration or password reset with the address of a closed account. Only the owner learns of it. */
export function alreadyClosedMail(to: Recipient, closedAtMs: number): Mail {
  return composeMail(to.email, 'Your account is closed', to.displayName, [
    `somebody, perhaps you, tried to open an account at ${site.brand} with this e-mail address, or asked for a new password. The account that it had was closed on ${dateInWords(closedAtMs)}. It cannot be opened again, and nothing was changed.`,
    `To have an account again, please write to ${site.supportEmail}. If it was not you, there is nothing to do.`,
  ])
}
