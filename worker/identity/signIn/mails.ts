import { mailDateText } from '../../../src/contract/dates.ts'
import type { ClosingConditions } from '../../../src/contract/identity/closing.ts'
import { site } from '../../../src/site.ts'
import { DAY_MS } from '../../../src/time.ts'
import type { Env } from '../../lib/env.ts'
import { buildLink, composeMail, composeNews } from '../../lib/mail/compose.ts'
import { type Mail, VERIFICATION_SUBJECT } from '../../lib/mail/outbox.ts'
import { DISTRUST_WORDS } from '../credentials/distrust.ts'
import { type AccountOwner, buildSecurityMail, newPasswordLink } from '../credentials/lockToken.ts'
import { type Registration, signVerificationToken } from './registrations.ts'

type Recipient = Pick<AccountOwner, 'email' | 'displayName'>

/** A recipient who may not have proved yet that the mailbox is theirs. */
interface Holder extends Recipient {
  readonly emailVerifiedAt: number | null
}

/** The name to greet a recipient by; null before they proved that the mailbox is theirs. */
function getProvedName({ displayName, emailVerifiedAt }: Holder): string | null {
  return emailVerifiedAt === null ? null : displayName
}

export async function buildVerificationMail(env: Env, registration: Registration): Promise<Mail> {
  const { id, email, createdAt } = registration
  return composeMail(email, VERIFICATION_SUBJECT, null, [
    `Welcome to ${site.brand}. To verify your e-mail address, open this link within 24 hours:`,
    {
      label: VERIFICATION_SUBJECT,
      href: buildLink(env, '/verify-email', {
        email,
        verificationToken: await signVerificationToken(env, id),
      }),
    },
    `The link is for the registration of ${mailDateText(createdAt)}. It opens the account with the password that was chosen then.`,
    'If you did not register at that time, ignore this mail: nothing happens without the link.',
  ])
}

/** For a registration with an address that has an account. Only the owner learns of it. */
export function buildAlreadyRegisteredMail(env: Env, to: Holder): Mail {
  return composeMail(to.email, 'You already have an account', getProvedName(to), [
    `Somebody, perhaps you, tried to open an account at ${site.brand} with this e-mail address. You already have an account with it. Nothing was changed.`,
    { label: 'Sign in', href: buildLink(env, '/sign-in') },
    newPasswordLink(env),
    'If it was not you, you do not need to do anything.',
  ])
}

export function buildResetMail(env: Env, to: Holder, token: string): Mail {
  return composeMail(to.email, 'Choose a new password', getProvedName(to), [
    'To choose a new password, open this link within one hour. It works once. Earlier links no longer work.',
    {
      label: 'Choose a new password',
      href: buildLink(env, '/change-password', { email: to.email, token }),
    },
    'If you did not ask for this, ignore this mail: your password does not change.',
  ])
}

export function buildSignInLinkMail(env: Env, to: Holder, token: string): Mail {
  return composeMail(to.email, 'Your sign-in link', getProvedName(to), [
    'To sign in without your password, open this link within 15 minutes. It works once. Earlier sign-in links no longer work.',
    { label: 'Sign in', href: buildLink(env, '/sign-in-link', { email: to.email, token }) },
    'If you have a second factor, we ask for it too. For three days after you sign in with the link, withdrawals need extra proof.',
    'If you did not ask for this, ignore this mail, and do not give the link to anybody: it opens your account.',
  ])
}

/** @param more further paragraphs about the effects of the change */
export function buildPasswordChangedMail(
  env: Env,
  to: AccountOwner,
  nowMs: number,
  more: readonly string[] = [],
): Promise<Mail> {
  return buildSecurityMail(env, to, nowMs, 'Your password was changed', [
    `The password of your account at ${site.brand} was changed. For three days, withdrawals need extra proof.`,
    DISTRUST_WORDS,
    ...more,
  ])
}

export function buildAccountLockedMail(env: Env, to: Recipient, more: readonly string[]): Mail {
  return composeNews(to.email, 'Your account is locked', to.displayName, [
    `Somebody locked your account at ${site.brand} with the link in one of our mails. Nobody can sign in, and no money can be moved. Earlier links to choose a new password no longer work.`,
    ...more,
    DISTRUST_WORDS,
    'If somebody else may know your password, choose a new one now. You can sign in again when the lock is lifted.',
    newPasswordLink(env),
    `To have the lock lifted, write to ${site.supportEmail} from this address, or use our contact form:`,
    { label: 'Contact support', href: buildLink(env, '/contact-us') },
  ])
}

/** The last mail about an account: lists the kept data, the reasons and the end dates. */
export function buildAccountClosedMail(
  to: Recipient,
  keptDays: ClosingConditions['keptDays'],
  closedAtMs: number,
): Mail {
  const formatEndDate = (days: number) => mailDateText(closedAtMs + days * DAY_MS, 'date')
  return composeMail(to.email, 'Your account is closed', to.displayName, [
    `Your account at ${site.brand} was closed on ${mailDateText(closedAtMs, 'date')}. All sessions have ended, and nobody can sign in to it again. This is our last mail about it.`,
    'Deleted now: your address book, your devices, your second factor and its recovery codes, notices, and the links that we mailed.',
    `Kept until ${formatEndDate(keptDays.documents)}: your identity documents. The law requires companies that move money to be able to show who their customers were. On that date we delete their keys, and nobody can read them any more.`,
    `Kept until ${formatEndDate(keptDays.person)}, for the same reason: your name, e-mail address and other details, your messages to support, receipts, and the destinations of withdrawals. On that date we erase them.`,
    'Kept after that: your bookings and the audit log. They contain a random id instead of your name.',
    'If you get our newsletter, you keep getting it until you unsubscribe with the link in it.',
    `If you did not close the account, or if you have a question, write to ${site.supportEmail}.`,
  ])
}

/** For a registration or password reset with the address of a closed account. Only the owner learns of it. */
export function buildAlreadyClosedMail(to: Recipient, closedAtMs: number): Mail {
  return composeMail(to.email, 'Your account is closed', to.displayName, [
    `Somebody, perhaps you, tried to open an account at ${site.brand} with this e-mail address, or asked for a new password. The account with this address was closed on ${mailDateText(closedAtMs, 'date')} and cannot be opened again. Nothing was changed.`,
    `If you want a new account, write to ${site.supportEmail}. If it was not you, you do not need to do anything.`,
  ])
}
