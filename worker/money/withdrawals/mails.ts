import { mailDateText } from '../../../src/contract/dates.ts'
import { formatCents } from '../../../src/contract/money.ts'
import { site } from '../../../src/site.ts'
import type { Actor } from '../../http/actor.ts'
import type { ActorCall } from '../../http/call.ts'
import { lockParts } from '../../identity/credentials/lockToken.ts'
import { isRecentChange } from '../../identity/credentials/recentChange.ts'
import { CODE_MINUTES, splitLongNumbers } from '../../identity/mailedCodes/codes.ts'
import { buildLink, composeMail, composeNews, type Part } from '../../lib/mail/compose.ts'
import type { Mail } from '../../lib/mail/outbox.ts'
import type { NewWithdrawal } from './facts.ts'

/** `splitLongNumbers` keeps other numbers from looking like the code. */
export function buildCodeMail(
  to: Pick<Actor, 'email' | 'displayName'>,
  { amountCents, destination }: NewWithdrawal,
  code: string,
  link: Part,
): Mail {
  const amount = formatCents(amountCents)
  return composeMail(to.email, 'Confirm your withdrawal', splitLongNumbers(to.displayName), [
    `You asked to withdraw ${amount} to ${splitLongNumbers(destination.words)}.`,
    ...(destination.facts === '' ? [] : [splitLongNumbers(destination.facts)]),
    `The code is ${code}`,
    `The code works once, within ${CODE_MINUTES} minutes, and for this amount and destination only. Nobody from ${site.brand} will ever ask you for it.`,
    'Or confirm it with this link, then go back and send the request again unchanged. Opening the link confirms nothing yet.',
    link,
    `If you did not ask for this, neither share the code nor confirm. Change your password and write to ${splitLongNumbers(site.supportEmail)}.`,
  ])
}

/**
 * Tells the owner about every withdrawal at once, so that an intruder's can be stopped before it is approved. If it is delayed,
 * the mail says until when and why, and how to avoid delays.
 */
export async function buildFiledMail(
  { env, actor, nowMs }: ActorCall,
  ref: string,
  { amountCents, destination }: NewWithdrawal,
  heldUntilMs: number | null,
): Promise<Mail> {
  const { email, displayName } = actor
  const lock = await lockParts(env, actor, nowMs)
  const request = [
    `You asked to withdraw ${formatCents(amountCents)} to ${destination.words}.`,
    ...(destination.facts === '' ? [] : [destination.facts]),
  ]
  // The notification has no account numbers.
  const mailOnly = [destination.facts, ...lock]
  if (heldUntilMs === null)
    return composeNews(
      email,
      `Your withdrawal ${ref} was requested`,
      displayName,
      [
        ...request,
        'It awaits approval. Until then you can cancel it:',
        { label: 'Your transaction history', href: buildLink(env, '/dashboard/transaction-history') },
        `If it was not you, lock your account now and write to ${site.supportEmail}.`,
        ...lock,
      ],
      mailOnly,
    )
  const until = mailDateText(heldUntilMs)
  return composeNews(
    email,
    `Your withdrawal ${ref} is delayed until ${until}`,
    displayName,
    [
      ...request,
      `We will not pay it before ${until}. The destination was new, and ${describeDelayReason(actor, nowMs)}`,
      actor.twoFactor
        ? 'There is no delay if you confirm a new destination with a second factor, and your password, e-mail address and second factors did not change in the three days before.'
        : 'To avoid delays, turn on a second factor. Three days later, you can confirm new destinations with it.',
      { label: 'Your security settings', href: buildLink(env, '/dashboard/profile') },
      `If it was not you, lock your account before that time and write to ${site.supportEmail}.`,
      ...lock,
    ],
    mailOnly,
  )
}

function describeDelayReason({ twoFactor, securityChangedAtMs }: Actor, nowMs: number): string {
  return twoFactor && isRecentChange(securityChangedAtMs, nowMs)
    ? 'your password, e-mail address or second factor changed in the last three days. Somebody else could have made that change.'
    : 'you confirmed it without a second factor. Anybody who can read your mail could have done that.'
}
